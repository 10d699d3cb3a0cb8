//! The `sluice` command: reads the command line, lets `sluice-lab` do the work.

mod export;
mod list;
mod progress;
mod report;
mod run;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Simulates explicit congestion control: RCP, XCP and TCP over any network and workload.
#[derive(Parser)]
#[command(name = "sluice", version, long_version = sluice_lab::BUILD, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scenario file and write its results.
    Run(run::Args),
    /// Make a page to look at (report.html) of a folder of results.
    Report(report::Args),
    /// Print a Parquet file of a run as CSV.
    Export(export::Args),
    /// List protocols, traffic models, flow sizes and measured workloads.
    List,
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Report(args) => report::report(&args),
        Command::Export(args) => export::export(&args),
        Command::List => list::list(),
    }
}
