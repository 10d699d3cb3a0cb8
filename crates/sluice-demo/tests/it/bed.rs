//! Plays scenarios.

use std::error::Error;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sluice_demo::{LinuxMeasurement, check, measured};
use sluice_lab::scenario::Document;
use sluice_lab::{
    FinishedRun, GroupSummary, Measurement, Monitor, Options, Plan, PlanOverrides, ProtocolSummary,
    Summary, run,
};
use sluice_laws::registry::ProtocolName;
use sluice_sim::{Config, FlowRecord, Observer, Outcome, Progress, Samples};
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

/// What a scenario came to.
pub struct Played {
    pub summary: Summary,
    /// Protocol and slowdown of each flow that finished in the kernel.
    pub slowdowns: Vec<(ProtocolName, f64)>,
}

/// Plays a scenario.
pub fn play(scenario: &str) -> Played {
    let plan = plan(scenario);
    check(&plan.config, &plan.network.nodes).unwrap();
    let protocols = measured(&plan.scenario.protocols);
    let network = Arc::new(Recorded::default());
    let folder = tempfile::tempdir().unwrap();
    let plan = plan.with_measurement(protocols, network.clone());
    let report = run(&plan, folder.path(), &Options::default(), &Quiet).unwrap();
    println!(
        "{}{:?}",
        sluice_lab::table::render(&report.summary, sluice_lab::table::Style::Plain),
        network.network.notes()
    );
    let slowdowns = network.slowdowns.lock().unwrap().clone();
    Played { summary: report.summary, slowdowns }
}

/// A system of results.
pub fn system<'a>(played: &'a Played, name: &str) -> &'a ProtocolSummary {
    let found = played.summary.protocols.iter().find(|it| it.protocol.to_string() == name);
    found.unwrap_or_else(|| panic!("no `{name}`"))
}

pub fn group<'a>(of: &'a ProtocolSummary, name: &str) -> &'a GroupSummary {
    of.groups.iter().find(|it| it.name == name).unwrap()
}

/// The kernel, with the slowdowns of flows.
#[derive(Default)]
struct Recorded {
    network: LinuxMeasurement,
    slowdowns: Mutex<Vec<(ProtocolName, f64)>>,
}

impl Measurement for Recorded {
    fn run(
        &self,
        protocol: ProtocolName,
        config: &Config,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Box<dyn Error + Send + Sync>> {
        let slowdowns = &self.slowdowns;
        self.network.run(protocol, config, &mut Recorder { protocol, observer, slowdowns })
    }
}

struct Recorder<'a> {
    protocol: ProtocolName,
    observer: &'a mut dyn Observer,
    slowdowns: &'a Mutex<Vec<(ProtocolName, f64)>>,
}

impl Observer for Recorder<'_> {
    fn flow(&mut self, record: &FlowRecord) {
        if let (Some(took), Some(alone)) = (record.completion, record.alone) {
            let slowdown = took.as_secs_f64() / alone.as_secs_f64();
            self.slowdowns.lock().unwrap().push((self.protocol, slowdown));
        }
        self.observer.flow(record);
    }

    fn tick(&mut self, progress: Progress) -> bool {
        self.observer.tick(progress)
    }

    fn samples(&mut self, samples: &Samples<'_>) {
        self.observer.samples(samples);
    }
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
