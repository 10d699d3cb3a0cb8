//! Options and output shared by the commands that run scenarios.

use std::path::PathBuf;

use sluice_lab::{Options, Plan, Report, RunError, free_memory};

use crate::exit::{Exit, fail, note};
use crate::input;
use crate::progress::Bar;
use crate::signals::handle_interrupts;

/// Options of runs and of output.
#[derive(clap::Args)]
pub struct RunOptions {
    /// Folder for results [default: results/NAME, for a sweep results/NAME-sweep]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of threads, 0 for one per core; results do not depend on it
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = input::threads,
        allow_negative_numbers = true
    )]
    threads: usize,
    /// Repeat runs that are in the folder already
    #[arg(long)]
    again: bool,
    /// Print an estimate of packets, time, memory and disk space; run and write nothing
    #[arg(long, conflicts_with_all = ["quiet", "force"])]
    pub dry_run: bool,
    /// Run even if memory or disk space will hardly suffice, and with no limit of memory
    #[arg(long)]
    pub force: bool,
    /// Print only errors
    #[arg(long)]
    pub quiet: bool,
    /// Print JSON instead of tables
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,
}

impl RunOptions {
    /// Whether tables are printed.
    pub fn tables(&self) -> bool {
        !self.quiet && !self.json
    }

    /// Options of the runs themselves.
    pub fn options(&self) -> Options {
        let memory = if self.force { None } else { free_memory() };
        Options { threads: self.threads, again: self.again, memory }
    }

    /// The folder for results.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| PathBuf::from("results").join(name))
    }

    /// Does the work with a progress bar, which Ctrl-C, SIGTERM and SIGHUP interrupt; prints errors.
    /// Shows the results of the runs of `watched` as they finish.
    pub fn run<T>(
        &self,
        watched: Option<&Plan>,
        work: impl FnOnce(&Options, &Bar<'_>) -> Result<T, RunError>,
    ) -> Result<T, Exit> {
        let interrupted = handle_interrupts().map_err(|error| {
            fail(Exit::Failure, &format!("error: cannot handle signals: {error}"))
        })?;
        let bar = Bar::new(self.quiet, interrupted).watching(watched);
        let done = work(&self.options(), &bar);
        bar.clear();
        done.map_err(|error| failed(&error))
    }
}

/// Prints why there are no results.
pub fn failed(error: &RunError) -> Exit {
    let exit = match error {
        RunError::Config(_) => Exit::WrongInput,
        _ => Exit::Failure,
    };
    fail(exit, &format!("error: {error}"))
}

/// Prints mean size and rate of random traffic, which follow from interpolated sizes and divided
/// loads.
pub fn print_traffic(plan: &Plan) {
    for (i, group) in plan.scenario.group.iter().enumerate() {
        let of_group: Vec<_> = plan.groups.iter().filter(|planned| planned.of == i).collect();
        let rate: u64 = of_group.iter().filter_map(|g| g.mean_rate).map(|rate| rate.as_bps()).sum();
        if let Some(mean) = of_group.first().and_then(|planned| planned.mean_size) {
            let per_second = rate as f64 / 8.0 / mean;
            note(&format!(
                "{}: mean flow size {mean:.0} B, {per_second:.4} flows/s, mean load {:.4} Mb/s",
                group.name,
                rate as f64 / 1e6
            ));
        }
    }
}

/// Prints which stored runs were damaged.
pub fn print_damage(reports: &[Report]) {
    for damage in reports.iter().flat_map(|report| &report.damaged) {
        note(&format!("Repeated a damaged run: {damage}"));
    }
}

/// Prints warnings that need no results.
pub fn print_forewarnings(warnings: &str) {
    if !warnings.is_empty() {
        note(&warnings.trim());
    }
}

/// Prints how many stored runs were reused, and how many ignored.
pub fn print_reuse(reports: &[Report]) {
    let runs: usize = reports.iter().map(|report| report.summary.runs.len()).sum();
    let reused: usize = reports.iter().map(|report| report.reused).sum();
    let others: usize = reports.iter().map(|report| report.others).sum();
    if reused > 0 {
        note(&format!("Reused {reused} of {runs} runs (--again repeats them)"));
    }
    if others > 0 {
        let runs = if others == 1 { "run" } else { "runs" };
        note(&format!("Ignored {others} {runs} from other scenarios, seeds or builds"));
    }
}

/// The exit code; prints which runs are kept if they were interrupted.
pub fn exit_code(reports: &[Report]) -> Exit {
    let kept: usize = reports.iter().map(|report| report.summary.runs.len()).sum();
    let lost: usize = reports.iter().map(|report| report.summary.interrupted.len()).sum();
    if lost == 0 {
        return Exit::Success;
    }
    note(&format!(
        "Interrupted: {kept} of {} runs finished and are kept; flows of the others up to then are in \
         runs/*.partial. Run the same command to continue.",
        kept + lost
    ));
    Exit::Interrupted
}
