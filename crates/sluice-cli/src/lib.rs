//! The `sluice` command: reads the command line and calls `sluice-lab`. It is a library so that the
//! Python package has the same command.

mod complete;
mod cost;
mod estimate;
mod exit;
mod export;
mod input;
mod linux;
mod list;
mod new;
mod package;
mod plot;
mod progress;
mod report;
mod run;
mod signals;
mod start;
mod sweep;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};

pub use exit::Exit;
pub use package::{Package, PackageError, ReproduceArgs};

/// Simulator of explicit congestion control (RCP, XCP, NCP) and TCP over any network and workload
#[derive(Parser)]
#[command(name = "sluice", version, long_version = sluice_lab::BUILD)]
#[command(after_help = Exit::help())]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a starter scenario file
    New(new::NewArgs),
    /// Run a scenario and write its results
    Run(run::RunArgs),
    /// Run a scenario and compare protocols with the first one, flow by flow
    Compare(run::CompareArgs),
    /// Run a scenario for several values of its fields
    Sweep(sweep::SweepArgs),
    /// Estimate completion times, queues and losses by formulas, in milliseconds and without packets
    Estimate(estimate::EstimateArgs),
    /// Write an HTML page with charts of results (report.html)
    Report(report::ReportArgs),
    /// Draw a measure of a sweep over a swept field, as SVG or PNG
    Plot(plot::PlotArgs),
    /// List protocols, topologies, traffic models, size distributions and ready scenarios
    List(list::ListArgs),
    /// Describe any word of a scenario, with its values, parameters and sources
    Explain(list::ExplainArgs),
    /// Print the JSON Schema of scenario files, for editors
    Schema,
    /// Print a script that completes commands, scenarios, protocols and fields in a shell
    Completions(new::CompletionsArgs),
    /// Print a Parquet file of a run as CSV
    Export(export::ExportArgs),
    /// Draw figures of the papers and check their claims
    Reproduce(package::ReproduceArgs),
    /// Start or end a router at a device of this machine (Linux data plane)
    Router(linux::RouterArgs),
    /// Let the TCP connections of this machine follow the routers, or end that (Linux data plane)
    Host(linux::HostArgs),
    /// Show the routers and the host that are up on this machine
    Status(linux::StatusArgs),
    /// End the routers and the host of this machine, and put back what they changed
    Down(linux::DownArgs),
    /// Serve metrics of routers and host in Prometheus's format
    Metrics(linux::MetricsArgs),
    /// Check what this machine has and lacks for the Linux data plane
    Doctor(linux::DoctorArgs),
    /// Play a scenario with this machine's kernel, nginx, curl and iperf3, beside its simulation (Linux)
    Demo(linux::DemoArgs),
}

/// Runs the command: `args` begin with its name.
pub fn run(args: impl IntoIterator<Item = OsString>, package: Option<&dyn Package>) -> Exit {
    let args: Vec<OsString> = args.into_iter().collect();
    if let Some(exit) = complete::answer(&args, Cli::command) {
        return exit;
    }
    let command = match Cli::try_parse_from(args) {
        Ok(cli) => cli.command,
        Err(error) => {
            let exit = if error.use_stderr() { Exit::WrongInput } else { Exit::Success };
            return exit::written(error.print()).and(exit);
        }
    };
    match command {
        Command::New(args) => new::new(&args),
        Command::Run(args) => run::run(&args),
        Command::Compare(args) => run::compare(&args),
        Command::Sweep(args) => sweep::sweep(&args, package),
        Command::Estimate(args) => estimate::estimate(&args),
        Command::Report(args) => report::report(&args),
        Command::Plot(args) => plot::plot(args),
        Command::List(args) => list::list(&args),
        Command::Explain(args) => list::explain(&args),
        Command::Schema => new::schema(),
        Command::Completions(args) => new::completions(&args),
        Command::Export(args) => export::export(&args),
        Command::Reproduce(args) => package::reproduce(&args, package),
        Command::Router(args) => linux::router(&args),
        Command::Host(args) => linux::host(&args),
        Command::Status(args) => linux::status(&args),
        Command::Down(args) => linux::down(&args),
        Command::Metrics(args) => linux::metrics(&args),
        Command::Doctor(args) => linux::doctor(&args),
        Command::Demo(args) => linux::demo(&args),
    }
}
