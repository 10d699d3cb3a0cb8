//! What there is to put into a scenario, in words: made from the registries and from the schema, so
//! that nothing is told twice.

mod fields;
mod schema;

pub use fields::Field;
pub use schema::schema;

use serde::Serialize;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::ideal::Ideal;
use sluice_sim::queue::Discipline;
use sluice_sim::traffic::sizes::Workload;
use sluice_sim::traffic::{ModelInfo, Sizes, Traffic};

use crate::ready::Ready;
use crate::scenario::suggest;
use crate::scenario::topology::Topology;

/// What kind of thing a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// Who controls rates.
    Protocol,
    /// A way to share links perfectly.
    Ideal,
    /// A shape of network.
    Topology,
    /// Which packets a queue takes.
    Queue,
    /// When flows arrive.
    Traffic,
    /// How much they send.
    Sizes,
    /// A published measurement of flow sizes.
    Workload,
    /// A scenario that comes with the command.
    Scenario,
    /// A table of a scenario file.
    Table,
}

impl EntryKind {
    /// Every kind, with its heading.
    pub const ALL: [(Self, &str); 9] = [
        (Self::Protocol, "protocols"),
        (Self::Ideal, "ideals"),
        (Self::Topology, "topologies"),
        (Self::Queue, "queue disciplines"),
        (Self::Traffic, "traffic"),
        (Self::Sizes, "flow sizes"),
        (Self::Workload, "workloads (measured flow sizes)"),
        (Self::Scenario, "ready scenarios"),
        (Self::Table, "tables of a scenario file"),
    ];
}

/// One thing that has a name.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// What kind of thing it is.
    pub kind: EntryKind,
    /// Its name.
    pub name: &'static str,
    /// One line.
    pub title: String,
    /// Where it is from; empty for what is Sluice's own.
    pub source: String,
    /// What of it stands where in the source.
    pub equations: &'static [&'static str],
    /// What it takes, if that is no table.
    pub takes: String,
    /// The fields of its table, if it has one.
    pub fields: Vec<Field>,
}

impl Entry {
    fn new(kind: EntryKind, name: &'static str, title: impl Into<String>) -> Self {
        let (source, takes) = (String::new(), String::new());
        Self { kind, name, title: title.into(), source, equations: &[], takes, fields: Vec::new() }
    }

    fn from(self, source: impl Into<String>) -> Self {
        Self { source: source.into(), ..self }
    }

    /// With what the schema says of the place at the end of this path.
    fn at(self, schema: &serde_json::Value, path: &[&str]) -> Self {
        let (takes, fields) = (fields::taken(schema, path), fields::of(schema, path));
        Self { takes, fields, ..self }
    }
}

/// Everything that has a name, by kind.
pub fn entries() -> Vec<Entry> {
    let schema = schema();
    let mut entries = protocols(&schema);
    entries.extend(Ideal::ALL.iter().map(|ideal| {
        Entry::new(EntryKind::Ideal, ideal.name(), ideal.title()).from(ideal.source())
    }));
    let shapes = Topology::SHAPES.iter();
    entries.extend(shapes.map(|&(name, title, source)| {
        Entry::new(EntryKind::Topology, name, title).from(source).at(&schema, &["topology", name])
    }));
    let models = |kind, models: &[ModelInfo], path: &[&str]| -> Vec<Entry> {
        let entry = |&ModelInfo { name, title, source }: &ModelInfo| {
            let path: Vec<&str> = path.iter().copied().chain([name]).collect();
            Entry::new(kind, name, title).from(source).at(&schema, &path)
        };
        models.iter().map(entry).collect()
    };
    let queue = ["topology", "dumbbell", "queue"];
    entries.extend(models(EntryKind::Queue, Discipline::ABOUT, &queue));
    entries.extend(models(EntryKind::Traffic, Traffic::MODELS, &["group"]));
    entries.extend(models(EntryKind::Sizes, Sizes::MODELS, &["group", "poisson", "sizes"]));
    entries.extend(Workload::ALL.iter().map(|workload| {
        let mean = format!("mean {:.0} B", workload.distribution().mean());
        Entry::new(EntryKind::Workload, workload.name(), mean).from(workload.source())
    }));
    entries.extend(Ready::ALL.iter().map(|ready| {
        Entry::new(EntryKind::Scenario, ready.name, ready.title()).from(ready.source())
    }));
    entries
        .extend(TABLES.map(|(name, title, path)| {
            Entry::new(EntryKind::Table, name, title).at(&schema, path)
        }));
    entries
}

/// The tables that are not something's parameters.
const TABLES: [(&str, &str, &[&str]); 8] = [
    ("scenario", "The fields at the top of a scenario file.", &[]),
    ("transport", "What protocols share below their laws: `[transport]`.", &["transport"]),
    (
        "variant",
        "ns-2's rules of TCP's loss recovery: `[tcp.variant]`, `[cubic.variant]`.",
        &["tcp", "variant"],
    ),
    ("group", "Flows of one kind: `[[group]]`.", &["group"]),
    ("metrics", "What is sampled over time: `[[metrics]]`.", &["metrics"]),
    ("trace", "What is written event by event: `[trace]`.", &["trace"]),
    ("precision", "How sure results shall be: `[precision]`.", &["precision"]),
    ("sweep", "A scenario at many points: `[sweep]`.", &["sweep"]),
];

fn protocols(schema: &serde_json::Value) -> Vec<Entry> {
    let parameters = Parameters::default();
    let entry = |&name: &ProtocolName| {
        let about = parameters.protocol(name).about();
        let entry = Entry::new(EntryKind::Protocol, about.name, about.title).from(about.source);
        Entry { equations: about.equations, ..entry.at(schema, &[about.name]) }
    };
    ProtocolName::ALL.iter().map(entry).collect()
}

/// What goes by this name, which may be several things; or the nearest names there are.
pub fn find(name: &str) -> Result<Vec<Entry>, String> {
    let all = entries();
    let names: Vec<&str> = all.iter().map(|entry| entry.name).collect();
    let found: Vec<Entry> = all.iter().filter(|entry| entry.name == name).cloned().collect();
    if found.is_empty() {
        return Err(format!("nothing is called `{name}`\n   = {}", suggest(name, names)));
    }
    Ok(found)
}
