//! Only flows that start in the measured time count in the summary.

use std::path::Path;

use sluice_lab::scenario::Source;
use sluice_lab::{Monitor, Overrides, Plan, run};

const SCENARIO: &str = r#"
schema = 1
protocols = ["tcp"]
warm_up = "500 ms"
stop = "2 s"
limit = "10 s"

[topology.dumbbell]
pairs = 1
capacity = "20 Mbps"
rtt = "20 ms"

[[group]]
name = "list"
from = "s0"
to = "d0"
replay = "flows.csv"
"#;

struct Quiet;

impl Monitor for Quiet {
    fn progress(&self, _: usize, _: f64) {}

    fn cancelled(&self) -> bool {
        false
    }
}

#[test]
fn flows_of_the_warm_up_and_after_the_stop_are_left_out() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("measured");
    std::fs::create_dir_all(&folder).unwrap();
    let flows = "start,size\n0.1,70000\n0.5,30000\n1.9,20000\n2.0,500000\n";
    std::fs::write(folder.join("flows.csv"), flows).unwrap();
    let source = Source::parse("test.toml", SCENARIO, "test").unwrap();
    let plan = Plan::of(&source, folder.clone(), &Overrides::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let report = run(&plan, &folder.join("out"), 1, &Quiet).unwrap();
    let tcp = &report.summary.protocols[0];
    assert_eq!((tcp.all.flows, tcp.unfinished), (2, 0));
    // 50 kB in 1.5 s.
    assert!((tcp.groups[0].offered - 50_000.0 * 8.0 / 1.5).abs() < 1e-6);
    assert_eq!(tcp.offered.round(), (50_000.0_f64 * 8.0 / 1.5).round());
}
