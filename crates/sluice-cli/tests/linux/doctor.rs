//! `sluice doctor`.

use serde_json::Value;
use sluice_testbed::Program;

use crate::bed::bed_without_host;

#[test]
fn what_is_missing_is_named_with_a_way_to_mend_it() {
    let Some(bed) = bed_without_host() else { return };
    let said = bed.ok(&bed.r, &["doctor"]);
    assert!(said.contains("ok       kernel: Linux "), "{said}");
    assert!(
        said.contains("ok       device in: Ethernet; the qdisc clsact can be added\n"),
        "{said}"
    );
    bed.router_up();
    let said = bed.ok(&bed.r, &["doctor", "--dev", "out"]);
    assert!(said.contains("ok       device out: Ethernet; a router's program ("), "{said}");
    assert!(!said.contains("device in"), "{said}");
    bed.ok(&bed.r, &["down"]);

    Program::new("tc").args(["qdisc", "add", "dev", "in", "ingress"]).output(&bed.r).unwrap();
    let ended = bed.sluice(&bed.r, &["doctor", "--json"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    let checks: Vec<Value> = serde_json::from_str(&ended.out).unwrap();
    let missing: Vec<_> = checks.iter().filter(|check| check["outcome"] == "missing").collect();
    assert_eq!(missing.len(), 1, "{ended:?}");
    assert_eq!(missing[0]["name"], "device in");
    assert_eq!(missing[0]["mend"], "replace the qdisc `ingress` by `clsact`");
    let up = bed.sluice(&bed.r, &["router", "up", "--dev", "in", "--rate", "1gbit"]);
    assert!(up.err.starts_with("error: in has an `ingress` qdisc"), "{up:?}");
    assert_eq!((up.code, bed.run.exists()), (1, false));
}

#[test]
fn buffers_are_compared_with_a_path() {
    let Some(bed) = bed_without_host() else { return };
    bed.s.sysctl("net.ipv4.tcp_rmem", "4096 131072 6291456").unwrap();
    let said = bed.ok(&bed.s, &["doctor", "--rate", "1gbit", "--rtt", "10ms"]);
    assert!(
        said.contains(
            "ok       receive buffers: net.ipv4.tcp_rmem: at most 6291456 B, for a BDP of 1.25 MB\n"
        ),
        "{said}"
    );
    let said = bed.ok(&bed.s, &["doctor", "--rate", "1gbit", "--rtt", "100ms"]);
    assert!(said.contains("warning  receive buffers: "), "{said}");
    assert!(said.contains("= sysctl -w net.ipv4.tcp_rmem=\"4096 131072 25000000\""), "{said}");
}
