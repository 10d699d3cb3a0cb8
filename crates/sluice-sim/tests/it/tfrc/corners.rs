//! Extremes of paths, and what a transport meets seldom.

use sluice_laws::tfrc::TfrcParams;
use sluice_laws::transport::{LossRecovery, Transport};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule, OnDown};
use sluice_sim::traffic::Traffic;
use sluice_units::{BufferSize, Ratio, Span, Time};

use crate::shown::{alone, config, flow, group, pipe, results};

const BPS: u64 = 20_000_000;
const RTT: Span = Span::from_millis(40);

/// 1 kb/s to 100 Gb/s, 10 us to 3 s, with two bandwidth-delay products of buffer.
#[test]
fn a_flow_fills_links_of_every_rate_and_delay() {
    let micros = Span::from_micros;
    for (bps, rtt, time) in [
        (1_000, RTT, Span::from_secs(4_000)),
        (1_000, micros(10), Span::from_secs(4_000)),
        (BPS, RTT, Span::from_secs(60)),
        (2_000_000, Span::from_secs(3), Span::from_secs(1_000)),
        (10_000_000_000, micros(10), Span::from_millis(100)),
        (100_000_000_000, micros(100), Span::from_millis(40)),
    ] {
        let product = bps as f64 * rtt.as_secs_f64() / 8_000.0;
        let buffer = BufferSize::Packets((2.0 * product) as u64 + 10);
        let (_, outcome) = results(&alone(bps, rtt, buffer, time), &TfrcParams::default());
        let used = outcome.links[0].utilization;
        assert!(used > 0.95, "{bps} b/s, {rtt:?}: {used}");
    }
}

/// Its rate varies less than a window that is halved, which would leave a quarter of the link.
#[test]
fn a_buffer_of_one_packet_suffices() {
    let config = alone(BPS, RTT, BufferSize::Packets(1), Span::from_secs(60));
    let (_, outcome) = results(&config, &TfrcParams::default());
    let used = outcome.links[0].utilization;
    assert!(used > 0.9, "{used}");
}

/// The rate halves each 4 RTTs, so that 8 RTTs of it leave in an outage: 1600 packets, with 100 on the path and
/// 100 that wait; then probes of the time-out. Afterwards the flow finds its rate again.
#[test]
fn an_outage_stops_the_flow_until_it_is_over() {
    let at = |seconds| Time::ZERO + Span::from_secs(seconds);
    for outage in [1, 5, 20] {
        let time = Span::from_secs(160);
        let mut config = alone(BPS, RTT, BufferSize::Packets(100), time);
        let course = CapacityCourse::Steps(vec![(Time::ZERO, config.links[0].capacity)]);
        config.links[0].schedule = Some(CapacitySchedule {
            down: vec![(at(30), at(30 + outage))],
            on_down: OnDown::Drop,
            ..CapacitySchedule::new(course)
        });
        config.warm_up = at(90);
        let (flows, outcome) = results(&config, &TfrcParams::default());
        let (resent, used) = (flows[0].retransmissions, outcome.links[0].utilization);
        assert!(used > 0.95 && (1_500..1_900).contains(&resent), "{outage} s: {used}, {resent}");
    }
}

/// Every loss recovery, and delayed acknowledgements. The equation's 284 packets a second, at 1 % and 40 ms,
/// are 10.6 s. Reno repairs one loss in a round trip, and with every second acknowledgement few without a
/// time-out.
#[test]
fn every_transport_serves() {
    use LossRecovery::{NewReno, Rack, Reno, Sack};
    for recovery in [Rack, Sack, NewReno, Reno] {
        for delayed_ack in [false, true] {
            let mut links = pipe(BPS, RTT / 2);
            links[0].buffer = BufferSize::Packets(50);
            links[0].error = Ratio::new(0.01);
            let flows = group(Traffic::List(vec![flow(Time::ZERO, 3_000)]));
            let mut config = config(links, vec![flows], Span::from_secs(600));
            config.parameters.transport = Transport { recovery, delayed_ack, ..Transport::DEFAULT };
            let (flows, _) = results(&config, &TfrcParams::default());
            let took = flows[0].completion.expect("it ends").as_secs_f64();
            let most = match (recovery, delayed_ack) {
                (Rack | Sack, _) => 15.0,
                (Reno, true) => 120.0,
                _ => 25.0,
            };
            assert!((9.0..most).contains(&took), "{recovery:?}, delayed {delayed_ack}: {took} s");
        }
    }
}
