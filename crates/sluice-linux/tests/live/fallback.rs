//! Connections that nobody grants a rate, or nobody any more: they are the kernel's own, as if nothing were installed.

use sluice_linux::HostCounts;
use sluice_units::{Bytes, Rate};

use crate::middlebox::{Middlebox, SYN, SYN_ACK};
use crate::network::{Network, Path, V4, mbps, network, wait};
use crate::router::FixedGrants;

const PATH: Path = Path::new(50, 10);

/// What a flow gets of the link when it does not follow grants: nearly all.
#[track_caller]
fn assert_full(found: Rate) {
    assert!(found.as_bps_f64() > 0.9 * PATH.rate.as_bps_f64(), "{found} of {}", PATH.rate);
}

#[track_caller]
fn assert_granted(network: &Network, grant: Rate) {
    let found = network.counted(|| wait(300)).throughput();
    assert!(found.as_bps_f64() < 1.1 * grant.as_bps_f64(), "{found} granted {grant}");
}

/// A connection that followed grants of 10 Mb/s has the link from a second after `change` on.
#[track_caller]
fn takes_over_after(network: &Network, change: impl FnOnce()) {
    network.beside_flows(V4, &[], || {
        wait(500);
        assert_granted(network, mbps(10));
        change();
        wait(1_000);
        assert_full(network.counted(|| wait(700)).throughput());
    });
}

/// An ordinary flow of a second.
#[track_caller]
fn flows_ordinarily(network: &Network) {
    let found = network.counted(|| drop(network.flows(V4, &["-t", "1"]))).throughput();
    // With its handshakes, and its end.
    assert!(found.as_bps_f64() > 0.8 * PATH.rate.as_bps_f64(), "{found} of {}", PATH.rate);
}

#[test]
fn without_routers_connections_are_ordinary() {
    let Some(mut network) = network(PATH) else { return };
    let hosts = network.hosts();
    network.serve(true);
    flows_ordinarily(&network);
    let counts = hosts.counts();
    assert_eq!((counts.agreed, counts.followed, counts.fell_back), (4, 0, 0), "{counts:?}");
}

#[test]
fn a_peer_without_it_has_ordinary_connections() {
    let Some(mut network) = network(PATH) else { return };
    let hosts = network.hosts();
    network.serve(false);
    let router = FixedGrants::new(&network);
    router.grant(mbps(10));
    flows_ordinarily(&network);
    let counts = hosts.counts();
    // Its SYNs had an option, and nothing else.
    let expected = HostCounts { ordinary: 2, full: 2, ..HostCounts::default() };
    assert_eq!(counts, expected);
    router.down(&network.r1);
}

#[test]
fn options_removed_on_the_way_leave_connections_ordinary() {
    let Some(mut network) = network(PATH) else { return };
    let hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(10));
    // From requests, and from answers.
    for (at, device) in [(&network.r2, "in"), (&network.r1, "in")] {
        let middlebox = Middlebox::stripping(at, device);
        flows_ordinarily(&network);
        middlebox.end();
    }
    let counts = hosts.counts();
    assert_eq!((counts.agreed, counts.ordinary, counts.followed), (0, 8, 0), "{counts:?}");
    router.down(&network.r1);
}

/// A connection takes longer than without: two SYNs are lost, or a SYN-ACK.
#[test]
fn packets_dropped_for_the_option_keep_no_connection_away() {
    let Some(mut network) = network(PATH) else { return };
    let hosts = network.hosts();
    network.serve(true);
    for (at, flags) in [(&network.r2, SYN), (&network.r1, SYN_ACK)] {
        let middlebox = Middlebox::dropping(at, "in", flags);
        let report = network.flows(V4, &["-t", "1"]);
        assert!(report.received_bytes > Bytes::new(1_000_000), "{report:?}");
        middlebox.end();
    }
    let counts = hosts.counts();
    assert_eq!((counts.agreed, counts.ordinary), (0, 8), "{counts:?}");
}

/// As after a change of route, to one with a middlebox.
#[test]
fn options_removed_in_mid_flow_end_it() {
    let Some(mut network) = network(PATH) else { return };
    let hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(10));
    let mut middlebox = None;
    takes_over_after(&network, || middlebox = Some(Middlebox::stripping(&network.r2, "in")));
    assert!(hosts.counts().fell_back > 0);
    middlebox.unwrap().end();
    router.down(&network.r1);
}

/// As after a change of route, to one without routers that grant.
#[test]
fn a_router_that_goes_down_leaves_connections_ordinary() {
    let Some(mut network) = network(PATH) else { return };
    let hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(10));
    takes_over_after(&network, || router.down(&network.r1));
    assert!(hosts.counts().fell_back > 0);
}

/// Grants expire as they do when the router's process is killed; they come again when it is back.
#[test]
fn connections_follow_grants_only_while_there_are_some() {
    let Some(mut network) = network(PATH) else { return };
    let hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(10));
    network.beside_flows(V4, &[], || {
        wait(500);
        assert_granted(&network, mbps(10));
        router.stop();
        wait(700);
        assert_full(network.counted(|| wait(500)).throughput());
        router.grant(mbps(20));
        wait(300);
        assert_granted(&network, mbps(20));
    });
    assert!(hosts.counts().fell_back > 0);
    router.down(&network.r1);
}

/// Losses while grants fall are those of an overload that a router sees, and no reason to ignore grants, although in each of more than four
/// rounds the link carries far less than is granted.
#[test]
fn losses_while_grants_fall_end_no_control() {
    let Some(mut network) = network(PATH) else { return };
    let hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(20));
    network.beside_flows(V4, &[], || {
        wait(600);
        // From 20 times what the link carries to that, by more than an eighth a round.
        for step in 0..20 {
            router.grant(Rate::from_bps_f64(1e9 * 0.85_f64.powi(step)));
            wait(30);
        }
        let counted = network.link.forward().counters();
        assert!(counted.dropped_packets > 100, "{counted:?}");
        router.grant(mbps(40));
        wait(400);
        assert_granted(&network, mbps(40));
    });
    assert_eq!(hosts.counts().lossy, 0, "{:?}", hosts.counts());
    router.down(&network.r1);
}

/// A router grants what a link behind it, without one, does not carry: hosts do not overload that for ever.
#[test]
fn a_narrower_link_that_grants_nothing_is_not_overloaded() {
    let Some(mut network) = network(PATH) else { return };
    let hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(&network);
    // Four times as much, and a third more than it carries.
    for grant in [mbps(100), mbps(33)] {
        router.grant(grant);
        network.beside_flows(V4, &["-P", "2"], || {
            wait(2_500);
            let counted = network.counted(|| wait(1_000));
            assert_full(counted.throughput());
            let drops = counted.dropped_packets as f64 / counted.packets as f64;
            assert!(drops < 0.05, "{grant}: {drops} of the packets dropped");
        });
    }
    // The last of four may follow on, beside one that yields to it.
    assert!(hosts.counts().lossy >= 3, "{:?}", hosts.counts());
    router.down(&network.r1);
}

/// The same where the router's grants rise and fall: a fall is no reason to distrust, nor one to forget the losses before it.
#[test]
fn a_narrower_link_is_not_overloaded_by_grants_that_vary() {
    let Some(mut network) = network(PATH) else { return };
    let hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(120));
    network.beside_flows(V4, &[], || {
        for step in 0..60 {
            router.grant(mbps(if step % 4 < 3 { 120 } else { 90 }));
            wait(50);
        }
    });
    assert!(hosts.counts().lossy >= 1, "{:?}", hosts.counts());
    router.down(&network.r1);
}

#[test]
fn a_host_that_goes_down_leaves_connections_ordinary() {
    let Some(mut network) = network(PATH) else { return };
    let mut hosts = network.hosts();
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(10));
    takes_over_after(&network, || hosts.detach());
    assert!(hosts.counts().fell_back > 0);
    router.down(&network.r1);
}

#[test]
fn a_host_that_comes_up_leaves_old_connections_as_they_are() {
    let Some(mut network) = network(PATH) else { return };
    network.serve(true);
    let router = FixedGrants::new(&network);
    router.grant(mbps(10));
    network.beside_flows(V4, &[], || {
        wait(500);
        let hosts = network.hosts();
        wait(300);
        assert_full(network.counted(|| wait(700)).throughput());
        assert_eq!(hosts.counts(), HostCounts::default());
    });
    router.down(&network.r1);
}
