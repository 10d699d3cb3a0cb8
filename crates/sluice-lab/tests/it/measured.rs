//! Only flows that start in the measured time count in the summary.

use crate::common::{folder, results};

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

#[test]
fn flows_of_the_warm_up_and_after_the_stop_are_left_out() {
    let folder = folder("measured");
    let flows = "start,size\n0.1,70000\n0.5,30000\n1.9,20000\n2.0,500000\n";
    std::fs::write(folder.join("flows.csv"), flows).unwrap();
    let (report, _) = results(&folder, SCENARIO, 1, "out");
    let tcp = &report.summary.protocols[0];
    assert_eq!((tcp.all.flows, tcp.unfinished), (2, 0));
    // 50 kB in 1.5 s.
    assert!((tcp.groups[0].offered - 50_000.0 * 8.0 / 1.5).abs() < 1e-6);
    assert_eq!(tcp.offered.round(), (50_000.0_f64 * 8.0 / 1.5).round());
}

/// The warning about replayed flows that start after `stop`.
fn warning(name: &str, flows: &str) -> Option<String> {
    let folder = folder(name);
    std::fs::write(folder.join("flows.csv"), flows).unwrap();
    let (report, _) = results(&folder, SCENARIO, 1, "out");
    let mut warnings = report.summary.warnings.into_iter();
    warnings.find(|warning| warning.code == "replayed_after_stop").map(|warning| warning.text)
}

#[test]
fn replayed_flows_that_start_too_late_to_be_measured_are_counted() {
    let text =
        warning("late", "start,size\n0.1,70000\n1.9,20000\n2.0,500000\n7.25,1000\n").unwrap();
    for part in ["2 of the 4 replayed flows", "`stop`, 2 s", "set `stop` above 7.25 s"] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(warning("in-time", "start,size\n0.1,70000\n1.9,20000\n"), None);
}
