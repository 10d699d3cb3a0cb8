//! Estimates of what runs will take, beside what they take.

use sluice_lab::scenario::Document;
use sluice_lab::{Cost, Plan, PlanOverrides, ready};
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
fn an_estimate_is_near_what_runs_take() {
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

#[test]
fn costs_add_up_over_seeds_and_systems() {
    let one = Cost::of(&plan("websearch", &[("replications", "1"), ("ideals", "[]")])).unwrap();
    let two = Cost::of(&plan("websearch", &[("replications", "2"), ("ideals", "[]")])).unwrap();
    assert_eq!((one.runs * 2, one.flows * 2.0, one.memory), (two.runs, two.flows, two.memory));
    assert_eq!(one.time * 2, two.time);
    assert_eq!(two.wall_time(2), one.time);
    assert_eq!(two.memory_on(2), Bytes::new(2 * one.memory.as_u64()));
    let ideal = Cost::of(&plan("websearch", &[("replications", "1")])).unwrap();
    assert!(ideal.runs > one.runs && ideal.time > one.time && ideal.packets == one.packets);
}

#[test]
fn a_billion_flows_and_a_billion_samples_are_seen() {
    let flows =
        [("group", r#"[{ name = "a", from = "s0", to = "d0", long = { count = 1000000000 } }]"#)];
    let cost = Cost::of(&plan("ps2-rcp", &flows)).unwrap();
    assert!(cost.memory > Bytes::new(1_000_000_000_000), "{cost:?}");
    let samples = [("metrics", r#"[{ link = ["left", "right"], every = "1 ns" }]"#)];
    let cost = Cost::of(&plan("ps7-rcp", &samples)).unwrap();
    assert!(cost.disk > Bytes::new(100_000_000_000), "{cost:?}");
    assert!(cost.time > Span::ZERO);
}
