//! `report.html`: what a run found as a page to look at, in one file that fetches nothing.
//!
//! The page of a run: `summary.json` (`found`) and the runs' files (`rows`) are read once, in
//! memory that does not grow with the number of flows (`flows`, `sample`, `metrics`), and
//! become a [`data::Page`], which `html` embeds as JSON. How large a page is depends on how many
//! systems, sizes and metrics there are, never on how many flows.
//!
//! The page of a sweep (`sweep`) has its summaries only.
//!
//! The same results give the same bytes.

mod collect;
pub mod data;
mod digits;
mod error;
mod estimated;
mod estimates;
mod flow;
mod flows;
mod groups;
mod html;
mod links;
pub(crate) mod look;
#[cfg(test)]
mod many;
mod metrics;
mod network;
mod ratios;
mod rows;
mod sample;
mod sizes;
mod slowdowns;
pub mod sweep;
mod systems;
mod theory;
mod thin;

pub use error::ReportError;
pub(crate) use systems::describe;

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::replace::replace;
use crate::results::{SUMMARY, check_run};
use crate::swept::SweepResults;
use crate::{RunSummary, Summary};

/// The name of a page in a folder of results.
pub const FILE: &str = "report.html";

/// What a page of the results of a run in a folder shows.
pub fn page(results: &Path) -> Result<data::Page, ReportError> {
    collect::page(results)
}

/// The network of the results of a run in a folder: places of its nodes, and what its links did.
pub fn network(results: &Path) -> Result<data::ReportNetwork, ReportError> {
    collect::network_of(results)
}

/// Writes a page of the results of a run or of a sweep in a folder, into `out` or else as [`FILE`]
/// beside them; where it is.
///
/// An error if a file of a run is not as it was written.
pub fn write(results: &Path, out: Option<&Path>) -> Result<PathBuf, ReportError> {
    if !SweepResults::is_in(results) {
        check(results)?;
    }
    draw(results, out)
}

/// As [`write`], without checking the files.
fn draw(results: &Path, out: Option<&Path>) -> Result<PathBuf, ReportError> {
    let html = if SweepResults::is_in(results) {
        html::of_sweep(&sweep::sweep_page(results)?)
    } else {
        html::of_run(&page(results)?)
    };
    let out = out.map_or_else(|| results.join(FILE), Path::to_owned);
    let io = |error| ReportError::Io(out.clone(), error);
    let html = html.map_err(|error| io(error.into()))?;
    replace(&out, html.as_bytes()).map_err(io)?;
    Ok(out)
}

/// Checks the files of all runs that a page is made of.
fn check(results: &Path) -> Result<(), ReportError> {
    let io = |error| ReportError::Io(results.join(SUMMARY), error);
    let runs = Summary::read(results).map_err(io)?.runs;
    let check = |run: &RunSummary| check_run(&results.join(&run.folder));
    runs.par_iter().try_for_each(check).map_err(ReportError::Damaged)
}
