//! The `sluice` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(sluice_cli::run(std::env::args_os(), None).code())
}
