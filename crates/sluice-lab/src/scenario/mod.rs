//! The scenario file: these types are its schema, their field names its words. Those of a group's
//! traffic are in [`sluice_sim::traffic`], those of a protocol in [`sluice_laws`].
//!
//! A file is read in two steps. [`Source`] turns text into a [`Scenario`] and finds what has the
//! wrong name, type or unit. [`crate::Plan`] then checks that the parts fit each other (nodes that
//! exist, destinations that can be reached) and makes what the engine runs.

mod explain;
mod flow_csv;
mod group;
mod problem;
mod read;
mod replay;
mod spread;
pub mod topology;
mod traffic;

pub use group::{Direction, Each, Group};
pub use problem::{FileError, Place, Problem, Problems, suggest};
pub use read::Source;
pub(crate) use replay::Replays;
pub use spread::Spread;
pub(crate) use topology::check_name;
pub(crate) use traffic::Context;

use serde::{Deserialize, Serialize};
use sluice_laws::registry::{Name, Parameters};
use sluice_sim::ideal::Ideal;
use sluice_units::{Bytes, Span, Time};

/// The version of the format that this crate reads and writes.
pub const SCHEMA: u32 = 1;

/// A network, its traffic, and which protocols to run over it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The version of the format: 1.
    pub schema: u32,
    /// What results are called; the file's name without `.toml` by default.
    #[serde(default)]
    pub name: String,
    /// Which protocols run, each over the same flows; all of them by default.
    #[serde(default = "all_protocols")]
    pub protocols: Vec<Name>,
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
    /// What packets travel on.
    pub topology: topology::Topology,
    /// Who sends what to whom; one `[[group]]` each.
    #[serde(default)]
    pub group: Vec<Group>,
    /// What is sampled over time; one `[[probe]]` each.
    #[serde(default)]
    pub probe: Vec<Probe>,
    /// The protocols' own parameters: `[rcp]`, `[xcp]`, `[tcp]`, read from beside these fields.
    #[serde(skip)]
    pub parameters: Parameters,
}

/// Samples a link or a flow every so often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The link from the first node to the second: its queue, throughput and law.
    pub link: Option<(String, String)>,
    /// The flow: its sender's window, rate and progress.
    pub flow: Option<ProbedFlow>,
    /// Time between samples.
    pub every: Span,
}

/// One flow of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbedFlow {
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
            None => {
                let first = self.seed.unwrap_or(1);
                (0..self.replications.unwrap_or(1)).map(|i| first.saturating_add(i)).collect()
            }
        }
    }

    /// When the run ends at the latest.
    pub fn limit(&self) -> Time {
        self.limit.unwrap_or(self.stop + self.stop.since(Time::ZERO))
    }

    /// The scenario with what is left to a default stated.
    pub(crate) fn stated(&self) -> Self {
        let seeds = Some(self.seeds());
        let limit = Some(self.limit());
        Self { seed: None, replications: None, seeds, limit, ..self.clone() }
    }

    /// The scenario as TOML, every default written out.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        let stated = self.stated();
        // The protocols' tables stand at the top, so they may follow the last `[[group]]`.
        Ok(format!("{}\n{}", toml::to_string(&stated)?, toml::to_string(&self.parameters)?))
    }
}

fn all_protocols() -> Vec<Name> {
    Name::ALL.to_vec()
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

fn start() -> Time {
    Time::ZERO
}
