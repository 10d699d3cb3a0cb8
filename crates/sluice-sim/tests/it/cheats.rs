//! Senders that depart from their law.

use crate::shown::{config, group, pipe, results};
use sluice_laws::conduct::Conduct;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, GroupConfig};
use sluice_units::{BufferSize, Rate, Ratio, Span, Time};

const BPS: u64 = 200_000_000;
const HONEST: u64 = 4;

fn long(name: &str, count: u64, conduct: Conduct) -> GroupConfig {
    let spacing = Span::from_micros(7_300);
    let long = Long { count, start: Time::ZERO, spacing, stop: Time::NEVER, ..Long::default() };
    GroupConfig { name: name.into(), conduct, ..group(Traffic::Long(long)) }
}

/// One cheat beside four compliant flows on 200 Mb/s with an RTT of 40 ms, after 10 s of 30.
fn beside(conduct: Conduct) -> Config {
    let mut links = pipe(BPS, Span::from_millis(20));
    links[0].buffer = BufferSize::Packets(1_000);
    let groups = vec![long("cheat", 1, conduct), long("compliant", HONEST, Conduct::HONEST)];
    let mut config = config(links, groups, Span::from_secs(30));
    config.warm_up = Time::ZERO + Span::from_secs(10);
    config
}

/// The cheat's throughput and that of the others together, over the capacity.
fn shares(name: ProtocolName, conduct: Conduct) -> (f64, f64) {
    let (flows, _) = results(&beside(conduct), Parameters::default().protocol(name));
    let shares = |of: usize| {
        let own = flows.iter().filter(|flow| flow.group == of);
        own.map(|flow| flow.delivered.as_f64() * 8.0 / 20.0 / BPS as f64).sum::<f64>()
    };
    (shares(0), shares(1))
}

/// "The T-liar simulates a number of flows equal to its gain" (Katabi's thesis, section 7.3.1).
#[test]
fn a_t_liar_gets_the_share_of_as_many_flows() {
    for gain in [0.25, 1.0, 4.0] {
        let liar = Conduct { throughput_gain: Ratio::new(gain), ..Conduct::HONEST };
        let (cheat, others) = shares(ProtocolName::Xcp, liar);
        let expected = gain / HONEST as f64;
        assert!((cheat / others / expected - 1.0).abs() < 0.05, "{gain}: {}", cheat / others);
        assert!(cheat + others > 0.93, "{gain}: {}", cheat + others);
    }
}

/// Ledger's routers grant all flows the same rate, whatever one states.
#[test]
fn who_lies_to_ledger_gains_nothing() {
    let gain = |gain| Conduct { left_gain: Ratio::new(gain), ..Conduct::HONEST };
    let lies = [0.01, 100.0].map(gain).into_iter();
    let lies = lies
        .chain([0.5, 8.0].map(|gain| Conduct { rtt_gain: Ratio::new(gain), ..Conduct::HONEST }));
    let gain = |gain| Conduct { throughput_gain: Ratio::new(gain), ..Conduct::HONEST };
    for lie in lies.chain([0.25, 4.0].map(gain)) {
        let (cheat, others) = shares(ProtocolName::Ledger, lie);
        let over_fair = cheat / others * HONEST as f64;
        assert!((over_fair - 1.0).abs() < 0.05, "{over_fair} by {lie:?}");
        assert!(cheat + others > 0.9, "{} by {lie:?}", cheat + others);
    }
}

/// A lie about the RTT "has no impact on the average bandwidth allocated to the flow" (7.3.2).
#[test]
fn a_d_liar_gains_nothing() {
    for gain in [0.5, 8.0] {
        let liar = Conduct { rtt_gain: Ratio::new(gain), ..Conduct::HONEST };
        let (cheat, others) = shares(ProtocolName::Xcp, liar);
        let over_fair = cheat / others * HONEST as f64;
        assert!((over_fair - 1.0).abs() < 0.05, "{gain}: {over_fair}");
    }
}

/// An abuser's throughput over its fair share.
fn abused(name: ProtocolName, increase: f64, decrease: f64) -> f64 {
    let conduct = Conduct {
        increase_gain: Ratio::new(increase),
        decrease_gain: Ratio::new(decrease),
        ..Conduct::HONEST
    };
    let (cheat, others) = shares(name, conduct);
    cheat / others * HONEST as f64
}

/// "When the abuser uses an aggressive increase or a lenient decrease parameter its throughput becomes
/// larger than its fair share" (7.3.3). A packet of XCP returns what its increase and its decrease
/// leave together, which is nothing at the fair share: an abuser multiplies fluctuations about it,
/// which are small here.
#[test]
fn responsive_abusers_get_more_of_tcp_and_little_more_of_xcp() {
    for (increase, decrease) in [(4.0, 1.0), (1.0, 0.2)] {
        let tcp = abused(ProtocolName::Tcp, increase, decrease);
        assert!(tcp > 1.15, "{increase} {decrease}: {tcp}");
        let xcp = abused(ProtocolName::Xcp, increase, decrease);
        assert!((0.98..1.3).contains(&xcp), "{increase} {decrease}: {xcp}");
    }
}

/// It "achieves a throughput that is the minimum of its sending rate and the bottleneck bandwidth"
/// (7.3.4); the others have the rest.
#[test]
fn an_unresponsive_abuser_gets_its_rate() {
    for (mbps, most) in [(20, 0.1), (100, 0.5), (180, 0.9)] {
        let rate = Some(Rate::from_bps(mbps * 1_000_000));
        let abuser = Conduct { fixed_rate: rate, ..Conduct::HONEST };
        let (cheat, others) = shares(ProtocolName::Xcp, abuser);
        assert!((cheat / most - 1.0).abs() < 0.02, "{mbps}: {cheat}");
        assert!(cheat + others > 0.9, "{mbps}: {}", cheat + others);
    }
    let rate = Some(Rate::from_bps(BPS * 2));
    let (cheat, others) =
        shares(ProtocolName::Xcp, Conduct { fixed_rate: rate, ..Conduct::HONEST });
    assert!(cheat > 0.5 && others < 0.05, "{cheat} {others}");
}
