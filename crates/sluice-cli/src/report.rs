//! `sluice report`.

use std::path::PathBuf;

use crate::exit::{Exit, fail, print};

/// What `sluice report` is told.
#[derive(clap::Args)]
pub struct Args {
    /// A folder of results, as `sluice run` wrote it.
    dir: PathBuf,
    /// Where the page goes [default: DIR/report.html].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the page; the exit code says how it went.
pub fn report(args: &Args) -> Exit {
    match sluice_lab::report::write(&args.dir, args.out.as_deref()) {
        Ok(page) => {
            print(&format!("{}\n", page.display()));
            Exit::SUCCESS
        }
        Err(error) => fail(1, &format!("error: {error}")),
    }
}
