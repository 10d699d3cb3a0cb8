//! Signals to services. Of a terminal that closes, or of an operator: everything is put back.

use sluice_testbed::{Namespace, Program};

use crate::bed::{Bed, Ended, bed, bed_without_host, until};

/// The tests may themselves run under nohup.
const DEFAULT: [&str; 2] = ["env", "--default-signal=HUP"];

/// Sends the service of a bed that `up` starts each of these signals.
fn assert_ends(bed: &Bed, at: &Namespace, signals: &[&str], up: impl Fn() -> Ended) {
    let before = bed.dump();
    for signal in signals {
        let started = up();
        assert_eq!(started.code, 0, "{started:?}");
        let process = bed.status()[0]["process"].to_string();
        assert_ne!(bed.dump(), before);
        Program::new("kill").args([*signal, &process]).output(at).unwrap();
        until("the service has ended", || bed.dump() == before);
        assert!(bed.status().is_empty());
    }
    let _ = std::fs::remove_dir(&bed.run);
}

#[test]
fn signals_end_a_router_in_order() {
    let Some(bed) = bed_without_host() else { return };
    let up = ["router", "up", "--dev", "out", "--rate", "100mbit"];
    assert_ends(&bed, &bed.r, &["-HUP", "-TERM", "-INT"], || bed.sluice_by(&bed.r, &DEFAULT, &up));
}

/// Its kernel parameters and filters are put back.
#[test]
fn signals_end_a_host_in_order() {
    let Some(bed) = bed() else { return };
    let cgroup = bed.apps.path().to_string_lossy();
    let arguments = ["--cgroup", &cgroup];
    let up = || bed.try_host_up_by(&bed.s, &DEFAULT, &arguments);
    assert_ends(&bed, &bed.s, &["-HUP", "-TERM"], up);
}
