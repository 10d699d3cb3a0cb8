//! Prague over DualPI2: low delay, equal shares beside Reno, and over different RTTs (RFC 9330, RFC 9332).

use crate::common::{RunResult, run_to_end};
use crate::shown::{PACKET, config, link, results};
use sluice_laws::prague::PragueParams;
use sluice_laws::registry::ProtocolName;
use sluice_sim::queue::{Discipline, Dualpi2};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, FlowMetrics, GroupConfig};
use sluice_units::{BufferSize, Span, Time};

const CAPACITY: u64 = 40_000_000;

/// One long flow for each RTT and protocol over a link with DualPI2, measured once they have converged.
fn shared(flows: &[(Span, ProtocolName)]) -> Config {
    let (from, to) = (0, 1);
    let mut links =
        vec![link(from, to, CAPACITY, Span::ZERO), link(to, from, CAPACITY, Span::ZERO)];
    links[0].queue = Discipline::Dualpi2(Dualpi2::default());
    links[0].buffer = BufferSize::Packets(1_000);
    let mut groups = Vec::new();
    for (index, &(rtt, protocol)) in flows.iter().enumerate() {
        let host = 2 + index;
        links.push(link(host, from, 1_000_000_000, rtt / 2));
        links.push(link(from, host, 1_000_000_000, rtt / 2));
        let start = Time::ZERO + Span::from_millis(100) * index as u64;
        let long = Long { count: 1, start, stop: Time::NEVER, ..Long::default() };
        let group = GroupConfig::new(format!("flow {index}"), host, to, Traffic::Long(long));
        groups.push(GroupConfig { protocol: Some(protocol), ..group });
    }
    let mut config = config(links, groups, Span::from_secs(90));
    config.warm_up = Time::ZERO + Span::from_secs(30);
    config
}

fn delivered(config: &Config, params: &PragueParams) -> Vec<f64> {
    let mut config = config.clone();
    config.parameters.prague = params.clone();
    let (flows, _) = results(&config, params);
    flows.iter().map(|flow| flow.delivered.as_f64()).collect()
}

/// The goal of the coupling (RFC 9332 section 2.1): as with equal flows in one queue, with an RTT near
/// that for which the factor k was chosen.
#[test]
fn prague_and_reno_share_a_link_about_equally() {
    let rtt = Span::from_millis(20);
    let config = shared(&[(rtt, ProtocolName::Prague), (rtt, ProtocolName::Tcp)]);
    let shares = delivered(&config, &PragueParams::default());
    let ratio = shares[0] / shares[1];
    assert!((0.5..2.0).contains(&ratio), "{ratio} {shares:?}");
}

/// RFC 9330 section 1: a queueing delay about a millisecond with a full link, where classic flows need many.
#[test]
fn prague_fills_the_link_with_a_queue_of_a_millisecond() {
    for (flows, rtt) in [(1, 5), (1, 50), (4, 20)] {
        let rtt = Span::from_millis(rtt);
        let config = shared(&vec![(rtt, ProtocolName::Prague); flows]);
        let (_, outcome) = results(&config, &PragueParams::default());
        let link = &outcome.links[0];
        let bytes = CAPACITY as f64 / 8.0;
        let (mean, p99) = (link.mean_queue.as_f64() / bytes, link.p99_queue.as_f64() / bytes);
        let case = format!("{flows} flows, {rtt}: mean {mean} s, p99 {p99} s, {link:?}");
        assert!(mean < 0.001 && p99 < 0.002, "{case}");
        assert!(link.utilization > 0.97 && link.drops == 0 && link.marks > 0, "{case}");
    }
}

/// Section 2.4.4 of the draft: RTTs up to 25 ms have equal shares; without the rule, the shorter RTT has
/// several times more.
#[test]
fn a_virtual_rtt_makes_shares_independent_of_the_rtt() {
    let rtts = [5, 25].map(|ms| (Span::from_millis(ms), ProtocolName::Prague));
    let ratio = |rtt_virt_min| {
        let params = PragueParams { rtt_virt_min, ..PragueParams::default() };
        let shares = delivered(&shared(&rtts), &params);
        shares[0] / shares[1]
    };
    let (virtual_rtt, plain) = (ratio(Span::from_millis(25)), ratio(Span::ZERO));
    assert!((0.9..1.1).contains(&virtual_rtt), "{virtual_rtt}");
    assert!(plain > 3.0, "{plain}");
}

/// Marks at random with probability p, here those that the coupling with classic flows asks for. By hand: a
/// reduction of W p / 2 packets comes 1 / (W p) round trips after the last one's round trip, and each round
/// trip adds 1 - p packets. From W p / 2 = (1 + 1 / (W p)) (1 - p), W p is (1 + sqrt 3) for small p.
#[test]
fn the_window_is_that_of_the_probability_of_marks() {
    let rtt = Span::from_millis(30);
    let mut config = shared(
        &[ProtocolName::Prague, ProtocolName::Tcp, ProtocolName::Tcp].map(|name| (rtt, name)),
    );
    config.flow_metrics = vec![FlowMetrics { group: 0, index: 0, every: Span::from_millis(1) }];
    let result: RunResult = run_to_end(&config, &PragueParams::default());
    let windows = result.series[0].column("cwnd").split_off(30_000);
    let window = windows.iter().sum::<f64>() / windows.len() as f64;
    let delivered = result.records.iter().find(|flow| flow.group == 0).unwrap().delivered.as_f64()
        / PACKET as f64;
    let marked = result.outcome.links[0].marks as f64 / delivered;
    let gain = 1.0 - marked;
    let expected = gain + (gain * gain + 2.0 * gain).sqrt();
    let found = window * marked;
    assert!((found / expected - 1.0).abs() < 0.08, "{window} x {marked} = {found}, not {expected}");
}
