//! Connections that follow grants.

use std::time::{Duration, Instant};

use sluice_linux::{HostCounts, ListenerCounts};
use sluice_units::{Rate, Span};

use crate::network::{Network, Path, V4, V6, assert_near, mbps, network, wait};
use crate::router::FixedGrants;

#[test]
fn a_connection_runs_at_its_grant() {
    let Some(mut network) = network(Path::new(100, 20)) else { return };
    let hosts = network.hosts();
    let router = FixedGrants::new(&network);
    for to in [V4, V6] {
        network.serve(true);
        router.grant(mbps(30));
        network.beside_flows(to, &[], || {
            wait(500);
            // As the link counts, headers included.
            assert_near(network.counted(|| wait(600)).throughput(), mbps(30), 0.03);
            router.grant(mbps(60));
            // An RTT, and what a receiver's window may need to open.
            wait(100);
            let faster = network.counted(|| wait(600));
            assert_near(faster.throughput(), mbps(60), 0.03);
            assert_eq!(faster.dropped_packets, 0);
        });
    }
    let counts = hosts.counts();
    // A control and a data connection at either end, twice.
    assert_eq!((counts.agreed, counts.ordinary, counts.fell_back), (8, 0, 0), "{counts:?}");
    let stated = router.sums().mean_rtt().unwrap();
    assert!(stated > Span::from_millis(20) && stated < Span::from_millis(24), "{stated}");
    router.down(&network.r1);
}

/// The first flight, 64 kB by the window of a SYN-ACK, needs no slow start: 200 kB take at least one round trip less.
#[test]
fn the_first_grant_comes_with_the_handshake() {
    let Some(mut network) = network(Path::new(100, 100)) else { return };
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(20));
    let take = |network: &Network| {
        let start = Instant::now();
        network.flows(V4, &["-n", "200K"]);
        start.elapsed()
    };
    let without = take(&network);
    let hosts = network.hosts();
    network.serve(true);
    let with = take(&network);
    assert!(with + Duration::from_millis(80) < without, "{with:?}, {without:?} without");
    assert!(hosts.counts().followed > 0);
    router.down(&network.r1);
}

/// Servers need no new start, from Linux 6.12 on. Those of another cgroup stay as they are.
#[test]
fn sockets_that_listen_already_take_part() {
    let Some(mut network) = network(Path::new(100, 20)) else { return };
    let router = FixedGrants::new(&network);
    router.grant(mbps(30));
    for in_cgroup in [true, false] {
        network.serve(in_cgroup);
        let hosts = network.hosts();
        let ListenerCounts { watched, left } = hosts.listeners;
        assert_eq!(watched + left, u64::from(in_cgroup));
        network.flows(V4, &["-t", "1"]);
        let [agreed, ordinary] = if watched == 1 { [4, 0] } else { [0, 2] };
        let counts = hosts.counts();
        assert_eq!((counts.agreed, counts.ordinary), (agreed, ordinary), "{counts:?}");
    }
    router.down(&network.r1);
}

/// A grant is old after a pause: the link may be another's by then.
#[test]
fn after_a_pause_connections_begin_anew() {
    let Some(mut network) = network(Path::new(100, 20)) else { return };
    let hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(90));
    // 100 kB each half second, at once.
    let arguments = ["-b", "1600K/1", "-l", "100K"];
    network.beside_flows(V4, &arguments, || {
        wait(1_200);
        router.stop();
        let Path { rtt, rate, .. } = network.path;
        let slow = Path { rate: Rate::from_bps(rate.as_bps() / 10), rtt, ..network.path };
        network.link.forward().reconfigure(crate::network::direction(slow)).unwrap();
        let counted = network.counted(|| wait(2_000));
        assert_eq!(counted.dropped_packets, 0, "{counted:?}");
    });
    assert!(hosts.counts().fell_back > 0);
    router.down(&network.r1);
}

#[test]
fn the_lowest_grant_of_the_path_counts() {
    let Some(mut network) = network(Path::new(100, 10)) else { return };
    let _hosts = network.hosts();
    network.serve(true);
    let [first, second] =
        [(&network.r1, "out"), (&network.r2, "in")].map(|(at, device)| FixedGrants::at(at, device));
    network.beside_flows(V4, &[], || {
        for [a, b] in [[20, 50], [50, 30]] {
            first.grant(mbps(a));
            second.grant(mbps(b));
            wait(400);
            let found = network.counted(|| wait(400)).throughput();
            // A busy machine sends less than it is granted.
            let ratio = found.as_bps_f64() / mbps(a.min(b)).as_bps_f64();
            assert!((0.9..1.03).contains(&ratio), "{found} granted {a} and {b} Mb/s");
        }
    });
    first.down(&network.r1);
    second.down(&network.r2);
}

#[test]
fn flows_of_either_direction_follow_their_own_grants() {
    let Some(mut network) = network(Path::new(100, 10)) else { return };
    let hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(40));
    network.beside_flows(V4, &["--bidir"], || {
        wait(600);
        let forward = network.counted(|| wait(800)).throughput();
        // Echoes and acknowledgements of the data that come back, which have no grants: CUBIC fills that way.
        let data = forward.as_bps_f64() / mbps(40).as_bps_f64();
        assert!((0.97..1.1).contains(&data), "{forward}");
        let queue = network.link.backward().counters().max_queue;
        assert!(queue.as_f64() > network.path.bdp() / 2.0, "{queue}");
    });
    assert_eq!(hosts.counts().fell_back, 0);
    router.down(&network.r1);
}

#[test]
fn a_host_without_timestamps_speaks_it_too() {
    let Some(mut network) = network(Path { loss: 0.02, ..Path::new(100, 20) }) else { return };
    network.s.sysctl("net.ipv4.tcp_timestamps", "0").unwrap();
    follows(&mut network, |_| ());
}

/// With SYN cookies a listener forgets the SYN, and learns from the client's answer that it speaks the protocol.
#[test]
fn connections_by_syn_cookies_speak_it_too() {
    let Some(mut network) = network(Path::new(100, 20)) else { return };
    network.d.sysctl("net.ipv4.tcp_syncookies", "2").unwrap();
    follows(&mut network, |_| ());
}

/// Options are full of selective acknowledgements then: what room there is goes to echoes.
#[test]
fn losses_do_not_keep_grants_away() {
    let Some(mut network) = network(Path { loss: 0.05, ..Path::new(100, 20) }) else { return };
    follows(&mut network, |counts| assert!(counts.made_room > 0, "{counts:?}"));
}

#[test]
fn reordered_packets_are_no_reason_to_slow_down() {
    let Some(mut network) = network(Path { reordered: 0.02, ..Path::new(100, 20) }) else { return };
    follows(&mut network, |_| ());
}

/// Two flows follow their grants of 30 Mb/s, whatever else happens.
#[track_caller]
fn follows(network: &mut Network, check: impl FnOnce(HostCounts)) {
    let hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(network);
    router.grant(mbps(30));
    network.beside_flows(V4, &["-P", "2"], || {
        wait(600);
        assert_near(network.counted(|| wait(1_000)).throughput(), mbps(60), 0.05);
    });
    let counts = hosts.counts();
    assert_eq!((counts.agreed, counts.ordinary, counts.fell_back), (6, 0, 0), "{counts:?}");
    check(counts);
    router.down(&network.r1);
}
