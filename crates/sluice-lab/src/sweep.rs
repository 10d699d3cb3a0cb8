//! Runs every point of a sweep, all of them over the same cores.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use crate::results::whole;
use crate::run::{pool, run_here};
use crate::scenario::{Point, SCHEMA};
use crate::{Monitor, Options, Plan, Report, RunError};

/// Has every run of every point, made now or found in `folder`: a folder of results for each point,
/// `001`, `002`, ..., and `sweep.json`, which says what each of them is.
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

/// What `sweep.json` holds.
#[derive(Serialize)]
struct Written<'a> {
    schema: u32,
    points: Vec<WrittenPoint<'a>>,
}

#[derive(Serialize)]
struct WrittenPoint<'a> {
    /// Where its results are, beside this file.
    folder: String,
    /// What each swept field is.
    set: &'a Point,
    /// Whether all its runs went to their ends.
    whole: bool,
}

fn write(points: &[(Point, Plan)], folder: &Path, reports: &[Report]) -> Result<(), RunError> {
    let points = points.iter().zip(reports).enumerate().map(|(index, ((set, _), report))| {
        let whole = report.summary.interrupted.is_empty();
        WrittenPoint { folder: name(index), set, whole }
    });
    let written = Written { schema: SCHEMA, points: points.collect() };
    let path = folder.join("sweep.json");
    whole(&path, |out| Ok(serde_json::to_writer_pretty(out, &written)?))
        .map_err(|error| RunError::Io(path, error))
}

/// Where the results of a point are, by its place from 0.
pub fn point_folder(sweep: &Path, index: usize) -> PathBuf {
    sweep.join(name(index))
}

fn name(index: usize) -> String {
    format!("{:03}", index + 1)
}
