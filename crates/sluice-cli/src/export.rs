//! `sluice export`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use crate::exit::{Exit, fail};

/// Arguments of `sluice export`.
#[derive(clap::Args)]
pub struct ExportArgs {
    /// A Parquet file of a run
    file: PathBuf,
}

/// Prints a Parquet file of a run as CSV.
pub fn export(args: &ExportArgs) -> Exit {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = sluice_lab::export(&args.file, &mut out).and_then(|()| out.flush());
    match written {
        Ok(()) => Exit::Success,
        // A closed pipe (`| head`) is no error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        Err(error) => fail(Exit::Failure, &format!("error: {}: {error}", args.file.display())),
    }
}
