//! What is embedded in a report as JSON: the contract between Rust and the page's script.
//!
//! Times are in seconds, sizes in bytes, rates in bits a second. Lists named `systems` or said to be
//! "by system" have an entry for each of [`Page::systems`], in that order. Everything is aggregated:
//! how much there is depends on how many systems, sizes and metrics there are, never on how many
//! flows.

use serde::Serialize;

use super::look::Look;
pub use super::look::SystemKind;
pub use super::network::data::{DrawnLink, DrawnNode, NetworkDrawing, ReportNetwork};
use crate::results::Warning;

/// All that a page shows.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    /// The scenario's name.
    pub name: String,
    /// What built the results: version and a hash of the sources.
    pub build: String,
    /// Confidence level of intervals, e.g. 0.95.
    pub confidence: f64,
    /// Capacity of the link that systems are compared at.
    pub bottleneck_capacity: u64,
    /// Warnings about the results.
    pub warnings: Vec<Warning>,
    /// The scenario with every default stated, as TOML.
    pub scenario: String,
    /// Protocols in the scenario's order, custom laws, ideals, then theory.
    pub systems: Vec<ReportSystem>,
    /// Flows by size, the smallest first; only sizes that some flow has.
    pub sizes: Vec<SizeBin>,
    /// Mean completion times relative to each ideal.
    pub ratios: Vec<ReportRatios>,
    /// How slowdowns are distributed: all flows first, then by decade of size.
    pub slowdowns: Slowdowns,
    /// Some flows of every size, the same under every system.
    pub sample: Sample,
    /// Metrics over time.
    pub metrics: Vec<ReportMetrics>,
    /// Number of lines over time omitted to bound the page.
    pub metrics_left_out: usize,
    /// The network and what its links did.
    pub network: ReportNetwork,
    /// Links, those that limit flows most first, then the busiest.
    pub links: Vec<ReportLink>,
    /// Number of links that limit flows.
    pub bottlenecks: usize,
    /// Number of links omitted to bound the page.
    pub links_left_out: usize,
    /// The scenario's groups.
    pub groups: Vec<ReportGroup>,
}

/// A protocol, an ideal, or theory.
#[derive(Clone, Debug, Serialize)]
pub struct ReportSystem {
    /// Its name in results and on the command line.
    pub name: String,
    /// Its name for a reader.
    pub title: String,
    /// One line about it, for a tooltip.
    pub about: String,
    /// What it is.
    pub kind: SystemKind,
    /// Its place among all there are of its kind: its colour, marker and dashes, the same in every
    /// report. Custom laws follow the registered protocols, in the results' order.
    pub style: usize,
    /// Its colour, marker and dashes.
    pub look: Look,
    /// How many runs it had.
    pub runs: usize,
    /// Its row in the table of totals; theory has none.
    pub totals: Option<ReportTotals>,
}

/// One system over all flows and runs, as in `summary.json`.
#[derive(Clone, Debug, Serialize)]
pub struct ReportTotals {
    /// Measured flows that finished.
    pub flows: u64,
    /// Measured flows that did not.
    pub unfinished: u64,
    /// Completion time.
    pub completion: Estimates,
    /// What models predict of the mean completion time, where they do.
    pub estimate: Option<ReportEstimate>,
    /// Completion time over that of the same flow alone on the empty path.
    pub slowdown: Estimates,
    /// Offered load, in bits a second.
    pub offered: f64,
    /// The bottleneck's utilization, in [0, 1].
    pub utilization: f64,
    /// Its mean queue in bytes.
    pub mean_queue: f64,
    /// Its 99th percentile.
    pub p99_queue: f64,
    /// Packets dropped by its queue, mean over runs.
    pub bottleneck_drops: f64,
    /// Packets dropped by queues of all links, all runs together.
    pub drops: u64,
    /// Packets retransmitted.
    pub retransmissions: u64,
    /// Flows that send until they are stopped.
    pub long_flows: u64,
    /// Jain's index of their throughputs; none for fewer than two.
    pub jain: Option<f64>,
}

/// Mean completion times that models predict.
#[derive(Clone, Debug, Serialize)]
pub struct ReportEstimate {
    /// Of all flows.
    pub mean: f64,
    /// At each of [`Page::sizes`]; none at most of them.
    pub by_size: Vec<Option<f64>>,
    /// Why they may be far off, a sentence each.
    pub doubts: Vec<String>,
}

/// A value with its interval, if it has one: `[value, low, high]`.
pub type WithInterval = [Option<f64>; 3];

/// Statistics of a distribution.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Estimates {
    /// Mean.
    pub mean: WithInterval,
    /// Median.
    pub p50: WithInterval,
    /// 99th percentile.
    pub p99: WithInterval,
}

/// Flows of some sizes.
#[derive(Clone, Debug, Serialize)]
pub struct SizeBin {
    /// The smallest size.
    pub from: u64,
    /// Sizes are less than this.
    pub to: u64,
    /// Mean size of its flows: where the bin stands on an axis.
    pub mean: f64,
    /// By system; none where no flow finished.
    pub systems: Vec<Option<SizePoint>>,
}

/// Flows of some sizes under one system.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SizePoint {
    /// How many finished; 0 for theory.
    pub flows: u64,
    /// Completion time.
    pub completion: Estimates,
    /// Slowdown.
    pub slowdown: Estimates,
    /// Jain's index of 1/slowdown; none for fewer than two flows, and for theory.
    pub jain: Option<f64>,
}

/// Mean completion times relative to those of the same flows under an ideal, by class of sizes.
#[derive(Clone, Debug, Serialize)]
pub struct ReportRatios {
    /// The ideal's name for a reader.
    pub reference: String,
    /// The classes, in data packets of a flow, after `all`.
    pub classes: Vec<String>,
    /// By class: number of flows; none if some runs of a protocol are missing, so that it differs from that of others.
    pub flows: Vec<u64>,
    /// By system, then by class; none for a system that is not compared.
    pub systems: Vec<Option<Vec<Option<ReportRatio>>>>,
}

/// The ratio of some flows under one system.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ReportRatio {
    /// Mean completion time over that under the ideal.
    pub ratio: WithInterval,
    /// Flows that did not finish: if there are any, the ratio is a lower bound.
    pub unfinished: u64,
}

/// How slowdowns are distributed.
#[derive(Clone, Debug, Serialize)]
pub struct Slowdowns {
    /// Slowdowns, evenly spaced in their logarithm, from 1 to beyond the greatest.
    pub at: Vec<f64>,
    /// Classes of flows.
    pub classes: Vec<SlowdownClass>,
}

/// How the slowdowns of some flows are distributed.
#[derive(Clone, Debug, Serialize)]
pub struct SlowdownClass {
    /// Which flows, e.g. `1-10 kB`.
    pub label: String,
    /// By system: how many finished.
    pub flows: Vec<u64>,
    /// By system, for each of [`Slowdowns::at`]: how many were slower than that (within 0.4 %).
    pub above: Vec<Vec<u64>>,
}

/// Flows chosen by a hash of their names, at most `quota` of each size bin, as columns.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sample {
    /// Most flows of one size bin.
    pub quota: usize,
    /// Names of groups.
    pub groups: Vec<String>,
    /// A flow's group: its place in `groups`.
    pub group: Vec<u32>,
    /// Its place among its group's arrivals.
    pub index: Vec<u64>,
    /// Its run's seed.
    pub seed: Vec<u64>,
    /// Its size. Flows are in order of size.
    pub size: Vec<u64>,
    /// Its completion time alone on the empty path.
    pub alone: Vec<f64>,
    /// By system: its slowdown; none if it did not finish.
    pub slowdown: Vec<Vec<Option<f64>>>,
}

/// Metrics of a link or a flow, in the first run of each system.
#[derive(Clone, Debug, Serialize)]
pub struct ReportMetrics {
    /// What it is: `left → right`, `flow 3 of web`.
    pub name: String,
    /// The seed of those runs.
    pub seed: u64,
    /// Its quantities.
    pub quantities: Vec<Quantity>,
}

/// One quantity over time.
#[derive(Clone, Debug, Serialize)]
pub struct Quantity {
    /// What it is, for a reader.
    pub title: String,
    /// Its unit; empty for a number.
    pub unit: &'static str,
    /// When it was sampled.
    pub times: Vec<f64>,
    /// Whether samples were omitted: then the minimum and the maximum of each interval are kept.
    pub thinned: bool,
    /// By system: its value at each of `times`; none where it was not sampled, an empty list for a
    /// system that has no such quantity.
    pub values: Vec<Vec<Option<f64>>>,
}

/// A link.
#[derive(Clone, Debug, Serialize)]
pub struct ReportLink {
    /// `left → right`.
    pub name: String,
    /// Its capacity.
    pub capacity: f64,
    /// By system; means over runs. None for a system without runs.
    pub systems: Vec<Option<LinkUse>>,
}

/// What a link did under one system, mean over runs.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LinkUse {
    /// In [0, 1].
    pub utilization: f64,
    /// Bytes.
    pub mean_queue: f64,
    /// Bytes.
    pub p99_queue: f64,
    /// Packets dropped.
    pub drops: f64,
    /// Packets marked.
    pub marks: f64,
}

/// A group of the scenario.
#[derive(Clone, Debug, Serialize)]
pub struct ReportGroup {
    /// Its name.
    pub name: String,
    /// By system: data delivered a second; none for theory.
    pub throughput: Vec<Option<f64>>,
    /// By system: its streams of datagrams; empty if it has none, none for ideals and theory.
    pub streams: Vec<Option<ReportStreams>>,
}

/// The streams of datagrams of a group under one system, mean over runs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ReportStreams {
    /// How many streams, all runs together.
    pub streams: u64,
    /// Load offered, headers included.
    pub offered: f64,
    /// Datagrams sent.
    pub sent: f64,
    /// Part of the datagrams delivered or lost that was lost.
    pub loss: Option<f64>,
    /// Mean delay from sender to receiver.
    pub mean_delay: Option<f64>,
    /// The largest 99th percentile of the delays of a stream.
    pub p99_delay: Option<f64>,
}
