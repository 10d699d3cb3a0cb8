//! DCTCP at a marking threshold against the analysis of its authors (Alizadeh et al., "Data Center TCP",
//! SIGCOMM 2010, section 3.3).

use crate::common::{RunResult, run_to_end};
use crate::shown::{CONTROL, PACKET, config, flow, group, mean, pipe, results};
use sluice_laws::dctcp::DctcpParams;
use sluice_laws::tcp::TcpParams;
use sluice_sim::queue::{Discipline, Threshold};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, FlowMetrics};
use sluice_units::{BufferSize, Ratio, Span, Time};

/// The setting of the paper's figure 12, with packets of 1000 bytes: 10 Gb/s, 100 us.
const CAPACITY: u64 = 10_000_000_000;
const RTT: Span = Span::from_micros(100);
/// Packets in a round trip without a queue: 125, and what transmission adds.
const BDP: f64 = 127.0;

/// Long flows, measured once they have converged.
fn shared(flows: u64, mark_above: u64) -> Config {
    let mut links = pipe(CAPACITY, RTT / 2);
    let mark_above = BufferSize::Packets(mark_above);
    links[0].queue = Discipline::Threshold(Threshold { mark_above, drop_others: false });
    links[0].buffer = BufferSize::Packets(1_000);
    let spacing = Span::from_micros(7);
    let long =
        Long { count: flows, start: Time::ZERO, spacing, stop: Time::NEVER, ..Long::default() };
    let mut config = config(links, vec![group(Traffic::Long(long))], Span::from_millis(1000));
    config.warm_up = Time::ZERO + Span::from_millis(500);
    config.flow_metrics = vec![FlowMetrics { group: 0, index: 0, every: Span::from_micros(5) }];
    config
}

/// The measured part of a flow's metric.
fn column(result: &RunResult, name: &str) -> Vec<f64> {
    result.series[0].column(name).split_off(100_000)
}

/// Equation (6): alpha^2 (1 - alpha / 4) = (2 W* + 1) / (W* + 1)^2, by iteration.
fn alpha_by_analysis(critical: f64) -> f64 {
    let right = (2.0 * critical + 1.0) / (critical + 1.0).powi(2);
    (0..50).fold(right.sqrt(), |alpha, _| (right / (1.0 - alpha / 4.0)).sqrt())
}

/// One flow: alpha by equation (6), the window's swing D = (W* + 1) alpha / 2 (equation (7)) below its
/// maximum W* + 1, and the queue's maximum K + 1 (equation (10)).
#[test]
fn alpha_window_and_queue_are_those_of_the_analysis() {
    // Equation (15): the analysis takes alpha as constant, hence an average over many cycles.
    let params = DctcpParams { g: Ratio::new(1.0 / 256.0), ..DctcpParams::default() };
    for mark_above in [40, 80, 160] {
        let result = run_to_end(&shared(1, mark_above), &params);
        let critical = BDP + mark_above as f64;
        let alpha = alpha_by_analysis(critical);
        let found = mean(&column(&result, "alpha"));
        assert!((found / alpha - 1.0).abs() < 0.08, "K = {mark_above}: alpha {found}, not {alpha}");

        let windows = column(&result, "cwnd");
        let highest = windows.iter().fold(0.0, |most: f64, &w| most.max(w));
        let lowest = windows.iter().fold(f64::MAX, |least, &w| least.min(w));
        assert!((highest - critical).abs() < 4.0, "K = {mark_above}: {highest}, {critical}");
        let swing = (critical + 1.0) * alpha / 2.0;
        let found = highest - lowest;
        assert!((found / swing - 1.0).abs() < 0.08, "K = {mark_above}: swing {found}, not {swing}");

        let link = &result.outcome.links[0];
        let longest = link.max_queue.as_u64() / PACKET;
        assert!((mark_above..=mark_above + 3).contains(&longest), "K = {mark_above}: {link:?}");
        assert!(link.utilization > 0.9999 && link.drops == 0, "K = {mark_above}: {link:?}");
    }
}

/// Equation (13): the queue never empties if K > C RTT / 7, which is 18 packets here. Far below, it does.
#[test]
fn the_link_stays_full_above_the_least_threshold() {
    let utilization = |mark_above| {
        let (_, outcome) = results(&shared(2, mark_above), &DctcpParams::default());
        outcome.links[0].utilization
    };
    assert!(utilization(20) > 0.999, "{}", utilization(20));
    assert!(utilization(2) < 0.99, "{}", utilization(2));
}

#[test]
fn flows_get_equal_shares_and_the_queue_stays_near_the_threshold() {
    let (flows, outcome) = results(&shared(10, 40), &DctcpParams::default());
    let shares: Vec<f64> = flows.iter().map(|flow| flow.delivered.as_f64()).collect();
    let jain = shares.iter().sum::<f64>().powi(2)
        / (10.0 * shares.iter().map(|share| share * share).sum::<f64>());
    assert!(jain > 0.98, "{jain} {shares:?}");
    let link = &outcome.links[0];
    let longest = link.max_queue.as_u64() / PACKET;
    assert!(longest <= 40 + 2 * 10, "{longest} packets: K + N by equation (10)");
    assert!(link.utilization > 0.999 && link.drops == 0, "{link:?}");
}

/// Section 3.2 of RFC 8257: with delayed acknowledgements, too, the receiver reports exactly which packets
/// were marked. The estimate is the fraction of packets that the link marks.
#[test]
fn the_estimate_is_the_fraction_marked_with_and_without_delayed_acknowledgements() {
    let replies = [false, true].map(|delayed| {
        let params = DctcpParams { delayed_ack: Some(delayed), ..DctcpParams::default() };
        let result = run_to_end(&shared(1, 80), &params);
        let link = &result.outcome.links[0];
        let marked = link.marks as f64 * PACKET as f64 / link.sent.as_f64();
        let found = mean(&column(&result, "alpha"));
        assert!((found / marked - 1.0).abs() < 0.03, "delayed {delayed}: {found}, not {marked}");
        result.outcome.links[1].sent.as_f64() / link.sent.as_f64()
    });
    assert!(replies[1] < 0.6 * replies[0], "{replies:?}");
}

/// Of two packets that leave at once the second waits, and is marked. With delayed acknowledgements the
/// first waits for it at the receiver, and each has an acknowledgement of its own.
#[test]
fn a_packet_without_a_mark_and_one_with_a_mark_are_acknowledged_apart() {
    let mut links = pipe(80_000_000, Span::from_millis(5));
    let mark_above = BufferSize::Packets(0);
    links[0].queue = Discipline::Threshold(Threshold { mark_above, drop_others: false });
    let traffic = Traffic::List(vec![flow(Time::ZERO, 2)]);
    let mut config = config(links, vec![group(traffic)], Span::from_secs(5));
    config.flow_metrics = vec![FlowMetrics { group: 0, index: 0, every: Span::from_millis(1) }];
    let params = DctcpParams { delayed_ack: Some(true), ..DctcpParams::default() };
    let RunResult { outcome, series, .. } = run_to_end(&config, &params);
    assert_eq!(outcome.links[0].marks, 1);
    assert_eq!(outcome.links[1].sent.as_u64(), 3 * CONTROL, "a SYN-ACK and two ACKs");
    let acked = series[0].column("acked_packets");
    assert!(!acked.contains(&1.0), "the second comes at once: {acked:?}");
}

/// TCP that takes a mark as a loss halves its window, and leaves the link idle where DCTCP does not.
#[test]
fn a_threshold_below_the_bdp_suits_dctcp_and_not_tcp() {
    let (_, dctcp) = results(&shared(1, 40), &DctcpParams::default());
    let ecn = sluice_laws::transport::EcnMode::Ect0;
    let tcp = TcpParams { ecn: Some(ecn), ..TcpParams::default() };
    let (_, tcp) = results(&shared(1, 40), &tcp);
    assert!(dctcp.links[0].utilization > 0.999, "{:?}", dctcp.links[0]);
    assert!(tcp.links[0].utilization < 0.97, "{:?}", tcp.links[0]);
}
