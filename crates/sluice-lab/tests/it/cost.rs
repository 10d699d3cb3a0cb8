//! Estimates of what runs will take, beside what they take.

use std::fs;
use std::path::Path;

use sluice_lab::scenario::Document;
use sluice_lab::{
    Cost, CostEstimate, Machine, Options, Plan, PlanOverrides, Resource, RunError, ready,
};
use sluice_laws::registry::ProtocolName;
use sluice_sim::{FlowRecord, Forecast, Observer, Progress, run};
use sluice_units::{Bytes, Span};

/// A ready scenario with these fields.
fn plan(name: &str, fields: &[(&str, &str)]) -> Plan {
    let mut document: Document = ready::document(name.as_ref()).unwrap();
    fields.iter().for_each(|(field, value)| document.set("test", field, value));
    let source = document.source().unwrap();
    Plan::of(&source, "".into(), &PlanOverrides::default()).unwrap()
}

struct Count {
    flows: u64,
}

impl Observer for Count {
    fn flow(&mut self, _: &FlowRecord) {
        self.flows += 1;
    }

    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}

/// Flows, packets and hops are within a factor of 2 where losses do not decide.
#[test]
fn an_estimated_cost_is_near_what_runs_take() {
    let brief = [("warm_up", "0 s"), ("stop", "1 s"), ("limit", "2 s")];
    let scenarios =
        ["access-link", "data-center", "dumbbell-xcp-155", "ps7-rcp", "wan", "websearch"];
    let near = |estimate: f64, found: u64| {
        let found = found as f64;
        estimate < 2.0 * found && found < 2.0 * estimate
    };
    let mut wrong = Vec::new();
    for name in scenarios {
        let plan = plan(name, &brief);
        let Forecast { flows, packets, hops, .. } = Forecast::of(&plan.config).unwrap();
        for protocol in [ProtocolName::Rcp, ProtocolName::Tcp] {
            let protocol = plan.scenario.parameters.protocol(protocol);
            let mut count = Count { flows: 0 };
            let totals = run(&plan.config, protocol, &mut count).unwrap().totals;
            let found = (count.flows, totals.sent, totals.hops);
            if !(near(flows, found.0) && near(packets, found.1) && near(hops, found.2)) {
                wrong.push(format!("{name}: {flows} {packets} {hops}, found {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn estimate(plan: &Plan, folder: &Path, threads: usize) -> CostEstimate {
    let options = Options { threads, ..Options::default() };
    CostEstimate::of_run(plan, folder, &options).unwrap()
}

fn cost(plan: &Plan) -> Cost {
    estimate(plan, Path::new("none"), 1).cost
}

#[test]
fn costs_add_up_over_seeds_and_systems() {
    let one = cost(&plan("websearch", &[("replications", "1"), ("ideals", "[]")]));
    let two = cost(&plan("websearch", &[("replications", "2"), ("ideals", "[]")]));
    assert_eq!((one.runs * 2, one.flows * 2.0), (two.runs, two.flows));
    assert_eq!((one.time * 2, &one.memory), (two.time, &two.memory));
    let ideal = cost(&plan("websearch", &[("replications", "1")]));
    assert!(ideal.runs > one.runs && ideal.time > one.time && ideal.packets == one.packets);
    assert!(ideal.memory.records > one.memory.records, "completion times under the ideal");
}

#[test]
fn runs_side_by_side_take_less_time_and_more_memory() {
    let plan = plan("websearch", &[("replications", "2"), ("ideals", "[]")]);
    let [one, two, many] = [1, 2, 1000].map(|threads| estimate(&plan, Path::new("none"), threads));
    assert_eq!(one.time(), two.time() * 2);
    assert_eq!(two.memory().as_u64(), 2 * one.memory().as_u64());
    assert_eq!(many.memory().as_u64(), one.cost.runs as u64 * one.memory().as_u64());
    assert_eq!(many.time(), one.cost.longest, "no shorter than the longest run");
    let elsewhere = one.clone().on_cluster();
    assert_eq!((elsewhere.time(), elsewhere.memory()), (one.cost.time, one.memory()));
}

#[test]
fn stored_runs_cost_nothing_unless_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan("xcp-5.9", &[("warm_up", "0 s"), ("stop", "100 ms")]);
    let before = estimate(&plan, folder.path(), 1).cost;
    assert_eq!(before.stored, 0);
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "an estimate writes nothing");
    sluice_lab::run(&plan, folder.path(), &Options::default(), &()).unwrap();
    let after = estimate(&plan, folder.path(), 1);
    assert_eq!((after.cost.runs, after.cost.stored), (0, before.runs));
    assert_eq!((after.time(), after.disk()), (Span::ZERO, Bytes::ZERO));
    let again = Options { threads: 1, again: true, ..Options::default() };
    assert_eq!(CostEstimate::of_run(&plan, folder.path(), &again).unwrap().cost, before);
    let run = fs::read_dir(folder.path().join("runs")).unwrap().next().unwrap().unwrap();
    fs::remove_dir_all(run.path()).unwrap();
    let rest = estimate(&plan, folder.path(), 1).cost;
    assert_eq!((rest.runs, rest.stored), (1, before.runs - 1));
}

#[test]
fn what_is_beyond_the_machine_is_named() {
    let group = r#"[{ name = "bulk", from = "s0", to = "d0", long = { count = 1000000000 } }]"#;
    let flows = estimate(&plan("ps2-rcp", &[("group", group)]), Path::new("none"), 1);
    let excess = flows.excess().unwrap();
    assert_eq!(excess.resource, Resource::Memory);
    let text = excess.to_string();
    assert!(text.contains("1.0 billion flows") && text.contains("group `bulk`"), "{text}");
    let metrics = r#"[{ link = ["left", "right"], every = "1 ns" }]"#;
    let fields = [("metrics", metrics), ("stop", "8760 h"), ("limit", "8760 h")];
    let samples = estimate(&plan("ps7-rcp", &fields), Path::new("none"), 1);
    let most = samples.cost.disk;
    assert!(most.samples > Bytes::new(1_000_000_000_000_000), "{most:?}");
    let full = Machine { memory: None, disk: Some(Bytes::ZERO), cores: 1 };
    let text = CostEstimate { machine: full, ..samples }.excess().unwrap().to_string();
    assert!(text.contains("samples of `[[metrics]]`"), "{text}");
}

/// A burst is live at once, arrivals end with their model's `stop`, and long flows start in turn.
#[test]
fn counts_follow_the_traffic() {
    let forecast = |traffic: &str| {
        let group = format!(r#"[{{ name = "a", from = "s0", to = "d0", {traffic} }}]"#);
        let fields = [("group", &*group), ("warm_up", "0 s"), ("stop", "10 s")];
        Forecast::of(&plan("ps2-rcp", &fields).config).unwrap()
    };
    let burst = r#"incast = { senders = 100000, every = "20 s", sizes = { fixed = "1 kB" } }"#;
    assert_eq!(forecast(burst).live, 1e5);
    let brief = r#"poisson = { rate = "50000 /s", stop = "1 s", sizes = { fixed = "1 kB" } }"#;
    assert!((forecast(brief).flows - 5e4).abs() < 1.0);
    let staggered = r#"long = { count = 1000, spacing = "1 s" }"#;
    assert_eq!(forecast(staggered).flows, 10.0);
    let crowd = r#"flash_crowd = { rate = "10 /s", sizes = { fixed = "1 kB" },
        profile = [["0 s", 1], ["5 s", 1], ["5 s", 1001], ["6 s", 1001], ["6 s", 1]] }"#;
    let flows = forecast(crowd).flows;
    assert!((flows - 10_100.0).abs() < 500.0, "{flows}");
}

/// A queue that nothing limits.
#[test]
fn a_run_that_outgrows_its_memory_ends_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let fields = [
        ("ideals", "[]"),
        ("protocols", "['tcp']"),
        ("replications", "1"),
        ("topology.dumbbell.buffer", "unlimited"),
        ("warm_up", "0 s"),
        ("stop", "300 ms"),
    ];
    let plan = plan("websearch", &fields);
    let options = |memory| Options { memory: Some(Bytes::new(memory)), ..Options::default() };
    let error = sluice_lab::run(&plan, folder.path(), &options(100_000), &()).unwrap_err();
    assert!(matches!(error, RunError::Memory { .. }), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("run of tcp with seed 1: ") && text.contains("`buffer`"), "{text}");
    let runs = fs::read_dir(folder.path().join("runs")).unwrap().count();
    assert_eq!(runs, 0, "nothing of it is left");
    sluice_lab::run(&plan, folder.path(), &options(1_000_000_000), &()).unwrap();
}
