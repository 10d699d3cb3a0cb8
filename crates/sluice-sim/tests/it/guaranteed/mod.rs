//! Flows with profiles beside best-effort ones, and applications that pause.

mod best_effort;
mod corners;
mod estimates;
mod properties;
mod retries;

use sluice_laws::registry::ProtocolName;
use sluice_laws::xcp_guaranteed::{ProfileSender, XcpGuaranteedParams};
use sluice_sim::queue::{Discipline, Priority};
use sluice_sim::traffic::{Long, Pauses, Traffic};
use sluice_sim::{ByClass, Config, GroupConfig, LinkLaw, LinkLaws, LinkMetrics};
use sluice_units::{BufferSize, Rate, Span, Time};

use crate::common::run_to_end;
use crate::shown::{config, group, pipe, results};

const CAPACITY: u64 = 10_000_000;
/// 15 % of it.
const PROFILE: Rate = Rate::from_bps(1_500_000);
const RTT: Span = Span::from_millis(80);

fn at(second: u64) -> Time {
    Time::ZERO + Span::from_secs(second)
}

fn long(name: &str, long: Long) -> GroupConfig {
    GroupConfig { name: name.into(), ..group(Traffic::Long(long)) }
}

/// Flows that ask for the profile, the first at 5 s, and 5 s apart.
fn requests(count: u64) -> GroupConfig {
    let spacing = Span::from_secs(5);
    GroupConfig {
        protocol: Some(ProtocolName::XcpGuaranteed),
        class: 1,
        profile: Some(PROFILE),
        ..long("guaranteed", Long { count, start: at(5), spacing, ..Long::default() })
    }
}

/// Ten best-effort flows, and these, over a link of figure 6-3.
fn shared(params: XcpGuaranteedParams, guaranteed: GroupConfig, seconds: u64) -> Config {
    let mut links = pipe(CAPACITY, RTT / 2);
    links[0].queue = Discipline::Priority(Priority {});
    links[0].buffer = BufferSize::Packets(100);
    let laws = [ProtocolName::Xcp, ProtocolName::XcpGuaranteed].map(LinkLaw::Of);
    links[0].router = LinkLaws::Classes(ByClass::new(&laws).expect("two laws"));
    let best = long("best", Long { count: 10, ..Long::default() });
    let mut config = config(links, vec![best, guaranteed], Span::from_secs(seconds));
    config.parameters.xcp_guaranteed = params;
    config
}

/// Data that each flow with a profile has received, in bits.
fn received(config: &Config) -> Vec<f64> {
    let (flows, outcome) = results(config, &config.parameters.xcp);
    assert_eq!(outcome.links[0].drops, 0);
    let guaranteed = flows.iter().filter(|flow| flow.group == 1);
    guaranteed.map(|flow| flow.delivered.as_f64() * 8.0).collect()
}

/// The sixth would exceed 80 %. Admitted flows send at their profile from a round trip after they asked,
/// and what they sent in the last half of one has not arrived.
#[test]
fn five_flows_get_their_profiles_and_others_nothing() {
    let found = received(&shared(XcpGuaranteedParams::default(), requests(8), 50));
    for (number, bits) in found[..5].iter().enumerate() {
        let seconds = 45.0 - 5.0 * number as f64 - 1.5 * RTT.as_secs_f64();
        let expected = PROFILE.as_bps_f64() * seconds;
        assert!((bits - expected).abs() < 3.0 * 8_000.0, "{number}: {bits}, not {expected}");
    }
    assert_eq!(found[5..], [0.0; 3]);
}

#[test]
fn best_effort_flows_fill_the_rest() {
    let mut config = shared(XcpGuaranteedParams::default(), requests(5), 50);
    config.warm_up = at(30);
    let (flows, outcome) = results(&config, &config.parameters.xcp);
    assert!(outcome.links[0].utilization > 0.97, "{}", outcome.links[0].utilization);
    let rates: Vec<f64> = flows
        .iter()
        .filter(|flow| flow.group == 0)
        .map(|flow| flow.delivered.as_f64() * 8.0 / 20.0)
        .collect();
    // A tenth of 2.5 Mb/s.
    assert!(rates.iter().all(|rate| (rate / 250e3 - 1.0).abs() < 0.1), "{rates:?}");
}

/// A window of 15 packets over a round trip of 80 ms and the time to send a packet and its ACK.
#[test]
fn windows_of_profile_times_rtt_get_nearly_the_profile() {
    let params =
        XcpGuaranteedParams { sender: ProfileSender::Window, ..XcpGuaranteedParams::default() };
    let found = received(&shared(params, requests(5), 50));
    assert!(found.iter().all(|&bits| bits > 0.0), "{found:?}");
    let rate = found[0] / (45.0 - 1.5 * RTT.as_secs_f64());
    assert!((0.97..1.0).contains(&(rate / PROFILE.as_bps_f64())), "{rate}");
}

#[test]
fn flows_that_were_denied_may_ask_again() {
    let later = Some(Span::from_secs(1));
    let params = XcpGuaranteedParams { retry: later, ..XcpGuaranteedParams::default() };
    let mut asks = requests(6);
    let config = |guaranteed| shared(params, guaranteed, 60);
    assert_eq!(received(&config(asks.clone()))[5], 0.0, "none has left");
    // All others stop at 40 s.
    asks.traffic = Traffic::Long(Long { count: 5, stop: at(40), start: at(5), ..Long::default() });
    let mut both = config(asks);
    let sixth = Long { start: at(30), ..Long::default() };
    both.groups.push(GroupConfig { name: "sixth".into(), ..requests(1) });
    both.groups[2].traffic = Traffic::Long(sixth);
    let (flows, _) = results(&both, &both.parameters.xcp);
    let sixth = flows.last().expect("a flow").delivered.as_f64() * 8.0;
    // R_g is 7.5 Mb/s, which falls below 6.5 in an interval; it asks each second.
    let (least, most) = (1.5e6 * (60.0 - 42.0), 1.5e6 * (60.0 - 40.0));
    assert!((least..most).contains(&sixth), "{sixth}");
}

/// An application that pauses: it has data for half of the time.
fn pausing(mut asks: GroupConfig) -> GroupConfig {
    let mean = Span::from_secs(2);
    let pauses = Some(Pauses { on: mean, off: mean, shape: None });
    let long = Long { count: 5, start: at(5), pauses, ..Long::default() };
    asks.traffic = Traffic::Long(long);
    asks
}

/// The samples of a quantity at the link, with their times in seconds.
fn sampled(config: &mut Config, name: &str) -> Vec<(f64, f64)> {
    config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(100) }];
    let found = run_to_end(config, &config.parameters.xcp.clone());
    let series = &found.series[0];
    let column = series.columns.iter().position(|column| column == name).expect("it is sampled");
    let rows = series.values.chunks_exact(series.columns.len());
    let times = series.times.iter().map(|time| time.since(Time::ZERO).as_secs_f64());
    times.zip(rows.map(|row| row[column])).collect()
}

#[test]
fn idle_flows_keep_what_they_reserved() {
    let mut config = shared(XcpGuaranteedParams::default(), pausing(requests(5)), 60);
    let reserved = sampled(&mut config, "class_1_R_g");
    let used = sampled(&mut config, "class_1_R_u");
    let after = |rows: &[(f64, f64)]| -> Vec<f64> {
        rows.iter().filter(|(time, _)| *time > 8.0).map(|&(_, value)| value).collect()
    };
    let (reserved, used) = (after(&reserved), after(&used));
    assert!(reserved.iter().all(|&bps| (7.0e6..8.5e6).contains(&bps)), "{reserved:?}");
    let mean = used.iter().sum::<f64>() / used.len() as f64;
    assert!((2.0e6..5.5e6).contains(&mean), "{mean}");
}

/// Under any protocol, a pause ends what leaves, and the flow goes on after it.
#[test]
fn a_flow_sends_between_pauses_only() {
    for name in [ProtocolName::Tcp, ProtocolName::Xcp, ProtocolName::Rcp, ProtocolName::Cubic] {
        let pauses = Pauses { on: Span::from_secs(5), off: Span::from_secs(5), shape: None };
        let traffic = Long { pauses: Some(pauses), ..Long::default() };
        let mut links = pipe(CAPACITY, RTT / 2);
        links[0].buffer = BufferSize::Packets(100);
        let mut config = config(links, vec![long("flow", traffic)], Span::from_secs(200));
        config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(500) }];
        let found = run_to_end(&config, config.parameters.protocol(name));
        let series = &found.series[0];
        let width = series.columns.len();
        let load: Vec<f64> = series.values.chunks_exact(width).map(|row| row[1]).collect();
        let silent = load.iter().filter(|&&load| load < 0.01).count() as f64 / load.len() as f64;
        assert!((0.3..0.7).contains(&silent), "{name}: silent for {silent} of the time");
        let after = load.iter().rposition(|&load| load > 0.5).expect("it sends");
        assert!(after > load.len() / 2, "{name}: it does not go on");
    }
}
