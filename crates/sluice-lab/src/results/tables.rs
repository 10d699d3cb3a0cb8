//! `tables/`: the Parquet files of the runs in a summary, a folder for each kind, which a glob reads as
//! one table. Runs of other scenarios, seeds and builds stay in `runs/` and are not in it.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use super::store::FileSet;
use super::summary::RunSummary;

/// The folder of the tables in a folder of results.
const TABLES: &str = "tables";

/// Runs whose tables are shown together.
pub struct RunTables<'a> {
    /// The folder of their results.
    pub results: &'a Path,
    /// The point of a sweep that they belong to: its folder.
    pub point: Option<&'a str>,
    /// The runs.
    pub runs: &'a [RunSummary],
}

/// Adds the tables of runs as `tables/KIND/PROTOCOL-SEED.parquet`, or, of a sweep, as
/// `tables/KIND/POINT-PROTOCOL-SEED.parquet`, in place of all that are there. They are the files of
/// the runs under another name, and take no space.
pub fn add_tables<'a>(
    set: &mut FileSet<'_>,
    all: impl IntoIterator<Item = RunTables<'a>>,
) -> io::Result<()> {
    set.replace_folder(TABLES);
    for RunTables { results, point, runs } in all {
        let point = point.map(|point| format!("{point}-")).unwrap_or_default();
        for run in runs {
            let name = format!("{point}{}-{}.parquet", run.protocol, run.seed);
            add_run(set, &results.join(&run.folder), &name)?;
        }
    }
    Ok(())
}

fn add_run(set: &mut FileSet<'_>, run: &Path, name: &str) -> io::Result<()> {
    for entry in fs::read_dir(run)? {
        let path = entry?.path();
        if let (Some(kind), Some("parquet")) =
            (path.file_stem(), path.extension().and_then(OsStr::to_str))
        {
            set.link(Path::new(TABLES).join(kind).join(name), &path)?;
        }
    }
    Ok(())
}
