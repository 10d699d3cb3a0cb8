//! `sluice run`.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use sluice_lab::table::{self, Style};
use sluice_lab::{Options, Overrides, Plan, Report, RunError};
use sluice_laws::registry::Name;

use crate::progress::{Bar, handle_interrupts};

/// The scenario, or the command line, is wrong.
const WRONG_INPUT: u8 = 2;
/// Ended by Ctrl-C, as shells tell it.
const INTERRUPTED: u8 = 130;

/// What `sluice run` is told.
#[derive(clap::Args)]
pub struct Args {
    /// The scenario file.
    file: PathBuf,
    /// Run only these protocols.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = protocol)]
    protocols: Option<Vec<Name>>,
    /// Run with this seed only.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
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
    /// Settle every packet in order of time: slower, same results.
    #[arg(long, hide = true)]
    no_lookahead: bool,
}

fn protocol(text: &str) -> Result<Name, String> {
    let names = Name::ALL.iter().map(|name| name.as_str());
    let found = Name::ALL.iter().copied().find(|name| name.as_str() == text);
    found.ok_or_else(|| sluice_lab::scenario::suggest(text, names))
}

/// Runs the scenario; the exit code says how it went.
pub fn run(args: &Args) -> ExitCode {
    let overrides = Overrides {
        protocols: args.protocols.clone(),
        seed: args.seed,
        no_lookahead: args.no_lookahead,
    };
    let plan = match Plan::read(&args.file, &overrides) {
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

/// A reader that closed its end (`| head`) has seen enough.
fn print(text: &str) {
    _ = io::stdout().lock().write_all(text.as_bytes());
}

fn fail(code: u8, error: &dyn Display) -> ExitCode {
    eprintln!("{error}");
    ExitCode::from(code)
}
