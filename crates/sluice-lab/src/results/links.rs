//! What each link of a run came to: a row each.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sluice_sim::{IngressOutcome, LinkConfig, LinkOutcome, PoliceOutcome};

use super::columns::{Cell, Column, ColumnType, Rows};
use super::flow_paths::LinkLoad;
use super::label::RunLabel;
use crate::Plan;

const COLUMNS: [Column; 22] = [
    ("from", ColumnType::Text, false),
    ("to", ColumnType::Text, false),
    ("capacity_bps", ColumnType::Int, false),
    ("delay_ns", ColumnType::Int, false),
    ("router", ColumnType::Bool, false),
    ("utilization", ColumnType::Float, false),
    ("sent_bytes", ColumnType::Int, false),
    ("mean_queue_bytes", ColumnType::Int, false),
    ("p99_queue_bytes", ColumnType::Int, false),
    ("max_queue_bytes", ColumnType::Int, false),
    ("drops", ColumnType::Int, false),
    ("early_drops", ColumnType::Int, false),
    ("marks", ColumnType::Int, false),
    ("errors", ColumnType::Int, false),
    ("tests", ColumnType::Int, true),
    ("failed_tests", ColumnType::Int, true),
    ("convicted_flows", ColumnType::Int, true),
    ("policed_drops", ColumnType::Int, true),
    ("tracked_flows", ColumnType::Int, true),
    ("macro_flows", ColumnType::Int, true),
    ("ingress_drops", ColumnType::Int, true),
    ("ingress_wait_ns", ColumnType::Int, true),
];

/// A link by its ends, and over the measured time as [`LinkOutcome`] has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkTotals {
    pub from: String,
    pub to: String,
    pub utilization: f64,
    pub sent: u64,
    pub mean_queue: u64,
    pub p99_queue: u64,
    pub max_queue: u64,
    pub drops: u64,
    pub early_drops: u64,
    pub marks: u64,
    pub errors: u64,
    /// Data of the measured flows that crossed it, in bytes.
    pub offered: u64,
    /// Datagrams of the streams that crossed it, with headers, in bytes; 0 under ideals.
    pub unresponsive: u64,
    /// What its policing agent did; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub police: Option<PoliceOutcome>,
    /// What became of packets in queues of macro-flows; `None` where none enters a cloud.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ingress: Option<IngressOutcome>,
}

/// The cells of a policing agent.
fn cells(police: Option<PoliceOutcome>) -> [Cell; 5] {
    let Some(PoliceOutcome { tests, failed, convicted, dropped, tracked }) = police else {
        return [const { Cell::None }; 5];
    };
    [tests, failed, convicted, dropped, tracked].map(Cell::Int)
}

/// The cells of the queues of macro-flows.
fn ingress_cells(ingress: Option<IngressOutcome>) -> [Cell; 3] {
    let Some(IngressOutcome { macro_flows, dropped, mean_wait, .. }) = ingress else {
        return [const { Cell::None }; 3];
    };
    [macro_flows, dropped, mean_wait.as_nanos()].map(Cell::Int)
}

impl LinkTotals {
    /// What the engine found of a link, and the load that flows offered to it.
    pub fn of(plan: &Plan, link: &LinkConfig, found: &LinkOutcome, load: &LinkLoad) -> Self {
        Self {
            from: plan.network.nodes[link.from].clone(),
            to: plan.network.nodes[link.to].clone(),
            utilization: found.utilization,
            sent: found.sent.as_u64(),
            mean_queue: found.mean_queue.as_u64(),
            p99_queue: found.p99_queue.as_u64(),
            max_queue: found.max_queue.as_u64(),
            drops: found.drops,
            early_drops: found.early_drops,
            marks: found.marks,
            errors: found.errors,
            offered: libm::round(load.flows) as u64,
            unresponsive: libm::round(load.streams) as u64,
            police: found.police,
            ingress: found.ingress,
        }
    }
}

/// Writes `links.parquet` into a run's folder.
pub fn write(folder: &Path, plan: &Plan, links: &[LinkTotals], label: &RunLabel) -> io::Result<()> {
    let mut rows = Rows::create(&folder.join("links.parquet"), &COLUMNS, label)?;
    let core = plan.config.core_links();
    for (id, (link, found)) in plan.config.links.iter().zip(links).enumerate() {
        let [macro_flows, refused, waited] = ingress_cells(found.ingress);
        let [tests, failed, convicted, dropped, tracked] = cells(found.police);
        rows.push([
            Cell::Text(found.from.as_str().into()),
            Cell::Text(found.to.as_str().into()),
            Cell::Int(link.capacity.as_bps()),
            Cell::Int(link.delay.as_nanos()),
            Cell::Bool(link.router.runs() || core.contains(&id)),
            Cell::Float(found.utilization),
            Cell::Int(found.sent),
            Cell::Int(found.mean_queue),
            Cell::Int(found.p99_queue),
            Cell::Int(found.max_queue),
            Cell::Int(found.drops),
            Cell::Int(found.early_drops),
            Cell::Int(found.marks),
            Cell::Int(found.errors),
            tests,
            failed,
            convicted,
            dropped,
            tracked,
            macro_flows,
            refused,
            waited,
        ])?;
    }
    rows.finish()
}
