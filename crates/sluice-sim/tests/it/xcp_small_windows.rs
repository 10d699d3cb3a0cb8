//! XCP's fairness where fair windows are a few packets and RTTs differ: a window is a fractional
//! number of packets, but the flight a whole number ("the effect of the rounding error increases",
//! thesis section 5.2.2).

use crate::shown::{PACKET, config, group, link, results};
use sluice_laws::xcp::{StatedWindow, XcpParams};
use sluice_sim::GroupConfig;
use sluice_sim::traffic::{Long, Traffic};
use sluice_units::{BufferSize, Span, Time};

const FLOWS: u64 = 20;
const WARM_UP: u64 = 20;
const STOP: u64 = 60;

/// Throughput of the slowest of twenty flows with RTTs from 40 to 120 ms, relative to the fastest,
/// and the link's utilization. `packets` is the fair window at the mean RTT, 80 ms.
fn slowest_and_used(packets: u64, params: &XcpParams, spacing: Span) -> (f64, f64) {
    let capacity = FLOWS * packets * PACKET * 8 * 1_000 / 80;
    let mut links = vec![link(0, 1, capacity, Span::ZERO), link(1, 0, capacity, Span::ZERO)];
    links[0].buffer = BufferSize::Time(Span::from_millis(100));
    let mut groups = Vec::new();
    for flow in 0..FLOWS {
        let host = 2 + flow as usize;
        let rtt = Span::from_micros(40_000 + 80_000 * flow / (FLOWS - 1));
        links.push(link(host, 0, 100 * capacity, rtt / 2));
        links.push(link(0, host, 100 * capacity, rtt / 2));
        let start = Time::ZERO + spacing * flow;
        let long = Traffic::Long(Long {
            count: 1,
            start,
            spacing: Span::ZERO,
            stop: Time::NEVER,
            ..Long::default()
        });
        groups.push(GroupConfig { name: format!("flow {flow}"), from: host, ..group(long) });
    }
    let mut config = config(links, groups, Span::from_secs(STOP));
    config.warm_up = Time::ZERO + Span::from_secs(WARM_UP);
    let (flows, outcome) = results(&config, params);
    let got = |flow: &sluice_sim::FlowRecord| flow.delivered.as_f64();
    let min = flows.iter().map(got).fold(f64::INFINITY, f64::min);
    let max = flows.iter().map(got).fold(0.0, f64::max);
    (min / max, outcome.links[0].utilization)
}

/// At six packets the slowest flow had 0.86 of the fastest's throughput, and at two 0.57, when the
/// header stated the fraction and the sender did not use it.
#[test]
fn flows_of_many_rtts_share_evenly_at_windows_of_a_few_packets() {
    for (packets, bound) in [(2, 0.87), (3, 0.93), (6, 0.97), (12, 0.98), (50, 0.995)] {
        for spacing in [3_100, 17_300, 47_900] {
            let spacing = Span::from_micros(spacing);
            let (slowest, used) = slowest_and_used(packets, &XcpParams::default(), spacing);
            assert!(slowest > bound, "{packets} packets, {spacing}: {slowest}");
            assert!(used > 0.97, "{packets} packets, {spacing}: {used}");
        }
    }
}

#[test]
fn rounding_the_window_down_is_less_fair_and_uses_less() {
    let whole = XcpParams { stated_window: StatedWindow::Whole, ..XcpParams::default() };
    for packets in [2, 6] {
        let spacing = Span::from_micros(17_300);
        let (fairest, max) = slowest_and_used(packets, &XcpParams::default(), spacing);
        let (slowest, used) = slowest_and_used(packets, &whole, spacing);
        assert!(slowest < fairest, "{packets} packets: {slowest}, {fairest}");
        assert!(used < max - 0.004, "{packets} packets: {used}, {max}");
    }
}
