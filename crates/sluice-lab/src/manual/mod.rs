//! The manual of scenarios, made from the registries and the schema.

mod fields;
mod kind;
mod schema;
mod words;

pub use fields::Field;
pub use kind::EntryKind;
pub use schema::schema;

use std::sync::LazyLock;

use serde::Serialize;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::ideal::Ideal;
use sluice_sim::queue::Discipline;
use sluice_sim::traffic::sizes::Workload;
use sluice_sim::traffic::{ModelInfo, Sizes, Traffic};

use words::Word;

use crate::ready::Ready;
use crate::scenario::nearest;
use crate::scenario::topology::Topology;

/// An entry of the manual.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its kind.
    pub kind: EntryKind,
    /// Its name.
    pub name: String,
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
    /// The fields (as paths) or quantities in which it may be written; empty for what [`entries`]
    /// lists.
    pub places: Vec<String>,
}

impl Entry {
    fn new(kind: EntryKind, name: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
            title: title.into(),
            source: String::new(),
            equations: &[],
            takes: String::new(),
            fields: Vec::new(),
            places: Vec::new(),
        }
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

/// The manual, made once.
struct Manual {
    listed: Vec<Entry>,
    words: Vec<Word>,
}

static MANUAL: LazyLock<Manual> = LazyLock::new(|| {
    let schema = schema();
    Manual { listed: listed(&schema), words: words::of(&schema) }
});

/// All entries that have a name of their own, by kind.
pub fn entries() -> &'static [Entry] {
    &MANUAL.listed
}

fn listed(schema: &serde_json::Value) -> Vec<Entry> {
    let mut entries = protocols(schema);
    entries.extend(Ideal::ALL.iter().map(|ideal| {
        Entry::new(EntryKind::Ideal, ideal.name(), ideal.title()).from(ideal.source())
    }));
    let shapes = Topology::SHAPES.iter();
    entries.extend(shapes.map(|&(name, title, source)| {
        Entry::new(EntryKind::Topology, name, title).from(source).at(schema, &["topology", name])
    }));
    let models = |kind, models: &[ModelInfo], path: &[&str]| -> Vec<Entry> {
        let entry = |&ModelInfo { name, title, source }: &ModelInfo| {
            let path: Vec<&str> = path.iter().copied().chain([name]).collect();
            Entry::new(kind, name, title).from(source).at(schema, &path)
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
    entries.extend(
        TABLES
            .map(|(name, title, path)| Entry::new(EntryKind::Table, name, title).at(schema, path)),
    );
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

/// The entries of this name: what [`entries`] lists, then fields, values and units of the schema; or an
/// error that suggests the nearest name. A field may be given by its path, or the end of it.
pub fn find(name: &str) -> Result<Vec<Entry>, String> {
    let Manual { listed: all, words } = &*MANUAL;
    let mut found: Vec<Entry> = all.iter().filter(|entry| entry.name == name).cloned().collect();
    let more = words.iter().filter(|word| word.is_named(name) && !word.repeats(&found));
    let more = words::entries(more);
    found.extend(more);
    if found.is_empty() {
        let names =
            all.iter().map(|entry| &entry.name).chain(words.iter().map(|word| &word.entry.name));
        let hint = match nearest(name, names.map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`? "),
            None => String::new(),
        };
        return Err(format!("unknown name `{name}`\n   = {hint}see `sluice list`"));
    }
    Ok(found)
}
