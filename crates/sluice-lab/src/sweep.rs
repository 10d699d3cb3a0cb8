//! Plans every point of a sweep, and runs them all on the same threads.

use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::results::{RunTables, SharedFolder, add_tables};
use crate::run::{pool, run_here};
use crate::scenario::{Document, FileError, Point};
use crate::swept::{SweepFile, SweepFilePoint, point_columns};
use crate::{Monitor, Options, Plan, PlanOverrides, Report, RunError};

/// The points of a document's sweep, each with its plan; paths of files start from `folder`. Empty if
/// nothing is swept.
pub fn plan_sweep(
    document: &Document,
    folder: &Path,
    overrides: &PlanOverrides,
) -> Result<Vec<(Point, Plan)>, FileError> {
    let (points, sources): (Vec<Point>, Vec<_>) = document.points()?.into_iter().unzip();
    let columns = point_columns(&points);
    let plan = |((point, source), columns)| {
        let mut plan = Plan::of(&source, folder.to_owned(), overrides)?;
        plan.point = columns;
        Ok((point, plan))
    };
    points.into_iter().zip(sources).zip(columns).map(plan).collect()
}

/// Makes the runs of all points that are not stored in `folder`. It gets a folder of results for each
/// point, `001`, `002`, ..., `sweep.json`, which lists them, and the tables of all points together.
/// [`plan_sweep`] makes the plans, whose tables have columns for the point.
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
    write(points, folder, &reports).map_err(|error| RunError::Io(folder.into(), error))?;
    Ok(reports)
}

fn write(points: &[(Point, Plan)], folder: &Path, reports: &[Report]) -> io::Result<()> {
    let names: Vec<String> = (0..points.len()).map(name).collect();
    let point = |(index, ((set, _), report)): (usize, (&(Point, Plan), &Report))| {
        let whole = report.summary.interrupted.is_empty();
        SweepFilePoint { folder: names[index].clone(), set: set.clone(), whole }
    };
    let listed = points.iter().zip(reports).enumerate().map(point);
    let shared = SharedFolder::open(folder)?;
    let mut set = shared.file_set();
    SweepFile::new(listed.collect()).add_to(&mut set)?;
    add_tables(
        &mut set,
        reports.iter().zip(&names).map(|(report, name)| RunTables {
            results: &report.folder,
            point: Some(name),
            runs: &report.summary.runs,
        }),
    )?;
    set.publish()
}

/// The folder of the results of a point, by its index from 0.
pub fn point_folder(sweep: &Path, index: usize) -> PathBuf {
    sweep.join(name(index))
}

fn name(index: usize) -> String {
    format!("{:03}", index + 1)
}
