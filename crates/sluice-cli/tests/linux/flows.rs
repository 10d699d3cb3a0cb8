//! Flows that follow a router.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sluice_testbed::{Program, Running, iperf3_client, iperf3_server, start_server};
use sluice_units::Span;

use crate::bed::{Bed, assert_granted, bed, bed_without_host, until, wait};

#[test]
fn a_flow_gets_what_the_router_grants_and_down_leaves_nothing() {
    let Some(mut bed) = bed() else { return };
    let before = bed.dump();
    let said = bed.router_up();
    assert!(
        said.starts_with("router at out: grants rates so that flows fill 0.95 of 100 Mbps"),
        "{said}"
    );
    let said = bed.host_up();
    assert!(said.starts_with("host: new TCP connections of "), "{said}");
    assert_ne!(bed.dump(), before);
    bed.serve();
    thread::scope(|scope| {
        scope.spawn(|| bed.flow("3"));
        wait(1_500);
        assert_granted(bed.used_in(1_000));
        let table = bed.ok(&bed.r, &["status"]);
        println!("{table}");
        assert!(table.starts_with("ROUTER") && table.contains("\nHOST"), "{table}");
        let status = bed.status();
        let [host, router] = &status[..] else { panic!("{status:?}") };
        let number = |name: &str| router[name].as_f64().unwrap();
        assert_eq!((number("capacity_bps"), number("gamma")), (100e6, 0.95));
        assert!((0.8..1.2).contains(&(number("rate_bps") / 95e6)), "{router}");
        assert!((0.010..0.020).contains(&number("rtt_s")), "{router}");
        assert!((0.8..1.2).contains(&number("load")), "{router}");
        assert!(number("stamped") > 0.9 * number("packets"), "{router}");
        // A control and a data connection at either end.
        assert_eq!((&host["agreed"], &host["ordinary"]), (&4.into(), &0.into()), "{host}");
    });
    let said = bed.ok(&bed.s, &["down"]);
    assert_eq!(
        said,
        "host: ended; everything is as it was\nrouter at out: ended; everything is as it was\n"
    );
    assert_eq!(bed.dump(), before);
    let status = bed.sluice(&bed.s, &["status"]);
    assert_eq!((status.code, &*status.out), (0, ""));
    assert!(status.err.starts_with("Nothing is up"), "{status:?}");
}

/// From Linux 6.12 on; before, the host says that they are left.
#[test]
fn servers_that_listen_already_follow_the_host() {
    let Some(bed) = bed() else { return };
    let before = bed.dump();
    let _server = iperf3_server(&bed.s, Some(&bed.apps), 5201).unwrap();
    bed.router_up();
    bed.host_up();
    let status = bed.status();
    let listeners = ["listeners_watched", "listeners_left"].map(|name| &status[0][name]);
    if listeners == [&0.into(), &Value::from(1)] {
        let said = bed.sluice(&bed.s, &["status"]).err;
        let warning = "warning: sockets that listened when the host came up take no part";
        assert!(said.starts_with(warning), "{said}");
    } else {
        assert_eq!((listeners, &status[0]["warnings"]), ([&1.into(), &0.into()], &json!([])));
        let arguments = ["-c", "198.18.1.1", "-R", "-t", "3"];
        thread::scope(|scope| {
            scope.spawn(|| iperf3_client(&bed.d, Some(&bed.apps), &arguments).unwrap());
            wait(1_500);
            assert_granted(bed.used_in(1_000));
        });
    }
    bed.ok(&bed.s, &["down"]);
    assert_eq!(bed.dump(), before);
}

/// However deep: the kernel sets no limit.
#[test]
fn servers_of_a_deep_cgroup_follow_the_host() {
    let Some(bed) = bed() else { return };
    let deep = bed.apps.path().join(vec!["d"; 70].join("/"));
    fs::create_dir_all(&deep).unwrap();
    let deep = deep.to_string_lossy();
    let serve = format!("echo $$ > {deep}/cgroup.procs; exec iperf3 -s");
    let server = Program::new("sh").args(["-c", &serve]);
    let server = start_server(&server, &bed.s, 5201).unwrap();
    let ended = bed.try_host_up_by(&bed.s, &[], &["--cgroup", &deep]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let status = bed.status();
    let number = |name: &str| status[0][name].as_u64().unwrap();
    assert_eq!(number("listeners_watched") + number("listeners_left"), 1, "{status:?}");
    bed.ok(&bed.s, &["down"]);
    drop(server);
}

/// The path has 10 ms, the router is set to 5.
/// R begins at the share of the flows that are there, unless the settings have it.
#[test]
fn a_router_counts_flows_before_its_first_grant() {
    let Some(mut bed) = bed() else { return };
    let file = bed.run.with_extension("toml");
    let settings = "[[router]]\ndev = \"out\"\nrate = \"100 Mbps\"\nrcp.initial_rate = 0.5\n";
    fs::write(&file, settings).unwrap();
    let counts = ["router", "up", "--dev", "out", "--rate", "100mbit"];
    let states = ["router", "up", "--settings", file.to_str().unwrap()];
    let first_rate = |bed: &Bed, up: &[&str]| {
        bed.ok(&bed.r, up);
        let rate = bed.status()[0]["rate_bps"].as_f64().unwrap();
        bed.ok(&bed.r, &["router", "down"]);
        rate / 1e6
    };
    bed.serve();
    let idle = first_rate(&bed, &counts);
    let arguments = ["-c", "198.18.2.2", "-t", "4", "-P", "4"];
    let (four, stated) = thread::scope(|scope| {
        scope.spawn(|| iperf3_client(&bed.s, None, &arguments).unwrap());
        wait(1_500);
        (first_rate(&bed, &counts), first_rate(&bed, &states))
    });
    fs::remove_file(&file).unwrap();
    let near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.1;
    println!("{idle}, {four} and {stated} Mb/s");
    assert!(near(idle, 95.0) && near(four, 95.0 / 4.0), "{idle} and {four} Mb/s");
    assert!(near(stated, 50.0), "{stated} Mb/s");
}

#[test]
fn a_router_believes_no_rtt_beyond_its_longest() {
    let Some(mut bed) = bed() else { return };
    let up = ["router", "up", "--dev", "out", "--rate", "100mbit", "--longest-rtt", "5ms"];
    bed.ok(&bed.r, &up);
    bed.host_up();
    bed.serve();
    bed.flow("1");
    let status = bed.status();
    let rtt = status[1]["rtt_s"].as_f64().unwrap();
    assert!((rtt - 0.005).abs() < 1e-6, "{status:?}");
    bed.ok(&bed.s, &["down"]);
}

#[test]
fn the_status_is_printed_each_second_until_ctrl_c() {
    let Some(bed) = bed_without_host() else { return };
    bed.router_up();
    let begun = Instant::now();
    let mut watch = bed.start(&bed.r, &[], &["status", "--watch"]);
    let tables = |watch: &Running| watch.stdout().matches("\nout ").count();
    until("there are four tables", || tables(&watch) >= 4);
    assert!(begun.elapsed() >= Duration::from_secs(3), "{:?}", begun.elapsed());
    Program::new("kill").args(["-INT", &watch.id().to_string()]).output(&bed.r).unwrap();
    assert_eq!(watch.wait(Span::from_secs(20)).unwrap().code(), Some(0));
    bed.ok(&bed.r, &["down"]);
}

/// Whether a process waits for the lock of a file.
fn has_waiter(file: &File) -> bool {
    let inode = format!(":{} ", file.metadata().unwrap().ino());
    let locks = fs::read_to_string("/proc/locks").unwrap();
    locks.lines().any(|line| line.contains("->") && line.contains(&inode))
}

/// A router and a host at one device add and remove its qdisc one after the other.
#[test]
fn filters_are_attached_and_detached_in_turn() {
    let Some(bed) = bed() else { return };
    let qdiscs = || Program::new("tc").args(["qdisc", "show", "dev", "in"]).output(&bed.r).unwrap();
    let before = qdiscs();
    let cgroup = bed.apps.path().to_string_lossy();
    let router = ["router", "up", "--dev", "in", "--rate", "100mbit"];
    let host = ["host", "up", "--dev", "in", "--cgroup", &cgroup];
    for (up, down) in [(&router[..], ["router", "down"]), (&host, ["host", "down"])] {
        if down[0] == "host" {
            // When no host of other tests is up.
            bed.host_up_at(&bed.r, &["--dev", "in"]);
            bed.ok(&bed.r, &down);
        }
        for command in [up, &down] {
            fs::create_dir_all(&bed.run).unwrap();
            let folder = File::open(&bed.run).unwrap();
            folder.lock().unwrap();
            let present = qdiscs();
            let mut waiting = bed.start(&bed.r, &[], command);
            until("it waits", || has_waiter(&folder));
            assert_eq!(qdiscs(), present, "{command:?} did not wait");
            folder.unlock().unwrap();
            let status = waiting.wait(Span::from_secs(40)).unwrap();
            assert_eq!(status.code(), Some(0), "{}", waiting.stderr());
            assert_ne!(qdiscs(), present);
        }
    }
    assert_eq!(qdiscs(), before);
}

#[test]
fn each_service_has_its_own_end() {
    let Some(bed) = bed() else { return };
    let before = bed.dump();
    // Its filter is at the same device as the router's.
    bed.host_up_at(&bed.r, &["--dev", "out"]);
    bed.router_up();
    let ended = bed.sluice(&bed.r, &["host", "down"]);
    assert_eq!(ended.out, "host: ended; everything is as it was\n", "{ended:?}");
    assert_eq!(bed.status().len(), 1);
    let ended = bed.sluice(&bed.r, &["router", "down", "--dev", "out"]);
    assert_eq!(ended.out, "router at out: ended; everything is as it was\n", "{ended:?}");
    assert_eq!(bed.dump(), before);
    for (command, said) in [
        (&["router", "down", "--dev", "out"][..], "No router at out is up\n"),
        (&["host", "down"], "No host is up\n"),
        (&["down"], "Nothing is up\n"),
    ] {
        let ended = bed.sluice(&bed.r, command);
        assert_eq!((ended.code, &*ended.err), (0, said), "{command:?}");
    }
}
