//! Signals to services.

use sluice_testbed::Program;

use crate::bed::{bed, until};

/// Of a terminal that closes, or of an operator: everything is put back. SIGTERM and SIGINT do the same.
#[test]
fn signals_end_services_in_order() {
    let Some(bed) = bed() else { return };
    let before = bed.dump();
    // The tests may themselves run under nohup.
    let default = ["env", "--default-signal=HUP"];
    let up = ["router", "up", "--dev", "out", "--rate", "100mbit"];
    for signal in ["-HUP", "-TERM", "-INT"] {
        let started = bed.sluice_by(&bed.r, &default, &up);
        assert_eq!(started.code, 0, "{started:?}");
        let process = bed.status()[0]["process"].to_string();
        assert_ne!(bed.dump(), before);
        Program::new("kill").args([signal, &process]).output(&bed.r).unwrap();
        until("the router has ended", || bed.dump() == before);
        assert!(bed.status().is_empty());
    }
    let _ = std::fs::remove_dir(&bed.run);
}
