//! Situations that are to cost connections nothing: each is played under CUBIC and under RCP side by side, in two networks
//! that are alike.

use std::thread;

use sluice_linux::HostCounts;
use sluice_testbed::{IperfReport, Namespace};

use crate::middlebox::Middlebox;
use crate::network::{Hosts, Network, Path, V4, mbps, two_networks, wait};
use crate::router::RcpAtLink;

/// Of what CUBIC delivers: gamma, 0.95, and a tenth for what R needs to settle, and for what differs from run to run.
const LEAST: f64 = 0.9 * 0.95;
const PATH: Path = Path::new(50, 20);
/// How long flows last, and when something happens to them, in ms.
const LENGTH: u64 = 4_000;
const CHANGE: u64 = 1_500;

/// What there is of RCP in a network: in that of CUBIC, nothing.
#[derive(Default)]
struct Rcp {
    is_used: bool,
    hosts: Option<Hosts>,
    router: Option<RcpAtLink>,
    /// At the second link, or the last.
    other_router: Option<RcpAtLink>,
}

impl Rcp {
    fn hosts_up(&mut self, network: &Network) {
        self.hosts = self.is_used.then(|| network.hosts());
    }

    fn router_up(&mut self, network: &Network) {
        self.router = self.is_used.then(|| RcpAtLink::new(&network.r1, network.path));
    }

    fn other_router_up(&mut self, at: &Namespace, device: &str, path: Path) {
        self.other_router = self.is_used.then(|| RcpAtLink::at(at, device, path));
    }

    fn router_down(&mut self, network: &Network) {
        if let Some(router) = self.router.take() {
            router.down(&network.r1);
        }
    }
}

/// Hosts and router are up before flows start.
fn up(network: &mut Network, rcp: &mut Rcp) {
    rcp.hosts_up(network);
    network.serve(true);
    rcp.router_up(network);
}

fn nothing(_: &Network, _: &mut Rcp) {}

/// Plays flows of iperf3 with these arguments after `before` and with a `change` on the way, and looks at what the flows
/// carry together and at the slowest. RCP's follow grants.
#[track_caller]
fn assert_no_worse(
    path: Path,
    arguments: &[&str],
    before: fn(&mut Network, &mut Rcp),
    change: fn(&Network, &mut Rcp),
) {
    assert_played(path, arguments, before, change, true);
}

/// The same of flows that never follow a grant: they are the kernel's own.
#[track_caller]
fn assert_untouched(
    path: Path,
    arguments: &[&str],
    before: fn(&mut Network, &mut Rcp),
    change: fn(&Network, &mut Rcp),
) {
    assert_played(path, arguments, before, change, false);
}

#[track_caller]
fn assert_played(
    path: Path,
    arguments: &[&str],
    before: fn(&mut Network, &mut Rcp),
    change: fn(&Network, &mut Rcp),
    follow: bool,
) {
    // Some situations are near the limit, and one of many runs may be below it.
    for again in [false, true] {
        let Some([cubic, rcp]) = play(path, arguments, before, change) else { return };
        let counts = rcp.counts.unwrap_or_default();
        println!("RCP {rcp:.1?}, CUBIC {cubic:.1?}, {path:?}");
        assert_eq!(counts.followed > 0, follow, "{counts:?}");
        let is_no_worse = rcp.total > LEAST * cubic.total && rcp.slowest > LEAST * cubic.slowest;
        assert!(is_no_worse || !again, "RCP {rcp:?}, CUBIC {cubic:?}");
        if is_no_worse {
            return;
        }
    }
}

/// What flows carried, in Mb/s of payload.
#[derive(Debug)]
struct Carried {
    total: f64,
    slowest: f64,
    /// Of the hosts, at the end if they are up then.
    counts: Option<HostCounts>,
}

/// Under CUBIC and under RCP.
fn play(
    path: Path,
    arguments: &[&str],
    before: fn(&mut Network, &mut Rcp),
    change: fn(&Network, &mut Rcp),
) -> Option<[Carried; 2]> {
    let mut networks = two_networks(path)?;
    let mut both = [false, true].map(|is_used| Rcp { is_used, ..Rcp::default() });
    for (network, rcp) in networks.iter_mut().zip(&mut both) {
        before(network, rcp);
    }
    let length = (LENGTH / 1_000).to_string();
    let arguments = [&["-t", &length], arguments].concat();
    let mut earlier = None;
    let reports = thread::scope(|scope| {
        let flows = networks.each_ref().map(|network| {
            let arguments = &arguments;
            scope.spawn(move || network.flows(V4, arguments))
        });
        wait(CHANGE);
        // Hosts may go.
        earlier = both[1].hosts.as_ref().map(Hosts::counts);
        for (network, rcp) in networks.iter().zip(&mut both) {
            change(network, rcp);
        }
        flows.map(|flow| flow.join().unwrap())
    });
    let [cubic, rcp] = reports.map(|report| carried(&report));
    let counts = both[1].hosts.as_ref().map(Hosts::counts).or(earlier);
    Some([cubic, Carried { counts, ..rcp }])
}

fn carried(report: &IperfReport) -> Carried {
    let streams = report.streams.iter().map(|stream| stream.received.as_bps_f64() / 1e6);
    let (total, slowest) = (streams.clone().sum(), streams.fold(f64::MAX, f64::min));
    Carried { total, slowest, counts: None }
}

#[test]
fn a_flow_alone() {
    assert_no_worse(PATH, &[], up, nothing);
}

#[test]
fn over_a_round_trip_of_a_millisecond() {
    assert_no_worse(Path::new(50, 1), &["-P", "4"], up, nothing);
}

#[test]
fn many_that_start_at_once() {
    assert_no_worse(PATH, &["-P", "48"], up, nothing);
}

#[test]
fn with_data_both_ways() {
    assert_no_worse(PATH, &["--bidir"], up, nothing);
}

#[test]
fn where_packets_are_lost() {
    for loss in [0.001, 0.01, 0.05] {
        assert_no_worse(Path { loss, ..PATH }, &["-P", "2"], up, nothing);
    }
}

#[test]
fn where_packets_overtake_others() {
    assert_no_worse(Path { reordered: 0.02, ..PATH }, &["-P", "2"], up, nothing);
}

#[test]
fn without_timestamps_with_cookies() {
    let before = |network: &mut Network, rcp: &mut Rcp| {
        network.d.sysctl("net.ipv4.tcp_timestamps", "0").unwrap();
        network.d.sysctl("net.ipv4.tcp_syncookies", "2").unwrap();
        up(network, rcp);
    };
    assert_no_worse(PATH, &["-P", "2"], before, nothing);
}

/// Where selective acknowledgements fill the options of data that come back, too.
#[test]
fn where_options_are_full() {
    assert_no_worse(Path { loss: 0.02, ..PATH }, &["--bidir"], up, nothing);
}

#[test]
fn to_a_peer_without_it() {
    let before = |network: &mut Network, rcp: &mut Rcp| {
        up(network, rcp);
        network.serve(false);
    };
    assert_untouched(PATH, &[], before, nothing);
}

/// Removes options of what goes to `d`.
fn strip(network: &Network, _: &mut Rcp) {
    // The namespace ends with the test, and the program with it.
    drop(Middlebox::stripping(&network.r2, "in"));
}

#[test]
fn where_options_are_removed() {
    let before = |network: &mut Network, rcp: &mut Rcp| {
        up(network, rcp);
        strip(network, rcp);
    };
    assert_untouched(PATH, &[], before, nothing);
    assert_no_worse(PATH, &[], up, strip);
}

#[test]
fn when_the_router_s_process_is_killed() {
    assert_no_worse(PATH, &[], up, |_, rcp| rcp.router.iter_mut().for_each(RcpAtLink::kill));
}

#[test]
fn when_the_router_goes_down_or_comes_up() {
    assert_no_worse(PATH, &[], up, |network, rcp| rcp.router_down(network));
    let before = |network: &mut Network, rcp: &mut Rcp| {
        rcp.hosts_up(network);
        network.serve(true);
    };
    assert_no_worse(PATH, &[], before, |network, rcp| rcp.router_up(network));
}

#[test]
fn when_hosts_go_down_or_come_up() {
    assert_no_worse(PATH, &[], up, |_, rcp| rcp.hosts = None);
    let before = |network: &mut Network, rcp: &mut Rcp| {
        network.serve(true);
        rcp.router_up(network);
    };
    assert_untouched(PATH, &[], before, |network, rcp| rcp.hosts_up(network));
}

#[test]
fn over_two_bottlenecks_in_a_row() {
    let before = |network: &mut Network, rcp: &mut Rcp| {
        up(network, rcp);
        let last = Path { rate: mbps(40), ..network.path };
        rcp.other_router_up(&network.r2, "in", last);
    };
    assert_no_worse(Path { last: Some(mbps(40)), ..PATH }, &["-P", "2"], before, nothing);
}

/// To a link of less, and to one of more, with a router and without.
#[test]
fn when_the_route_changes() {
    let take = |network: &Network, _: &mut Rcp| network.take_second_link();
    let slower = |network: &mut Network, rcp: &mut Rcp| {
        let path = Path::new(25, 40);
        network.add_second_link(path);
        up(network, rcp);
        rcp.other_router_up(&network.r1, "out2", path);
    };
    assert_no_worse(PATH, &["-P", "2"], slower, take);
    let silent = |network: &mut Network, rcp: &mut Rcp| {
        network.add_second_link(Path::new(25, 40));
        up(network, rcp);
    };
    assert_no_worse(PATH, &["-P", "2"], silent, take);
    let faster = |network: &mut Network, rcp: &mut Rcp| {
        let path = Path::new(100, 10);
        network.add_second_link(path);
        up(network, rcp);
        rcp.other_router_up(&network.r1, "out2", path);
    };
    assert_no_worse(PATH, &["-P", "2"], faster, take);
}
