//! The top level of a scenario file.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::ideal::Ideal;
use sluice_units::{Bytes, Ratio, Span, Time};

use super::cloud::Cloud;
use super::group::Group;
use super::link::LinkOverride;
use super::topology::Topology;
use super::trace::Trace;

/// A network, its traffic, and which protocols to run over it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The version of the format: 1.
    pub schema: u32,
    /// Name of the results; the file's name without `.toml` by default.
    #[serde(default)]
    pub name: String,
    /// Protocols to run, each over the same flows; by default all but `xcp_guaranteed`, whose flows need a
    /// profile.
    #[serde(default = "protocols_of_any_flow")]
    pub protocols: Vec<ProtocolName>,
    /// Fluid ideals to run over the same flows for comparison: `"max_min"` (processor sharing on one
    /// bottleneck), `"srpt"`, `"fcfs"`; the first two by default, `[]` for none.
    #[serde(default = "ideals")]
    pub ideals: Vec<Ideal>,
    /// The first seed; 1 by default.
    pub seed: Option<u64>,
    /// Number of runs of each protocol, with seeds `seed`, `seed` + 1 and so on; 1 by default.
    pub replications: Option<u64>,
    /// List of seeds, instead of `seed` and `replications`.
    pub seeds: Option<Vec<u64>>,
    /// Size of a full data packet on the wire; 1000 B by default, as in the papers.
    #[serde(default = "packet")]
    pub packet: Bytes,
    /// Size of the headers in a data packet; 0 B by default, as in the papers.
    #[serde(default)]
    pub header: Bytes,
    /// Size of a SYN, an ACK or a probe (RCP's REF packet) on the wire; 40 B by default.
    #[serde(default = "control")]
    pub control: Bytes,
    /// Start of the measured time; 0 s by default. Results cover flows that arrive between `warm_up`
    /// and `stop`, and links in that time.
    #[serde(default = "start")]
    pub warm_up: Time,
    /// End of the measured time. The run continues until the measured flows have finished, or until
    /// `limit`.
    pub stop: Time,
    /// Latest end of the run; twice `stop` by default.
    pub limit: Option<Time>,
    /// Adds replications until confidence intervals are narrow enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
    /// Time until routing notices that a link fails or returns by `down` of its `schedule`, and moves the
    /// flows of groups without `path`, `paths` or `back` to other paths; up to a day. By default, routes
    /// ignore failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reconvergence: Option<Span>,
    /// The network.
    pub topology: Topology,
    /// Fields of single links of the topology, one `[[link]]` for each set of links: a failure of one uplink,
    /// or a link that is slower than others. None by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub link: Vec<LinkOverride>,
    /// Clouds of routers that carry the traffic of hosts on XCP macro-flows, one `[[cloud]]` each. None by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cloud: Vec<Cloud>,
    /// Groups of flows: endpoints and traffic, one `[[group]]` each.
    #[serde(default)]
    pub group: Vec<Group>,
    /// Links, flows and groups sampled over time, one `[[metrics]]` each.
    #[serde(default)]
    pub metrics: Vec<Metrics>,
    /// Events to be written one by one; none by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    /// Parameters of the transport and of protocols: the tables `[transport]`, `[rcp]`, `[tcp]` and so
    /// on beside these fields.
    #[serde(skip)]
    pub parameters: Parameters,
}

/// Required precision of completion times: runs are added until, for every protocol, each size bin
/// with at least 100 flows has a confidence interval within `relative`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Precision {
    /// Half-width of the interval over the value, above 0 and below 1.
    pub relative: Ratio,
    /// The statistic that must be precise; the mean by default.
    #[serde(default)]
    pub on: Statistic,
    /// Maximum number of runs of a protocol; 50 by default.
    #[serde(default = "max_runs")]
    pub max_runs: u64,
}

/// A statistic of a distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// The mean.
    #[default]
    Mean,
    /// The median.
    P50,
    /// The 99th percentile.
    P99,
}

/// Samples a link, a flow or a group at regular intervals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    /// Link, as `["from", "to"]`: its queue, its load and the state of its law.
    pub link: Option<(String, String)>,
    /// Flow: its sender's window, rate and progress.
    pub flow: Option<MeasuredFlow>,
    /// Group, with all its pairs: throughput of its flows together, their number, and Jain's index of
    /// those that live over a whole interval.
    pub group: Option<String>,
    /// Interval between samples.
    pub every: Span,
}

/// One flow of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasuredFlow {
    /// Name of the group; `name.3` for pair 3 of a group with `pairs = "each"`.
    pub group: String,
    /// Index of the flow in the group, from 0 in order of arrival; 0 by default.
    #[serde(default)]
    pub index: u64,
}

/// The largest seed: a scenario is stored as TOML, whose integers end there.
pub const MAX_SEED: u64 = i64::MAX as u64;

impl Scenario {
    /// The seeds to run with, in order.
    pub fn seeds(&self) -> Vec<u64> {
        match &self.seeds {
            Some(seeds) => seeds.clone(),
            None => self.first_seeds(self.replications.unwrap_or(1)),
        }
    }

    /// The first `count` seeds.
    pub(crate) fn first_seeds(&self, count: u64) -> Vec<u64> {
        let first = self.seed.unwrap_or(1);
        (0..count).map(|i| first.saturating_add(i)).collect()
    }

    /// The paths of the files that it names.
    pub(crate) fn files(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let of_links = self.link.iter_mut().filter_map(LinkOverride::file);
        self.group.iter_mut().flat_map(Group::files).chain(self.topology.files()).chain(of_links)
    }

    /// The latest end of the run.
    pub fn limit(&self) -> Time {
        self.limit.unwrap_or(self.stop + self.stop.since(Time::ZERO))
    }

    /// The scenario with its defaults written out.
    pub(crate) fn stated(&self) -> Self {
        let stated = Self { limit: Some(self.limit()), ..self.clone() };
        if self.precision.is_some() {
            // The number of seeds is not known beforehand.
            let (seed, replications) = (self.seed.unwrap_or(1), self.replications.unwrap_or(1));
            return Self { seed: Some(seed), replications: Some(replications), ..stated };
        }
        Self { seed: None, replications: None, seeds: Some(self.seeds()), ..stated }
    }

    /// The scenario as TOML with all defaults.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        let stated = self.stated();
        // The protocols' tables are at the top level, so they may follow the last `[[group]]`.
        Ok(format!("{}\n{}", toml::to_string(&stated)?, toml::to_string(&self.parameters)?))
    }
}

fn protocols_of_any_flow() -> Vec<ProtocolName> {
    ProtocolName::without_profile().collect()
}

fn ideals() -> Vec<Ideal> {
    vec![Ideal::MaxMin, Ideal::Srpt]
}

fn packet() -> Bytes {
    Bytes::new(1000)
}

fn control() -> Bytes {
    Bytes::new(40)
}

fn max_runs() -> u64 {
    50
}

fn start() -> Time {
    Time::ZERO
}
