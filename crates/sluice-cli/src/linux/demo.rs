//! `sluice demo`.

use std::sync::Arc;

use sluice_demo::{LinuxMeasurement, check, differences, measured, requirements};
use sluice_lab::{Plan, report, table};
use sluice_laws::registry::ProtocolName;
use sluice_live::has_host_still;

use super::args::DemoArgs;
use crate::exit::{Exit, fail, note, print};
use crate::input::{self, ScenarioArgs};
use crate::run::with_report;

/// Plays a scenario on this machine beside its simulation, and writes the page that compares them.
pub fn demo(args: &DemoArgs) -> Exit {
    play(args).unwrap_or_else(|exit| exit)
}

fn play(args: &DemoArgs) -> Result<Exit, Exit> {
    let input = ScenarioArgs { file: args.file.clone(), settings: args.settings.clone() };
    let mut plan = input.plan(None).map_err(|error| input::refuse(&error))?;
    // `sluice run` of the same scenario, perhaps by another user, has a folder of its own.
    plan.scenario.name.push_str("-linux");
    let protocols = playable(&plan)?;
    if !args.start.quiet {
        differences(&plan.config).iter().for_each(|line| note(&format!("warning: {line}")));
    }
    if args.start.dry_run {
        note(&format!("would run {}, and remove them", effort(&plan, &protocols)));
    } else {
        need_machine(&protocols)?;
    }
    if args.start.tables() && !args.start.dry_run {
        note(&format!("Simulates, and then runs {}", effort(&plan, &protocols)));
    }
    let folder = args.start.folder(&plan.scenario.name);
    let network = Arc::new(LinuxMeasurement::default());
    let plan = plan.with_measurement(protocols, network.clone());
    let exit = with_report(&plan, None, &args.start, |report, style| {
        table::render(&report.summary, style)
    });
    if !args.start.quiet {
        network.notes().iter().for_each(|line| note(line));
    }
    if exit != Exit::Success || args.start.dry_run {
        return Ok(exit);
    }
    let page = report::write(&folder, None);
    let page = page.map_err(|error| fail(Exit::Failure, &format!("error: {error}")))?;
    if args.start.tables() {
        return Ok(print(&format!("{}\n", page.display())));
    }
    Ok(exit)
}

/// The protocols that this machine can play, of a scenario that it can.
fn playable(plan: &Plan) -> Result<Vec<ProtocolName>, Exit> {
    let wrong = |error: &str| fail(Exit::WrongInput, &format!("error: {error}"));
    check(&plan.config, &plan.network.nodes).map_err(|error| wrong(&error.to_string()))?;
    let protocols = measured(&plan.scenario.protocols);
    if protocols.is_empty() {
        return Err(wrong(
            "no protocol of this scenario can be played\n   \
             = `rcp`, `cubic`, `tcp` and `bbr1` can: name some in `protocols`",
        ));
    }
    Ok(protocols)
}

/// What is run, where, and for how long.
fn effort(plan: &Plan, protocols: &[ProtocolName]) -> String {
    let names: Vec<&str> = protocols.iter().map(|name| name.as_str()).collect();
    let times = match names.len() * plan.scenario.seeds().len() {
        1 => "once, for".into(),
        runs => format!("{runs} times"),
    };
    let (names, nodes, stop) = (names.join(", "), plan.config.nodes, plan.config.stop);
    format!("{names} in {nodes} network namespaces and a cgroup, {times} {stop} at least")
}

/// Whether this machine has all that is needed, and nothing that would take part.
fn need_machine(protocols: &[ProtocolName]) -> Result<(), Exit> {
    let failed = |error: &str| fail(Exit::Failure, &format!("error: {error}"));
    let missing = requirements(protocols);
    if !missing.is_empty() {
        return Err(failed(&format!("this machine lacks {}", missing.join("; "))));
    }
    if has_host_still() {
        return Err(failed(
            "a host is up on this machine, and may act on the connections of the demo\n   \
             = `sluice down` ends it, where it was started; that of another demo ends with it",
        ));
    }
    Ok(())
}
