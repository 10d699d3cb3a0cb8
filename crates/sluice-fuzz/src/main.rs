//! `sluice-fuzz scenarios` and `sluice-fuzz laws`: inputs by their numbers, in worker processes.
//!
//! A worker ends where an input panics, hangs or takes too much memory. Its supervisor then writes the
//! input to a file, and goes on with the next number in another worker.

mod counts;
mod finding;
mod supervise;
mod target;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use target::Target;

/// Runs random inputs, and writes those that fail to files.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Mutated scenarios: read, planned and run.
    Scenarios(Campaign),
    /// Random events of laws with random parameters.
    Laws(Campaign),
    /// Runs inputs in this process; for `scenarios` and `laws`.
    #[command(hide = true)]
    Worker {
        target: Target,
        first: u64,
        end: u64,
        /// Where the counts are written, and the number under way.
        state: PathBuf,
    },
}

/// Which inputs, and for how long.
#[derive(Args, Clone)]
struct Campaign {
    /// The number of the first input.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// The number of inputs; until the time is over by default.
    #[arg(long)]
    count: Option<u64>,
    /// Seconds after which no more inputs are begun.
    #[arg(long)]
    seconds: Option<u64>,
    /// Number of workers at a time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The folder of files of inputs that fail.
    #[arg(long, default_value = "target/fuzz-findings")]
    out: PathBuf,
}

impl Campaign {
    fn time(&self) -> Duration {
        self.seconds.map_or(Duration::MAX, Duration::from_secs)
    }
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Scenarios(campaign) => supervise::run(Target::Scenarios, &campaign),
        Command::Laws(campaign) => supervise::run(Target::Laws, &campaign),
        Command::Worker { target, first, end, state } => worker::run(target, first..end, &state),
    }
}
