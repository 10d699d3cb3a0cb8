//! Reads a scenario file: text to [`Scenario`], with all the mistakes that can be found at once.

use std::path::Path;
use std::sync::Arc;

use sluice_laws::registry::Parameters;
use toml::de::DeTable;

use super::deserialize::read_all;
use super::document::Document;
use super::file::Scenario;
use super::file_error::FileError;
use super::problem::Problem;
use super::sweep::{Assignment, Point};
use super::tree::locate;
use super::version::check_schema;

/// A scenario and the document that it was read from, to which its errors point.
#[derive(Clone, Debug)]
pub struct Source {
    /// The scenario, not yet checked beyond its types.
    pub scenario: Scenario,
    document: Arc<Document>,
    /// The index of its point, if it belongs to a sweep.
    point: Option<usize>,
}

impl Document {
    /// The scenario, without its sweep.
    pub fn source(&self) -> Result<Source, FileError> {
        Source::new(Arc::new(self.clone()), None, &[])
    }

    /// The points of the scenario's sweep, in order; none if it has no sweep.
    pub fn points(&self) -> Result<Vec<(Point, Source)>, FileError> {
        let document = Arc::new(self.clone());
        let points = self.assignments()?;
        let source = |(index, assignments): (usize, &Vec<Assignment<'_>>)| {
            let source = Source::new(Arc::clone(&document), Some(index), assignments)?;
            Ok((Point::of(assignments), source))
        };
        points.iter().enumerate().map(source).collect()
    }
}

impl Source {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        Document::read(path)?.source()
    }

    /// Reads a scenario from its text; `file` names it in errors, `name` in results unless the
    /// text does.
    pub fn parse(file: &str, text: &str, name: &str) -> Result<Self, FileError> {
        Document::new(file, text, name).source()
    }

    /// The document's scenario, or that of a point of its sweep with these assignments.
    fn new(
        document: Arc<Document>,
        point: Option<usize>,
        assignments: &[Assignment<'_>],
    ) -> Result<Self, FileError> {
        let scenario = with_fields(&document, assignments, |table| {
            let mut scenario = scenario(table, document.len())?;
            if scenario.name.is_empty() {
                scenario.name = document.name().into();
            }
            Ok(scenario)
        })?;
        Ok(Self { scenario, document, point })
    }

    /// The error that shows these problems in the document.
    pub fn error(&self, problems: &[Problem]) -> FileError {
        let shown = self.assignments().and_then(|assignments| {
            with_fields(&self.document, &assignments, |table| {
                Ok(self.document.error(problems, |field| locate(&table, field)))
            })
        });
        shown.unwrap_or_else(|error| error)
    }

    /// The assignments of its point.
    fn assignments(&self) -> Result<Vec<Assignment<'_>>, FileError> {
        let Some(point) = self.point else { return Ok(Vec::new()) };
        Ok(self.document.assignments()?.into_iter().nth(point).unwrap_or_default())
    }
}

/// Calls `then` with the fields of a document at a point with these assignments.
fn with_fields<T>(
    document: &Document,
    assignments: &[Assignment<'_>],
    then: impl FnOnce(DeTable<'_>) -> Result<T, Vec<Problem>>,
) -> Result<T, FileError> {
    let done = document.tree()?.fields(assignments).and_then(then);
    done.map_err(|problems| document.error(&problems, |_| None))
}

/// Reads the tables of the transport and of protocols, which the registry defines, apart from the
/// scenario's own fields beside them.
fn scenario(mut table: DeTable<'_>, len: usize) -> Result<Scenario, Vec<Problem>> {
    // A setting may have changed it since the file was read.
    check_schema(&table).map_err(|problem| vec![problem])?;
    let names = Parameters::TABLES;
    let (own, theirs): (Vec<_>, Vec<_>) = std::mem::take(&mut table)
        .into_iter()
        .partition(|(key, _)| !names.contains(&key.get_ref().as_ref()));
    let mut problems = Vec::new();
    let parameters = read_all(theirs.into_iter().collect(), &(0..len), &[], &mut problems);
    let scenario = read_all(own.into_iter().collect(), &(0..len), names, &mut problems);
    match (scenario, parameters) {
        (Some(scenario), Some(parameters)) if problems.is_empty() => {
            Ok(Scenario { parameters, ..scenario })
        }
        _ => Err(problems),
    }
}
