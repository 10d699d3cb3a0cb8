//! `sweep.json`: the points of a sweep.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::results::{FileSet, versioned};
use crate::scenario::{Point, SCHEMA};

/// The file's name in a folder of a sweep.
pub(crate) const SWEEP: &str = "sweep.json";

/// The contents of `sweep.json`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SweepFile {
    schema: u32,
    /// In the order of the sweep.
    pub points: Vec<SweepFilePoint>,
}

/// A point of `sweep.json`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SweepFilePoint {
    /// The folder of its results, beside this file.
    pub folder: String,
    /// The values of the swept fields.
    pub set: Point,
    /// Whether all its runs finished.
    pub whole: bool,
}

impl SweepFile {
    /// The file of these points.
    pub fn new(points: Vec<SweepFilePoint>) -> Self {
        Self { schema: SCHEMA, points }
    }

    /// Reads the file of a folder.
    pub fn read(sweep: &Path) -> io::Result<Self> {
        versioned::read(&sweep.join(SWEEP), "sweep")
    }

    /// Adds it to the files of a sweep's folder.
    pub fn add_to(&self, set: &mut FileSet<'_>) -> io::Result<()> {
        set.add(SWEEP, |out| Ok(serde_json::to_writer_pretty(out, self)?))
    }
}
