//! The law with a header of its own does what its documentation says, in the simulator.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use own_law::Admission;
use sluice_lab::scenario::Document;

use sluice_lab::{Options, Plan, PlanOverrides, ProtocolSummary, run};
use sluice_units::{Ratio, Span};

/// A tenth of the capacity for the newcomers of an interval, which is the RTT.
const LAW: Admission = Admission { interval: Span::from_millis(40), spare: Ratio::new(0.1) };

/// The bandwidth-delay product, in bytes.
const BDP: f64 = 100e6 / 8.0 * 0.040;

const EIGHT_FLOWS: &str = r#"
    schema = 1
    protocols = ["rcp"]
    warm_up = "5 s"
    stop = "10 s"
    topology.dumbbell = { capacity = "100 Mbps", rtt = "40 ms", buffer = "1 bdp" }
    group = [{ name = "long", from = "s0", to = "d0", long = { count = 8 } }]
"#;

#[test]
fn flows_share_the_link_and_the_queue_is_short() {
    let found = outcome("even", EIGHT_FLOWS, LAW);
    assert!(found.long.unwrap().jain.unwrap() > 0.99);
    assert!(found.bottleneck.utilization > 0.97, "{}", found.bottleneck.utilization);
    assert!(found.bottleneck.mean_queue < 0.05 * BDP, "{} B", found.bottleneck.mean_queue);
    assert_eq!(found.drops, 0);
}

/// 200 flows that begin at one instant beside a long one, four times the buffer together.
const CROWD: &str = r#"
    schema = 1
    protocols = ["rcp"]
    stop = "4 s"
    topology.dumbbell = { capacity = "100 Mbps", rtt = "40 ms", buffer = "1 bdp" }
    group = [
        { name = "long", from = "s0", to = "d0", long = {} },
        { name = "crowd", from = "s0", to = "d0", incast = { every = "100 s", start = "1 s", senders = 200, sizes = { fixed = "10 packets" } } },
    ]
"#;

/// Without a bound, all of the crowd is granted the rate of the one flow before it.
#[test]
fn a_crowd_takes_no_more_than_the_budget() {
    assert_eq!(outcome("bounded", CROWD, LAW).drops, 0);
    let unbounded = Admission { spare: Ratio::new(1e3), ..LAW };
    assert!(outcome("unbounded", CROWD, unbounded).drops > 0);
}

/// What the law comes to in a scenario.
fn outcome(name: &str, text: &str, law: Admission) -> ProtocolSummary {
    let source = Document::new(name, text, name).source().unwrap();
    let plan = Plan::of(&source, PathBuf::new(), &PlanOverrides::default()).unwrap();
    let plan = plan.with_law("admission", Arc::new(law)).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let report = run(&plan, &folder, &Options::default(), &()).unwrap();
    report.summary.protocols.last().expect("the law is last").clone()
}
