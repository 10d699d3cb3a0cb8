//! Cases that one nanosecond or one packet decides: full buffers, a timer due as an ACK arrives, ACKs
//! of a flow that is gone, packets that meet at one instant, flows that end at the same instant.

use crate::shown::{config, flow, group, link, pipe, results};
use sluice_laws::protocol::Protocol;
use sluice_laws::tcp::{LossRecovery, TcpParams};
use sluice_sim::queue::{Avq, Discipline, LabelRate, NcpCsfq, Red, Rem, TcpFriendly};
use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, FlowRecord, GroupConfig, LinkLaw, Observer, Progress, run};
use sluice_units::{BufferSize, Bytes, Ratio, Span, Time};

/// Propagation delay each way.
const DELAY: Span = Span::from_millis(50);
/// What a data packet takes at 80 Mb/s, and a packet of 40 bytes.
const PACKET: Span = Span::from_micros(100);
const CONTROL: Span = Span::from_micros(4);
/// When the SYN-ACK arrives.
const OPEN: Span = Span::from_micros(100_000 + 4 + 4);

/// Packets dropped of a window of 20 that arrives at once.
fn drops(buffer: BufferSize) -> u64 {
    let mut links = pipe(80_000_000, DELAY);
    links[0].buffer = buffer;
    let traffic = Traffic::List(vec![flow(Time::ZERO, 20)]);
    // Nothing is sent again before the first acknowledgement, 100 ms after.
    let config = config(links, vec![group(traffic)], OPEN + DELAY);
    let tcp = TcpParams { initial_window: Some(20), ..TcpParams::default() };
    results(&config, &tcp).1.links[0].drops
}

/// A limit in packets excludes the packet in transmission; one in bytes includes it.
#[test]
fn a_buffer_holds_its_stated_size() {
    for packets in [0, 1, 5, 18, 19, 20] {
        let found = drops(BufferSize::Packets(packets));
        assert_eq!(found, 19_u64.saturating_sub(packets), "{packets} packets");
    }
    for (bytes, packets) in [(5000, 5), (5999, 5), (4999, 4), (20_000, 20)] {
        assert_eq!(drops(BufferSize::Bytes(Bytes::new(bytes))), 20 - packets, "{bytes} bytes");
    }
}

/// AVQ takes as many packets at once as its virtual buffer holds, and drops the others early.
#[test]
fn a_virtual_buffer_holds_its_stated_size() {
    for packets in [1, 5, 19, 20] {
        let mut links = pipe(80_000_000, DELAY);
        let virtual_buffer = Some(BufferSize::Packets(packets));
        links[0].queue = Discipline::Avq(Avq { virtual_buffer, ..Avq::default() });
        let traffic = Traffic::List(vec![flow(Time::ZERO, 20)]);
        let config = config(links, vec![group(traffic)], OPEN + DELAY);
        let tcp = TcpParams { initial_window: Some(20), ..TcpParams::default() };
        let link = results(&config, &tcp).1.links[0].clone();
        assert_eq!((link.drops, link.early_drops), (20 - packets, 20 - packets));
    }
}

/// Where labels are of inter-arrival times alone, one packet of a burst at one instant passes: the others have labels
/// of 8 Tb/s and more.
#[test]
fn a_burst_has_one_packet_with_a_gap_before_it() {
    let mut links = pipe(80_000_000, DELAY);
    let gap = NcpCsfq { labels: LabelRate::Gap, ..NcpCsfq::default() };
    links[0].queue = Discipline::NcpCsfq(gap);
    let traffic = Traffic::List(vec![flow(Time::ZERO, 20)]);
    let config = config(links, vec![group(traffic)], OPEN + DELAY);
    let tcp = TcpParams { initial_window: Some(20), ..TcpParams::default() };
    let link = results(&config, &tcp).1.links[0].clone();
    assert_eq!((link.drops, link.early_drops), (19, 19));
}

/// The T-queue of two queues takes as many packets at once as RED lets wait in it, which are those of class 0 but for
/// the one in transmission; packets of the other class do not count.
#[test]
fn the_queue_for_tcp_holds_what_red_lets_wait() {
    for packets in [3, 5, 17, 18, 19] {
        for (class, dropped) in [(0, 19_u64.saturating_sub(packets)), (1, 0)] {
            let mut links = pipe(80_000_000, DELAY);
            // All of them from this average on.
            let at = |packets| Some(BufferSize::Packets(packets));
            let (min_th, max_th, weight) = (at(packets - 1), at(packets), Some(Ratio::new(1.0)));
            let red = Red { min_th, max_th, weight, gentle: false, ..Red::default() };
            let red = Red { max_p: Ratio::new(1e-9), ..red };
            links[0].queue = Discipline::TcpFriendly(TcpFriendly { red, ..TcpFriendly::default() });
            links[0].router = LinkLaw::None.into();
            let flows = group(Traffic::List(vec![flow(Time::ZERO, 20)]));
            let flows = GroupConfig { class, ..flows };
            let config = config(links, vec![flows], OPEN + DELAY);
            let tcp = TcpParams { initial_window: Some(20), ..TcpParams::default() };
            let link = results(&config, &tcp).1.links[0].clone();
            assert_eq!((link.drops, link.early_drops), (dropped, dropped), "{packets}, {class}");
        }
    }
}

/// At one instant a discipline's timer comes before what arrives: REM learns at 101 ms of 20 packets
/// that arrived since 100 ms, and drops every packet from then on.
#[test]
fn a_disciplines_timer_comes_before_an_arrival_of_the_same_instant() {
    let rem = Rem {
        period: Span::from_millis(1),
        gamma: Ratio::new(1.0),
        phi: Ratio::new(1e100),
        ..Rem::default()
    };
    let early_drops = |start: Span, lookahead| {
        let mut links = pipe(80_000_000, DELAY);
        links[0].queue = Discipline::Rem(rem);
        let traffic = Traffic::List(vec![flow(Time::ZERO, 20), flow(Time::ZERO + start, 1)]);
        let mut config = config(links, vec![group(traffic)], OPEN + DELAY);
        config.lookahead = lookahead;
        let tcp = TcpParams { initial_window: Some(20), ..TcpParams::default() };
        results(&config, &tcp).1.links[0].early_drops
    };
    for lookahead in [true, false] {
        let tick = Span::from_millis(101);
        assert_eq!(early_drops(tick, lookahead), 1);
        assert_eq!(early_drops(tick.saturating_sub(Span::NANO), lookahead), 0);
    }
}

/// At one instant a host's timers come before what arrives: the SYN is repeated, and the window is
/// one packet from then on (RFC 5681 section 3.1).
#[test]
fn a_timer_comes_before_an_arrival_of_the_same_instant() {
    for lookahead in [true, false] {
        let traffic = Traffic::List(vec![flow(Time::ZERO, 2)]);
        let mut config = config(pipe(80_000_000, DELAY), vec![group(traffic)], Span::from_secs(10));
        config.lookahead = lookahead;
        let took = |initial_rto| {
            let timers = (Some(initial_rto), Some(Span::from_millis(1)));
            let (initial_rto, min_rto) = timers;
            let tcp = TcpParams { initial_rto, min_rto, ..TcpParams::default() };
            results(&config, &tcp).0[0].completion
        };
        // The second SYN leaves first, and the packets go one a round trip.
        let round_trip = PACKET + DELAY + CONTROL + DELAY;
        assert_eq!(took(OPEN), Some(OPEN + CONTROL + round_trip + PACKET + DELAY));
        assert_eq!(took(OPEN + Span::from_nanos(1)), Some(OPEN + PACKET * 2 + DELAY));
    }
}

/// A flow's answers may outlive it, and another flow may have its place by then. Over 8 kb/s a data
/// packet takes longer than the time-out that the SYN taught, so it is sent twice; the answer to
/// the copy comes 300 ms after the flow is over, when the next flow has just lost its only packet.
#[test]
fn an_answer_to_a_flow_that_is_gone_reaches_no_other() {
    let fast = |from, to| link(from, to, 1_000_000_000, Span::from_micros(500));
    let mut links = vec![link(0, 1, 8_000, Span::ZERO), fast(1, 0), fast(2, 3), fast(3, 2)];
    links[1].delay = Span::from_millis(300);
    links[2].losses = vec![1];
    let list = |name: &str, from, to, start| {
        let traffic = Traffic::List(vec![flow(Time::ZERO + Span::from_millis(start), 1)]);
        GroupConfig { name: name.into(), from, to, ..group(traffic) }
    };
    let groups = vec![list("slow", 0, 1, 0), list("fast", 2, 3, 2400)];
    let mut config = config(links, groups, Span::from_secs(20));
    // A host that runs ahead hears the answer before the next flow starts.
    config.lookahead = false;
    // Tail loss probes would come before the time-outs.
    let params = TcpParams { recovery: Some(LossRecovery::Sack), ..TcpParams::default() };
    let (flows, _) = results(&config, &params);
    assert_eq!((flows[0].retransmissions, flows[1].retransmissions), (1, 1));
    let alone = flows[1].alone.expect("it has a size");
    let repaired = flows[1].completion.map(|took| took.saturating_sub(alone));
    // The first time-out is a second; the packet left one SYN exchange after the start.
    assert_eq!(repaired, Some(Span::from_secs(1)));
}

/// Packets of one instant take a shared link in the order of the links they come from, also where
/// a law holds one back until it departs: over 4 kb/s a SYN takes 80 ms, and XCP first decides at 50.
#[test]
fn a_held_packet_keeps_its_place_among_those_of_its_instant() {
    for lookahead in [true, false] {
        let slow = |from, to| link(from, to, 4_000, Span::from_millis(1));
        let mut links = vec![slow(0, 2), slow(1, 2), slow(2, 3)];
        links.extend([link(3, 0, 1_000_000, DELAY), link(3, 1, 1_000_000, DELAY)]);
        links[1..].iter_mut().for_each(|link| link.router = LinkLaw::None.into());
        let from = |name: &str, from| {
            let traffic = Traffic::List(vec![flow(Time::ZERO, 1)]);
            GroupConfig { name: name.into(), from, to: 3, ..group(traffic) }
        };
        let groups = vec![from("held", 0), from("plain", 1)];
        let mut config = config(links, groups, Span::from_secs(60));
        config.lookahead = lookahead;
        let (flows, _) = results(&config, &sluice_laws::xcp::XcpParams::default());
        let [held, plain] = [0, 1].map(|i| flows[i].completion.expect("it finished"));
        assert!(held < plain, "{held} and {plain}, lookahead {lookahead}");
    }
}

/// A link of ten seconds: what is on the wires at once arrives over longer than 2^32 ns, at even and
/// odd ones, whose last bit is the first to be lost where a time is too long.
#[test]
fn packets_keep_their_order_over_the_longest_wires() {
    let far = |from| link(from, 2, 1_000_000, Span::from_secs(10));
    let mut links = vec![far(0), far(1), link(2, 3, 1_000_000, Span::from_millis(1))];
    links.extend([link(3, 0, 1_000_000, DELAY), link(3, 1, 1_000_000, DELAY)]);
    let from = |name: &str, from, starts: &[u64]| {
        let start = |&about_ms| flow(Time::ZERO + Span::from_nanos(about_ms * 1_000_001), 1);
        let traffic = Traffic::List(starts.iter().map(start).collect());
        GroupConfig { name: name.into(), from, to: 3, ..group(traffic) }
    };
    let groups = vec![from("a", 0, &[0, 4_601, 9_001]), from("b", 1, &[1_001, 4_703, 9_305])];
    let mut config = config(links, groups, Span::from_secs(200));
    let ahead = results(&config, &TcpParams::default()).0;
    config.lookahead = false;
    assert_eq!(ahead, results(&config, &TcpParams::default()).0);
}

/// Records of one instant are ordered by group, then by index.
#[test]
fn flows_that_end_together_are_reported_in_order() {
    for lookahead in [true, false] {
        let mut links = pipe(80_000_000, DELAY);
        links.extend([link(2, 3, 80_000_000, DELAY), link(3, 2, 80_000_000, DELAY)]);
        let at = |seconds| flow(Time::ZERO + Span::from_secs(seconds), 3);
        let other = group(Traffic::List(vec![at(1), at(1)]));
        let groups = vec![
            group(Traffic::List(vec![at(0), at(1)])),
            GroupConfig { name: "other".into(), from: 2, to: 3, ..other },
        ];
        let mut config = config(links, groups, Span::from_secs(5));
        config.lookahead = lookahead;
        assert_eq!(report_order(&config, &TcpParams::default())[..3], [(0, 0), (0, 1), (1, 0)]);
    }
}

/// The same if the answer that ends a flow is one that a law held back until it departed: over 4 kb/s
/// it takes 80 ms, and XCP first decides at 50.
#[test]
fn a_flow_that_ends_with_a_held_packet_is_reported_in_order() {
    for lookahead in [true, false] {
        let mut links = Vec::new();
        for (there, here) in [(0, 1), (2, 3)] {
            links.extend([link(there, here, 80_000_000, DELAY), link(here, there, 4_000, DELAY)]);
        }
        links[3].router = LinkLaw::None.into();
        let one = |name: &str, from, to| {
            let traffic = Traffic::List(vec![flow(Time::ZERO, 1)]);
            GroupConfig { name: name.into(), from, to, ..group(traffic) }
        };
        let groups = vec![one("held", 0, 1), one("plain", 2, 3)];
        let mut config = config(links, groups, Span::from_secs(5));
        config.lookahead = lookahead;
        assert_eq!(
            report_order(&config, &sluice_laws::xcp::XcpParams::default()),
            [(0, 0), (1, 0)]
        );
    }
}

/// Group and index of each flow, in the order reported.
fn report_order(config: &Config, protocol: &dyn Protocol) -> Vec<(usize, u64)> {
    struct Kept(Vec<(usize, u64)>);
    impl Observer for Kept {
        fn flow(&mut self, record: &FlowRecord) {
            self.0.push((record.group, record.index));
        }

        fn tick(&mut self, _progress: Progress) -> bool {
            true
        }
    }
    let mut kept = Kept(Vec::new());
    run(config, protocol, &mut kept).expect("the configuration is sound");
    kept.0
}
