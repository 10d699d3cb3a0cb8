//! `summary.json`: the main results.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::analytic::Analytic;
use super::estimated::EstimatedMeans;
use super::pairs::Comparison;
use super::quantiles::{Intervals, Method, Quantiles};
use super::ratios::CompletionRatios;
use super::statuses::Statuses;
use super::streams::StreamSummary;
use super::system::System;
use super::versioned;

/// The file's name in a folder of results.
pub(crate) const SUMMARY: &str = "summary.json";

/// Everything in `summary.json`. Times are in seconds, sizes in bytes, rates in bits a second.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// The version of this format.
    pub schema: u32,
    /// The scenario's name.
    pub name: String,
    /// The build that made the runs: version and hash of the sources.
    pub build: String,
    /// Confidence level of every interval.
    pub confidence: f64,
    /// The measured time, from `warm_up` to `stop`: flows that arrive in it are measured, and
    /// packets that are dropped, marked, lost or sent again in it are counted.
    pub measured: [f64; 2],
    /// Capacity of `ProtocolSummary::bottleneck`.
    pub bottleneck_capacity: u64,
    /// Number of limiting links that are not in `ProtocolSummary::links`.
    pub links_left_out: usize,
    /// Each protocol over all its runs, in the scenario's order, then custom laws.
    pub protocols: Vec<ProtocolSummary>,
    /// The same flows under ideals, in the scenario's order.
    pub ideals: Vec<ProtocolSummary>,
    /// The prediction of queueing theory for these flows, where there is one.
    pub analytic: Option<Analytic>,
    /// Each protocol compared with the first one, flow by flow.
    pub pairs: Vec<Comparison>,
    /// Mean completion times by class of sizes, each protocol's relative to each ideal's, in the order of
    /// `ideals`, then to those of the first protocol. Systems without a measured flow in common are left out.
    #[serde(default)]
    pub ratios: Vec<CompletionRatios>,
    /// Warnings about the results.
    pub warnings: Vec<Warning>,
    /// The runs, those of ideals first.
    pub runs: Vec<RunSummary>,
    /// Interrupted runs, by protocol and seed; they are not part of the results above.
    pub interrupted: Vec<(System, u64)>,
    /// The files beside this one that belong to it, without those of the runs.
    pub files: Vec<String>,
}

/// One protocol, or one ideal, over all its runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProtocolSummary {
    /// Which.
    pub protocol: System,
    /// How many runs.
    pub runs: usize,
    /// How many runs found the same as the first one, whatever their seeds: then no mean has an
    /// interval. Where all protocols and ideals repeat, these runs are in no figure and not in `runs`.
    pub repeats: usize,
    /// Measured flows that did not finish before the run's limit.
    pub unfinished: u64,
    /// Data packets sent again in the measured time, as `drops` are.
    pub retransmissions: u64,
    /// Packets dropped by queues of all links in the measured time.
    pub drops: u64,
    /// Packets that found the queue of their macro-flow full in that time; `None` without clouds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ingress_drops: Option<u64>,
    /// Control packets of clouds that could not state all of their macro-flow's weight or bytes in that time; `None`
    /// without clouds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capped_statements: Option<u64>,
    /// Packets lost in transit on all links in the measured time.
    pub errors: u64,
    /// Load offered by measured flows, in bits a second, mean over runs.
    pub offered: f64,
    /// Measured flows that finished, of all sizes.
    pub all: BinSummary,
    /// The same by size; sizes without a flow are left out.
    pub by_size: Vec<BinSummary>,
    /// What models predict of completion times; `None` where there is no model of the protocol or the scenario, where
    /// models do not agree, and in overload.
    #[serde(default)]
    pub estimate: Option<EstimatedMeans>,
    /// The link that limits flows most, the same for every protocol: the first of `links`.
    pub bottleneck: LinkSummary,
    /// The links that limit flows, at most five, those that hold back most first; the same for
    /// every protocol. On some way of data or acknowledgements each is used most under some
    /// protocol, or drops, marks or loses most.
    pub links: Vec<LinkSummary>,
    /// Groups as the scenario has them (pairs together).
    pub groups: Vec<GroupSummary>,
    /// Flows that send until they are stopped; `None` if there are none.
    pub long: Option<LongSummary>,
    /// Streams of datagrams, which are in no other field but `groups`, `links` and `bottleneck`; `None`
    /// if there are none, and under ideals.
    #[serde(default)]
    pub streams: Option<StreamSummary>,
}

impl ProtocolSummary {
    /// All sizes together, then each.
    pub(super) fn bins_mut(&mut self) -> impl Iterator<Item = &mut BinSummary> {
        std::iter::once(&mut self.all).chain(&mut self.by_size)
    }
}

/// Flows of some sizes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BinSummary {
    /// The smallest size in bytes.
    pub from: u64,
    /// Sizes are less than this; `None` for no limit.
    pub to: Option<u64>,
    /// How many flows.
    pub flows: u64,
    /// Completion time in seconds, from the SYN to the last byte's arrival.
    pub completion: Quantiles,
    /// Completion time over that of the same flow alone on the empty path.
    pub slowdown: Quantiles,
    /// Completion time over that of the same flow under the max-min ideal; no values without it.
    pub ideal_ratio: Quantiles,
}

impl BinSummary {
    /// Drops the intervals over runs that are identical; those of quantiles within a run are valid.
    pub(super) fn drop_intervals_over_runs(&mut self) {
        for found in [&mut self.completion, &mut self.slowdown, &mut self.ideal_ratio] {
            if found.intervals.method == Some(Method::Replications) {
                found.intervals = Intervals::default();
            }
        }
    }
}

/// One link in the measured time, means over runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LinkSummary {
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// In bits a second.
    pub capacity: u64,
    /// Bytes sent over capacity x time.
    pub utilization: f64,
    /// Mean queue in bytes.
    pub mean_queue: f64,
    /// 99th percentile of the queue in bytes.
    pub p99_queue: f64,
    /// Packets dropped by this link's queue in the measured time; those of all links, summed over runs, are
    /// [`ProtocolSummary::drops`].
    pub drops: f64,
    /// Packets that its queue marked.
    pub marks: f64,
    /// Packets lost on its wire.
    pub errors: f64,
    /// Its bandwidth-delay product in bytes, as for buffers: capacity x the largest round-trip propagation delay
    /// among the groups that cross it; 0 where none does.
    #[serde(default)]
    pub bdp: f64,
    /// Load offered by the measured flows whose paths it is on, in bits a second, of sprayed flows the
    /// part of their packets that crosses it.
    pub offered: f64,
    /// The same of streams of datagrams, headers included; 0 under ideals.
    #[serde(default)]
    pub unresponsive: f64,
}

/// One group of the scenario.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GroupSummary {
    /// Its name.
    pub name: String,
    /// How many flows it had, all runs together.
    pub flows: u64,
    /// Data delivered in the measured time, in bits a second, mean over runs.
    pub throughput: f64,
    /// Load offered by its measured flows, in bits a second, mean over runs.
    pub offered: f64,
    /// Mean completion time of its measured flows that finished, in seconds; `None` if none did.
    pub completion: Option<f64>,
    /// Their mean slowdown.
    pub slowdown: Option<f64>,
    /// Its streams of datagrams; `None` if it has none, and under ideals.
    #[serde(default)]
    pub streams: Option<StreamSummary>,
    /// How many of its flows were admitted, and the like, all runs together; `None` if no flow has a status.
    #[serde(default)]
    pub statuses: Option<Statuses>,
}

/// Flows that send until they are stopped.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LongSummary {
    /// How many, all runs together.
    pub flows: u64,
    /// Jain's index of their throughputs; `None` for fewer than two.
    pub jain: Option<f64>,
}

/// One run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunSummary {
    /// Which protocol or ideal.
    pub protocol: System,
    /// Its seed.
    pub seed: u64,
    /// Its key: another for whatever can change what it finds.
    pub key: String,
    /// Its folder, beside this file.
    pub folder: String,
    /// When the run ended.
    pub end: f64,
    /// Measured flows.
    pub measured: u64,
    /// Measured flows that did not finish.
    pub unfinished: u64,
    /// Load offered by measured flows, in bits a second.
    pub offered: u64,
}

/// How far a warning puts the results in question, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Values are off on one side, or those of another load or of fewer flows than requested.
    Bias,
    /// Intervals are missing, invalid or wide.
    Uncertainty,
    /// Values hold; the remark helps to read them.
    Remark,
}

/// A warning about the results. A summary lists the gravest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// How far it puts the results in question.
    pub severity: Severity,
    /// Identifies the kind of warning.
    pub code: String,
    /// The warning in words.
    pub text: String,
}

impl Summary {
    /// The summary of a folder of results.
    ///
    /// An error of kind `InvalidData` if it is not one that this version reads.
    pub fn read(folder: &Path) -> io::Result<Self> {
        versioned::read(&folder.join(SUMMARY), "summary")
    }

    /// What ran: protocols, then ideals.
    pub fn systems(&self) -> impl Iterator<Item = &ProtocolSummary> {
        self.protocols.iter().chain(&self.ideals)
    }
}
