//! Clouds from a scenario to its results.

use std::path::Path;

use crate::common::{self, Quiet, folder, path_of, rows};
use parquet::record::RowAccessor;
use sluice_lab::{Options, Plan, PlanOverrides, run};

const SCENARIO: &str = r#"
schema = 1
protocols = ["tcp", "cubic"]
ideals = ["max_min"]
stop = "20 s"
topology.dumbbell = { pairs = 2, capacity = "4 Mbps", rtt = "40 ms", buffer = "40 packets" }

[[cloud]]
edges = ["left", "right"]
buffer = "20 packets"

[[group]]
name = "stream"
from = "s0"
to = "d0"
udp = { rate = "3 Mbps", size = "1 kB" }

[[group]]
name = "flows"
from = "s1"
to = "d1"
long = { count = 3 }
"#;

fn plan(scenario: &str) -> Plan {
    common::plan(Path::new(""), scenario, &PlanOverrides::default())
}

/// A stream of one of four micro-flows gets a megabit a second of four, beside TCP and beside CUBIC.
#[test]
fn a_stream_has_its_share_and_links_count_what_waited() {
    let folder = folder("clouds");
    let plan = plan(SCENARIO);
    let report = run(&plan, &folder.join("out"), &Options::default(), &Quiet).unwrap();
    for run in ["tcp-1", "cubic-1"] {
        let flows = rows(&path_of(&report, run, "flows.parquet"));
        let stream = flows.iter().find(|flow| flow.get_string(0).unwrap() == "stream").unwrap();
        let bits = 8.0 * stream.get_long(12).unwrap() as f64 / 20.0;
        assert!((0.93e6..1.02e6).contains(&bits), "{run}: {bits}");
        let links = rows(&path_of(&report, run, "links.parquet"));
        let entered: Vec<_> = links.iter().filter(|link| link.get_long(19).is_ok()).collect();
        let [out, back] = entered[..] else { panic!("{run}: one link each way") };
        assert_eq!([out, back].map(|link| link.get_long(19).unwrap()), [2, 1], "macro-flows");
        assert!(out.get_bool(4).unwrap(), "it runs the cloud's law");
        // Two thirds of 7500 datagrams.
        assert!((4_900..5_500).contains(&out.get_long(20).unwrap()), "{out:?}");
        // Both queues are full at times: 160 ms of a megabit a second, 53 of three.
        assert!((53e6..160e6).contains(&(out.get_long(21).unwrap() as f64)), "{out:?}");
        assert_eq!(out.get_long(10).unwrap(), 0, "the core drops none: {out:?}");
    }
}

/// The scenario beside results names the cloud with its defaults.
#[test]
fn a_stated_cloud_is_the_same() {
    let plain = plan(SCENARIO);
    let stated = plain.scenario.to_toml().unwrap();
    assert!(stated.contains("flow_timeout = \"5 s\""), "{stated}");
    assert_eq!(plan(&stated).config.clouds, plain.config.clouds);
}

/// A group of two paths, each of which meets one edge: it does not cross the cloud, and may stay.
#[test]
fn paths_that_meet_one_edge_each_do_not_cross() {
    let scenario = r#"
schema = 1
protocols = ["tcp"]
stop = "1 s"

[topology]
link = [
    { from = "h", to = "a", capacity = "10 Mbps", delay = "1 ms" },
    { from = "h", to = "b", capacity = "10 Mbps", delay = "1 ms" },
    { from = "a", to = "b", capacity = "10 Mbps", delay = "1 ms" },
    { from = "a", to = "d", capacity = "10 Mbps", delay = "1 ms" },
    { from = "b", to = "d", capacity = "10 Mbps", delay = "1 ms" },
]

[[cloud]]
edges = ["a", "b"]

[[group]]
name = "inside"
from = "a"
to = "b"
path = ["a", "b"]
long = {}

[[group]]
name = "around"
from = "h"
to = "d"
long = {}
"#;
    let found = plan(scenario);
    assert_eq!(found.config.core_links().len(), 2, "there and back between the edges");
}

/// The stream's macro-flow is the first: it counts one, the other three, and has a megabit a second.
#[test]
fn links_where_macro_flows_enter_have_their_metrics() {
    let folder = folder("cloud-metrics");
    let metrics = "[[metrics]]\nlink = [\"left\", \"right\"]\nevery = \"1 s\"\n";
    let plan = plan(&format!("{SCENARIO}\n{metrics}"));
    let report = run(&plan, &folder.join("out"), &Options::default(), &Quiet).unwrap();
    let series = rows(&path_of(&report, "tcp-1", "series.parquet"));
    let last = |name: &str| {
        let of = |row: &&parquet::record::Row| row.get_string(4).is_ok_and(|found| found == name);
        let row = series.iter().rfind(of).unwrap_or_else(|| panic!("no {name}"));
        row.get_double(5).unwrap()
    };
    assert_eq!(last("macro_flow_0_weight"), 1.0);
    assert_eq!(last("macro_flow_1_weight"), 3.0);
    let [stream, flows] = ["macro_flow_0_rate_bps", "macro_flow_1_rate_bps"].map(last);
    assert!((0.28..0.38).contains(&(stream / flows)), "{stream} {flows}");
    // Twenty packets at most, of which the stream always has some.
    assert!((1.0..=20_000.0).contains(&last("macro_flow_0_queue_bytes")));
    // Drops at ingresses are in summaries too.
    let dropped = report.summary.protocols[0].ingress_drops.expect("there is a cloud");
    assert!((4_900..5_500).contains(&dropped), "{dropped}");
}

/// A hundred streams of weight 1000 over the second that the cloud takes are 100,000 s, of which a control packet can state 65,536.
#[test]
fn weights_beyond_what_control_packets_state_are_reported() {
    let folder = folder("cloud-capped");
    let warned = |weight: u32| {
        let streams = format!(
            "[[group]]\nname = \"heavy\"\nfrom = \"s0\"\nto = \"d0\"\nqueue_weight = {weight}\n\
             udp = {{ rate = \"40 kbps\", size = \"1 kB\", count = 100 }}\n"
        );
        let scenario = SCENARIO.replace("rtt = \"40 ms\"", "rtt = \"2 s\"") + &streams;
        let out = folder.join(weight.to_string());
        let report = run(&plan(&scenario), &out, &Options::default(), &Quiet).unwrap();
        let warnings = report.summary.warnings.into_iter();
        warnings
            .filter(|warning| warning.code == "capped_statements")
            .map(|warning| warning.text)
            .next()
    };
    let text = warned(1000).expect("a warning");
    assert!(text.contains("have wrong shares: tcp 1") && text.contains(", cubic 1"), "{text}");
    assert_eq!(warned(500), None, "50,000 s");
}
