//! Reads a scenario file: text to [`Scenario`], with every mistake it can find told at once.

use std::path::Path;
use std::sync::Arc;

use sluice_laws::registry::Parameters;
use toml::de::DeTable;

use super::deserialize::each;
use super::document::Document;
use super::file::Scenario;
use super::file_error::FileError;
use super::problem::Problem;
use super::sweep::{Point, Setting};
use super::tree::locate;
use super::version::check_schema;

/// A scenario as it stands in a document, with what is needed to point into it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The scenario, not yet checked beyond its types.
    pub scenario: Scenario,
    document: Arc<Document>,
    /// Which point of the sweep it is.
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
        let settings = self.settings()?;
        let source = |(index, settings): (usize, &Vec<Setting<'_>>)| {
            let source = Source::new(Arc::clone(&document), Some(index), settings)?;
            Ok((Point::of(settings), source))
        };
        settings.iter().enumerate().map(source).collect()
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

    /// The document's scenario, or that of a point of its sweep, where these are the settings.
    pub(super) fn new(
        document: Arc<Document>,
        point: Option<usize>,
        settings: &[Setting<'_>],
    ) -> Result<Self, FileError> {
        let scenario = with_fields(&document, settings, |table| {
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
        let shown = self.settings().and_then(|settings| {
            with_fields(&self.document, &settings, |table| {
                Ok(self.document.error(problems, |field| locate(&table, field)))
            })
        });
        shown.unwrap_or_else(|error| error)
    }

    /// What is set at its point.
    fn settings(&self) -> Result<Vec<Setting<'_>>, FileError> {
        let Some(point) = self.point else { return Ok(Vec::new()) };
        Ok(self.document.settings()?.into_iter().nth(point).unwrap_or_default())
    }
}

/// Does something with the fields of a document, with these settings of a point of its sweep.
fn with_fields<T>(
    document: &Document,
    settings: &[Setting<'_>],
    then: impl FnOnce(DeTable<'_>) -> Result<T, Vec<Problem>>,
) -> Result<T, FileError> {
    let done = document.tree()?.fields(settings).and_then(then);
    done.map_err(|problems| document.error(&problems, |_| None))
}

/// The tables of the transport and of protocols stand at the top of the file beside the scenario's
/// fields, but the registry alone knows them: they are read apart.
fn scenario(mut table: DeTable<'_>, len: usize) -> Result<Scenario, Vec<Problem>> {
    // A setting may have changed it since the file was read.
    check_schema(&table).map_err(|problem| vec![problem])?;
    let names = Parameters::TABLES;
    let (own, theirs): (Vec<_>, Vec<_>) = std::mem::take(&mut table)
        .into_iter()
        .partition(|(key, _)| !names.contains(&key.get_ref().as_ref()));
    let mut problems = Vec::new();
    let parameters = each(theirs.into_iter().collect(), len, &[], &mut problems);
    let scenario = each(own.into_iter().collect(), len, names, &mut problems);
    match (scenario, parameters) {
        (Some(scenario), Some(parameters)) if problems.is_empty() => {
            Ok(Scenario { parameters, ..scenario })
        }
        _ => Err(problems),
    }
}
