//! Result files: the same bytes every time, on any number of threads, and from the scenario that
//! is written beside them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sluice_lab::scenario::Source;
use sluice_lab::{Monitor, Overrides, Plan, Report, run};
use sluice_laws::registry::Name;

const SCENARIO: &str = r#"
schema = 1
replications = 2
warm_up = "500 ms"
stop = "2 s"
limit = "20 s"

[topology.dumbbell]
pairs = 2
capacity = "20 Mbps"
rtt = ["20 ms", "60 ms"]
error = 0.001

[[group]]
name = "web"
pairs = "each"
poisson = { load = 0.6, sizes = { pareto = { mean = "30 packets", shape = 1.35 } } }

[[group]]
name = "list"
from = "s0"
to = "d1"
replay = "flows.csv"

[[group]]
name = "long"
from = "d0"
to = "s0"
long = { count = 2, spacing = "100 ms", stop = "1.5 s" }

[[probe]]
link = ["left", "right"]
every = "50 ms"

[[probe]]
flow = { group = "long", index = 1 }
every = "50 ms"
"#;

struct Quiet;

impl Monitor for Quiet {
    fn progress(&self, _: usize, fraction: f64) {
        assert!((0.0..=1.0).contains(&fraction), "{fraction}");
    }

    fn cancelled(&self) -> bool {
        false
    }
}

struct Cancelled;

impl Monitor for Cancelled {
    fn progress(&self, _: usize, _: f64) {}

    fn cancelled(&self) -> bool {
        true
    }
}

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("flows.csv"), "start,size\n0.6,50000\n0.7,1\n").unwrap();
    folder
}

fn plan(folder: &Path, text: &str, overrides: &Overrides) -> Plan {
    let source = Source::parse("test.toml", text, "test").unwrap();
    Plan::of(&source, folder.to_owned(), overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn results(input: &Path, text: &str, threads: usize, out: &str) -> (Report, Files) {
    let plan = plan(input, text, &Overrides::default());
    let out = input.join(out);
    let report = run(&plan, &out, threads, &Quiet).unwrap();
    (report, files(&out))
}

type Files = BTreeMap<String, Vec<u8>>;

fn files(folder: &Path) -> Files {
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap())
    };
    std::fs::read_dir(folder).unwrap().map(read).collect()
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let input = folder("threads");
    let (report, one) = results(&input, SCENARIO, 1, "one");
    let (_, four) = results(&input, SCENARIO, 4, "four");
    let (_, again) = results(&input, SCENARIO, 4, "four");
    assert!(one == four && four == again, "files differ");
    // Protocols x 2 seeds x (flows + 2 probes), and what there is one of.
    assert_eq!(one.len(), Name::ALL.len() * 2 * 3 + 4, "{:?}", one.keys());
    assert_eq!(report.summary.protocols.len(), Name::ALL.len());
    for protocol in &report.summary.protocols {
        assert_eq!(protocol.runs, 2);
        assert!(protocol.all.flows > 40, "{}", protocol.all.flows);
        assert!(protocol.all.slowdown.mean.unwrap() >= 1.0);
        assert!(protocol.errors > 0);
        assert_eq!(protocol.long.unwrap().flows, 4);
    }
}

#[test]
fn lookahead_changes_no_byte() {
    let input = folder("lookahead");
    let (_, with) = results(&input, SCENARIO, 2, "with");
    let overrides = Overrides { no_lookahead: true, ..Overrides::default() };
    let without = input.join("without");
    run(&plan(&input, SCENARIO, &overrides), &without, 2, &Quiet).unwrap();
    assert!(with == files(&without), "files differ");
}

#[test]
fn the_scenario_beside_results_gives_the_same_results() {
    let input = folder("resolved");
    let (_, first) = results(&input, SCENARIO, 2, "first");
    let written = String::from_utf8(first["scenario.toml"].clone()).unwrap();
    let (_, second) = results(&input.join("first"), &written, 2, "second");
    for name in first.keys() {
        assert!(first.get(name) == second.get(name), "{name} differs");
    }
}

#[test]
fn protocols_meet_the_same_flows() {
    let input = folder("same-flows");
    let (_, files) = results(&input, SCENARIO, 2, "out");
    let arrivals = |protocol: &str| -> std::collections::BTreeSet<String> {
        let text = std::str::from_utf8(&files[&format!("flows-{protocol}-1.csv")]).unwrap();
        let column = |line: &str| line.split(',').take(4).collect::<Vec<_>>().join(",");
        text.lines().filter(|line| line.ends_with(",1")).map(column).collect()
    };
    assert!(arrivals("rcp").len() > 20);
    assert_eq!(arrivals("rcp"), arrivals("xcp"));
    assert_eq!(arrivals("rcp"), arrivals("tcp"));
}

#[test]
fn results_of_an_earlier_run_do_not_stay() {
    let input = folder("stale");
    let out = input.join("out");
    results(&input, SCENARIO, 2, "out");
    std::fs::write(out.join("notes.txt"), "a person's own").unwrap();
    let only = Overrides { seed: Some(2), ..Overrides::default() };
    run(&plan(&input, SCENARIO, &only), &out, 2, &Quiet).unwrap();
    let left = files(&out);
    assert!(left.contains_key("notes.txt") && left.contains_key("flows-tcp-2.csv"));
    assert!(!left.contains_key("flows-tcp-1.csv"), "{:?}", left.keys());
}

#[test]
fn interrupted_runs_are_told_apart() {
    let input = folder("interrupted");
    let plan = plan(&input, SCENARIO, &Overrides::default());
    let report = run(&plan, &input.join("out"), 2, &Cancelled).unwrap();
    assert_eq!(report.summary.interrupted.len(), Name::ALL.len() * 2);
    assert!(report.summary.protocols.is_empty());
}
