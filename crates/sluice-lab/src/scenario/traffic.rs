//! When the flows of a group arrive: one type a model, each a field of [`super::Group`].

use std::path::Path;

use serde::{Deserialize, Serialize};
use sluice_sim::traffic::{Long, Poisson, Traffic};
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use super::{PerSecond, Problems, SizeModel};

/// What a traffic model is told of its group. A group for each pair of hosts shares one model.
pub(crate) struct Context<'a> {
    /// How much data a full packet carries.
    pub payload: Bytes,
    /// The least capacity on the group's path.
    pub capacity: Rate,
    /// Which of the pairs this is, from 0 ...
    pub pair: usize,
    /// ... and of how many.
    pub pairs: usize,
    /// Paths of files start from here.
    pub folder: &'a Path,
}

/// A traffic model with every choice made.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    /// What the engine draws from.
    pub traffic: Traffic,
    /// Data a second that it brings on average, where that is known.
    pub mean_rate: Option<Rate>,
    /// Mean flow size in bytes, where that is known.
    pub mean_size: Option<f64>,
}

/// Flows that send from their start until they are stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongTraffic {
    /// How many flows, or how many a pair; 1 by default.
    #[serde(default = "one")]
    pub count: u64,
    /// When the first one starts; at once by default.
    #[serde(default = "at_once")]
    pub start: Time,
    /// Time from one start to the next, going round the pairs; none by default.
    #[serde(default)]
    pub spacing: Span,
    /// When all of them stop; the end of the run by default.
    pub stop: Option<Time>,
}

impl LongTraffic {
    pub(super) fn resolve(
        &self,
        field: &str,
        context: &Context<'_>,
        problems: &mut Problems,
    ) -> Option<Resolved> {
        if self.count == 0 {
            problems.field(format!("{field}.count"), "there must be at least 1 flow");
            return None;
        }
        let stop = self.stop.unwrap_or(Time::NEVER);
        if stop <= self.start {
            problems.field(format!("{field}.stop"), "the flows stop before they start");
            return None;
        }
        let traffic = Traffic::Long(Long {
            count: self.count,
            start: self.start + self.spacing * context.pair as u64,
            spacing: self.spacing * context.pairs as u64,
            stop,
        });
        Some(Resolved { traffic, mean_rate: None, mean_size: None })
    }
}

/// Flows that arrive independently of each other. Say how many either by `rate` or by `load`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoissonTraffic {
    /// Flows a second, all pairs together.
    pub rate: Option<PerSecond>,
    /// Data (without headers) as a fraction of the least capacity on the path, all pairs together.
    pub load: Option<Ratio>,
    /// How much they send.
    pub sizes: SizeModel,
    /// The first arrival comes after this; 0 s by default.
    #[serde(default = "at_once")]
    pub start: Time,
    /// No arrival comes after this; never by default.
    pub stop: Option<Time>,
}

impl PoissonTraffic {
    pub(super) fn resolve(
        &self,
        field: &str,
        context: &Context<'_>,
        problems: &mut Problems,
    ) -> Option<Resolved> {
        let sizes = self.sizes.resolve(&format!("{field}.sizes"), context, problems)?;
        let mean = sizes.mean();
        let total = self.per_second(field, mean, context, problems)?;
        let per_second = problems.keep(field, Ratio::try_new(total / context.pairs as f64))?;
        let stop = self.stop.unwrap_or(Time::NEVER);
        let traffic = Traffic::Poisson(Poisson { per_second, start: self.start, stop, sizes });
        let mean_rate = Some(Rate::from_bps_f64(per_second.get() * mean * 8.0));
        Some(Resolved { traffic, mean_rate, mean_size: Some(mean) })
    }

    fn per_second(
        &self,
        field: &str,
        mean: f64,
        context: &Context<'_>,
        problems: &mut Problems,
    ) -> Option<f64> {
        match (self.rate, self.load) {
            (Some(PerSecond(rate)), None) => Some(rate.get()),
            (None, Some(load)) if load.get() > 0.0 => {
                Some(load.get() * context.capacity.as_bps_f64() / (8.0 * mean))
            }
            (None, Some(_)) => {
                let what =
                    "the load must be above 0; 0.8 is 80 % of the least capacity on the path";
                problems.field(format!("{field}.load"), what);
                None
            }
            (Some(_), Some(_)) => {
                problems.field(field, "give `rate` or `load`, not both");
                None
            }
            (None, None) => {
                problems.field(field, "how much traffic? give `rate = \"400 /s\"` or `load = 0.8`");
                None
            }
        }
    }
}

fn one() -> u64 {
    1
}

fn at_once() -> Time {
    Time::ZERO
}
