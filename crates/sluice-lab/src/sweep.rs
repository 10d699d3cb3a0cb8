//! Runs every point of a sweep, all on the same threads.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::run::{pool, run_here};
use crate::scenario::Point;
use crate::swept::{SWEEP, SweepFile, SweepFilePoint};
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

fn write(points: &[(Point, Plan)], folder: &Path, reports: &[Report]) -> Result<(), RunError> {
    let points = points.iter().zip(reports).enumerate().map(|(index, ((set, _), report))| {
        let whole = report.summary.interrupted.is_empty();
        SweepFilePoint { folder: name(index), set: set.clone(), whole }
    });
    let file = SweepFile::new(points.collect());
    file.write(folder).map_err(|error| RunError::Io(folder.join(SWEEP), error))
}

/// The folder of the results of a point, by its index from 0.
pub fn point_folder(sweep: &Path, index: usize) -> PathBuf {
    sweep.join(name(index))
}

fn name(index: usize) -> String {
    format!("{:03}", index + 1)
}
