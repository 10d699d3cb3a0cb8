//! Services that are killed, as by a fault or for want of memory.

use std::thread;

use serde_json::{Value, json};

use crate::bed::{Bed, assert_granted, assert_ordinary, bed, bed_without_host, until, wait};

/// Its filter stays and cuts requests, so that flows return to the kernel's congestion control.
#[test]
fn flows_outlive_a_killed_router_and_follow_the_next() {
    let Some(mut bed) = bed() else { return };
    let before = bed.dump();
    bed.all_up();
    thread::scope(|scope| {
        scope.spawn(|| bed.flow("6"));
        wait(1_500);
        assert_granted(bed.used_in(500));
        bed.kill("router");
        wait(1_000);
        assert_ordinary(bed.used_in(500));
        let status = bed.sluice(&bed.r, &["status"]);
        assert_eq!(status.code, 1, "{status:?}");
        assert!(
            status.err.contains(
                "router at out: its process was killed; `sluice router up --dev out` replaces it"
            ),
            "{status:?}"
        );
        bed.router_up();
        wait(1_000);
        assert_granted(bed.used_in(1_000));
    });
    bed.ok(&bed.s, &["down"]);
    assert_eq!(bed.dump(), before);
}

/// Its programs end with it.
#[test]
fn flows_outlive_a_killed_host() {
    let Some(mut bed) = bed() else { return };
    let before = bed.dump();
    bed.all_up();
    thread::scope(|scope| {
        scope.spawn(|| bed.flow("4"));
        wait(1_500);
        assert_granted(bed.used_in(500));
        bed.kill("host");
        wait(1_000);
        let before = stamped(&bed);
        let used = bed.used_in(500);
        assert!(used > 0.9, "{used} of the link");
        assert_eq!(stamped(&bed), before, "no packet asks for a rate");
    });
    bed.host_up();
    // iperf3 listens anew after each flow, and did so without a host. This one reaches the listeners of its own namespace
    // alone.
    bed.serve();
    thread::scope(|scope| {
        scope.spawn(|| bed.flow("3"));
        // R is at its least after a flow that took all.
        wait(1_800);
        assert_granted(bed.used_in(700));
    });
    bed.ok(&bed.s, &["down"]);
    assert_eq!(bed.dump(), before);
}

/// Packets that the router granted a rate.
fn stamped(bed: &Bed) -> u64 {
    bed.status().iter().find_map(|report| report["stamped"].as_u64()).unwrap()
}

#[test]
fn what_killed_services_left_is_put_back_without_them() {
    let Some(bed) = bed() else { return };
    let before = bed.dump();
    bed.router_up();
    bed.host_up();
    bed.kill("router");
    let said = bed.ok(&bed.r, &["router", "down", "--dev", "out"]);
    assert_eq!(said, "router at out: ended; everything is as it was\n");
    bed.kill("host");
    assert_ne!(bed.dump(), before);
    let said = bed.ok(&bed.s, &["host", "down"]);
    assert_eq!(said, "host: ended; everything is as it was\n");
    assert_eq!(bed.dump(), before);
}

/// A parameter that nobody may set stands for one that the kernel refuses.
#[test]
fn what_cannot_be_put_back_does_not_keep_the_rest_from_it() {
    let Some(bed) = bed() else { return };
    let before = bed.dump();
    bed.host_up();
    bed.kill("host");
    let mut files = std::fs::read_dir(&bed.run).unwrap().map(|entry| entry.unwrap().path());
    let state = files.find(|path| path.extension().is_some_and(|it| it == "state"));
    let state = state.unwrap();
    let text = std::fs::read_to_string(&state).unwrap();
    let value = bed.s.enter(|| std::fs::read_to_string("/proc/sys/net/ipv4/tcp_ehash_entries"));
    let value = value.unwrap();
    let fixed = json!({"name": "net.ipv4.tcp_ehash_entries", "before": "x", "value": value.trim()});
    let mut left: Value = serde_json::from_str(&text).unwrap();
    left["sysctls"].as_array_mut().unwrap().insert(0, fixed);
    std::fs::write(&state, left.to_string()).unwrap();
    let ended = bed.sluice(&bed.s, &["host", "down"]);
    assert!(ended.code == 1 && ended.err.contains("tcp_ehash_entries=x"), "{ended:?}");
    // All but the files.
    std::fs::remove_dir_all(&bed.run).unwrap();
    assert_eq!(bed.dump(), before);
}

#[test]
fn a_filter_without_files_is_found_and_removed() {
    let Some(bed) = bed_without_host() else { return };
    let before = bed.dump();
    bed.router_up();
    bed.kill("router");
    std::fs::remove_dir_all(&bed.run).unwrap();
    bed.r.ip(&["link", "set", "out", "down"]).unwrap();
    assert!(bed.dump().contains("sluice_router"));
    assert_eq!(bed.ok(&bed.r, &["down"]), "router at out: ended; everything is as it was\n");
    bed.r.ip(&["link", "set", "out", "up"]).unwrap();
    assert_eq!(bed.dump(), before);
}

/// Filters of hosts at all devices.
fn host_filters(bed: &Bed) -> usize {
    bed.dump().matches("pref 82 bpf chain 0 handle").count()
}

/// Also at a device that is down meanwhile.
#[test]
fn filters_of_a_host_without_files_are_found_and_removed() {
    let Some(bed) = bed() else { return };
    for down in [&["host", "down"][..], &["down"]] {
        bed.host_up_at(&bed.r, &[]);
        bed.kill("host");
        std::fs::remove_dir_all(&bed.run).unwrap();
        bed.r.ip(&["link", "set", "in", "down"]).unwrap();
        assert_eq!(host_filters(&bed), 2);
        assert_eq!(bed.ok(&bed.r, down), "host: ended; everything is as it was\n");
        assert!(host_filters(&bed) == 0 && !bed.dump().contains("clsact"), "{}", bed.dump());
        bed.r.ip(&["link", "set", "in", "up"]).unwrap();
    }
}

/// A host of another run directory may be in this namespace.
#[test]
fn filters_of_a_host_that_is_up_without_files_stay() {
    let Some(bed) = bed() else { return };
    let cgroup = bed.apps.path().to_string_lossy();
    bed.host_up_at(&bed.r, &[]);
    let kept = bed.run.with_extension("kept");
    std::fs::rename(&bed.run, &kept).unwrap();
    assert_eq!(bed.sluice(&bed.r, &["down"]).err, "Nothing is up\n");
    let second = bed.sluice(&bed.r, &["host", "up", "--cgroup", &cgroup]);
    assert!(second.code == 1 && second.err.contains("on this machine already"), "{second:?}");
    assert_eq!(host_filters(&bed), 2);
    std::fs::rename(&kept, &bed.run).unwrap();
    bed.ok(&bed.r, &["down"]);
    assert_eq!(host_filters(&bed), 0);
}

#[test]
fn a_router_whose_filter_is_removed_ends_with_an_error() {
    let Some(bed) = bed_without_host() else { return };
    let mut router = bed.start(
        &bed.r,
        &[],
        &["router", "up", "--dev", "out", "--rate", "100mbit", "--foreground"],
    );
    until("the router is up", || bed.sluice(&bed.r, &["status"]).out.starts_with("ROUTER"));
    sluice_testbed::Program::new("tc")
        .args(["qdisc", "del", "dev", "out", "clsact"])
        .output(&bed.r)
        .unwrap();
    let status = router.wait(sluice_units::Span::from_secs(20)).unwrap();
    assert_eq!(status.code(), Some(1));
    assert!(router.stderr().contains("the filter was removed or replaced"), "{}", router.stderr());
    // It has no log, as one in the background has.
    let status = bed.sluice(&bed.r, &["status"]);
    assert!(status.code == 1 && status.err.contains("router at out: its process"), "{status:?}");
    bed.ok(&bed.r, &["down"]);
    assert!(bed.status().is_empty() && !bed.run.exists());
}

#[test]
fn a_service_that_fails_in_the_background_says_why() {
    let Some(bed) = bed_without_host() else { return };
    bed.router_up();
    bed.r.ip(&["link", "del", "out"]).unwrap();
    until("the router has failed", || bed.sluice(&bed.r, &["status"]).code == 1);
    let status = bed.sluice(&bed.r, &["status"]);
    let said = "router at out: its process ended: ";
    assert!(status.err.contains(said) && status.err.contains("the device is gone"), "{status:?}");
    bed.ok(&bed.r, &["router", "down", "--dev", "out"]);
    assert!(!bed.run.exists());
}

/// From another namespace it cannot be put back, and is not forgotten.
#[test]
fn what_was_killed_in_another_namespace_is_named_there() {
    let Some(bed) = bed_without_host() else { return };
    let before = bed.dump();
    bed.router_up();
    bed.kill("router");
    let ended = bed.sluice(&bed.s, &["down"]);
    assert!(ended.code == 1 && ended.err.contains("it ended in network namespace"), "{ended:?}");
    bed.ok(&bed.r, &["down"]);
    assert_eq!(bed.dump(), before);
}

/// As systemd does after each end of a unit, in whose place a service may be up that somebody started.
#[test]
fn only_what_was_killed_is_put_back_where_that_is_asked() {
    let Some(bed) = bed_without_host() else { return };
    let before = bed.dump();
    bed.router_up();
    let down = ["router", "down", "--dev", "out", "--killed"];
    bed.ok(&bed.r, &down);
    assert_eq!(bed.status().len(), 1);
    bed.kill("router");
    bed.ok(&bed.r, &down);
    assert_eq!(bed.dump(), before);
}

#[test]
fn a_device_has_several_names_and_one_router() {
    let Some(bed) = bed_without_host() else { return };
    let before = bed.dump();
    bed.r.ip(&["link", "property", "add", "dev", "out", "altname", "uplink"]).unwrap();
    bed.ok(&bed.r, &["router", "up", "--dev", "uplink", "--rate", "100mbit"]);
    let second = bed.sluice(&bed.r, &["router", "up", "--dev", "out", "--rate", "100mbit"]);
    assert!(second.code == 1 && second.err.contains("is up already"), "{second:?}");
    let ended = bed.ok(&bed.r, &["router", "down", "--dev", "uplink"]);
    assert_eq!(ended, "router at out: ended; everything is as it was\n");
    assert_eq!(bed.dump(), before);
}
