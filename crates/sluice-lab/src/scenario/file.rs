//! The top level of a scenario file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::ideal::Ideal;
use sluice_units::{Bytes, Ratio, Span, Time};

use super::group::Group;
use super::topology::Topology;
use super::trace::Trace;

/// A network, its traffic, and which protocols to run over it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The version of the format: 1.
    pub schema: u32,
    /// What results are called; the file's name without `.toml` by default.
    #[serde(default)]
    pub name: String,
    /// Which protocols run, each over the same flows; all of them by default.
    #[serde(default = "all_protocols")]
    pub protocols: Vec<ProtocolName>,
    /// Which ideals the same flows run under, for comparison: `"max_min"` (processor sharing on
    /// one bottleneck), `"srpt"`, `"fcfs"`; the first two by default, `[]` for none.
    #[serde(default = "ideals")]
    pub ideals: Vec<Ideal>,
    /// The first seed; 1 by default.
    pub seed: Option<u64>,
    /// How many runs each protocol gets, with seeds from `seed` up; 1 by default.
    pub replications: Option<u64>,
    /// The seeds themselves, instead of `seed` and `replications`.
    pub seeds: Option<Vec<u64>>,
    /// Size of a full data packet on the wire; 1000 B by default, as in the papers.
    #[serde(default = "packet")]
    pub packet: Bytes,
    /// How much of a data packet is headers; none by default, as in the papers.
    #[serde(default)]
    pub header: Bytes,
    /// Size of a SYN, an ACK or a probe on the wire; 40 B by default.
    #[serde(default = "control")]
    pub control: Bytes,
    /// When measuring begins; at once by default. Flows that arrive in [`warm_up`, `stop`] and
    /// links in that time are measured.
    #[serde(default = "start")]
    pub warm_up: Time,
    /// When measuring ends. The run goes on until the measured flows have finished, or `limit`.
    pub stop: Time,
    /// When the run ends at the latest; twice `stop` by default.
    pub limit: Option<Time>,
    /// Goes on with further seeds until results are this sure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
    /// What packets travel on.
    pub topology: Topology,
    /// Who sends what to whom; one `[[group]]` each.
    #[serde(default)]
    pub group: Vec<Group>,
    /// What is sampled over time; one `[[metrics]]` each.
    #[serde(default)]
    pub metrics: Vec<Metrics>,
    /// What is written event by event; nothing by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    /// What protocols share and their own parameters: `[transport]`, `[rcp]`, `[tcp]` and so on, read
    /// from beside these fields.
    #[serde(skip)]
    pub parameters: Parameters,
}

/// How narrow confidence intervals of completion times must be, by size and protocol: runs are
/// added until every size with at least 100 flows has its interval within `relative`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Precision {
    /// Half an interval over the figure, above 0 and below 1.
    pub relative: Ratio,
    /// Of which figure; the mean by default.
    #[serde(default)]
    pub on: Figure,
    /// The most runs a protocol gets; 50 by default.
    #[serde(default = "max_runs")]
    pub max_runs: u64,
}

/// A figure of a distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// The mean.
    #[default]
    Mean,
    /// The median.
    P50,
    /// The 99th percentile.
    P99,
}

/// Samples a link or a flow every so often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    /// The link from the first node to the second: its queue, throughput and law.
    pub link: Option<(String, String)>,
    /// The flow: its sender's window, rate and progress.
    pub flow: Option<MeasuredFlow>,
    /// Time between samples.
    pub every: Span,
}

/// One flow of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasuredFlow {
    /// The group's name; `name.3` for pair 3 of a group with `pairs = "each"`.
    pub group: String,
    /// Which of its flows, from 0 in order of arrival; the first by default.
    #[serde(default)]
    pub index: u64,
}

impl Scenario {
    /// The seeds to run with, in order.
    pub fn seeds(&self) -> Vec<u64> {
        match &self.seeds {
            Some(seeds) => seeds.clone(),
            None => self.first_seeds(self.replications.unwrap_or(1)),
        }
    }

    /// So many seeds from the first one up.
    pub(crate) fn first_seeds(&self, count: u64) -> Vec<u64> {
        let first = self.seed.unwrap_or(1);
        (0..count).map(|i| first.saturating_add(i)).collect()
    }

    /// When the run ends at the latest.
    pub fn limit(&self) -> Time {
        self.limit.unwrap_or(self.stop + self.stop.since(Time::ZERO))
    }

    /// The scenario with what is left to a default stated.
    pub(crate) fn stated(&self) -> Self {
        let stated = Self { limit: Some(self.limit()), ..self.clone() };
        if self.precision.is_some() {
            // How many seeds there will be is not known.
            let (seed, replications) = (self.seed.unwrap_or(1), self.replications.unwrap_or(1));
            return Self { seed: Some(seed), replications: Some(replications), ..stated };
        }
        Self { seed: None, replications: None, seeds: Some(self.seeds()), ..stated }
    }

    /// The scenario as TOML, every default written out.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        let stated = self.stated();
        // The protocols' tables stand at the top, so they may follow the last `[[group]]`.
        Ok(format!("{}\n{}", toml::to_string(&stated)?, toml::to_string(&self.parameters)?))
    }
}

fn all_protocols() -> Vec<ProtocolName> {
    ProtocolName::ALL.to_vec()
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
