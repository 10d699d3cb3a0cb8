//! The page of a sweep: any measure over any swept field.

use std::path::Path;

use serde::Serialize;

use super::data::{ReportSystem, WithInterval};
use super::digits::digits;
use super::error::ReportError;
use super::systems::describe;
use crate::Warning;
use crate::results::System;
use crate::swept::{self, SizeClass, SweepPoint, SweepResults, SweepValue};

/// The most points of a page, which has all measures of all sizes at each.
const MAX_POINTS: usize = 1_000;

/// What is embedded in the page of a sweep. Units are those of [`Page`](super::data::Page).
#[derive(Clone, Debug, Serialize)]
pub struct SweepPage {
    /// The scenario's name.
    pub name: String,
    /// What built the results.
    pub build: String,
    /// Confidence level of intervals.
    pub confidence: f64,
    /// Warnings about the results, with their points.
    pub warnings: Vec<Warning>,
    /// The swept fields.
    pub fields: Vec<ReportField>,
    /// What ran at any point; without totals.
    pub systems: Vec<ReportSystem>,
    /// Classes of flow sizes: all, then each bin.
    pub sizes: Vec<&'static str>,
    /// What can be shown.
    pub measures: Vec<ReportMeasure>,
    /// Texts that [`ReportValue`] refers to.
    pub doubts: Vec<String>,
    /// The points, in the sweep's order.
    pub points: Vec<ReportPoint>,
}

/// A swept field.
#[derive(Clone, Debug, Serialize)]
pub struct ReportField {
    /// Its path.
    pub path: String,
    /// Its values, as text.
    pub values: Vec<String>,
    /// The same as numbers, if they are.
    pub numbers: Option<Vec<f64>>,
    /// The unit of the numbers.
    pub unit: String,
}

/// A measure.
#[derive(Clone, Debug, Serialize)]
pub struct ReportMeasure {
    /// Its name, as `sluice plot` takes it.
    pub name: String,
    /// Its name for a reader.
    pub title: String,
    /// Its unit.
    pub unit: &'static str,
    /// Whether it differs by flow size.
    pub by_size: bool,
}

/// A point of the sweep.
#[derive(Clone, Debug, Serialize)]
pub struct ReportPoint {
    /// The folder of its results.
    pub folder: String,
    /// By field: the index of its value.
    pub values: Vec<usize>,
    /// By measure, by size (one if the measure does not differ by size), by system.
    pub found: Vec<Vec<Vec<Option<ReportValue>>>>,
}

/// A value with its interval and the indices of its doubts.
#[derive(Clone, Debug, Serialize)]
pub struct ReportValue(pub WithInterval, pub Vec<usize>);

/// What the page of a sweep in a folder shows.
pub fn sweep_page(folder: &Path) -> Result<SweepPage, ReportError> {
    let read = SweepResults::read(folder).map_err(|(path, error)| ReportError::Io(path, error))?;
    if read.points.len() > MAX_POINTS {
        return Err(ReportError::TooManyPoints { points: read.points.len(), most: MAX_POINTS });
    }
    let first = &read.points[0].summary;
    let warnings: Vec<_> =
        read.points.iter().map(|point| (&point.set, &point.summary.warnings[..])).collect();
    let mut doubts = Vec::new();
    let points = read.points.iter().map(|point| of_point(&read, point, &mut doubts)).collect();
    Ok(SweepPage {
        name: first.name.clone(),
        build: first.build.clone(),
        confidence: first.confidence,
        warnings: swept::warnings(&warnings, swept::IN_SUMMARIES),
        fields: fields(&read),
        systems: describe(&read.systems),
        sizes: read.sizes().map(SizeClass::label).collect(),
        measures: measures(&read),
        points,
        doubts,
    })
}

fn fields(read: &SweepResults) -> Vec<ReportField> {
    let field = |field: &swept::SweptField| ReportField {
        path: field.path.clone(),
        values: field.values.clone(),
        numbers: field.numbers.clone(),
        unit: field.unit.clone(),
    };
    read.fields.iter().map(field).collect()
}

fn measures(read: &SweepResults) -> Vec<ReportMeasure> {
    let measure = |measure: &swept::Measure| ReportMeasure {
        name: measure.name.clone(),
        title: measure.title.clone(),
        unit: measure.unit,
        by_size: measure.is_by_size(),
    };
    read.measures.iter().map(measure).collect()
}

fn of_point(read: &SweepResults, point: &SweepPoint, doubts: &mut Vec<String>) -> ReportPoint {
    let mut value = |measure: &swept::Measure, size: SizeClass, system: &System| {
        let found = read.value(point, *system, size, measure)?;
        Some(ReportValue(estimate(&found), indices(found.doubts, doubts)))
    };
    let mut of_measure = |measure: &swept::Measure| {
        let sizes = read.sizes().take(if measure.is_by_size() { usize::MAX } else { 1 });
        let mut of_size =
            |size| read.systems.iter().map(|system| value(measure, size, system)).collect();
        sizes.map(&mut of_size).collect()
    };
    ReportPoint {
        folder: point.folder.clone(),
        values: point.values.clone(),
        found: read.measures.iter().map(&mut of_measure).collect(),
    }
}

fn estimate(found: &SweepValue) -> WithInterval {
    let [low, high] = found.interval.map_or([None; 2], |ends| ends.map(Some));
    [Some(found.value), low, high].map(|value| value.map(|value| digits(value, 5)))
}

/// Where texts are in a list, to which unknown ones are added.
fn indices(texts: Vec<String>, known: &mut Vec<String>) -> Vec<usize> {
    let mut index = |text: String| {
        known.iter().position(|other| *other == text).unwrap_or_else(|| {
            known.push(text);
            known.len() - 1
        })
    };
    texts.into_iter().map(&mut index).collect()
}
