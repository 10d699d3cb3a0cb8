//! Extremes of paths, and what a transport meets seldom.

use sluice_laws::protocol::Protocol;
use sluice_laws::tcp::TcpParams;
use sluice_laws::transport::LossRecovery;
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule, OnDown};

use super::*;
use crate::common::run_to_end;
use crate::shown::{flow, results};

/// A target above the RTT fills every link. The window grows by a packet each RTT, or more where it is to be 5000.
#[test]
fn a_target_above_the_rtt_fills_links_of_every_rate_and_delay() {
    let ms = Span::from_millis;
    for (bps, rtt, base_target, ai, time) in [
        (1_000, ms(40), Span::from_secs(20), 1.0, Span::from_secs(40_000)),
        (10_000_000, ms(80), ms(100), 1.0, Span::from_secs(100)),
        (400_000_000_000, micros(100), micros(110), 100.0, ms(100)),
        (BPS, micros(10), micros(15), 1.0, ms(100)),
        (2_000_000, Span::from_secs(3), Span::from_millis(3_300), 1.0, Span::from_secs(10_000)),
    ] {
        let params = SwiftParams { base_target, ai: Ratio::new(ai), ..SwiftParams::default() };
        let result = run_to_end(&path(bps, rtt, vec![long(1)], time), &params);
        let link = &result.outcome.links[0];
        assert!(link.utilization > 0.99 && link.drops == 0, "{bps} b/s, {rtt}: {link:?}");
    }
}

/// Two packets leave in the first RTT, a third in the second, and then each as the window is half of the one
/// before: 0.2 s after it, 0.4 s, ..., 51.2 s, and 100 s from 1/1000 on. With 40 packets that is 102.2 s and 28 times
/// 100 s, and 0.3 s for what the SYN, the first two and the last packet take.
#[test]
fn an_rtt_above_the_highest_target_leaves_a_packet_each_thousand_rtts() {
    let rtt = Span::from_millis(100);
    let took = |params: &SwiftParams| {
        let traffic = Traffic::List(vec![flow(Time::ZERO, 40)]);
        let mut config = path(BPS, rtt, vec![group(traffic)], Span::from_secs(10_000));
        config.flow_metrics.clear();
        results(&config, params).0[0].completion.expect("it ends").as_secs_f64()
    };
    let params = SwiftParams::default();
    assert!(params.target(1, params.min_cwnd) < rtt);
    assert!((took(&params) - 2902.5).abs() < 0.2, "{}", took(&params));
    let suited = SwiftParams { base_target: Span::from_millis(110), ..params };
    assert!(took(&suited) < 1.0, "{}", took(&suited));
}

/// One packet waits and one is in transmission, where the path holds 25: the target is never reached, and
/// losses alone bound the window, as TCP's. Without a slow start there are fewer.
#[test]
fn a_buffer_of_one_packet_serves() {
    let mut config = path(BPS, RTT, vec![long(1)], Span::from_secs(1));
    config.links[0].buffer = BufferSize::Packets(1);
    let used = |protocol: &dyn Protocol| results(&config, protocol).1.links[0].utilization;
    let (swift, tcp) = (used(&SwiftParams::default()), used(&TcpParams::default()));
    assert!(swift > 0.12 && swift > tcp, "{swift}, {tcp} with TCP");
}

/// 0.5 s in which all packets are lost, retransmissions too.
#[test]
fn a_flow_returns_to_its_rate_after_time_outs() {
    let mut config = path(BPS, RTT, vec![long(2)], Span::from_secs(4));
    let course = CapacityCourse::Steps(vec![(Time::ZERO, config.links[0].capacity)]);
    let at = |millis| Time::ZERO + Span::from_millis(millis);
    config.links[0].schedule = Some(CapacitySchedule {
        down: vec![(at(500), at(1_000))],
        on_down: OnDown::Drop,
        ..CapacitySchedule::new(course)
    });
    let result = run_to_end(&config, &SwiftParams::default());
    assert!(result.records.iter().all(|flow| flow.retransmissions > 0));
    assert!(result.outcome.links[0].utilization > 0.999, "{:?}", result.outcome.links[0]);
    assert!(jain(&shares(&result)) > 0.99, "{:?}", shares(&result));
}

/// Every loss recovery and delayed acknowledgements.
#[test]
fn every_transport_serves() {
    for recovery in
        [LossRecovery::Reno, LossRecovery::NewReno, LossRecovery::Sack, LossRecovery::Rack]
    {
        for delayed_ack in [false, true] {
            let traffic = Traffic::List(vec![flow(Time::ZERO, 5_000)]);
            let mut config = path(BPS, RTT, vec![group(traffic)], Span::from_secs(60));
            config.links[0].losses = vec![700, 1000, 1001, 1500, 4999];
            let transport = &mut config.parameters.transport;
            (transport.recovery, transport.delayed_ack) = (recovery, delayed_ack);
            let (flows, _) = results(&config, &SwiftParams::default());
            let took = flows[0].completion.unwrap_or(Span::MAX);
            // 4 ms at the rate of the link, and time-outs of 1 s.
            assert!(took < Span::from_secs(6), "{recovery}, {delayed_ack}: {took}");
        }
    }
}
