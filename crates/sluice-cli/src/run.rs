//! `sluice run` and `sluice compare`.

use std::io::{self, IsTerminal};

use sluice_lab::table::{self, Style};
use sluice_lab::{Plan, Report};
use sluice_laws::registry::ProtocolName;

use crate::exit::{Exit, WRONG_INPUT, fail, print};
use crate::input::{self, Input};
use crate::start::{Start, ended, tell_reused, tell_traffic};

/// What `sluice run` is told.
#[derive(clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    input: Input,
    /// Run only these protocols.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = input::protocol)]
    protocols: Option<Vec<ProtocolName>>,
    #[command(flatten)]
    start: Start,
}

/// Runs the scenario; the exit code says how it went.
pub fn run(args: &RunArgs) -> Exit {
    with_report(&args.input, args.protocols.as_deref(), &args.start, |report, style| {
        table::render(&report.summary, style)
    })
}

/// What `sluice compare` is told.
#[derive(clap::Args)]
pub struct CompareArgs {
    #[command(flatten)]
    input: Input,
    /// The protocols; all others are held against the first [default: the scenario's].
    #[arg(value_parser = input::protocol)]
    protocols: Vec<ProtocolName>,
    #[command(flatten)]
    start: Start,
}

/// Runs the scenario and holds protocols against the first one, flow by flow.
pub fn compare(args: &CompareArgs) -> Exit {
    let protocols = (!args.protocols.is_empty()).then_some(&args.protocols[..]);
    with_report(&args.input, protocols, &args.start, |report, style| {
        let tables = table::render(&report.summary, style);
        format!("{tables}{}", table::comparison(&report.summary))
    })
}

fn with_report(
    input: &Input,
    protocols: Option<&[ProtocolName]>,
    start: &Start,
    tables: impl FnOnce(&Report, Style) -> String,
) -> Exit {
    let plan: Plan = match input.plan(protocols) {
        Ok(plan) => plan,
        Err(error) => return fail(WRONG_INPUT, &error),
    };
    if start.tables() {
        tell_traffic(&plan);
    }
    let folder = start.folder(&plan.scenario.name);
    let report = match start.run(|options, bar| sluice_lab::run(&plan, &folder, options, bar)) {
        Ok(report) => report,
        Err(code) => return code,
    };
    if start.json {
        print(&format!("{:#}\n", report.json()));
    } else if !start.quiet {
        let style = if io::stdout().is_terminal() { Style::Terminal } else { Style::Plain };
        print(&tables(&report, style));
        eprintln!("\nresults are in {}", report.folder.display());
        tell_reused(std::iter::once(&report));
    }
    ended(std::iter::once(&report))
}
