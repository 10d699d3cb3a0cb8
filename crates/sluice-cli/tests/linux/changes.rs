//! `--dry-run`.

use std::collections::BTreeSet;
use std::fs;

use sluice_testbed::{Namespace, Program};

use crate::bed::{Bed, bed};

/// Facts about the system, such as `clsact out`.
type Facts = BTreeSet<String>;

/// Those about a namespace that services may change, and the files of the run directory.
fn facts(bed: &Bed, at: &Namespace) -> Facts {
    let run = |line: &str| Program::new("sh").args(["-c", line]).output(at).unwrap();
    let devices = run("ip -brief link | sed 's/[@ ].*//'");
    let of_devices = devices.split_whitespace().flat_map(|dev| {
        let qdiscs = run(&format!("tc qdisc show dev {dev}"));
        let clsact = qdiscs.contains("clsact").then(|| format!("clsact {dev}"));
        let filters = run(&format!("tc filter show dev {dev} egress"));
        let filters = [81, 82].into_iter().filter_map(move |priority| {
            let line = format!("pref {priority} bpf");
            filters.contains(&line).then(|| format!("filter {dev} {priority}"))
        });
        clsact.into_iter().chain(filters).collect::<Vec<_>>()
    });
    let sysctls = run(
        "grep -r . /proc/sys/net/ipv4 2>/dev/null | grep -vE 'congestion_control|fastopen_key'",
    );
    let sysctls = sysctls.lines().filter_map(|line| {
        let (path, value) = line.split_once(':')?;
        Some(format!("{}={value}", path.strip_prefix("/proc/sys/")?.replace('/', ".")))
    });
    let folder = bed.run.exists().then(|| format!("folder {}", bed.run.display()));
    let files = fs::read_dir(&bed.run).into_iter().flatten().flatten();
    let files = files.map(|entry| format!("file {}", entry.path().display()));
    of_devices.chain(sysctls).chain(folder).chain(files).collect()
}

/// The facts that a dry run says will be so, or no longer be so.
fn planned(said: &str) -> Facts {
    let lines = said.lines().flat_map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        match &words[..] {
            ["would", "set", sysctl, ..] => vec![(*sysctl).into()],
            ["would", "add", "the", "qdisc", "`clsact`", "to", dev] => {
                vec![format!("clsact {dev}")]
            }
            ["would", "attach", "a", "BPF", .., "of", dev, "priority", priority] => {
                vec![format!("filter {} {priority}", dev.trim_end_matches(','))]
            }
            ["would", "create" | "remove", "the", "folder", path] => vec![format!("folder {path}")],
            ["would", "write" | "remove", "the", "file", path] => vec![format!("file {path}")],
            // Which of both is known by the device.
            ["would", "remove", "the", "BPF", "filter", "at", "the", "egress", "of", dev, ..] => {
                let priority = if *dev == "out" { 81 } else { 82 };
                vec![format!("clsact {dev}"), format!("filter {dev} {priority}")]
            }
            // What ends with a process.
            ["would", "start" | "end" | "let" | "count", ..] => Vec::new(),
            ["would", "register", "a", "congestion", "control,", ..] => Vec::new(),
            ["would", "attach", "BPF", "programs", "to", "the", "sockets", ..] => Vec::new(),
            ["would", "attach", "filters,", "as", "above,", ..] => Vec::new(),
            _ => panic!("{line}"),
        }
    });
    lines.collect()
}

/// What was so before and is not after.
fn gone(before: &Facts, after: &Facts) -> Facts {
    before.difference(after).cloned().collect()
}

#[test]
fn dry_runs_name_what_services_change_and_change_nothing() {
    let Some(bed) = bed() else { return };
    let router_up = ["router", "up", "--dev", "out", "--rate", "100mbit"];
    let router_down = ["router", "down", "--dev", "out"];
    for (at, is_router, down) in [
        (&bed.r, true, &router_down[..]),
        (&bed.s, false, &["host", "down"]),
        (&bed.r, true, &["down"]),
        (&bed.s, false, &["down"]),
    ] {
        let up = |more: &[&str]| match is_router {
            true => bed.ok(at, &[&router_up, more].concat()),
            false => bed.host_up_at(at, more),
        };
        let before = facts(&bed, at);
        let said = up(&["--dry-run"]);
        assert_eq!(facts(&bed, at), before);
        assert_eq!(said.contains("of the highest priority (nice -20)"), is_router, "{said}");
        up(&[]);
        let process = bed.status()[0]["process"].to_string();
        let nice = Program::new("ps").args(["-o", "ni=", "-p", &process]).output(at).unwrap();
        assert_eq!(nice.trim() == "-20", is_router, "{nice}");
        let during = facts(&bed, at);
        assert_eq!(planned(&said), gone(&during, &before), "{said}");

        let said = bed.ok(at, &[down, &["--dry-run"]].concat());
        assert!(said.starts_with(&format!("would end process {process}, the ")), "{said}");
        assert_eq!(facts(&bed, at), during);
        bed.ok(at, down);
        let after = facts(&bed, at);
        assert_eq!(after, before);
        let differs: Facts = during.symmetric_difference(&after).cloned().collect();
        let values = gone(&during, &after).into_iter().filter(|fact| fact.starts_with("net."));
        assert_eq!(planned(&said), gone(&differs, &values.collect()), "{said}");
    }
}

#[test]
fn dry_runs_refuse_what_a_start_would_refuse() {
    let Some(bed) = bed() else { return };
    bed.router_up();
    bed.host_up();
    let before = bed.dump();
    let router = ["router", "up", "--dev", "out", "--rate", "1gbit", "--dry-run"];
    for (at, command, says) in [
        (&bed.r, &router[..], "a router at out is up already (process "),
        (&bed.s, &["host", "up", "--dry-run"], "a host is up already (process "),
        (&bed.d, &["host", "up", "--dry-run"], "a host is up on this machine already (process "),
    ] {
        let ended = bed.sluice(at, command);
        assert_eq!((ended.code, &*ended.out), (1, ""), "{ended:?}");
        assert!(ended.err.contains(says), "{ended:?}");
    }
    let said = bed.ok(&bed.s, &["down", "--dry-run"]);
    let there = "would put back what it changed in network namespace ";
    assert_eq!(said.matches(there).count(), 1, "{said}");
    assert_eq!(bed.dump(), before);
    bed.kill("router");
    let ended = bed.sluice(&bed.s, &["down", "--dry-run"]);
    assert!(ended.code == 1 && ended.err.contains("it ended in network namespace"), "{ended:?}");
    bed.ok(&bed.r, &["down"]);
}

#[test]
fn dry_runs_name_what_killed_services_left() {
    let Some(bed) = bed() else { return };
    bed.router_up();
    bed.host_up();
    bed.kill("router");
    bed.kill("host");
    let router = ["router", "up", "--dev", "out", "--rate", "1gbit", "--dry-run"];
    let said = bed.ok(&bed.r, &router);
    let [count, replace, ..] = &said.lines().collect::<Vec<_>>()[..] else { panic!("{said}") };
    let counts = "would count the flows that leave by out for 300 ms, by a filter at its egress";
    assert_eq!(*count, counts);
    let replaces = "would replace the BPF filter of before at the egress of out (program ";
    assert!(replace.starts_with(replaces), "{said}");
    let said = bed.host_up_at(&bed.s, &["--dry-run"]);
    let segments: Vec<_> = said.lines().filter(|line| line.contains("tcp_min_tso_segs")).collect();
    let [back, again] = segments[..] else { panic!("{said}") };
    assert_eq!(back, "would set net.ipv4.tcp_min_tso_segs=2 (now 1)");
    assert_eq!(again, "would set net.ipv4.tcp_min_tso_segs=1 (now 2)");
    assert!(said.contains("would replace the BPF filter of before at the egress of net"), "{said}");
    bed.ok(&bed.s, &["host", "down"]);
    bed.ok(&bed.r, &["down"]);
}
