//! `sluice report`.

use std::path::PathBuf;

use crate::exit::{Exit, fail, print};

/// Arguments of `sluice report`.
#[derive(clap::Args)]
pub struct ReportArgs {
    /// Folder of results written by `sluice run` or `sluice sweep`
    dir: PathBuf,
    /// Page to write [default: DIR/report.html]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the page.
pub fn report(args: &ReportArgs) -> Exit {
    match sluice_lab::report::write(&args.dir, args.out.as_deref()) {
        Ok(page) => print(&format!("{}\n", page.display())),
        Err(error) => fail(Exit::Failure, &format!("error: {error}")),
    }
}
