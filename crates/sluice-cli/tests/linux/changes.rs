//! `--dry-run`.

use crate::bed::bed;

#[test]
fn dry_runs_change_nothing_and_say_what_they_would() {
    let Some(bed) = bed() else { return };
    let before = bed.dump();
    let said = bed.ok(&bed.r, &["router", "up", "--dev", "out", "--rate", "100mbit", "--dry-run"]);
    assert!(
        said.starts_with(
            "would add the qdisc `clsact` to out\nwould attach a BPF filter at the egress of out"
        ),
        "{said}"
    );
    let cgroup = bed.apps.path().to_string_lossy();
    let said = bed.ok(&bed.s, &["host", "up", "--cgroup", &cgroup, "--dry-run"]);
    assert!(said.starts_with("would set net.ipv4.tcp_tso_rtt_log=0 (now "), "{said}");
    assert!(said.contains("would attach a BPF filter at the egress of net"), "{said}");
    assert!(said.contains(&format!("to the sockets of the cgroup {cgroup}\n")), "{said}");
    assert!(said.contains("would let sockets of that cgroup take part that listen"), "{said}");
    assert_eq!(bed.dump(), before);
    bed.router_up();
    bed.host_up();
    let up = bed.dump();
    let said = bed.ok(&bed.s, &["down", "--dry-run"]);
    assert!(
        said.contains("would end process ") && said.contains("would set net.ipv4.tcp_tso_rtt_log="),
        "{said}"
    );
    let said = bed.ok(&bed.r, &["router", "down", "--dev", "out", "--dry-run"]);
    assert!(said.contains("would remove the BPF filter at the egress of out"), "{said}");
    assert_eq!(bed.dump(), up);
    bed.ok(&bed.s, &["down"]);
    assert_eq!(bed.dump(), before);
}
