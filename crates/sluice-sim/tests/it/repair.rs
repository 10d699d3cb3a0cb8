//! Loss recovery end to end: every flow finishes in good time, and retransmissions hardly exceed
//! losses.

use crate::shown::{config, flow, group, link, pipe, results};
use proptest::prelude::*;
use proptest::test_runner::Config as Runner;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::xcp;
use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, GroupConfig, LinkConfig};
use sluice_units::{BufferSize, Bytes, Rate, Span, Time};

/// A sender, a router and a receiver; access ten times as fast as the bottleneck.
fn dumbbell(bps: u64, delay: Span, buffer: Bytes) -> Vec<LinkConfig> {
    let mut bottleneck = link(1, 2, bps, delay);
    bottleneck.buffer = BufferSize::Bytes(buffer);
    let (there, back) = (link(0, 1, bps * 10, delay / 8), link(1, 0, bps * 10, delay / 8));
    vec![there, bottleneck, link(2, 1, bps, delay), back]
}

/// Flows that start within a second, with an hour to finish.
fn until_finished(links: Vec<LinkConfig>, groups: Vec<GroupConfig>) -> Config {
    let limit = Time::ZERO + Span::from_secs(3600);
    Config { limit, ..config(links, groups, Span::from_secs(1)) }
}

fn one_flow(links: Vec<LinkConfig>, packets: u64) -> Config {
    let traffic = Traffic::List(vec![flow(Time::ZERO, packets)]);
    until_finished(links, vec![GroupConfig { to: 2, ..group(traffic) }])
}

/// One XCP flow alone, 30 MB over 200 Mb/s and 80 ms, whose first windows overflow the buffer.
#[test]
fn xcp_repairs_a_window_that_overflowed_a_small_buffer() {
    for buffer in [100_000, 200_000] {
        let links = dumbbell(200_000_000, Span::from_millis(32), Bytes::new(buffer));
        let config = one_flow(links, 30_000);
        let (flows, outcome) = results(&config, &xcp::XcpParams::default());
        let took = flows[0].completion.expect("it finishes");
        let alone = flows[0].alone.expect("it has a size");
        assert!(took < alone * 2, "{took} against {alone} alone, buffer {buffer}");
        let (lost, resent) = (outcome.totals.dropped, flows[0].retransmissions);
        assert!(lost > 1000 && resent <= lost + PROBES, "{resent} resent for {lost} lost");
    }
}

/// All forty packets of an XCP flow and the probe are lost; a time-out leaves a window of one.
/// Retransmissions request feedback, which opens the window: otherwise forty packets would take
/// forty round trips.
#[test]
fn xcp_requests_feedback_during_recovery() {
    let mut links = pipe(80_000_000, Span::from_millis(50));
    links[0].losses = (1..=41).collect();
    let traffic = Traffic::List(vec![flow(Time::ZERO, 40)]);
    let params = xcp::XcpParams { initial_window: Some(40), ..xcp::XcpParams::default() };
    let (flows, _) = results(&until_finished(links, vec![group(traffic)]), &params);
    let took = flows[0].completion.expect("it finishes");
    // The SYN, a probe, a time-out, and the repair.
    let rounds = Span::from_millis(100) * (1 + 2 + 20);
    assert!(took < rounds + Span::from_secs(1), "{took}");
}

/// Swift's target is longer than any queue, so that losses alone bound its window. By default it is for data centers,
/// and the other paths here have a longer RTT.
/// Flows with a profile have that one, and ask until they are admitted.
fn bounded_by_losses(profile: Rate) -> Parameters {
    let mut parameters = Parameters::default();
    parameters.xcp_guaranteed.profile = Some(profile);
    parameters.xcp_guaranteed.retry = Some(Span::from_millis(100));
    parameters.swift.base_target = Span::from_secs(100);
    parameters
}

/// A flow's tail loss probe is the only retransmission of a packet not known to be lost.
const PROBES: u64 = 1;

proptest! {
    #![proptest_config(Runner { failure_persistence: None, ..Runner::with_cases(64) })]

    /// One flow of any law over any buffer. A window law gets two packets a round trip through a
    /// buffer of one: slow start sends three back to back, of which one is lost.
    #[test]
    fn one_flow_alone_finishes_and_retransmits_its_losses(
        name in prop::sample::select(ProtocolName::ALL),
        mbps in prop::sample::select(&[1, 10, 100, 1000][..]),
        rtt_us in prop::sample::select(&[10, 1_000, 20_000, 300_000][..]),
        buffer in 1u64..200,
        packets in 1u64..1500,
        delayed_ack: bool,
    ) {
        let parameters = bounded_by_losses(Rate::from_bps(mbps * 700_000));
        let links =
            dumbbell(mbps * 1_000_000, Span::from_micros(rtt_us) * 2 / 5, Bytes::new(1000 * buffer));
        let mut config = one_flow(links, packets);
        config.parameters.transport.delayed_ack = delayed_ack;
        let (flows, outcome) =
            results(&config, parameters.protocol(name));
        let [flow] = flows[..] else { panic!("one flow") };
        let (lost, resent) = (outcome.totals.dropped, flow.retransmissions);
        prop_assert!(resent <= lost + PROBES, "{name}: {resent} resent for {lost} lost");
        let took = flow.completion.expect("it finishes");
        let alone = flow.alone.expect("it has a size");
        // Delayed acknowledgements wait 100 ms, time-outs a second or more.
        let round = Span::from_micros(rtt_us) + Span::from_millis(if delayed_ack { 100 } else { 0 });
        // One acknowledgement for two packets opens the window in bursts. Over a few packets of buffer a
        // burst loses a packet, the next one its retransmission and a third packet: nothing sent later
        // proves the retransmission lost (RFC 8985, 6.2), so a time-out follows each three losses.
        // XCP's window may be one packet ((4.1) of the thesis), and its feedback opens it during a repair:
        // over a buffer of one packet a retransmission is then lost with nothing behind it, one of 16
        // losses at most.
        let time_outs = match name {
            _ if delayed_ack => lost / 3,
            ProtocolName::Xcp if buffer == 1 => lost / 12,
            _ => 0,
        };
        let repair = round * (packets / 2 + 20) + Span::from_secs(3 + time_outs);
        let max = alone * 8 + repair;
        prop_assert!(took <= max, "{name}: {took}, expected {max} at most, alone {alone}");
    }

    /// Many flows in both directions over a drop-tail buffer that also drops ACKs. Packets whose
    /// ACKs were all lost are rarely retransmitted in vain.
    #[test]
    fn crowds_repeat_little_more_than_was_lost(
        name in prop::sample::select(ProtocolName::ALL),
        mbps in prop::sample::select(&[2, 20, 150][..]),
        buffer in 5u64..300,
        flows in 2u64..30,
        packets in 100u64..1000,
        seed: u64,
    ) {
        let mut links = dumbbell(mbps * 1_000_000, Span::from_millis(20), Bytes::new(1000 * buffer));
        links[2].buffer = links[1].buffer;
        let flow = |n| flow(Time::ZERO + Span::from_micros(seed.wrapping_mul(n) % 300_000), packets);
        let list = |from: u64| {
            let mut list: Vec<_> = (from..from + flows).map(flow).collect();
            list.sort_by_key(|flow| flow.start);
            Traffic::List(list)
        };
        let there = GroupConfig { to: 2, ..group(list(1)) };
        let back = GroupConfig { from: 2, to: 0, name: "back".into(), ..group(list(100)) };
        let config = until_finished(links, vec![there, back]);
        let (records, outcome) = results(&config, bounded_by_losses(Rate::from_bps(mbps * 200_000)).protocol(name));
        let lost = outcome.totals.dropped;
        let resent: u64 = records.iter().map(|record| record.retransmissions).sum();
        prop_assert!(records.iter().all(|record| record.completion.is_some()), "{name}");
        let max = lost + lost / 10 + PROBES * 2 * flows;
        prop_assert!(resent <= max, "{name}: {resent} resent for {lost} lost");
    }
}
