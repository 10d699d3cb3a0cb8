//! XCP over paths whose RTT is above a second, up to the 16 s that a header can state. A control
//! interval below the RTT decides several times on the same input: five flows at 2 s used 93% of
//! the link while the sums were limited to 1 s.

use crate::shown::{config, group, pipe, results};
use sluice_laws::xcp::XcpParams;
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, LinkOutcome};
use sluice_units::{BufferSize, Span, Time};

const CAPACITY: u64 = 10_000_000;

/// Five long flows over one link of 10 Mb/s and this RTT, with starts an eleventh of it apart;
/// measured for 60 RTTs after the first 60.
fn five_flows(rtt: Span) -> Config {
    let mut links = pipe(CAPACITY, rtt / 2);
    links[0].buffer = BufferSize::Time(rtt * 2);
    let long = Long {
        count: 5,
        start: Time::ZERO,
        spacing: rtt / 11,
        stop: Time::NEVER,
        ..Long::default()
    };
    let mut config = config(links, vec![group(Traffic::Long(long))], rtt * 120);
    config.warm_up = Time::ZERO + rtt * 60;
    config
}

fn bottleneck(rtt: Span, params: &XcpParams) -> LinkOutcome {
    let (_, outcome) = results(&five_flows(rtt), params);
    outcome.links[0].clone()
}

/// After 60 RTTs a flow is within 0.9^60, 0.2%, of its share; the longest queue results from windows rounded
/// down to whole packets, so it is below a packet per flow.
#[test]
fn the_link_is_full_whatever_rtt_a_header_can_state() {
    for ms in [100, 1_000, 2_000, 2_800, 8_000, 15_900] {
        let link = bottleneck(Span::from_millis(ms), &XcpParams::default());
        assert!(link.utilization > 0.99, "{ms} ms: {link:?}");
        assert_eq!(link.drops, 0, "{ms} ms: {link:?}");
        assert!(link.mean_queue.as_u64() < 5_000, "{ms} ms: {link:?}");
    }
}

/// Longer RTTs are stated as 16 s: a bound on the control interval, like 1 s where a scenario sets
/// it.
#[test]
fn an_interval_below_the_rtt_leaves_the_link_idle_in_part() {
    let second = XcpParams { max_interval: Span::from_secs(1), ..XcpParams::default() };
    let long = bottleneck(Span::from_millis(2_800), &second);
    assert!(long.utilization < 0.95, "{long:?}");
    let beyond = bottleneck(Span::from_secs(60), &XcpParams::default());
    assert!((0.5..0.95).contains(&beyond.utilization), "{beyond:?}");
}
