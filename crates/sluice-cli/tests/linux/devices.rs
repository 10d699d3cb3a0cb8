//! Devices that come and go while a host is up.

use std::fs;

use serde_json::{Value, json};
use sluice_testbed::Program;

use crate::bed::{Bed, bed, until, wait};

/// The devices that have the host's filter, as it says.
fn devices(bed: &Bed) -> Value {
    bed.status()[0]["devices"].clone()
}

/// Whether a device of `s` has it.
fn has_filter(bed: &Bed, device: &str) -> bool {
    let arguments = ["filter", "show", "dev", device, "egress"];
    Program::new("tc").args(arguments).output(&bed.s).unwrap().contains("pref 82 bpf")
}

/// A pair of devices in `s`, `late` and `peer`, of which `late` is up.
fn add_pair(bed: &Bed) {
    bed.s.ip(&["link", "add", "dev", "late", "type", "veth", "peer", "name", "peer"]).unwrap();
    bed.s.ip(&["link", "set", "late", "up"]).unwrap();
}

#[test]
fn devices_that_come_up_get_the_filter_until_the_host_ends() {
    let Some(bed) = bed() else { return };
    bed.host_up();
    assert_eq!(devices(&bed), json!(["net"]));
    // Of the same name, and with another number.
    for _ in 0..2 {
        add_pair(&bed);
        until("it has the filter", || has_filter(&bed, "late"));
        until("the host says so", || devices(&bed) == json!(["net", "late"]));
        // One that is down keeps it.
        bed.s.ip(&["link", "set", "late", "down"]).unwrap();
        wait(1_500);
        assert_eq!(devices(&bed), json!(["net", "late"]));
        bed.s.ip(&["link", "del", "late"]).unwrap();
        until("the host forgets it", || devices(&bed) == json!(["net"]));
    }
    add_pair(&bed);
    until("it has the filter", || has_filter(&bed, "late"));
    bed.s.ip(&["link", "set", "late", "name", "renamed"]).unwrap();
    let said = bed.ok(&bed.s, &["host", "down"]);
    assert_eq!(said, "host: ended; everything is as it was\n");
    assert!(!has_filter(&bed, "renamed") && !bed.run.exists());
    let qdiscs = Program::new("tc").args(["qdisc", "show"]).output(&bed.s).unwrap();
    assert!(!qdiscs.contains("clsact"), "{qdiscs}");
}

#[test]
fn a_named_device_that_is_made_anew_gets_the_filter_again() {
    let Some(bed) = bed() else { return };
    add_pair(&bed);
    bed.host_up_at(&bed.s, &["--dev", "late"]);
    bed.s.ip(&["link", "del", "late"]).unwrap();
    until("the host forgets it", || devices(&bed) == json!([]));
    add_pair(&bed);
    until("it has the filter", || has_filter(&bed, "late"));
    assert!(!has_filter(&bed, "net"));
    bed.ok(&bed.s, &["host", "down"]);
    assert!(!has_filter(&bed, "late"));
}

#[test]
fn devices_with_an_ingress_qdisc_are_skipped_unless_they_are_named() {
    let Some(bed) = bed() else { return };
    let tc = |arguments: &[&str]| Program::new("tc").args(arguments).output(&bed.s).unwrap();
    add_pair(&bed);
    tc(&["qdisc", "add", "dev", "late", "ingress"]);
    let named = bed.try_host_up_at(&bed.s, &["--dev", "late"]);
    assert!(named.code == 1 && named.err.contains("late has an `ingress` qdisc"), "{named:?}");
    let planned = bed.ok(&bed.s, &["host", "up", "--dry-run"]);
    assert!(
        planned.contains("would leave late as it is: late has an `ingress` qdisc"),
        "{planned}"
    );
    bed.host_up();
    assert_eq!(devices(&bed), json!(["net"]));
    let warning = "packets that leave by late make no room for rates: late has an `ingress` qdisc";
    let said = bed.sluice(&bed.s, &["status"]);
    assert!(said.code == 0 && said.err.contains(&format!("warning: {warning}")), "{said:?}");
    wait(2_500);
    let mut files = fs::read_dir(&bed.run).unwrap().map(|entry| entry.unwrap().path());
    let log = files.find(|path| path.extension().is_some_and(|it| it == "log")).unwrap();
    assert_eq!(fs::read_to_string(log).unwrap().matches(warning).count(), 1);
    // Once it is replaced, the device takes part.
    tc(&["qdisc", "del", "dev", "late", "ingress"]);
    until("it has the filter", || has_filter(&bed, "late"));
    until("no warning is left", || bed.status()[0]["warnings"] == json!([]));
    bed.ok(&bed.s, &["host", "down"]);
    assert!(!has_filter(&bed, "late"));
}
