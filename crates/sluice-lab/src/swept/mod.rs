//! The results of a sweep, read back from its folder: any measure over any swept field.

mod doubt;
mod field;
mod file;
mod measure;
mod point;
mod warnings;

pub use field::SweptField;
pub(crate) use file::{SWEEP, SweepFile, SweepFilePoint};
pub use measure::Measure;
pub(crate) use point::point_columns;
pub use warnings::plan_warnings;
pub(crate) use warnings::{IN_SUMMARIES, place, warnings};

use std::io;
use std::path::Path;

use crate::results::Interval;
use crate::results::bins::{self, BINS};
use crate::scenario::Point;
use crate::{BinSummary, ProtocolSummary, Summary, System};

/// All points of a sweep.
#[derive(Clone, Debug)]
pub struct SweepResults {
    /// The swept fields, in the sweep's order.
    pub fields: Vec<SweptField>,
    /// In the sweep's order; at least one.
    pub points: Vec<SweepPoint>,
    /// What ran at any point: protocols, custom laws, ideals.
    pub systems: Vec<System>,
    /// All measures that have a value somewhere.
    pub measures: Vec<Measure>,
    /// The size bins with flows, by number.
    bins: Vec<usize>,
}

/// A point of a sweep.
#[derive(Clone, Debug)]
pub struct SweepPoint {
    /// The folder of its results in that of the sweep.
    pub folder: String,
    /// The values of the swept fields.
    pub set: Point,
    /// For each of [`SweepResults::fields`], the index of the point's value.
    pub values: Vec<usize>,
    /// Its results.
    pub summary: Summary,
}

/// A class of flow sizes: all of them, or a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeClass(Option<usize>);

/// A measure of a system at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepValue {
    /// Its value.
    pub value: f64,
    /// Its confidence interval, where one is valid.
    pub interval: Option<Interval>,
    /// Reasons to doubt it, the gravest first; none for most.
    pub doubts: Vec<String>,
}

impl SweepResults {
    /// Whether a folder is one of a sweep.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(SWEEP).is_file()
    }

    /// Reads a folder that `sluice sweep` wrote.
    pub fn read(folder: &Path) -> Result<Self, (std::path::PathBuf, io::Error)> {
        let file = SweepFile::read(folder).map_err(|error| (folder.join(SWEEP), error))?;
        if file.points.is_empty() {
            let error = io::Error::new(io::ErrorKind::InvalidData, "a sweep without points");
            return Err((folder.join(SWEEP), error));
        }
        let set: Vec<Point> = file.points.iter().map(|point| point.set.clone()).collect();
        let fields = SweptField::all(&set);
        let point = |point: &SweepFilePoint| {
            let path = folder.join(&point.folder);
            let summary = Summary::read(&path).map_err(|error| (path, error))?;
            let value = |(field, (_, value)): (&SweptField, &(String, String))| field.index(value);
            let values = fields.iter().zip(&point.set.0).filter_map(value).collect();
            let (folder, set) = (point.folder.clone(), point.set.clone());
            Ok(SweepPoint { folder, set, values, summary })
        };
        let points = file.points.iter().map(point).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::of(fields, points))
    }

    fn of(fields: Vec<SweptField>, points: Vec<SweepPoint>) -> Self {
        let mut systems = Vec::new();
        for system in points.iter().flat_map(|point| point.summary.systems()) {
            if !systems.contains(&system.protocol) {
                systems.push(system.protocol);
            }
        }
        let has = |bin: usize| points.iter().any(|point| has_flows(&point.summary, bin));
        let bins = (0..BINS).filter(|&bin| has(bin)).collect();
        let measures = Measure::all(&points[0].summary);
        let mut read = Self { fields, points, systems, measures: Vec::new(), bins };
        read.measures = measures.into_iter().filter(|measure| read.has_value(measure)).collect();
        read
    }

    fn has_value(&self, measure: &Measure) -> bool {
        let all = self.points.iter().flat_map(|point| point.summary.systems());
        all.into_iter().any(|system| measure.value(system, &system.all).is_some())
    }

    /// All sizes together, then each that some flow has.
    pub fn sizes(&self) -> impl Iterator<Item = SizeClass> {
        std::iter::once(SizeClass::ALL).chain(self.bins.iter().map(|&bin| SizeClass(Some(bin))))
    }

    /// A measure of a system at a point; `None` where there is no value.
    pub fn value(
        &self,
        point: &SweepPoint,
        system: System,
        size: SizeClass,
        measure: &Measure,
    ) -> Option<SweepValue> {
        let found = point.summary.systems().find(|found| found.protocol == system)?;
        let bin = size.of(found)?;
        let (value, interval) = measure.value(found, bin)?;
        let judged = (measure, interval.is_some());
        let doubts = doubt::doubts(&point.summary, found, bin, judged);
        Some(SweepValue { value, interval, doubts })
    }
}

impl SizeClass {
    /// Flows of all sizes.
    pub const ALL: Self = Self(None);

    /// The class of flows of this size.
    pub fn with(bytes: u64) -> Self {
        Self(Some(bins::bin(bytes)))
    }

    /// `all sizes`, `1-10 kB`.
    pub fn label(self) -> &'static str {
        self.0.map_or("all sizes", bins::label)
    }

    fn of(self, system: &ProtocolSummary) -> Option<&BinSummary> {
        let Some(bin) = self.0 else { return Some(&system.all) };
        system.by_size.iter().find(|found| found.from == bins::edges(bin).0)
    }
}

fn has_flows(summary: &Summary, bin: usize) -> bool {
    summary.systems().any(|system| SizeClass(Some(bin)).of(system).is_some())
}
