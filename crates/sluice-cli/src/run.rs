//! `sluice run`.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use sluice_lab::table::{self, Style};
use sluice_lab::{Options, Plan, Report, RunError};

use crate::exit::{INTERRUPTED, WRONG_INPUT, fail, print};
use crate::input::Input;
use crate::progress::{Bar, handle_interrupts};

/// What `sluice run` is told.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Where results go [default: results/<scenario's name>].
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
    quiet: bool,
    /// Print the summary as JSON instead of tables.
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
}

/// Runs the scenario; the exit code says how it went.
pub fn run(args: &Args) -> ExitCode {
    let plan = match args.input.plan() {
        Ok(plan) => plan,
        Err(error) => return fail(WRONG_INPUT, &error),
    };
    if !args.quiet && !args.json {
        tell_traffic(&plan);
    }
    let interrupted = match handle_interrupts() {
        Ok(flag) => flag,
        Err(error) => return fail(1, &format!("error: cannot catch Ctrl-C: {error}")),
    };
    let folder =
        args.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&plan.scenario.name));
    let bar = Bar::new(args.quiet, interrupted);
    let options = Options { threads: args.threads, again: args.again };
    let result = sluice_lab::run(&plan, &folder, &options, &bar);
    bar.clear();
    match result {
        Ok(report) => finish(args, &report),
        Err(RunError::Config(error)) => fail(WRONG_INPUT, &format!("error: {error}")),
        Err(error) => fail(1, &format!("error: {error}")),
    }
}

/// Says what the random traffic comes to, since that depends on how sizes are interpolated and
/// loads are divided.
fn tell_traffic(plan: &Plan) {
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

fn finish(args: &Args, report: &Report) -> ExitCode {
    if args.json {
        print(&format!("{:#}\n", report.json()));
    } else if !args.quiet {
        let style = if io::stdout().is_terminal() { Style::Terminal } else { Style::Plain };
        print(&table::render(&report.summary, style));
        tell_folder(report);
    }
    if report.summary.interrupted.is_empty() {
        return ExitCode::SUCCESS;
    }
    let kept = report.summary.runs.len();
    let lost = report.summary.interrupted.len();
    eprintln!(
        "interrupted: {kept} of {} runs were through and are kept in {}; flows of the others up \
         to then are in runs/*.partial",
        kept + lost,
        report.folder.display()
    );
    ExitCode::from(INTERRUPTED)
}

/// Where results are, and what of them is not of now.
fn tell_folder(report: &Report) {
    let Report { summary, folder, reused, others } = report;
    eprintln!("\nresults are in {}", folder.display());
    if *reused > 0 {
        let runs = summary.runs.len();
        eprintln!("{reused} of {runs} runs were there already (--again makes them anew)");
    }
    if *others > 0 {
        eprintln!(
            "{others} more runs there are of another scenario, seed or build, and in no table"
        );
    }
}
