//! `sluice sweep`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sluice_lab::scenario::{FileError, Point};
use sluice_lab::{CostEstimate, Plan, Report, Summary, point_folder, table};
use sluice_laws::registry::ProtocolName;

use crate::complete;
use crate::cost;
use crate::exit::{Exit, fail, note, print};
use crate::input::{self, ScenarioArgs, point_json, refuse};
use crate::package::{Package, needed};
use crate::start::{RunOptions, exit_code, print_damage, print_forewarnings, print_reuse};

/// Arguments of `sluice sweep`.
#[derive(clap::Args)]
pub struct SweepArgs {
    #[command(flatten)]
    input: ScenarioArgs,
    /// Sweep a field or a variable over values, e.g. `load=0.5,0.7,0.9`,
    /// `topology.dumbbell.buffer=0.1bdp,1bdp`, or a range as in `[sweep.over]`; several are combined
    /// into a grid
    #[arg(long, value_name = "FIELD=VALUES", value_parser = input::assignment)]
    vary: Vec<(String, String)>,
    /// Run only these protocols, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = input::protocol, add = complete::protocols())]
    protocols: Option<Vec<ProtocolName>>,
    /// Make the runs on the cluster of this Dask scheduler, e.g. `tcp://10.0.0.1:8786`
    #[arg(long, value_name = "ADDRESS", conflicts_with = "again")]
    cluster: Option<String>,
    #[command(flatten)]
    start: RunOptions,
}

/// Runs the scenario at every point of its sweep.
pub fn sweep(args: &SweepArgs, package: Option<&dyn Package>) -> Exit {
    let points = match points(args) {
        Ok(points) if points.is_empty() => {
            let help = "list values in `[sweep.over]`, or with --vary FIELD=VALUES";
            return fail(Exit::WrongInput, &format!("error: nothing is swept\n   = {help}"));
        }
        Ok(points) => points,
        Err(error) => return refuse(&error),
    };
    let start = &args.start;
    if start.tables() {
        print_forewarnings(&table::sweep_forewarnings(&points));
    }
    let folder = start.folder(&format!("{}-sweep", points[0].1.scenario.name));
    let cost = CostEstimate::of_sweep(&points, &folder, &start.options());
    let cost = match args.cluster {
        Some(_) => cost.map(CostEstimate::on_cluster),
        None => cost,
    };
    if let Err(exit) = cost::admit(cost, start) {
        return exit;
    }
    if let Some(address) = &args.cluster
        && let Err(code) = make_at(address, package, &points, &folder, start.quiet)
    {
        return code;
    }
    let reports = start.run(None, |options, bar| sluice_lab::sweep(&points, &folder, options, bar));
    let reports = match reports {
        Ok(reports) => reports,
        Err(code) => return code,
    };
    print_damage(&reports);
    let mut exit = Exit::Success;
    if start.json {
        exit = print(&format!("{:#}\n", as_json(&points, &reports)));
    } else if !start.quiet {
        let rows: Vec<(Point, &Summary)> = points
            .iter()
            .zip(&reports)
            .map(|((point, _), report)| (point.clone(), &report.summary))
            .collect();
        exit = print(&table::sweep(&rows));
        note(&format!("\nResults are in {}, with a folder for each point", folder.display()));
        print_reuse(&reports);
    }
    exit.and(exit_code(&reports))
}

/// Makes all runs on a cluster, so that the sweep then finds them in the folder.
fn make_at(
    address: &str,
    package: Option<&dyn Package>,
    points: &[(Point, Plan)],
    folder: &Path,
    quiet: bool,
) -> Result<(), Exit> {
    let package = needed(package, "`--cluster`")?;
    let plans: Vec<(PathBuf, Plan)> = points
        .iter()
        .enumerate()
        .map(|(index, (_, plan))| (point_folder(folder, index), plan.clone()))
        .collect();
    package.make(address, &plans, quiet).map_err(|failed| failed.report())
}

fn points(args: &SweepArgs) -> Result<Vec<(Point, Plan)>, FileError> {
    let mut document = args.input.document()?;
    args.vary.iter().for_each(|(field, values)| document.vary("--vary", field, values));
    let overrides = args.input.overrides(args.protocols.as_deref());
    sluice_lab::plan_sweep(&document, &args.input.folder(), &overrides)
}

fn as_json(points: &[(Point, Plan)], reports: &[Report]) -> Value {
    let point = |((point, _), report): (&(Point, Plan), &Report)| json!({ "set": point_json(point), "folder": report.folder, "summary": report.json() });
    Value::Array(points.iter().zip(reports).map(point).collect())
}
