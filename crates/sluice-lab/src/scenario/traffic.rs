//! From a group's traffic model to the traffic that the engine draws.

use std::path::Path;

use sluice_sim::traffic::sizes::Empirical;
use sluice_sim::traffic::{Listed, Sizes, Traffic, TrafficContext, Udp};
use sluice_units::Rate;

use super::flow_csv;
use super::problem::{Problem, Problems};

/// What the traffic of a group depends on.
pub(crate) struct Context<'a> {
    /// Where its flows go. A group for each pair of hosts shares one model.
    pub setting: TrafficContext,
    /// Paths of files start from here.
    pub folder: &'a Path,
}

/// Traffic with every choice made.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    /// What the engine draws from.
    pub traffic: Traffic,
    /// Mean offered load, where it is known.
    pub mean_rate: Option<Rate>,
    /// Mean flow size in bytes, where that is known.
    pub mean_size: Option<f64>,
}

impl Resolved {
    /// Flows of a file.
    pub fn listed(flows: Vec<Listed>) -> Self {
        Self { traffic: Traffic::List(flows), mean_rate: None, mean_size: None }
    }
}

/// The traffic of one of the pairs that share the model in `field`; `None` with what is wrong in
/// `problems`.
pub(super) fn resolve(
    mut model: Traffic,
    field: &str,
    context: &Context<'_>,
    problems: &mut Problems,
) -> Option<Resolved> {
    if let Some(Sizes::File(file)) = model.sizes_mut() {
        let field = format!("{field}.sizes.file");
        let points = flow_csv::points(&context.folder.join(&file.path));
        let points = points.map_err(|faults| faults.report(&field, problems)).ok()?;
        file.table = Some(problems.keep(field, Empirical::new(points))?);
    }
    if let Traffic::Udp(Udp { replay: Some(file), .. }) = &mut model {
        let datagrams = flow_csv::datagrams(&context.folder.join(&file.path));
        let field = format!("{field}.replay");
        let datagrams = datagrams.map_err(|faults| faults.report(&field, problems)).ok()?;
        file.list = Some(datagrams.into());
    }
    match model.resolve(&context.setting) {
        Ok(traffic) => {
            let means = traffic.means(&TrafficContext { pair: 0, pairs: 1, ..context.setting });
            Some(Resolved { traffic, mean_rate: means.rate, mean_size: means.size })
        }
        Err(faults) => {
            problems.0.extend(faults.into_iter().map(|fault| Problem::of(fault, field)));
            None
        }
    }
}
