//! `sluice estimate`.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::common::{folder, scenario, sluice, text};

fn estimate(folder: &Path, args: &[&str]) -> Output {
    sluice(folder).args(["estimate", "small.toml"]).args(args).output().unwrap()
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let output = estimate(folder, &[args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn shown(folder: &Path, args: &[&str]) -> String {
    let output = estimate(folder, args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

const OVERLOAD: &str = "group.web.poisson.load=1.5";

#[test]
fn an_estimate_has_protocols_and_the_ideal_and_writes_nothing() {
    let folder = folder("estimate");
    scenario(&folder, "1 s");
    let tables = shown(&folder, &["rcp", "tcp"]);
    for word in [
        "completion time, mean",
        "  rcp ",
        "  tcp ",
        " [max_min]",
        "left->right",
        "flows sending at a time",
    ] {
        assert!(tables.contains(word), "{word}: {tables}");
    }
    assert!(!tables.contains("warning"), "{tables}");
    let found = json(&folder, &["rcp", "tcp"]);
    let systems = found["systems"].as_array().unwrap();
    let names: Vec<&Value> = systems.iter().map(|system| &system["protocol"]).collect();
    assert_eq!(names, ["rcp", "tcp", "max_min"]);
    for system in systems {
        assert_eq!(
            (&system["converged"], &system["overloaded"]),
            (&true.into(), &Value::Array(vec![]))
        );
        // An empty path takes two round trips of 20 ms, and 20 packets 24 ms at 10 Mb/s.
        let mean = system["completion"].as_f64().unwrap();
        assert!(mean > 0.05 && mean < 0.3, "{system:#}");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "only the scenario is there");
}

#[test]
fn overload_names_the_link_and_has_no_completion_time() {
    let folder = folder("estimate-overload");
    scenario(&folder, "1 s");
    let tables = shown(&folder, &["tcp", "--set", OVERLOAD]);
    assert!(tables.contains("warning: tcp: overload of left->right: "), "{tables}");
    let found = json(&folder, &["tcp", "--set", OVERLOAD]);
    for system in found["systems"].as_array().unwrap() {
        assert_eq!(system["overloaded"][0], "left->right");
        assert!(system["completion"].is_null() && system["flows"].is_null());
    }
}

#[test]
fn what_is_not_modelled_is_named_and_an_error_only_if_nothing_is_left() {
    let folder = folder("estimate-without");
    scenario(&folder, "1 s");
    let tables = shown(&folder, &["cubic", "bbr3", "tcp"]);
    assert!(tables.contains("no estimate of cubic, bbr3:\n  protocols: no model"), "{tables}");
    assert!(tables.contains("  tcp "), "{tables}");
    let found = json(&folder, &["tcp", "--set", "tcp.slow_start=hystart++"]);
    assert_eq!(found["not_modelled"][0]["lacks"][0]["field"], "tcp.slow_start");
    // Arrivals that end in the measured time have no steady state under any law.
    let brief = ["tcp", "--set", "group.web.poisson.stop=0.5s"];
    for more in [&[][..], &["--json"], &["--vary", "group.web.poisson.load=0.2,0.5"]] {
        let output = estimate(&folder, &[&brief[..], more].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.starts_with("error: nothing of this scenario can be estimated"), "{error}");
        assert!(error.contains("no estimate of tcp, max_min:\n  group.web.traffic: "), "{error}");
        assert!(output.stdout.is_empty());
    }
    let wrong = estimate(&folder, &["tpc"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_doubt_is_a_warning_of_its_protocol() {
    let folder = folder("estimate-doubt");
    scenario(&folder, "1 s");
    let crowded = [
        "tcp",
        "--set",
        "topology.dumbbell.buffer=3 packets",
        "--set",
        "group.web.poisson.load=0.9",
    ];
    let tables = shown(&folder, &crowded);
    assert!(tables.contains("warning: tcp: More than 1% of the packets are lost"), "{tables}");
    let found = json(&folder, &crowded);
    let warnings = found["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["code"] == "estimate_doubt"), "{warnings:?}");
    let doubts = found["systems"][0]["groups"][0]["doubts"].as_array().unwrap();
    assert!(doubts.contains(&"many_losses".into()), "{doubts:?}");
}

#[test]
fn a_sweep_has_a_row_for_each_point() {
    let folder = folder("estimate-sweep");
    scenario(&folder, "1 s");
    let vary = ["rcp", "tcp", "--vary", "group.web.poisson.load=0.2,0.5,1.5"];
    let tables = shown(&folder, &vary);
    let rows = tables.lines().filter(|line| line.starts_with("  group.web.poisson.load=0.5 "));
    let rows: Vec<&str> = rows.collect();
    assert!(rows.len() >= 4, "{tables}");
    // Marked are values that did not converge.
    assert!(!rows.iter().any(|row| row.contains('*')), "{tables}");
    assert!(tables.contains("warning: at group.web.poisson.load=1.5: rcp: "), "{tables}");
    let points = json(&folder, &vary);
    let points = points.as_array().unwrap();
    let mean = |point: &Value| point["estimate"]["systems"][1]["completion"].as_f64();
    assert_eq!(points[0]["set"]["group.web.poisson.load"], "0.2");
    assert!(mean(&points[0]) < mean(&points[1]) && mean(&points[2]).is_none());
}

/// Arrivals that end in the measured time have no steady state, at one of two points.
#[test]
fn what_has_no_model_at_a_point_names_it() {
    let folder = folder("estimate-sweep-without");
    scenario(&folder, "1 s");
    let tables = shown(&folder, &["tcp", "--vary", "group.web.poisson.stop=0.5s,100s"]);
    let lacks =
        "at group.web.poisson.stop=0.5s: no estimate of tcp, max_min:\n  group.web.traffic: ";
    assert!(tables.contains(lacks), "{tables}");
    let tables = shown(&folder, &["cubic", "tcp", "--vary", "group.web.poisson.load=0.2,0.5"]);
    assert!(tables.contains("\nno estimate of cubic:\n"), "{tables}");
}
