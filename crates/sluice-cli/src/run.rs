//! `sluice run` and `sluice compare`.

use std::io::{self, IsTerminal};

use sluice_lab::scenario::{FileError, list};
use sluice_lab::table::{self, Style};
use sluice_lab::{CostEstimate, Plan, Report, System};
use sluice_laws::registry::ProtocolName;

use crate::complete;
use crate::cost;
use crate::exit::{Exit, fail, note, print};
use crate::input::{self, ScenarioArgs, refuse};
use crate::start::{
    RunOptions, exit_code, print_damage, print_forewarnings, print_reuse, print_traffic,
};

/// Arguments of `sluice run`.
#[derive(clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    input: ScenarioArgs,
    /// Run only these protocols, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = input::protocol, add = complete::protocols())]
    protocols: Option<Vec<ProtocolName>>,
    /// Show results as runs finish: a table in a terminal, else a line for each run
    #[arg(long, conflicts_with = "quiet")]
    watch: bool,
    #[command(flatten)]
    start: RunOptions,
}

/// Runs the scenario.
pub fn run(args: &RunArgs) -> Exit {
    let plan = match args.input.plan(args.protocols.as_deref()) {
        Ok(plan) => plan,
        Err(error) => return refuse(&error),
    };
    let watched = args.watch.then_some(&plan);
    with_report(&plan, watched, &args.start, |report, style| table::render(&report.summary, style))
}

/// Arguments of `sluice compare`.
#[derive(clap::Args)]
pub struct CompareArgs {
    #[command(flatten)]
    input: ScenarioArgs,
    /// Protocols; the others are compared with the first [default: those of the scenario]
    #[arg(value_parser = input::protocol, add = complete::protocols())]
    protocols: Vec<ProtocolName>,
    /// Show mean completion times relative to those under this ideal or protocol, by class of flow sizes
    #[arg(long, value_name = "NAME", value_parser = input::reference, add = complete::references())]
    against: Option<System>,
    #[command(flatten)]
    start: RunOptions,
}

/// Runs the scenario and compares protocols with the first one, flow by flow, or with one system by
/// class of flow sizes.
pub fn compare(args: &CompareArgs) -> Exit {
    let plan = match compared(args) {
        Ok(plan) => plan,
        Err(error) => return refuse(&error),
    };
    let with_ideal = matches!(args.against, Some(System::Ideal(_)));
    if let ([only], false) = (&plan.scenario.protocols[..], with_ideal) {
        let names = list(ProtocolName::ALL.iter().map(|name| name.as_str()));
        let error = format!(
            "error: nothing to compare: `{only}` is the only protocol\n   = name at least two, the \
             others are compared with the first; accepted: {names}"
        );
        return fail(Exit::WrongInput, &error);
    }
    with_report(&plan, None, &args.start, |report, style| match args.against {
        Some(reference) => table::against(&report.summary, reference),
        None => {
            let tables = table::render(&report.summary, style);
            format!("{tables}{}", table::comparison(&report.summary))
        }
    })
}

/// The plan of a comparison. A protocol that the others are compared with is the first.
fn compared(args: &CompareArgs) -> Result<Plan, FileError> {
    let source = args.input.document()?.source()?;
    let listed =
        if args.protocols.is_empty() { &source.scenario.protocols } else { &args.protocols };
    let mut protocols = listed.clone();
    let mut overrides = args.input.overrides(None);
    match args.against {
        Some(System::Protocol(first)) => {
            protocols.retain(|&other| other != first);
            protocols.insert(0, first);
        }
        Some(System::Ideal(ideal)) => overrides.ideal = Some(ideal),
        Some(System::Custom(_) | System::Measured(_)) | None => {}
    }
    let is_other = protocols != source.scenario.protocols;
    overrides.protocols = is_other.then_some(protocols);
    Plan::of(&source, args.input.folder(), &overrides)
}

/// Runs a plan, and prints its results as `tables` does.
pub fn with_report(
    plan: &Plan,
    watched: Option<&Plan>,
    start: &RunOptions,
    tables: impl FnOnce(&Report, Style) -> String,
) -> Exit {
    if start.tables() {
        print_traffic(plan);
        print_forewarnings(&table::forewarnings(plan));
    }
    let folder = start.folder(&plan.scenario.name);
    if let Err(exit) = cost::admit(CostEstimate::of_run(plan, &folder, &start.options()), start) {
        return exit;
    }
    let report =
        match start.run(watched, |options, bar| sluice_lab::run(plan, &folder, options, bar)) {
            Ok(report) => report,
            Err(code) => return code,
        };
    let reports = std::slice::from_ref(&report);
    print_damage(reports);
    let mut exit = Exit::Success;
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
