//! The memory of a run, and what takes most of it.

use sluice_sim::Forecast;
use sluice_sim::ideal::Ideal;
use sluice_sim::traffic::{Listed, Traffic};
use sluice_units::Bytes;

use crate::Plan;

/// Bytes of the completion time of a flow under the max-min ideal ([`crate::results::Times`]), of which a
/// growing list may have twice as many; and of a row of a list of flows, which every run copies.
const TIME: f64 = 16.0;
const ROW: f64 = 2.0 * size_of::<Listed>() as f64;
/// The largest number of rows of flows that wait to be written, and bytes of one.
const WAITING: f64 = 65_536.0;
const WAITING_ROW: f64 = 150.0;

/// The memory of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// Flows that are live at the same time.
    pub flows: Bytes,
    /// The number of these, and the group with the most.
    pub live: f64,
    /// The name of that group.
    pub busiest: String,
    /// Packets in flight.
    pub packets: Bytes,
    /// Lists of flows, and their completion times under the max-min ideal.
    pub records: Bytes,
    /// Links, rows of flows that wait to be written, and everything else.
    pub rest: Bytes,
}

impl Memory {
    pub(super) fn of(plan: &Plan, run: &Forecast) -> Self {
        let has_times = plan.scenario.ideals.contains(&Ideal::MaxMin);
        let times = if has_times { run.flows * TIME } else { 0.0 };
        let groups = &plan.config.groups;
        let rows: usize = groups.iter().map(|group| listed(&group.traffic)).sum();
        Self {
            flows: run.flow_memory(),
            live: run.live,
            busiest: groups.get(run.busiest).map(|group| group.name.clone()).unwrap_or_default(),
            packets: run.packet_memory(),
            records: Bytes::new((times + rows as f64 * ROW) as u64),
            rest: run.base_memory() + Bytes::new((run.flows.min(WAITING) * WAITING_ROW) as u64),
        }
    }

    /// All of it.
    pub fn total(&self) -> Bytes {
        let parts = [self.flows, self.packets, self.records, self.rest];
        Bytes::new(parts.iter().fold(0, |sum, part| sum.saturating_add(part.as_u64())))
    }
}

fn listed(traffic: &Traffic) -> usize {
    if let Traffic::List(flows) = traffic { flows.len() } else { 0 }
}
