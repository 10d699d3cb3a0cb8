//! The manual of scenarios, made from the registries and the schema.

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
use crate::scenario::nearest;
use crate::scenario::topology::Topology;

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A protocol.
    Protocol,
    /// A fluid ideal.
    Ideal,
    /// A topology.
    Topology,
    /// A queue discipline.
    Queue,
    /// A traffic model: when flows arrive.
    Traffic,
    /// A distribution of flow sizes.
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
        (Self::Traffic, "traffic models"),
        (Self::Sizes, "distributions of flow sizes"),
        (Self::Workload, "workloads (measured flow sizes)"),
        (Self::Scenario, "ready scenarios"),
        (Self::Table, "tables of a scenario file"),
    ];
}

/// An entry of the manual.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its kind.
    pub kind: EntryKind,
    /// Its name.
    pub name: &'static str,
    /// Its description in one line.
    pub title: String,
    /// Its source in the literature; empty if there is none.
    pub source: String,
    /// Its equations, with their places in the source.
    pub equations: &'static [&'static str],
    /// Its values, if it is no table.
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

    /// Adds what the schema says of the field at this path.
    fn at(self, schema: &serde_json::Value, path: &[&str]) -> Self {
        let (takes, fields) = (fields::taken(schema, path), fields::of(schema, path));
        Self { takes, fields, ..self }
    }
}

/// All entries, by kind.
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

/// Tables that are not parameters of another entry.
const TABLES: [(&str, &str, &[&str]); 8] = [
    ("scenario", "The top-level fields of a scenario file.", &[]),
    ("transport", "Transport parameters shared by all protocols: `[transport]`.", &["transport"]),
    (
        "variant",
        "Rules of ns-2 for TCP's loss recovery: `[tcp.variant]`, `[cubic.variant]`.",
        &["tcp", "variant"],
    ),
    ("group", "Flows with the same endpoints and traffic model: `[[group]]`.", &["group"]),
    ("metrics", "Links and flows sampled over time: `[[metrics]]`.", &["metrics"]),
    ("trace", "Events written one by one: `[trace]`.", &["trace"]),
    ("precision", "Required precision of results: `[precision]`.", &["precision"]),
    ("sweep", "Values of fields for `sluice sweep`: `[sweep]`.", &["sweep"]),
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

/// The entries of this name, or an error that suggests the nearest name.
pub fn find(name: &str) -> Result<Vec<Entry>, String> {
    let all = entries();
    let found: Vec<Entry> = all.iter().filter(|entry| entry.name == name).cloned().collect();
    if found.is_empty() {
        let hint = match nearest(name, all.iter().map(|entry| entry.name)) {
            Some(near) => format!("did you mean `{near}`? "),
            None => String::new(),
        };
        return Err(format!("unknown name `{name}`\n   = {hint}see `sluice list`"));
    }
    Ok(found)
}
