//! The law does what its documentation says, in the simulator.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use own_law::ByQueue;
use sluice_lab::scenario::Document;
use sluice_lab::{Options, Plan, PlanOverrides, run};
use sluice_units::Span;

const EIGHT_FLOWS: &str = r#"
    schema = 1
    protocols = ["rcp"]
    warm_up = "5 s"
    stop = "10 s"
    topology.dumbbell = { capacity = "100 Mbps", rtt = "40 ms", buffer = "10 bdp" }
    group = [{ name = "long", from = "s0", to = "d0", long = { count = 8 } }]
"#;

#[test]
fn the_queue_takes_fall_ln_n_to_drain_and_flows_share_the_link() {
    let source = Document::new("eight-flows", EIGHT_FLOWS, "eight-flows").source().unwrap();
    let plan = Plan::of(&source, PathBuf::new(), &PlanOverrides::default()).unwrap();
    let plan = plan.with_law("by-queue", Arc::new(ByQueue::new(Span::from_millis(40)))).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("eight-flows");
    let report = run(&plan, &folder, &Options::default(), &()).unwrap();

    let [rcp, law] = &report.summary.protocols[..] else { panic!("RCP and the law") };
    let bytes = 100e6 / 8.0 * 0.040 * 8_f64.ln();
    let queue = law.bottleneck.mean_queue;
    assert!((queue / bytes - 1.0).abs() < 0.02, "{queue} B, not {bytes} B");
    assert!(law.bottleneck.utilization > 0.999);
    assert!(law.long.unwrap().jain.unwrap() > 0.999);
    assert!(rcp.bottleneck.mean_queue < 0.02 * bytes, "RCP drains its queue");
}
