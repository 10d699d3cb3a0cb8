//! `sluice run` and `sluice compare`.

use std::io::{self, IsTerminal};

use sluice_lab::table::{self, Style};
use sluice_lab::{Plan, Report};
use sluice_laws::registry::ProtocolName;

use crate::exit::{Exit, WRONG_INPUT, fail, note, print};
use crate::input::{self, ScenarioArgs};
use crate::start::{RunOptions, exit_code, print_damage, print_reuse, print_traffic};

/// Arguments of `sluice run`.
#[derive(clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    input: ScenarioArgs,
    /// Run only these protocols, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = input::protocol)]
    protocols: Option<Vec<ProtocolName>>,
    #[command(flatten)]
    start: RunOptions,
}

/// Runs the scenario.
pub fn run(args: &RunArgs) -> Exit {
    with_report(&args.input, args.protocols.as_deref(), &args.start, |report, style| {
        table::render(&report.summary, style)
    })
}

/// Arguments of `sluice compare`.
#[derive(clap::Args)]
pub struct CompareArgs {
    #[command(flatten)]
    input: ScenarioArgs,
    /// Protocols; the others are compared with the first [default: those of the scenario]
    #[arg(value_parser = input::protocol)]
    protocols: Vec<ProtocolName>,
    #[command(flatten)]
    start: RunOptions,
}

/// Runs the scenario and compares protocols with the first one, flow by flow.
pub fn compare(args: &CompareArgs) -> Exit {
    let protocols = (!args.protocols.is_empty()).then_some(&args.protocols[..]);
    with_report(&args.input, protocols, &args.start, |report, style| {
        let tables = table::render(&report.summary, style);
        format!("{tables}{}", table::comparison(&report.summary))
    })
}

fn with_report(
    input: &ScenarioArgs,
    protocols: Option<&[ProtocolName]>,
    start: &RunOptions,
    tables: impl FnOnce(&Report, Style) -> String,
) -> Exit {
    let plan: Plan = match input.plan(protocols) {
        Ok(plan) => plan,
        Err(error) => return fail(WRONG_INPUT, &error),
    };
    if start.tables() {
        print_traffic(&plan);
    }
    let folder = start.folder(&plan.scenario.name);
    let report = match start.run(|options, bar| sluice_lab::run(&plan, &folder, options, bar)) {
        Ok(report) => report,
        Err(code) => return code,
    };
    let reports = std::slice::from_ref(&report);
    print_damage(reports);
    let mut exit = Exit::SUCCESS;
    if start.json {
        exit = print(&format!("{:#}\n", report.json()));
    } else if !start.quiet {
        let style = if io::stdout().is_terminal() { Style::Terminal } else { Style::Plain };
        exit = print(&tables(&report, style));
        note(&format!("\nResults are in {}", report.folder.display()));
        print_reuse(reports);
    }
    exit.and(exit_code(reports))
}
