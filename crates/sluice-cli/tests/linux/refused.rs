//! What is refused, and why.

use std::fs;
use std::time::{Duration, Instant};

use sluice_units::Span;

use crate::bed::{Ended, bed, bed_without_host};

/// A process of root's without any privilege: another user could not read the command in some folders.
const POWERLESS: [&str; 4] = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"];

#[track_caller]
fn assert_refused(ended: &Ended, code: i32, says: &str) {
    assert_eq!(ended.code, code, "{ended:?}");
    assert!(ended.err.starts_with("error: ") && ended.err.contains(says), "{}", ended.err);
    assert_eq!(ended.out, "");
}

#[test]
fn there_is_one_router_a_device_and_one_host_a_machine() {
    let Some(bed) = bed() else { return };
    bed.router_up();
    bed.host_up();
    let router = ["router", "up", "--dev", "out", "--rate", "1gbit"];
    assert_refused(&bed.sluice(&bed.r, &router), 1, "a router at out is up already (process ");
    let foreground = [&router[..], &["--foreground"]].concat();
    assert_refused(&bed.sluice(&bed.r, &foreground), 1, "a router at out is up already (process ");
    assert_refused(&bed.sluice(&bed.s, &["host", "up"]), 1, "a host is up already (process ");
    let elsewhere = bed.sluice(&bed.d, &["host", "up"]);
    assert_refused(&elsewhere, 1, "a host is up on this machine already (process ");
    assert_eq!(bed.status().len(), 2);
    // Another device is another router.
    bed.ok(&bed.r, &["router", "up", "--dev", "in", "--rate", "1gbit"]);
    assert_eq!(bed.status().len(), 3);
    bed.ok(&bed.s, &["down"]);
}

#[test]
fn of_two_that_start_at_once_one_comes_up() {
    let Some(bed) = bed_without_host() else { return };
    let router = ["router", "up", "--dev", "out", "--rate", "1gbit"];
    let mut both = [0, 1].map(|_| bed.start(&bed.r, &[], &router));
    let codes = both.each_mut().map(|one| one.wait(Span::from_secs(40)).unwrap().code());
    let said = both.map(|one| one.stderr()).concat();
    assert!(codes == [Some(0), Some(1)] || codes == [Some(1), Some(0)], "{codes:?} {said}");
    assert!(said.contains("a router at out is up already"), "{said}");
    assert_eq!(bed.status().len(), 1);
    bed.ok(&bed.r, &["down"]);
}

/// In two network namespaces, or in one with two run directories, where neither finds the other's lock.
#[test]
fn of_two_hosts_that_start_at_once_one_comes_up() {
    let Some(bed) = bed() else { return };
    let before = bed.dump();
    let cgroup = bed.apps.path().to_string_lossy();
    let up = ["host", "up", "--cgroup", &cgroup];
    let other = format!("SLUICE_RUN={}", bed.run.with_extension("other").display());
    let seconds = [(&bed.d, &[][..]), (&bed.s, &[&*other])];
    let (mut rounds, begun) = (0, Instant::now());
    while rounds < 6 {
        let places = [(&bed.s, &[][..]), seconds[rounds % 2]];
        let mut both = places.map(|(at, by)| bed.start(at, by, &up));
        let codes = both.each_mut().map(|one| one.wait(Span::from_secs(40)).unwrap().code());
        let said = both.map(|one| one.stderr()).concat();
        if codes == [Some(1); 2] && said.contains("in another container") {
            // One of other tests is up, which ends some time.
            assert!(begun.elapsed() < Duration::from_secs(60), "{said}");
            continue;
        }
        assert!(codes == [Some(0), Some(1)] || codes == [Some(1), Some(0)], "{codes:?} {said}");
        assert!(said.contains("a host is up on this machine already"), "{said}");
        // The other one undid nothing of it.
        let changed = bed.dump();
        assert_eq!(changed.matches("pref 82 bpf chain 0 handle").count(), 1, "{changed}");
        assert_eq!(changed.matches("/tcp_min_tso_segs:1\n").count(), 1, "{changed}");
        let ended = places.map(|(_, by)| bed.sluice_by(&bed.s, by, &["down"]));
        assert!(ended.iter().all(|ended| ended.code == 0), "{ended:?}");
        let is_end = |ended: &&Ended| ended.out.starts_with("host: ended");
        assert_eq!(ended.iter().filter(is_end).count(), 1, "{ended:?}");
        assert_eq!(bed.dump(), before);
        rounds += 1;
    }
}

#[test]
fn without_privileges_nothing_starts() {
    let Some(bed) = bed_without_host() else { return };
    let before = bed.dump();
    for command in [
        &["router", "up", "--dev", "out", "--rate", "1gbit"][..],
        &["router", "up", "--dev", "out", "--rate", "1gbit", "--foreground"],
        &["host", "up"],
        &["router", "down", "--dev", "out"],
    ] {
        let ended = bed.sluice_by(&bed.r, &POWERLESS, command);
        assert_refused(
            &ended,
            1,
            "only root may do this: use sudo (missing: CAP_BPF, CAP_PERFMON, CAP_NET_ADMIN)",
        );
    }
    let doctor = bed.sluice_by(&bed.r, &POWERLESS, &["doctor"]);
    assert_eq!(doctor.code, 1, "{doctor:?}");
    assert!(doctor.out.starts_with("missing  privileges: only root"), "{doctor:?}");
    assert_eq!(bed.dump(), before);
}

#[test]
fn wrong_settings_are_shown_with_their_place() {
    let Some(bed) = bed_without_host() else { return };
    fs::create_dir_all(&bed.run).unwrap();
    let file = bed.run.join("settings.toml");
    let path = file.to_string_lossy();
    let with = |text: &str| {
        fs::write(&file, text).unwrap();
        bed.sluice(&bed.r, &["router", "up", "--settings", &path])
    };
    let ended = with("[host]\ncgruop = \"/x\"\n\n[[router]]\ndev = \"out\"\nrate = \"1 gbps\"\n");
    assert_refused(&ended, 2, "settings.toml:2:1: unknown field `cgruop`");
    assert_refused(&ended, 2, "did you mean `cgroup`? expected one of `cgroup`, `dev`");
    assert_refused(&ended, 2, "settings.toml:6:8: `1 gbps` is not a rate: unknown unit `gbps`");
    let router = "[[router]]\ndev = \"out\"\nrate = \"1gbit\"\n";
    let ended = with(&format!("{router}buffer = \"unlimited\"\n[router.rcp]\ngamma = 1.5\n"));
    assert_refused(&ended, 2, "settings.toml:4:10: must be bytes or a time");
    assert_refused(&ended, 2, "settings.toml:6:9: must be above 0 and at most 1, not 1.5");
    assert_refused(
        &with(&format!("{router}{router}")),
        2,
        "settings.toml:5:7: another `[[router]]` has this device",
    );
    assert_refused(&with(""), 2, "no router is named");
    assert_refused(
        &bed.sluice(&bed.r, &["router", "up", "--dev", "out"]),
        2,
        "the capacity of the link at out is missing",
    );
    let gamma = ["router", "up", "--dev", "out", "--rate", "1gbit", "--gamma", "2"];
    assert_refused(&bed.sluice(&bed.r, &gamma), 2, "--gamma: must be above 0 and at most 1, not 2");
    let longest = ["router", "up", "--dev", "out", "--rate", "1gbit", "--longest-rtt", "11s"];
    let says = "--longest-rtt: must be 1 us to 10 s, not 11 s";
    assert_refused(&bed.sluice(&bed.r, &longest), 2, says);
    let missing = ["router", "up", "--settings", "/none.toml"];
    assert_refused(&bed.sluice(&bed.r, &missing), 1, "/none.toml: No such file");
    fs::remove_dir_all(&bed.run).unwrap();
}

#[test]
fn what_the_kernel_does_not_have_is_named() {
    let Some(bed) = bed_without_host() else { return };
    let none = ["router", "up", "--dev", "none", "--rate", "1gbit"];
    assert_refused(
        &bed.sluice(&bed.r, &none),
        1,
        "no network device none in this network namespace",
    );
    let folder = ["host", "up", "--cgroup", "/tmp"];
    assert_refused(&bed.sluice(&bed.s, &folder), 1, "/tmp is no cgroup");
    assert!(!bed.run.exists());
}
