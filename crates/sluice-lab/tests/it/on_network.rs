//! Protocols that run on a network beside their simulation.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sluice_lab::{
    Measurement, Options, Plan, PlanOverrides, Report, RunError, System, report, run, table,
};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::{Config, Observer, Outcome};

use crate::common::{Quiet, SCENARIO, files, folder, path_of, plan, rows};

/// A network on which all is as in the simulator.
#[derive(Default)]
struct Exact {
    runs: AtomicUsize,
    at_once: AtomicUsize,
}

impl Measurement for Exact {
    fn run(
        &self,
        protocol: ProtocolName,
        config: &Config,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Box<dyn Error + Send + Sync>> {
        assert_eq!(self.at_once.fetch_add(1, Ordering::SeqCst), 0, "two at once");
        self.runs.fetch_add(1, Ordering::SeqCst);
        let outcome = sluice_sim::run(config, Parameters::default().protocol(protocol), observer)?;
        self.at_once.fetch_sub(1, Ordering::SeqCst);
        Ok(outcome)
    }
}

/// One that fails.
struct Broken;

impl Measurement for Broken {
    fn run(
        &self,
        _: ProtocolName,
        _: &Config,
        _: &mut dyn Observer,
    ) -> Result<Outcome, Box<dyn Error + Send + Sync>> {
        Err("the cable is cut".into())
    }
}

const BOTH: [ProtocolName; 2] = [ProtocolName::Rcp, ProtocolName::Tcp];

fn planned(name: &str, on: Arc<dyn Measurement>) -> (Plan, std::path::PathBuf) {
    let input = folder(name);
    let scenario = format!("protocols = [\"rcp\", \"tcp\"]\n{SCENARIO}");
    let plan = plan(&input, &scenario, &PlanOverrides::default());
    (plan.with_measurement(BOTH, on), input.join("out"))
}

fn results(name: &str, on: Arc<dyn Measurement>) -> Result<Report, RunError> {
    let (plan, out) = planned(name, on);
    run(&plan, &out, &Options::default(), &Quiet)
}

#[test]
fn what_is_measured_stands_beside_what_is_simulated() {
    let network = Arc::new(Exact::default());
    let found = results("measured-beside", network.clone()).unwrap();
    // Two protocols with two seeds, one after another.
    assert_eq!(network.runs.load(Ordering::SeqCst), 4);
    for file in ["flows", "links", "series"] {
        let of = |run| rows(&path_of(&found, run, &format!("{file}.parquet")));
        assert!(of("rcp-2").len() > 1 && of("rcp-2") == of("rcp@linux-2"), "{file}");
    }
    let systems: Vec<System> = found.summary.protocols.iter().map(|one| one.protocol).collect();
    let [simulated, measured] = [System::Protocol, System::Measured].map(|kind| BOTH.map(kind));
    assert_eq!(systems, [simulated, measured].concat());
    let [rcp, _, on_linux, _] = &found.summary.protocols[..] else { panic!("{systems:?}") };
    assert_eq!(rcp.all.completion, on_linux.all.completion);
    let text = table::render(&found.summary, table::Style::Plain);
    assert!(text.contains("rcp@linux"), "{text}");
    let page = report::page(&found.folder).unwrap();
    let titles: Vec<&str> = page.systems.iter().map(|one| &*one.title).collect();
    assert_eq!(titles[..4], ["RCP", "TCP", "RCP on Linux", "TCP on Linux"]);
    let colours: Vec<_> = page.systems.iter().map(|one| (one.look.colour, one.look.dash)).collect();
    assert_eq!(colours[0].0, colours[2].0);
    assert_ne!(colours[0].1, colours[2].1);
}

#[test]
fn what_is_measured_is_measured_again() {
    let network = Arc::new(Exact::default());
    let (plan, out) = planned("measured-again", network.clone());
    let first = run(&plan, &out, &Options::default(), &Quiet).unwrap();
    let before = files(&first.folder);
    let again = run(&plan, &out, &Options::default(), &Quiet).unwrap();
    assert_eq!((first.reused, again.reused, again.others), (0, 8, 0));
    assert_eq!(network.runs.load(Ordering::SeqCst), 8);
    assert!(before == files(&again.folder));
}

#[test]
fn a_network_that_fails_is_an_error_with_its_reason() {
    let error = results("measured-broken", Arc::new(Broken)).unwrap_err().to_string();
    assert_eq!(error, "measurement of rcp@linux with seed 1: the cable is cut");
}
