//! `sluice export`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// What `sluice export` is told.
#[derive(clap::Args)]
pub struct Args {
    /// A Parquet file of a run.
    file: PathBuf,
}

/// Prints a Parquet file of a run as CSV.
pub fn export(args: &Args) -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = sluice_lab::export(&args.file, &mut out).and_then(|()| out.flush());
    match written {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that closed its end (`| head`) has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}: {error}", args.file.display());
            ExitCode::FAILURE
        }
    }
}
