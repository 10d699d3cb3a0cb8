use sluice_units::Time;

use super::*;
use crate::packet::FlowKey;

fn at(millis: u64) -> Time {
    Time::ZERO + Span::from_millis(millis)
}

/// Two macro-flows with room for two packets, at a packet of 1000 bytes in 10 ms until an RTT is known.
fn ingress(room: Limit) -> Ingress {
    let mut ingress = Ingress::new(2, (Time::ZERO, Time::NEVER));
    let cloud = CloudConfig::new(Vec::new());
    (0..2).for_each(|_| ingress.add(&cloud, room, Bytes::new(1000), Span::from_millis(10)));
    ingress
}

/// A packet of this flow arrives at its macro-flow.
fn arrives(ingress: &mut Ingress, place: u32, flow: u32, millis: u64) -> IngressVerdict {
    let flow = FlowKey { slot: flow, generation: 0 };
    let packet = Packet { flow, bytes: 1000, ..Packet::NONE };
    let hop = Hop { at: at(millis), header: packet.header, step: 0 };
    ingress.arrive((place, 1.0), &packet, hop)
}

#[test]
fn packets_pass_wait_or_find_no_room() {
    use IngressVerdict::{Dropped, Passes, Waits};
    for room in [Limit::Packets(2), Limit::Bytes(Bytes::new(2999))] {
        let mut ingress = ingress(room);
        let verdicts = [0, 1, 2, 3].map(|ms| arrives(&mut ingress, 0, 0, ms));
        assert_eq!(verdicts, [Passes, Waits, Waits, Dropped]);
        assert_eq!(arrives(&mut ingress, 1, 0, 4), Passes, "the other macro-flow is idle");
        assert_eq!((ingress.due(), ingress.waiting()), (at(10), 2));
    }
}

#[test]
fn queues_leave_in_the_order_of_their_times() {
    let mut ingress = ingress(Limit::None);
    for (place, ms) in [(1, 0), (1, 1), (0, 3), (0, 4), (1, 5)] {
        arrives(&mut ingress, place, place, ms);
    }
    let left: Vec<_> = std::iter::from_fn(|| {
        let due = ingress.due();
        ingress.release().map(|packet| (due, packet.flow.slot, packet.at))
    })
    .collect();
    assert_eq!(left, [(at(10), 1, at(1)), (at(13), 0, at(4)), (at(20), 1, at(5))]);
    let outcome = ingress.outcome();
    assert_eq!((outcome.forwarded, outcome.dropped), (5, 0));
    // 9 + 9 + 15 ms of five packets.
    assert_eq!(outcome.mean_wait, Span::from_micros(6_600));
}

/// Three flows sent 2 kB in 15 ms, of which half a packet is still being transmitted; the statement has the time since the
/// control packet before.
#[test]
fn a_control_packet_states_what_was_forwarded_since_the_one_before() {
    let mut ingress = ingress(Limit::None);
    let report = CloudHeader::report(Some(Span::from_millis(10)), 0, false).to_wire();
    ingress.control(0, report, at(0));
    for flow in 0..3 {
        arrives(&mut ingress, 0, flow, 0);
    }
    assert_eq!(ingress.release().map(|packet| packet.flow.slot), Some(1));
    let statement = CloudHeader::from_wire(ingress.control(0, report, at(15)));
    assert_eq!(statement.last, 1500);
    let seconds = f64::from(statement.x) / f64::from(1_u32 << xcp_cloud::header::X_FRACTION_BITS);
    assert!((seconds - 3.0 * 0.015).abs() < 1e-4, "{seconds}");
    assert_eq!(statement.delta, i32::MAX, "a packet waits: it requests all it can");
    let mut metrics = Vec::new();
    ingress.metrics(&mut |place, name, value| metrics.push((place, name, value)));
    assert_eq!(
        metrics[..3],
        [(0, "rate_bps", 800_000.0), (0, "weight", 3.0), (0, "queue_bytes", 1000.0)]
    );
}
