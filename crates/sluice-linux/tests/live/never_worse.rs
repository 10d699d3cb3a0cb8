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

/// What flows carried, in Mb/s of payload.
#[derive(Debug)]
struct Carried {
    total: f64,
    slowest: f64,
    /// Of the hosts, at the end if they are up then.
    counts: Option<HostCounts>,
}

impl Carried {
    fn plus(&self, other: &Self) -> Self {
        let (total, slowest) = (self.total + other.total, self.slowest + other.slowest);
        Self { total, slowest, counts: other.counts }
    }
}

/// Flows of iperf3, and what happens to them.
#[derive(Clone, Copy)]
struct Situation {
    path: Path,
    arguments: &'static [&'static str],
    /// Before flows start.
    before: fn(&mut Network, &mut Rcp),
    /// While they run.
    change: fn(&Network, &mut Rcp),
    /// Whether RCP's flows follow grants at some time; if not, they are the kernel's own.
    follow: bool,
}

/// One flow, with hosts and router.
const ALONE: Situation =
    Situation { path: PATH, arguments: &[], before: up, change: |_, _| (), follow: true };
const TWO: Situation = Situation { arguments: &["-P", "2"], ..ALONE };

impl Situation {
    /// Looks at what the flows carry together and at the slowest. Some situations are near the limit, and one of many runs may be
    /// below it: it is played again, and both count.
    #[track_caller]
    fn assert_no_worse(self) {
        let Some(first) = self.compared() else { return };
        if !is_no_worse(&first) {
            let Some(second) = self.compared() else { return };
            let both = [0, 1].map(|system| first[system].plus(&second[system]));
            assert!(is_no_worse(&both), "CUBIC and RCP in two runs: {both:?}");
        }
    }

    #[track_caller]
    fn compared(&self) -> Option<[Carried; 2]> {
        let [cubic, rcp] = self.play()?;
        println!("RCP {rcp:.1?}, CUBIC {cubic:.1?}, {:?}", self.path);
        let counts = rcp.counts.unwrap_or_default();
        assert_eq!(counts.followed > 0, self.follow, "{counts:?}");
        Some([cubic, rcp])
    }

    /// Under CUBIC and under RCP.
    fn play(&self) -> Option<[Carried; 2]> {
        let mut networks = two_networks(self.path)?;
        let mut both = [false, true].map(|is_used| Rcp { is_used, ..Rcp::default() });
        for (network, rcp) in networks.iter_mut().zip(&mut both) {
            (self.before)(network, rcp);
        }
        let length = (LENGTH / 1_000).to_string();
        let arguments = [&["-t", &length], self.arguments].concat();
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
                (self.change)(network, rcp);
            }
            flows.map(|flow| flow.join().unwrap())
        });
        let [cubic, rcp] = reports.map(|report| carried(&report));
        let counts = both[1].hosts.as_ref().map(Hosts::counts).or(earlier);
        Some([cubic, Carried { counts, ..rcp }])
    }
}

fn is_no_worse([cubic, rcp]: &[Carried; 2]) -> bool {
    rcp.total > LEAST * cubic.total && rcp.slowest > LEAST * cubic.slowest
}

fn carried(report: &IperfReport) -> Carried {
    let streams = report.streams.iter().map(|stream| stream.received.as_bps_f64() / 1e6);
    let (total, slowest) = (streams.clone().sum(), streams.fold(f64::MAX, f64::min));
    Carried { total, slowest, counts: None }
}

#[test]
fn a_flow_alone() {
    ALONE.assert_no_worse();
}

#[test]
fn over_a_round_trip_of_a_millisecond() {
    Situation { path: Path::new(50, 1), arguments: &["-P", "4"], ..ALONE }.assert_no_worse();
}

#[test]
fn many_that_start_at_once() {
    Situation { arguments: &["-P", "48"], ..ALONE }.assert_no_worse();
}

#[test]
fn with_data_both_ways() {
    Situation { arguments: &["--bidir"], ..ALONE }.assert_no_worse();
}

#[test]
fn where_packets_are_lost() {
    for loss in [0.001, 0.01, 0.05] {
        Situation { path: Path { loss, ..PATH }, ..TWO }.assert_no_worse();
    }
}

#[test]
fn where_packets_overtake_others() {
    Situation { path: Path { reordered: 0.02, ..PATH }, ..TWO }.assert_no_worse();
}

#[test]
fn without_timestamps_with_cookies() {
    let before = |network: &mut Network, rcp: &mut Rcp| {
        network.d.sysctl("net.ipv4.tcp_timestamps", "0").unwrap();
        network.d.sysctl("net.ipv4.tcp_syncookies", "2").unwrap();
        up(network, rcp);
    };
    Situation { before, ..TWO }.assert_no_worse();
}

/// Where selective acknowledgements fill the options of data that come back, too.
#[test]
fn where_options_are_full() {
    Situation { path: Path { loss: 0.02, ..PATH }, arguments: &["--bidir"], ..ALONE }
        .assert_no_worse();
}

#[test]
fn to_a_peer_without_it() {
    let before = |network: &mut Network, rcp: &mut Rcp| {
        up(network, rcp);
        network.serve(false);
    };
    Situation { before, follow: false, ..ALONE }.assert_no_worse();
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
    Situation { before, follow: false, ..ALONE }.assert_no_worse();
    Situation { change: strip, ..ALONE }.assert_no_worse();
}

#[test]
fn when_the_router_s_process_is_killed() {
    Situation { change: |_, rcp| rcp.router.iter_mut().for_each(RcpAtLink::kill), ..ALONE }
        .assert_no_worse();
}

#[test]
fn when_the_router_goes_down_or_comes_up() {
    Situation { change: |network, rcp| rcp.router_down(network), ..ALONE }.assert_no_worse();
    let before = |network: &mut Network, rcp: &mut Rcp| {
        rcp.hosts_up(network);
        network.serve(true);
    };
    Situation { before, change: |network, rcp| rcp.router_up(network), ..ALONE }.assert_no_worse();
}

#[test]
fn when_hosts_go_down_or_come_up() {
    Situation { change: |_, rcp| rcp.hosts = None, ..ALONE }.assert_no_worse();
    let before = |network: &mut Network, rcp: &mut Rcp| {
        network.serve(true);
        rcp.router_up(network);
    };
    Situation { before, change: |network, rcp| rcp.hosts_up(network), follow: false, ..ALONE }
        .assert_no_worse();
}

#[test]
fn over_two_bottlenecks_in_a_row() {
    let before = |network: &mut Network, rcp: &mut Rcp| {
        up(network, rcp);
        let last = Path { rate: mbps(40), ..network.path };
        rcp.other_router_up(&network.r2, "in", last);
    };
    Situation { path: Path { last: Some(mbps(40)), ..PATH }, before, ..TWO }.assert_no_worse();
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
    Situation { before: slower, change: take, ..TWO }.assert_no_worse();
    let silent = |network: &mut Network, rcp: &mut Rcp| {
        network.add_second_link(Path::new(25, 40));
        up(network, rcp);
    };
    Situation { before: silent, change: take, ..TWO }.assert_no_worse();
    let faster = |network: &mut Network, rcp: &mut Rcp| {
        let path = Path::new(100, 10);
        network.add_second_link(path);
        up(network, rcp);
        rcp.other_router_up(&network.r1, "out2", path);
    };
    Situation { before: faster, change: take, ..TWO }.assert_no_worse();
}
