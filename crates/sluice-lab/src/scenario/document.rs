//! What a scenario is written in: its file, and what the command line says beside it.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::deserialize::problem;
use super::file_error::FileError;
use super::problem::Problem;
use super::sweep::Setting;
use super::text::{Kind, Text};
use super::tree::Tree;
use super::version::check_schema;

/// A scenario as text: a file, then settings that stand in its fields' stead.
#[derive(Clone, Debug)]
pub struct Document {
    /// What results are called unless the scenario says it.
    name: String,
    /// The file first.
    texts: Vec<Text>,
}

impl Document {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let file = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| FileError::whole(&file, error))?;
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

    /// Puts a value into a field or a variable. `path` is such as `load` (a variable),
    /// `topology.dumbbell.buffer`, `group.web.poisson.load` or `group[0].poisson.load`; `value` is
    /// TOML, or a text without its quotes (`0.1 bdp`).
    pub fn set(&mut self, path: &str, value: &str) {
        self.add("--set", path, &as_toml(value), Kind::Set);
    }

    /// Sweeps a field or a variable: over `values` as in `[sweep.over]`, or over a list of them
    /// without brackets and quotes (`0.1 bdp, 1 bdp`).
    pub fn vary(&mut self, path: &str, values: &str) {
        let values = as_toml(values);
        let is_whole = values.starts_with(['[', '{']);
        let listed = |values: &str| values.split(',').map(as_toml).collect::<Vec<_>>().join(", ");
        let plain = values.trim_matches('"');
        let values = if is_whole { values } else { format!("[{}]", listed(plain)) };
        self.add("--vary", path, &values, Kind::Vary);
    }

    /// Says how the values of several swept fields go together, and how many are drawn: the fields
    /// of `[sweep]` beside `over`, as an inline table (`{ how = "list" }`).
    pub fn how(&mut self, ways: &str) {
        self.add("--how", "sweep", ways, Kind::How);
    }

    fn add(&mut self, origin: &str, path: &str, value: &str, kind: fn(String) -> Kind) {
        let path = path.trim();
        let text = format!("{path} = {value}");
        let base = self.len();
        self.texts.push(Text { origin: origin.into(), text, kind: kind(path.into()), base });
    }

    /// What is set at each point of the sweep.
    pub(super) fn settings(&self) -> Result<Vec<Vec<Setting<'_>>>, FileError> {
        self.tree()?.points().map_err(|problems| self.error(&problems, |_| None))
    }

    /// What results are called unless the scenario says it.
    pub(super) fn name(&self) -> &str {
        &self.name
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
            let what =
                "nothing in it: a scenario begins with `schema = 1`; `sluice new` writes one";
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
        FileError::places(&self.texts, problems, locate)
    }
}

impl Text {
    /// Puts what this text says into the tables.
    fn apply<'t>(&'t self, tree: &mut Tree<'t>, problems: &mut Vec<Problem>) {
        let (Kind::Set(path) | Kind::Vary(path) | Kind::How(path)) = &self.kind else { return };
        let at = path.len() + " = ".len();
        let place = self.base..self.base + path.len().max(1);
        match DeValue::parse(&self.text[at..]).map(|value| shifted(value, self.base + at)) {
            Ok(value) => match self.kind {
                Kind::Set(_) => tree.set(path, place, value, problems),
                Kind::How(_) => tree.how(value, problems),
                _ => tree.vary(path, place, value),
            },
            Err(error) => problems.push(problem(&error, &[])),
        }
    }
}

/// `value` as TOML: as it stands if it is that, else as a text.
fn as_toml(value: &str) -> String {
    let value = value.trim();
    match DeValue::parse(value) {
        // `2026-11-21` is a name like another.
        Ok(parsed) if !parsed.get_ref().is_datetime() => value.into(),
        _ => toml::Value::String(value.into()).to_string(),
    }
}

/// The value with its places `by` bytes on.
fn shifted<'t>(value: Spanned<DeValue<'t>>, by: usize) -> Spanned<DeValue<'t>> {
    let on = |place: Range<usize>| place.start + by..place.end + by;
    let place = on(value.span());
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
    Spanned::new(place, value)
}
