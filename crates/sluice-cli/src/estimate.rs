//! `sluice estimate`.

use serde_json::{Value, json};
use sluice_lab::scenario::{FileError, Point};
use sluice_lab::{Estimate, Plan, table};
use sluice_laws::registry::ProtocolName;

use crate::complete;
use crate::exit::{Exit, fail, print};
use crate::input::{self, ScenarioArgs, point_json, refuse};

/// Arguments of `sluice estimate`.
#[derive(clap::Args)]
pub struct EstimateArgs {
    #[command(flatten)]
    input: ScenarioArgs,
    /// Protocols [default: those of the scenario]; max-min fairness is estimated beside them
    #[arg(value_parser = input::protocol, add = complete::protocols())]
    protocols: Vec<ProtocolName>,
    /// Sweep a field or a variable over values, as `sluice sweep` does
    #[arg(long, value_name = "FIELD=VALUES", value_parser = input::assignment)]
    vary: Vec<(String, String)>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Estimates the scenario, or every point of its sweep.
pub fn estimate(args: &EstimateArgs) -> Exit {
    let estimated = points(args).and_then(|points| match points[..] {
        [] => plan(args).map(|plan| of_scenario(&plan, args.json)),
        _ => Ok(of_sweep(&points, args.json)),
    });
    estimated.unwrap_or_else(|error| refuse(&error))
}

fn of_scenario(plan: &Plan, as_json: bool) -> Exit {
    let found = Estimate::of(plan);
    if found.systems.is_empty() {
        return nothing(&table::not_modelled(&found.not_modelled));
    }
    print(&if as_json { format!("{:#}\n", found.json()) } else { table::of_estimate(&found) })
}

fn of_sweep(points: &[(Point, Plan)], as_json: bool) -> Exit {
    let found: Vec<(Point, Estimate)> =
        points.iter().map(|(point, plan)| (point.clone(), Estimate::of(plan))).collect();
    if found.iter().all(|(_, found)| found.systems.is_empty()) {
        return nothing(&table::not_modelled(&found[0].1.not_modelled));
    }
    print(&if as_json { format!("{:#}\n", json(&found)) } else { table::of_estimates(&found) })
}

fn nothing(reasons: &str) -> Exit {
    fail(
        Exit::WrongInput,
        &format!("error: nothing of this scenario can be estimated\n{}", reasons.trim_end()),
    )
}

fn json(points: &[(Point, Estimate)]) -> Value {
    let point = |(point, found): &(Point, Estimate)| json!({ "set": point_json(point), "estimate": found.json() });
    Value::Array(points.iter().map(point).collect())
}

fn points(args: &EstimateArgs) -> Result<Vec<(Point, Plan)>, FileError> {
    let mut document = args.input.document()?;
    args.vary.iter().for_each(|(field, values)| document.vary("--vary", field, values));
    let overrides = args.input.overrides(protocols(args));
    sluice_lab::plan_sweep(&document, &args.input.folder(), &overrides)
}

fn plan(args: &EstimateArgs) -> Result<Plan, FileError> {
    args.input.plan(protocols(args))
}

fn protocols(args: &EstimateArgs) -> Option<&[ProtocolName]> {
    (!args.protocols.is_empty()).then_some(&args.protocols[..])
}
