//! The `sluice` command: reads the command line, lets `sluice-lab` do the work. A library, so that
//! the Python package brings the same command.

mod exit;
mod export;
mod input;
mod list;
mod new;
mod package;
mod progress;
mod report;
mod run;
mod start;
mod sweep;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};

pub use exit::Exit;
pub use package::{Failed, Package, Reproduce};

/// Simulates explicit congestion control, RCP, XCP and NCP beside TCP, over any network and
/// workload.
#[derive(Parser)]
#[command(name = "sluice", version, long_version = sluice_lab::BUILD)]
#[command(after_help = exit::CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a scenario file to begin with.
    New(new::Args),
    /// Run a scenario and write its results.
    Run(run::RunArgs),
    /// Run a scenario and hold protocols against the first one, flow by flow.
    Compare(run::CompareArgs),
    /// Run a scenario at many points.
    Sweep(sweep::Args),
    /// Make a page to look at (report.html) of a folder of results.
    Report(report::Args),
    /// Name what scenarios may be made of: protocols, topologies, traffic, sizes, ready scenarios.
    List(list::ListArgs),
    /// Say what something is, with its parameters and sources.
    Explain(list::ExplainArgs),
    /// Print the JSON Schema of scenario files, for editors.
    Schema,
    /// Print a script that lets a shell complete `sluice`.
    Completions(new::CompletionsArgs),
    /// Print a Parquet file of a run as CSV.
    Export(export::Args),
    /// Draw figures of the papers and check their claims.
    Reproduce(package::Reproduce),
}

/// Runs the command: `args` begin with its name.
pub fn run(args: impl IntoIterator<Item = OsString>, package: Option<&dyn Package>) -> Exit {
    let command = match Cli::try_parse_from(args) {
        Ok(cli) => cli.command,
        Err(error) => {
            // Nobody is left to tell if this cannot be printed.
            _ = error.print();
            return Exit(u8::try_from(error.exit_code()).unwrap_or(exit::WRONG_INPUT));
        }
    };
    match command {
        Command::New(args) => new::new(&args),
        Command::Run(args) => run::run(&args),
        Command::Compare(args) => run::compare(&args),
        Command::Sweep(args) => sweep::sweep(&args, package),
        Command::Report(args) => report::report(&args),
        Command::List(args) => list::list(&args),
        Command::Explain(args) => list::explain(&args),
        Command::Schema => new::schema(),
        Command::Completions(args) => new::completions(&args, Cli::command()),
        Command::Export(args) => export::export(&args),
        Command::Reproduce(args) => package::reproduce(&args, package),
    }
}
