//! Options that no host writes, in connections whose data come back. Programs at sockets have no test run.
//!
//! `SLUICE_LINUX_SECONDS` sets for how long, over IPv4 and over IPv6.

use std::fs;

use sluice_testbed::{Program, Running, start_server};

use crate::middlebox::Middlebox;
use crate::network::{Network, Path, V4, V6, assert_near, mbps, network_alone, wait};
use crate::router::FixedGrants;

const PATH: Path = Path::new(1_000, 1);
/// A server and its clients, and the port.
const ECHO: &str = include_str!("echo.py");
const ECHO_PORT: u16 = 5_300;

/// What the kernel has complained of since it started, such as a warning or an oops: a bit for each kind.
fn complaints() -> String {
    fs::read_to_string("/proc/sys/kernel/tainted").unwrap()
}

/// `echo.py` at a host, in the cgroup.
fn python(network: &Network, arguments: &[&str]) -> Program {
    let program = Program::new("python3").args(["-c", ECHO]).args(arguments);
    program.cgroup(Some(&network.cgroup))
}

/// Connections for as many seconds, to an address of `d`; returns their number.
fn connections(network: &Network, to: &str, seconds: &str) -> u64 {
    let said = python(network, &["ask", to, seconds]).output(&network.s).unwrap();
    println!("connections and bytes: {}", said.trim());
    said.split_whitespace().next().unwrap().parse().unwrap()
}

fn serve(network: &Network) -> Running {
    start_server(&python(network, &["serve"]), &network.d, ECHO_PORT).unwrap()
}

#[test]
fn garbled_options_harm_no_connection() {
    let Some(mut network) = network_alone(PATH) else { return };
    for host in [&network.s, &network.d] {
        // Each packet for itself, and no trains.
        host.ip(&["link", "set", "net", "gso_max_segs", "1"]).unwrap();
    }
    let hosts = network.hosts();
    let router = FixedGrants::new(&network);
    router.grant(mbps(400));
    let before = complaints();
    let server = serve(&network);
    let boxes = [&network.r1, &network.r2].map(|at| Middlebox::garbling(at, "in"));
    let seconds = std::env::var("SLUICE_LINUX_SECONDS").unwrap_or("1.5".into());
    let made: u64 = [V4, V6].map(|to| connections(&network, to, &seconds)).iter().sum();
    let touched: u64 = boxes.iter().map(Middlebox::touched).sum();
    println!("{touched} packets with an option, {:?}", hosts.counts());
    assert!(made > 20, "{made} connections");
    assert!(touched > 20_000, "{touched} packets with an option");
    assert_eq!(complaints(), before);
    boxes.into_iter().for_each(Middlebox::end);
    drop(server);
    // And the programs still do what they are for.
    network.serve(true);
    router.grant(mbps(30));
    network.beside_flows(V4, &[], || {
        wait(400);
        assert_near(network.counted(|| wait(400)).throughput(), mbps(30), 0.05);
    });
    router.down(&network.r1);
}

/// Of another version, law or experiment, or of a length that no option has: no rate of theirs counts above the grant.
#[test]
fn options_that_hosts_do_not_support_raise_no_rate() {
    let Some(mut network) = network_alone(Path::new(200, 10)) else { return };
    let hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(30));
    network.beside_flows(V4, &["-P", "2"], || {
        wait(500);
        let boxes = [&network.r1, &network.r2].map(|at| Middlebox::breaking(at, "in"));
        wait(100);
        assert_near(network.counted(|| wait(1_500)).throughput(), mbps(60), 0.05);
        let touched: Vec<u64> = boxes.iter().map(Middlebox::touched).collect();
        assert!(touched.iter().all(|&touched| touched > 1_000), "{touched:?} packets");
    });
    let counts = hosts.counts();
    assert_eq!((counts.fell_back, counts.lossy), (0, 0), "{counts:?}");
    router.down(&network.r1);
}
