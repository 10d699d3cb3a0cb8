//! RCP without its queue term, `beta = 0` with `gamma` below 1: the form for buffers of some packets
//! (Kelly, Raina, Voice, "Stability and fairness of explicit congestion control with small buffers",
//! 2008), where a queue comes and goes within a round trip, too fast for a law to act on.

use crate::shown::{PACKET, config, group, pipe, results};
use sluice_laws::rcp::RcpParams;
use sluice_sim::LinkOutcome;
use sluice_sim::traffic::{Long, Traffic};
use sluice_units::{BufferSize, Ratio, Span, Time};

const BPS: u64 = 100_000_000;
/// Buffer in packets; a bandwidth-delay product is 1,250.
const BUFFER: u64 = 40;
const FLOWS: u64 = 20;

/// Results of the link that the long flows share, measured after 20 s of 60.
fn shared(params: &RcpParams) -> LinkOutcome {
    let mut links = pipe(BPS, Span::from_millis(50));
    links[0].buffer = BufferSize::Packets(BUFFER);
    let spacing = Span::from_micros(207_300);
    let long =
        Long { count: FLOWS, start: Time::ZERO, spacing, stop: Time::NEVER, ..Long::default() };
    let mut config = config(links, vec![group(Traffic::Long(long))], Span::from_secs(60));
    config.warm_up = Time::ZERO + Span::from_secs(20);
    let (_, outcome) = results(&config, params);
    outcome.links[0].clone()
}

fn without_queue(alpha: f64, gamma: f64) -> RcpParams {
    let [alpha, beta, gamma] = [alpha, 0.0, gamma].map(Ratio::new);
    RcpParams { alpha, beta, gamma, ..RcpParams::default() }
}

/// For any gain up to the stability boundary of pi / 2, and for any target. Paced flows leave at
/// most one packet each in the queue, if all of them meet there.
#[test]
fn gamma_of_the_link_is_filled_and_the_queue_stays_short() {
    for (alpha, gamma) in [(0.1, 0.9), (0.4, 0.9), (1.0, 0.9), (0.4, 0.95), (0.4, 0.8)] {
        let link = shared(&without_queue(alpha, gamma));
        let (used, queue) = (link.utilization, link.p99_queue.as_u64());
        assert!((used / gamma - 1.0).abs() < 0.002, "alpha {alpha}: {used} is not {gamma}");
        assert!(queue <= FLOWS * PACKET && link.drops == 0, "alpha {alpha}, {gamma}: {link:?}");
    }
}

/// Why gamma is below 1: at 1, nothing drains the queue from before the rates converged.
#[test]
fn full_utilization_leaves_a_standing_queue() {
    let link = shared(&without_queue(0.4, 1.0));
    assert!(link.mean_queue.as_u64() > FLOWS * PACKET, "{link:?}");
}
