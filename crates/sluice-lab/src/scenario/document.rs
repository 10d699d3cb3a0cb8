//! The texts that a scenario is written in: its file, and settings beside it.

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::deserialize::problem;
use super::file_error::FileError;
use super::problem::Problem;
use super::sweep::Assignment;
use super::text::{Kind, Text};
use super::tree::Tree;
use super::version::check_schema;

/// A scenario as text: a file, then settings that override its fields. Serialized, it can be sent to
/// another process, without the files that it names.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Document {
    /// The name of results, unless the scenario has one.
    name: String,
    /// The file first.
    texts: Vec<Text>,
}

/// The names that a document defines, for paths of settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentNames {
    /// Of groups.
    pub groups: Vec<String>,
    /// Of entries of `[[link]]`: their numbers, since `>` of an arrow has a meaning in shells.
    pub links: Vec<String>,
    /// Of variables.
    pub variables: Vec<String>,
}

impl Document {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let file = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| FileError::unreadable(&file, &error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            FileError::whole(&file, format!("line {line} is not UTF-8 text"))
        })?;
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
        Ok(Self::new(&file, text, &stem))
    }

    /// A scenario from its text; `file` names it in errors, `name` in results unless the text does.
    pub fn new(file: &str, text: impl Into<String>, name: &str) -> Self {
        let file = Text { origin: file.into(), text: text.into(), kind: Kind::File, base: 0 };
        Self { name: name.into(), texts: vec![file] }
    }

    /// Sets a field or a variable. `origin` is how the user writes such a setting (`--set`), for
    /// errors; `path` is e.g. `load` (a variable), `topology.dumbbell.buffer`,
    /// `group.web.poisson.load` or `group[0].poisson.load`; `value` is TOML, or a string without its
    /// quotes (`0.1 bdp`).
    pub fn set(&mut self, origin: &str, path: &str, value: &str) {
        self.add(origin, path, &as_toml(value), Kind::Set);
    }

    /// Sweeps a field or a variable: over `values` as in `[sweep.over]`, or over a list of them
    /// without brackets and quotes (`0.1 bdp, 1 bdp`).
    pub fn vary(&mut self, origin: &str, path: &str, values: &str) {
        let values = as_toml(values);
        let is_whole = values.starts_with(['[', '{']);
        let listed = |values: &str| values.split(',').map(as_toml).collect::<Vec<_>>().join(", ");
        let plain = values.trim_matches('"');
        let values = if is_whole { values } else { format!("[{}]", listed(plain)) };
        self.add(origin, path, &values, Kind::Vary);
    }

    /// Sets how the values of several swept fields are combined, and how many are drawn: the fields
    /// of `[sweep]` other than `over`, as an inline table (`{ how = "list" }`).
    pub fn set_sweep_options(&mut self, origin: &str, options: &str) {
        self.add(origin, "sweep", options, Kind::SweepOptions);
    }

    /// The names that its file gives to groups, entries of `[[link]]` and variables, as far as it is valid.
    pub fn names(&self) -> DocumentNames {
        let (table, _) = DeTable::parse_recoverable(self.file_text());
        let table = table.into_inner();
        let variables = table.get("variables").and_then(|value| value.get_ref().as_table());
        let list = |name| table.get(name).and_then(|value| value.get_ref().as_array());
        let name = |group: &Spanned<DeValue<'_>>| {
            group.get_ref().get("name")?.get_ref().as_str().map(str::to_owned)
        };
        DocumentNames {
            groups: list("group").into_iter().flatten().filter_map(name).collect(),
            links: (0..list("link").map_or(0, |links| links.len()))
                .map(|i| i.to_string())
                .collect(),
            variables: variables
                .into_iter()
                .flat_map(|table| table.keys().map(|key| key.get_ref().to_string()))
                .collect(),
        }
    }

    fn add(&mut self, origin: &str, path: &str, value: &str, kind: fn(String) -> Kind) {
        let path = path.trim();
        let text = format!("{path} = {value}");
        let base = self.len();
        self.texts.push(Text { origin: origin.into(), text, kind: kind(path.into()), base });
    }

    /// The assignments of each point of the sweep.
    pub(super) fn assignments(&self) -> Result<Vec<Vec<Assignment<'_>>>, FileError> {
        self.tree()?.points().map_err(|problems| self.error(&problems, |_| None))
    }

    /// The name of results, unless the scenario has one.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The text of its file.
    pub(super) fn file_text(&self) -> &str {
        self.texts.first().map_or("", |file| &file.text)
    }

    /// How many bytes there are in all texts.
    pub(super) fn len(&self) -> usize {
        self.texts.last().map_or(0, |last| last.base + last.text.len() + 1)
    }

    /// The tables that all texts together make.
    pub(super) fn tree(&self) -> Result<Tree<'_>, FileError> {
        let file = &self.texts[0];
        let (table, syntax) = DeTable::parse_recoverable(&file.text);
        if !syntax.is_empty() {
            let problems: Vec<Problem> = syntax.iter().map(|error| problem(error, &[])).collect();
            return Err(self.error(&problems, |_| None));
        }
        let table = table.into_inner();
        if table.is_empty() {
            let what = "empty file; a scenario begins with `schema = 1`; `sluice new` writes one";
            return Err(FileError::whole(&file.origin, what));
        }
        let mut problems: Vec<Problem> = check_schema(&table).err().into_iter().collect();
        if problems.is_empty() {
            let mut tree = Tree::new(table, &mut problems);
            for text in &self.texts[1..] {
                text.apply(&mut tree, &mut problems);
            }
            if problems.is_empty() {
                return Ok(tree);
            }
        }
        Err(self.error(&problems, |_| None))
    }

    /// The error that shows these problems; `locate` finds fields.
    pub(super) fn error(
        &self,
        problems: &[Problem],
        locate: impl Fn(&str) -> Option<Range<usize>>,
    ) -> FileError {
        FileError::located(&self.texts, problems, locate)
    }
}

impl Text {
    /// Applies the text of a setting to the tables.
    fn apply<'t>(&'t self, tree: &mut Tree<'t>, problems: &mut Vec<Problem>) {
        let (Kind::Set(path) | Kind::Vary(path) | Kind::SweepOptions(path)) = &self.kind else {
            return;
        };
        let at = path.len() + " = ".len();
        let span = self.base..self.base + path.len().max(1);
        match DeValue::parse(&self.text[at..]).map(|value| shifted(value, self.base + at)) {
            Ok(value) => match self.kind {
                Kind::Set(_) => tree.set(path, span, value, problems),
                Kind::SweepOptions(_) => tree.set_sweep_options(value, problems),
                _ => tree.vary(path, span, value),
            },
            Err(error) => problems.push(problem(&error, &[])),
        }
    }
}

/// `value` as TOML: unchanged if it is, else as a string.
fn as_toml(value: &str) -> String {
    let value = value.trim();
    match DeValue::parse(value) {
        // `2026-11-21` is taken for a name: no field is a date.
        Ok(parsed) if !parsed.get_ref().is_datetime() => value.into(),
        _ => toml::Value::String(value.into()).to_string(),
    }
}

/// The value with its spans shifted by `by` bytes.
fn shifted<'t>(value: Spanned<DeValue<'t>>, by: usize) -> Spanned<DeValue<'t>> {
    let on = |span: Range<usize>| span.start + by..span.end + by;
    let span = on(value.span());
    let value = match value.into_inner() {
        DeValue::Array(items) => {
            DeValue::Array(items.into_iter().map(|item| shifted(item, by)).collect())
        }
        DeValue::Table(table) => {
            let entries = table.into_iter().map(|(key, value)| {
                (Spanned::new(on(key.span()), key.into_inner()), shifted(value, by))
            });
            DeValue::Table(entries.collect())
        }
        plain => plain,
    };
    Spanned::new(span, value)
}
