//! Results: what flows and links add up to, and the files they are written to.

pub(crate) mod bins;
mod flows;
mod histogram;
mod inputs;
pub(crate) mod series;
mod summary;
mod tally;

pub(crate) use flows::FlowFile;
pub(crate) use inputs::write_scenario;
pub use summary::{
    BinSummary, GroupSummary, LinkSummary, LongSummary, ProtocolSummary, Quantiles, RunSummary,
    Summary,
};
pub(crate) use summary::{Run, summarize};
pub(crate) use tally::Tally;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::Plan;

/// Writes a file that gets its name once it is whole.
pub(crate) fn whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let part = part(path);
    let mut out = BufWriter::new(File::create(&part)?);
    write(&mut out)?;
    out.flush()?;
    std::fs::rename(part, path)
}

/// What a file is called until it is whole.
fn part(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    name.into()
}

/// Writes every link of every run: `links.csv`.
pub(crate) fn write_links(path: &Path, plan: &Plan, runs: &[Run]) -> io::Result<()> {
    whole(path, |out| {
        writeln!(
            out,
            "protocol,seed,from,to,utilization,sent,mean_queue,p99_queue,max_queue,drops,early_drops,marks,errors"
        )?;
        for run in runs {
            for (link, found) in plan.config.links.iter().zip(&run.outcome.links) {
                let (from, to) = (&plan.network.nodes[link.from], &plan.network.nodes[link.to]);
                writeln!(
                    out,
                    "{},{},{from},{to},{},{},{},{},{},{},{},{},{}",
                    run.protocol,
                    run.seed,
                    found.utilization,
                    found.sent.as_u64(),
                    found.mean_queue.as_u64(),
                    found.p99_queue.as_u64(),
                    found.max_queue.as_u64(),
                    found.drops,
                    found.early_drops,
                    found.marks,
                    found.errors,
                )?;
            }
        }
        Ok(())
    })
}
