//! The manual of scenarios, made from the registries and the schema.

mod entry;
mod fields;
mod kind;
mod schema;
mod words;

pub use entry::Entry;
pub use fields::Field;
pub use kind::EntryKind;
pub use schema::schema;

use std::sync::LazyLock;

use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::ideal::Ideal;
use sluice_sim::queue::Discipline;
use sluice_sim::traffic::sizes::Workload;
use sluice_sim::traffic::{ModelInfo, Sizes, Traffic};

use crate::ready::Ready;
use crate::scenario::nearest;
use crate::scenario::topology::Topology;

/// The manual, made once.
struct Manual {
    listed: Vec<Entry>,
    words: Vec<Entry>,
}

static MANUAL: LazyLock<Manual> = LazyLock::new(|| {
    let schema = schema();
    Manual { listed: listed(&schema), words: words::of(&schema) }
});

/// All entries that have a name of their own, by kind.
pub fn entries() -> &'static [Entry] {
    &MANUAL.listed
}

/// The fields, values and units of the schema, each once for every place.
pub fn words() -> &'static [Entry] {
    &MANUAL.words
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
const TABLES: [(&str, &str, &[&str]); 10] = [
    ("scenario", "The top-level fields of a scenario file.", &[]),
    ("transport", "Transport parameters shared by all protocols: `[transport]`.", &["transport"]),
    (
        "variant",
        "Rules of ns-2 for TCP's loss recovery: `[tcp.variant]`, `[cubic.variant]`.",
        &["tcp", "variant"],
    ),
    ("link", "Fields of single links of the topology: `[[link]]`.", &["link"]),
    ("cloud", "Routers that carry traffic on XCP macro-flows: `[[cloud]]`.", &["cloud"]),
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
    let more = words.iter().filter(|word| words::is_named(word, name));
    let more = words::merged(more.filter(|word| !words::repeats(word, &found)));
    found.extend(more);
    if found.is_empty() {
        let names = all.iter().map(|entry| &entry.name).chain(words.iter().map(|word| &word.name));
        let hint = match nearest(name, names.map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`? "),
            None => String::new(),
        };
        return Err(format!("unknown name `{name}`\n   = {hint}see `sluice list`"));
    }
    Ok(found)
}
