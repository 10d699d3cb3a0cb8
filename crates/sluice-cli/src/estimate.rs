//! The estimate before runs: shown where they take long or much, and refused beyond the machine.

use std::path::Path;

use sluice_lab::{Cost, Excess, Machine, Plan};
use sluice_units::{Bytes, Span};

use crate::exit::{Exit, fail, note, print};
use crate::start::RunOptions;

/// Runs that take less time, memory and disk space than this go without an estimate.
const LONG: Span = Span::from_secs(60);
const LARGE: Bytes = Bytes::new(1_000_000_000);

/// Estimates the cost of plans. Whether they are to be run: else, the exit code.
pub fn admit<'a>(
    plans: impl IntoIterator<Item = &'a Plan>,
    folder: &Path,
    options: &RunOptions,
) -> Result<(), Exit> {
    let mut cost = Cost::default();
    for plan in plans {
        // A plan with faults fails as it runs, with their description.
        cost += Cost::of(plan).unwrap_or_default();
    }
    let machine = Machine::here(folder);
    let cores = options.cores(&machine);
    if options.dry_run {
        return Err(print(&format!("{}\n", described(&cost, cores))));
    }
    if let Some(excess) = cost.excess(&machine, cores)
        && !options.force
    {
        return Err(fail(Exit::WrongInput, &refusal(&cost, cores, excess)));
    }
    let notable =
        cost.wall_time(cores) > LONG || cost.memory_on(cores) > LARGE || cost.disk > LARGE;
    if notable && !options.quiet {
        note(&described(&cost, cores));
    }
    Ok(())
}

fn described(cost: &Cost, cores: usize) -> String {
    let runs = if cost.runs == 1 { "1 run".into() } else { format!("{} runs", cost.runs) };
    let on = if cores == 1 { "1 core".into() } else { format!("{cores} cores") };
    format!(
        "Estimate, within a factor of 3: {runs}, {} flows, {} packets: {} on {on}, {} of memory, {} on disk",
        count(cost.flows),
        count(cost.packets),
        time(cost.wall_time(cores)),
        size(cost.memory_on(cores)),
        size(cost.disk),
    )
}

fn refusal(cost: &Cost, cores: usize, excess: Excess) -> String {
    let (what, needed, available) = match excess {
        Excess::Memory { needed, available } => ("memory", needed, available),
        Excess::Disk { needed, available } => ("disk space", needed, available),
    };
    let fewer = match excess {
        Excess::Memory { .. } => "fewer flows, a shorter `stop` or fewer `--threads`",
        Excess::Disk { .. } => "fewer flows, metrics or traces, or a shorter `stop`",
    };
    format!(
        "error: the runs need about {} of {what}, and {} are available\n   = {}\n   = use {fewer}, or \
         `--force` to run nevertheless",
        size(needed),
        size(available),
        described(cost, cores),
    )
}

/// Three digits, with a unit.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let Some((scale, unit)) = units.iter().rev().find(|(scale, _)| value >= *scale) else {
        return format!("{value:.0}");
    };
    let value = value / scale;
    let digits = if value < 10.0 { 1 } else { 0 };
    format!("{value:.digits$}{unit}")
}

fn count(value: f64) -> String {
    scaled(value, &[(1e3, " thousand"), (1e6, " million"), (1e9, " billion")])
}

fn size(bytes: Bytes) -> String {
    scaled(bytes.as_f64(), &[(1.0, " B"), (1e3, " kB"), (1e6, " MB"), (1e9, " GB"), (1e12, " TB")])
}

fn time(span: Span) -> String {
    let seconds = span.as_secs_f64();
    if seconds < 1.0 {
        return "less than 1 s".into();
    }
    scaled(seconds, &[(1.0, " s"), (60.0, " min"), (3600.0, " h"), (86_400.0, " days")])
}
