//! Runs every point of a sweep, all on the same threads.

use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use crate::results::SharedFolder;
use crate::run::{pool, run_here};
use crate::scenario::{Point, SCHEMA};
use crate::{Monitor, Options, Plan, Report, RunError};

/// Makes the runs of all points that are not stored in `folder`. It gets a folder of results for each
/// point, `001`, `002`, ..., and `sweep.json`, which lists them.
pub fn sweep(
    points: &[(Point, Plan)],
    folder: &Path,
    options: &Options,
    monitor: &dyn Monitor,
) -> Result<Vec<Report>, RunError> {
    let one = |(index, (_, plan)): (usize, &(Point, Plan))| {
        run_here(plan, &point_folder(folder, index), options, monitor)
    };
    let reports: Vec<Report> = pool(options)?.install(|| {
        points.par_iter().enumerate().with_max_len(1).map(one).collect::<Result<_, _>>()
    })?;
    write(points, folder, &reports)?;
    Ok(reports)
}

/// The contents of `sweep.json`.
#[derive(Serialize)]
struct SweepFile<'a> {
    schema: u32,
    points: Vec<SweepFilePoint<'a>>,
}

#[derive(Serialize)]
struct SweepFilePoint<'a> {
    /// The folder of its results, beside this file.
    folder: String,
    /// The values of the swept fields.
    set: &'a Point,
    /// Whether all its runs finished.
    whole: bool,
}

fn write(points: &[(Point, Plan)], folder: &Path, reports: &[Report]) -> Result<(), RunError> {
    let points = points.iter().zip(reports).enumerate().map(|(index, ((set, _), report))| {
        let whole = report.summary.interrupted.is_empty();
        SweepFilePoint { folder: name(index), set, whole }
    });
    let written = SweepFile { schema: SCHEMA, points: points.collect() };
    replace(folder, "sweep.json", &written)
        .map_err(|error| RunError::Io(folder.join("sweep.json"), error))
}

fn replace(folder: &Path, name: &str, written: &SweepFile<'_>) -> io::Result<()> {
    let folder = SharedFolder::open(folder)?;
    let mut set = folder.file_set();
    set.add(name, |out| Ok(serde_json::to_writer_pretty(out, written)?))?;
    set.publish()
}

/// The folder of the results of a point, by its index from 0.
pub fn point_folder(sweep: &Path, index: usize) -> PathBuf {
    sweep.join(name(index))
}

fn name(index: usize) -> String {
    format!("{:03}", index + 1)
}
