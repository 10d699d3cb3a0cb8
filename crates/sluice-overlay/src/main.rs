//! The `sluice-overlay` command.

use std::process::ExitCode;

use clap::Parser as _;
use sluice_overlay::command::OverlayCommand;

fn main() -> ExitCode {
    match OverlayCommand::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sluice-overlay: {error}");
            ExitCode::FAILURE
        }
    }
}
