//! Extremes of paths, and what a transport meets seldom.

use sluice_laws::transport::LossRecovery;
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule, OnDown};
use sluice_sim::traffic::Traffic;
use sluice_units::{BufferSize, Span, Time};

use super::{BPS, RTT, both, long, packets, path, products, seconds};
use crate::shown::{alone, flow, group, results};

/// 1 kb/s and 400 Gb/s, 10 us and 3 s. With 3 s, ProbeRTT takes 6 s and more of each 10 s in v1 and of each
/// 5 s in v3, and a time-out of the SYN lets the flow begin with one packet.
#[test]
fn a_flow_fills_links_of_every_rate_and_delay() {
    let micros = Span::from_micros;
    for (bps, rtt, time, least) in [
        (1_000, RTT, Span::from_secs(4000), 0.9),
        (400_000_000_000, micros(100), Span::from_millis(10), 0.95),
        (10_000_000_000, micros(10), Span::from_millis(100), 0.95),
        (2_000_000, Span::from_secs(3), Span::from_secs(400), 0.4),
    ] {
        for protocol in both() {
            let name = protocol.about().name;
            let product = bps as f64 * rtt.as_secs_f64() / 8000.0;
            let buffer = BufferSize::Packets((2.0 * product) as u64 + 10);
            let (_, outcome) = results(&alone(bps, rtt, buffer, time), &*protocol);
            let used = outcome.links[0].utilization;
            assert!(used > least, "{name} at {bps} b/s, {rtt:?}: {used}");
        }
    }
}

/// A packet that waits and one in transmission: pacing needs no more.
#[test]
fn a_buffer_of_one_packet_suffices() {
    for (protocol, least) in both().into_iter().zip([0.85, 0.7]) {
        let name = protocol.about().name;
        let buffer = BufferSize::Packets(1);
        let config = alone(BPS, RTT, buffer, Span::from_secs(30));
        let (_, outcome) = results(&config, &*protocol);
        let used = outcome.links[0].utilization;
        assert!(used > least, "{name}: {used}");
    }
}

/// A second in which all packets are lost, retransmissions too: the flow finds its rate again with the first
/// round trip after the time-outs, since what it knows of the path is not lost.
#[test]
fn a_flow_returns_to_its_rate_after_time_outs() {
    for protocol in both() {
        let name = protocol.about().name;
        let mut config = path(products(1.0), vec![long(1)], 10);
        let course = CapacityCourse::Steps(vec![(Time::ZERO, config.links[0].capacity)]);
        config.links[0].schedule = Some(CapacitySchedule {
            down: vec![(seconds(5), seconds(6))],
            on_down: OnDown::Drop,
            ..CapacitySchedule::new(course)
        });
        config.warm_up = seconds(7);
        let (flows, outcome) = results(&config, &*protocol);
        assert!(flows[0].retransmissions >= 100, "{name}: {}", flows[0].retransmissions);
        let used = outcome.links[0].utilization;
        assert!(used > 0.85, "{name}: {used}");
    }
}

/// Every loss recovery and delayed acknowledgements.
#[test]
fn every_transport_serves() {
    let recoveries =
        [LossRecovery::Reno, LossRecovery::NewReno, LossRecovery::Sack, LossRecovery::Rack];
    for recovery in recoveries {
        for delayed_ack in [false, true] {
            for protocol in both() {
                let name = protocol.about().name;
                let traffic = Traffic::List(vec![flow(Time::ZERO, 5_000)]);
                let mut config = path(products(0.5), vec![group(traffic)], 60);
                config.links[0].losses = vec![700, 1000, 1001, 1500, 4999];
                let transport = &mut config.parameters.transport;
                (transport.recovery, transport.delayed_ack) = (recovery, delayed_ack);
                let (flows, _) = results(&config, &*protocol);
                let took = flows[0].completion.unwrap_or(Span::MAX);
                // 2 s at the rate of the link; Reno and NewReno repair a packet a round trip.
                assert!(took < Span::from_secs(15), "{name}, {recovery}: {took:?}");
            }
        }
    }
}

/// Short flows, one after the other, each limited by its size: what they measure is no rate of the path, and
/// none is slower for that.
#[test]
fn flows_that_end_before_they_fill_the_pipe_are_not_slowed() {
    for protocol in both() {
        let name = protocol.about().name;
        let each = |n: u64| flow(Time::ZERO + Span::from_millis(200) * n, 20);
        let traffic = Traffic::List((0..50).map(each).collect());
        let config = path(products(1.0), vec![group(traffic)], 20);
        let (flows, outcome) = results(&config, &*protocol);
        assert_eq!(outcome.links[0].drops, 0);
        for flow in &flows {
            let took = flow.completion.expect("it finishes");
            // A SYN, 10 packets, and 10 more.
            assert!(took < RTT * 4, "{name}: {took:?}");
            assert!(packets(flow.delivered) == 20.0);
        }
    }
}
