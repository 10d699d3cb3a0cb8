//! What the commands that run something share: where results go, how it is shown, how it ends.

use std::path::PathBuf;

use sluice_lab::{Options, Plan, Report, RunError};

use crate::exit::{Exit, INTERRUPTED, WRONG_INPUT, fail};
use crate::progress::{Bar, handle_interrupts};

/// How to run, and what to print.
#[derive(clap::Args)]
pub struct Start {
    /// Where results go; by default `results/NAME`, for a sweep `results/NAME-sweep`.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many threads to run on; 0 is one a core. Results are the same for any number.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Make runs again that lie in the folder already.
    #[arg(long)]
    again: bool,
    /// Print nothing but errors.
    #[arg(long)]
    pub quiet: bool,
    /// Print JSON instead of tables.
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,
}

impl Start {
    /// Whether tables are printed.
    pub fn tables(&self) -> bool {
        !self.quiet && !self.json
    }

    /// Where results go.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| PathBuf::from("results").join(name))
    }

    /// Does the work under a progress bar, and Ctrl-C; tells what went wrong.
    pub fn run<T>(
        &self,
        work: impl FnOnce(&Options, &Bar) -> Result<T, RunError>,
    ) -> Result<T, Exit> {
        let interrupted = handle_interrupts()
            .map_err(|error| fail(1, &format!("error: cannot catch Ctrl-C: {error}")))?;
        let bar = Bar::new(self.quiet, interrupted);
        let options = Options { threads: self.threads, again: self.again };
        let done = work(&options, &bar);
        bar.clear();
        done.map_err(|error| match error {
            RunError::Config(error) => fail(WRONG_INPUT, &format!("error: {error}")),
            error => fail(1, &format!("error: {error}")),
        })
    }
}

/// Says what the random traffic comes to, since that depends on how sizes are interpolated and
/// loads are divided.
pub fn tell_traffic(plan: &Plan) {
    for (i, group) in plan.scenario.group.iter().enumerate() {
        let of_group: Vec<_> = plan.groups.iter().filter(|planned| planned.of == i).collect();
        let rate: u64 = of_group.iter().filter_map(|g| g.mean_rate).map(|rate| rate.as_bps()).sum();
        if let Some(mean) = of_group.first().and_then(|planned| planned.mean_size) {
            let per_second = rate as f64 / 8.0 / mean;
            eprintln!(
                "{}: flows of {mean:.0} B on average, {per_second:.4} a second: {:.4} Mbps",
                group.name,
                rate as f64 / 1e6
            );
        }
    }
}

/// Says which runs are not of now.
pub fn tell_reused<'a>(reports: impl Iterator<Item = &'a Report> + Clone) {
    let runs: usize = reports.clone().map(|report| report.summary.runs.len()).sum();
    let reused: usize = reports.clone().map(|report| report.reused).sum();
    let others: usize = reports.map(|report| report.others).sum();
    if reused > 0 {
        eprintln!("{reused} of {runs} runs were there already (--again makes them anew)");
    }
    if others > 0 {
        eprintln!(
            "{others} more runs there are of another scenario, seed or build, and in no table"
        );
    }
}

/// How the command ends, and what is kept if it was interrupted.
pub fn ended<'a>(reports: impl Iterator<Item = &'a Report> + Clone) -> Exit {
    let kept: usize = reports.clone().map(|report| report.summary.runs.len()).sum();
    let lost: usize = reports.map(|report| report.summary.interrupted.len()).sum();
    if lost == 0 {
        return Exit::SUCCESS;
    }
    eprintln!(
        "interrupted: {kept} of {} runs were through and are kept; flows of the others up to then \
         are in runs/*.partial, and the same command goes on from here",
        kept + lost
    );
    Exit(INTERRUPTED)
}
