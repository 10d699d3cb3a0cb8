//! Plays scenarios.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sluice_demo::{LinuxMeasurement, check, measured};
use sluice_lab::scenario::Document;
use sluice_lab::{
    FinishedRun, GroupSummary, Monitor, Options, Plan, PlanOverrides, ProtocolSummary, Summary, run,
};
use sluice_testbed::{can_test, requirements};

/// The only test that runs, unless the machine lacks something.
pub fn alone() -> Option<MutexGuard<'static, ()>> {
    static ALONE: Mutex<()> = Mutex::new(());
    let guard = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    can_test("sluice-demo", &requirements()).then_some(guard)
}

/// A plan of a scenario, whose first lines are the same for all.
pub fn plan(scenario: &str) -> Plan {
    let text = format!(
        "schema = 1\npacket = \"1514 B\"\nheader = \"78 B\"\ncontrol = \"78 B\"\nrcp.gamma = 0.95\n\
         rcp.stamp_at = \"arrival\"\nrcp.queue_counts = \"least\"\n{scenario}"
    );
    let source = Document::new("test.toml", text, "test").source();
    let plan = source.and_then(|it| Plan::of(&it, PathBuf::new(), &PlanOverrides::default()));
    plan.unwrap_or_else(|error| panic!("{error}"))
}

/// What this machine cannot play of a scenario.
pub fn refused(scenario: &str) -> String {
    let plan = plan(scenario);
    check(&plan.config, &plan.network.nodes).unwrap_err().to_string()
}

/// Plays a scenario; the systems by name.
pub fn play(scenario: &str) -> Summary {
    let plan = plan(scenario);
    check(&plan.config, &plan.network.nodes).unwrap();
    let protocols = measured(&plan.scenario.protocols);
    let network = Arc::new(LinuxMeasurement::default());
    let folder = tempfile::tempdir().unwrap();
    let plan = plan.with_measurement(protocols, network.clone());
    let report = run(&plan, folder.path(), &Options::default(), &Quiet).unwrap();
    println!(
        "{}{:?}",
        sluice_lab::table::render(&report.summary, sluice_lab::table::Style::Plain),
        network.notes()
    );
    report.summary
}

/// A system of results.
pub fn system<'a>(summary: &'a Summary, name: &str) -> &'a ProtocolSummary {
    let found = summary.protocols.iter().find(|it| it.protocol.to_string() == name);
    found.unwrap_or_else(|| panic!("no `{name}`"))
}

pub fn group<'a>(of: &'a ProtocolSummary, name: &str) -> &'a GroupSummary {
    of.groups.iter().find(|it| it.name == name).unwrap()
}

/// Shows nothing.
struct Quiet;

impl Monitor for Quiet {
    fn expect(&self, _: usize) -> usize {
        0
    }
    fn progress(&self, _: usize, _: f64) {}
    fn cancelled(&self) -> bool {
        false
    }
    fn watches(&self) -> bool {
        false
    }
    fn finished(&self, _: &FinishedRun, _: &Summary) {}
}

#[track_caller]
pub fn assert_near(found: f64, expected: f64, part: f64) {
    let ratio = found / expected;
    assert!((ratio - 1.0).abs() < part, "{found}, not {expected}");
}
