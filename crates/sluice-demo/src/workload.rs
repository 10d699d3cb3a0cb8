//! The flows of a configuration, in order of their starts.

use sluice_sim::ideal::{self, Ideal};
use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, FlowRecord, Observer, Progress};
use sluice_units::{Bytes, Span, Time};

use crate::error::DemoError;

/// A flow to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedFlow {
    pub group: usize,
    pub index: u64,
    pub start: Time,
    /// When it is stopped, if it has no size.
    pub stop: Time,
    pub size: Option<Bytes>,
    /// See [`FlowRecord::alone`].
    pub alone: Option<Span>,
    pub measured: bool,
}

/// All flows that start before the limit: traffic goes on until measured flows have finished. They are those of the simulator,
/// which an ideal lists.
pub fn planned(config: &Config) -> Result<Vec<PlannedFlow>, DemoError> {
    let to_the_limit = Config {
        stop: config.limit,
        link_metrics: Vec::new(),
        flow_metrics: Vec::new(),
        group_metrics: Vec::new(),
        ..config.clone()
    };
    let mut list = List { config, flows: Vec::new() };
    ideal::run(&to_the_limit, Ideal::MaxMin, &mut list)?;
    list.flows.sort_by_key(|flow| (flow.start, flow.group, flow.index));
    Ok(list.flows)
}

struct List<'a> {
    config: &'a Config,
    flows: Vec<PlannedFlow>,
}

impl Observer for List<'_> {
    fn flow(&mut self, record: &FlowRecord) {
        let Config { warm_up, stop, groups, .. } = self.config;
        self.flows.push(PlannedFlow {
            group: record.group,
            index: record.index,
            start: record.start,
            stop: match &groups[record.group].traffic {
                Traffic::Long(long) => long.stop,
                _ => Time::NEVER,
            },
            size: record.size,
            alone: record.alone,
            measured: (*warm_up..*stop).contains(&record.start),
        });
    }

    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}
