//! Devices that come and go while a host is up.

use std::fs::{self, File};

use serde_json::{Value, json};
use sluice_testbed::Program;

use crate::bed::{Bed, bed, until, wait};

/// The devices that have the host's filter, as it says.
fn devices(bed: &Bed) -> Value {
    bed.status()[0]["devices"].clone()
}

fn tc(bed: &Bed, arguments: &[&str]) -> String {
    Program::new("tc").args(arguments).output(&bed.s).unwrap()
}

/// Whether a device of `s` has it.
fn has_filter(bed: &Bed, device: &str) -> bool {
    tc(bed, &["filter", "show", "dev", device, "egress"]).contains("protocol all pref 82 bpf")
}

/// Gives another filter the place of the host's.
fn put_other_filter(bed: &Bed, device: &str) {
    let add = format!("filter add dev {device} egress pref 82 protocol ip bpf bytecode");
    let add: Vec<&str> = add.split(' ').chain(["1,6 0 0 4294967295"]).collect();
    tc(bed, &add);
}

/// How often the host, in the background, has printed this.
fn said(bed: &Bed, warning: &str) -> usize {
    let mut files = fs::read_dir(&bed.run).unwrap().map(|entry| entry.unwrap().path());
    let log = files.find(|path| path.extension().is_some_and(|it| it == "log")).unwrap();
    fs::read_to_string(log).unwrap().matches(warning).count()
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
    let ended = bed.ok(&bed.s, &["host", "down"]);
    assert_eq!(ended, "host: ended; everything is as it was\n");
    assert!(!has_filter(&bed, "renamed") && !bed.run.exists());
    let qdiscs = tc(&bed, &["qdisc", "show"]);
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
    add_pair(&bed);
    tc(&bed, &["qdisc", "add", "dev", "late", "ingress"]);
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
    let status = bed.sluice(&bed.s, &["status"]);
    assert!(status.code == 0 && status.err.contains(&format!("warning: {warning}")), "{status:?}");
    wait(2_500);
    assert_eq!(said(&bed, warning), 1);
    // Once it is replaced, the device takes part.
    tc(&bed, &["qdisc", "del", "dev", "late", "ingress"]);
    until("it has the filter", || has_filter(&bed, "late"));
    until("no warning is left", || bed.status()[0]["warnings"] == json!([]));
    bed.ok(&bed.s, &["host", "down"]);
    assert!(!has_filter(&bed, "late"));
}

#[test]
fn a_filter_that_somebody_removes_is_attached_again() {
    let Some(bed) = bed() else { return };
    let before = bed.dump();
    for removal in [
        &["filter", "del", "dev", "net", "egress", "pref", "82"][..],
        &["qdisc", "del", "dev", "net", "clsact"],
    ] {
        bed.host_up();
        tc(&bed, removal);
        until("it has the filter", || has_filter(&bed, "net"));
        assert_eq!(devices(&bed), json!(["net"]));
        bed.ok(&bed.s, &["host", "down"]);
        assert_eq!(bed.dump(), before);
    }
}

#[test]
fn a_filter_that_cannot_be_attached_again_is_warned_of_once_and_tried_again() {
    let Some(bed) = bed() else { return };
    let before = bed.dump();
    bed.host_up();
    let folder = File::open(&bed.run).unwrap();
    folder.lock().unwrap();
    tc(&bed, &["qdisc", "del", "dev", "net", "clsact"]);
    tc(&bed, &["qdisc", "add", "dev", "net", "ingress"]);
    folder.unlock().unwrap();
    until("the host forgets it", || devices(&bed) == json!([]));
    wait(2_500);
    assert_eq!(said(&bed, "packets that leave by net make no room for rates"), 1);
    tc(&bed, &["qdisc", "del", "dev", "net", "ingress"]);
    until("the host says so", || devices(&bed) == json!(["net"]));
    // Another filter in its place does not make the qdisc somebody's.
    folder.lock().unwrap();
    tc(&bed, &["filter", "del", "dev", "net", "egress", "pref", "82"]);
    put_other_filter(&bed, "net");
    folder.unlock().unwrap();
    until("the host forgets it", || devices(&bed) == json!([]));
    tc(&bed, &["filter", "del", "dev", "net", "egress", "pref", "82"]);
    until("the host says so", || devices(&bed) == json!(["net"]));
    drop(folder);
    bed.ok(&bed.s, &["host", "down"]);
    assert_eq!(bed.dump(), before);
}

/// Whatever the reason: here, another filter has the place of the host's.
#[test]
fn a_device_that_could_not_have_the_filter_gets_it_once_it_can() {
    let Some(bed) = bed() else { return };
    add_pair(&bed);
    tc(&bed, &["qdisc", "add", "dev", "late", "clsact"]);
    put_other_filter(&bed, "late");
    bed.host_up();
    let warning = "packets that leave by late make no room for rates: the egress of late";
    until("it has looked again", || bed.status()[0]["up_s"].as_u64() >= Some(2));
    assert_eq!((devices(&bed), said(&bed, warning)), (json!(["net"]), 1));
    tc(&bed, &["filter", "del", "dev", "late", "egress", "pref", "82"]);
    until("it has the filter", || has_filter(&bed, "late"));
    until("no warning is left", || bed.status()[0]["warnings"] == json!([]));
    // A device that goes causes no warning.
    bed.s.ip(&["link", "del", "late"]).unwrap();
    until("the host forgets it", || devices(&bed) == json!(["net"]));
    assert_eq!(said(&bed, "warning: "), 1);
    bed.ok(&bed.s, &["host", "down"]);
}
