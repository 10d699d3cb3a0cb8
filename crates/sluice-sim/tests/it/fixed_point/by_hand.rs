//! Numbers that follow from the equations without an iteration.

use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_sim::fixed_point::{FixedPoint, Law, Refused, SteadyState, Verdict};
use sluice_sim::traffic::sizes::{Exponential, Fixed};
use sluice_sim::traffic::{Amount, Long, Periodic, Poisson, Sizes, Traffic, Udp};
use sluice_sim::{Config, GroupConfig, LinkConfig};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span};

use crate::shown::{config, group, pipe, two_pipes};

const MBPS: u64 = 1_000_000;

fn packets(number: f64) -> Amount {
    Amount::Packets(Ratio::new(number))
}

/// Flows of 100 packets that load a link of 10 Mb/s: at 12.5 a second it is full.
fn load(load: f64) -> Traffic {
    Poisson::new(Ratio::new(12.5 * load), Sizes::Fixed(Fixed(packets(100.0)))).into()
}

fn long(count: u64) -> Traffic {
    Long { count, ..Long::default() }.into()
}

fn one_link(groups: Vec<GroupConfig>) -> Config {
    config(pipe(10 * MBPS, Span::from_millis(20)), groups, Span::from_secs(100))
}

fn named(name: &str, traffic: Traffic) -> GroupConfig {
    GroupConfig { name: name.into(), ..group(traffic) }
}

fn found(config: &Config, law: Law) -> SteadyState {
    FixedPoint::of(config, law).expect("it is modelled")
}

fn bps(rate: Rate) -> f64 {
    rate.as_bps_f64()
}

#[track_caller]
fn assert_near(found: f64, wanted: f64, part: f64) {
    assert!((found / wanted - 1.0).abs() <= part, "{found}, not {wanted}");
}

/// M/G/1-PS: x / (C (1 - rho)), 80 ms over 1 - rho, behind the SYN exchange (40.032 ms each way, with 40 bytes to
/// transmit twice) and the delay of 20 ms. Whatever the distribution.
#[test]
fn the_ideal_on_one_link_is_processor_sharing() {
    for rho in [0.1, 0.5, 0.9, 0.99] {
        let exponential = Sizes::Exponential(Exponential(packets(100.0)));
        let other = Poisson::new(Ratio::new(12.5 * rho), exponential).into();
        for traffic in [load(rho), other] {
            let found = found(&one_link(vec![group(traffic)]), Law::MaxMin);
            assert_eq!(found.verdict, Verdict::Converged);
            let afct = found.classes[0].afct.expect("there is a steady state").as_secs_f64();
            assert_near(afct, 0.060_064 + 0.08 / (1.0 - rho), 0.002);
            // Little: as many as in M/G/1-PS.
            assert_near(found.classes[0].flows.expect("so"), rho / (1.0 - rho), 0.002);
            assert_near(found.links[0].utilization, rho, 1e-3);
        }
    }
}

/// PS beside two flows that do not end: x (2 + 1) / (C (1 - rho)), and these have (1 - rho) C.
#[test]
fn flows_share_with_flows_that_do_not_end() {
    let both = vec![named("sized", load(0.5)), named("long", long(2))];
    let found = found(&one_link(both), Law::MaxMin);
    let afct = found.classes[0].afct.expect("there is a steady state").as_secs_f64();
    assert_near(afct, 0.060_064 + 3.0 * 0.08 / 0.5, 0.005);
    assert_near(bps(found.classes[1].rate), 5e6, 1e-3);
    assert_near(found.links[0].utilization, 1.0, 1e-3);
}

/// Two links of 10 Mb/s: 4 flows over both, 1 over the first, 11 over the second. Max-min: 10 / 15 Mb/s at the second,
/// and for the one 10 - 4 x 10 / 15.
fn parking_lot() -> Config {
    let over = |name: &str, from, to, count| GroupConfig::new(name, from, to, long(count));
    let groups = vec![over("both", 0, 2, 4), over("first", 0, 1, 1), over("second", 1, 2, 11)];
    config(two_pipes(10 * MBPS, Span::from_millis(10)), groups, Span::from_secs(10))
}

#[test]
fn long_flows_are_max_min_fair() {
    for (law, target) in [(Law::MaxMin, 1.0), (Law::Rcp, 1.0), (Law::Xcp, 1.0)] {
        let found = found(&parking_lot(), law);
        assert_eq!(found.verdict, Verdict::Converged, "{law:?}");
        let share = target * 10e6 / 15.0;
        assert_near(bps(found.classes[0].rate), 4.0 * share, 1e-3);
        assert_near(bps(found.classes[1].rate), target * 10e6 - 4.0 * share, 1e-3);
        assert_near(bps(found.classes[2].rate), 11.0 * share, 1e-3);
    }
}

/// Equation (8) counts flows wherever they are limited, so NCP leaves at the first link what the four do not use:
/// alpha C / 5 there and alpha C / 15 at the second. By (6), NCP-S counts what arrives, and is max-min fair.
#[test]
fn ncp_counts_flows_limited_elsewhere() {
    let mut config = parking_lot();
    let ncp = found(&config, Law::Ncp);
    let rates: Vec<f64> = ncp.classes.iter().map(|class| bps(class.rate)).collect();
    for (rate, wanted) in rates.iter().zip([4.0 * 9.5e6 / 15.0, 9.5e6 / 5.0, 11.0 * 9.5e6 / 15.0]) {
        assert_near(*rate, wanted, 1e-3);
    }
    config.parameters.ncp.counted = sluice_laws::ncp::FlowCount::Eq6;
    let simplified = found(&config, Law::Ncp);
    assert_near(bps(simplified.classes[1].rate), 9.5e6 * (1.0 - 4.0 / 15.0), 1e-3);
}

/// Rates of TCP are as 1 / RTT, and losses where they fill the link are about 1.5 (packets a round trip)^-2.
#[test]
fn long_flows_of_tcp_share_by_rtt() {
    let mut links = two_pipes(100 * MBPS, Span::from_millis(20));
    links[0].capacity = Rate::from_bps(1_000 * MBPS);
    links[0].buffer = BufferSize::Packets(10_000);
    links[2].buffer = BufferSize::Packets(1);
    let groups =
        vec![GroupConfig::new("far", 0, 2, long(10)), GroupConfig::new("near", 1, 2, long(10))];
    let found = found(&config(links, groups, Span::from_secs(10)), Law::Tcp);
    assert_eq!(found.verdict, Verdict::Converged);
    let [far, near] = [0, 1].map(|class| bps(found.classes[class].rate));
    assert_near(far + near, 100e6, 0.01);
    // 80 ms and 40 ms.
    assert_near(near / far, 2.0, 0.05);
    let window = near / 10.0 / 8000.0 * 0.04;
    assert_near(found.links[2].loss, 1.5 / (window * window), 0.2);
}

/// Two streams of 8 Mb/s on 10 Mb/s: 6 of 16 are lost, the queue is full, and the link busy.
#[test]
fn streams_lose_what_exceeds_the_link() {
    let stream = Udp { count: 2, ..Udp::constant(Rate::from_bps(8 * MBPS), Bytes::new(1000)) };
    let mut config = one_link(vec![group(stream.into())]);
    config.links[0].buffer = BufferSize::Packets(100);
    for law in Law::ALL {
        let found = found(&config, *law);
        assert_eq!(found.verdict, Verdict::Converged, "{law:?}");
        assert_near(found.links[0].loss, 1.0 - 10.0 / 16.0, 1e-3);
        assert_near(found.links[0].utilization, 1.0, 1e-3);
        assert_near(bps(found.classes[0].rate), 10e6, 1e-3);
        assert_near(found.classes[0].loss, 1.0 - 10.0 / 16.0, 1e-3);
        if *law != Law::MaxMin {
            assert_near(found.links[0].queue.as_f64(), 100_000.0, 0.05);
        }
    }
}

#[test]
fn nothing_comes_of_no_flows() {
    for law in Law::ALL {
        let found = found(&one_link(Vec::new()), *law);
        assert_eq!(found.verdict, Verdict::Converged);
        assert!(found.iterations <= 2, "{found:?}");
        assert!(found.links.iter().all(|link| link.utilization == 0.0 && link.queue.as_u64() == 0));
        let nothing = FixedPoint::of(&Config::new(0, vec![], vec![], config_end()), *law);
        assert_eq!(nothing.expect("an empty network is one").at, None);
    }
}

fn config_end() -> sluice_units::Time {
    sluice_units::Time::ZERO + Span::from_secs(1)
}

/// At a load of 1 and above, under each law; NCP's links carry alpha C, RCP's in small networks less than C.
#[test]
fn overload_is_found_and_named() {
    for law in Law::ALL {
        for rho in [1.0, 1.5] {
            let found = found(&one_link(vec![group(load(rho))]), *law);
            assert_eq!(found.verdict, Verdict::Overloaded(vec![0]), "{law:?}");
            assert_eq!(found.classes[0].afct, None);
            assert_eq!(found.classes[0].flows, None);
            assert!(found.links[0].utilization <= 1.0);
        }
    }
    let at = |law, rho| found(&one_link(vec![group(load(rho))]), law).verdict;
    assert_eq!(at(Law::Ncp, 0.951), Verdict::Overloaded(vec![0]));
    // 40 ms of 10 Mb/s are 50 packets: (1 - rho) / rho = sqrt(1 / (0.2 x 50)) at 0.76.
    assert_eq!(at(Law::Rcp, 0.78), Verdict::Overloaded(vec![0]));
    assert_ne!(at(Law::Rcp, 0.74), Verdict::Overloaded(vec![0]));
}

/// A group that does not cross the link in overload keeps its completion time.
#[test]
fn overload_elsewhere_leaves_other_groups() {
    let groups =
        vec![GroupConfig::new("over", 0, 1, load(1.5)), GroupConfig::new("other", 1, 2, load(0.5))];
    let config = config(two_pipes(10 * MBPS, Span::from_millis(20)), groups, Span::from_secs(9));
    let found = found(&config, Law::MaxMin);
    assert_eq!(found.verdict, Verdict::Overloaded(vec![0]));
    assert_eq!(found.classes[0].afct, None);
    let afct = found.classes[1].afct.expect("it has one").as_secs_f64();
    assert_near(afct, 0.060_064 + 0.16, 0.005);
}

/// Flows that bring 3 C to the first link bring C to the second, of 1.5 C, where others have room for their 0.2 C.
#[test]
fn what_one_link_lets_through_is_no_overload_behind_it() {
    let mut links = two_pipes(10 * MBPS, Span::from_millis(20));
    links[2].capacity = Rate::from_bps(15 * MBPS);
    let groups =
        vec![GroupConfig::new("over", 0, 2, load(3.0)), GroupConfig::new("other", 1, 2, load(0.2))];
    let found = found(&config(links, groups, Span::from_secs(9)), Law::MaxMin);
    assert_eq!(found.verdict, Verdict::Overloaded(vec![0]));
    assert!(found.classes[1].afct.is_some(), "{found:?}");
    assert_near(bps(found.classes[1].rate), 2e6, 1e-3);
    assert_near(bps(found.classes[0].rate), 10e6, 1e-3);
}

/// A stream of half of the link uses half, and waits as in M/D/1: rho^2 / (2 (1 - rho)) datagrams.
#[test]
fn a_stream_alone_uses_the_link() {
    let stream = Udp::constant(Rate::from_bps(5 * MBPS), Bytes::new(1000));
    for law in Law::ALL {
        let found = found(&one_link(vec![group(stream.clone().into())]), *law);
        assert_eq!(found.verdict, Verdict::Converged, "{law:?}");
        assert_near(found.links[0].utilization, 0.5, 1e-3);
        assert_near(bps(found.classes[0].rate), 5e6, 1e-3);
        if *law != Law::MaxMin {
            assert_near(found.links[0].queue.as_f64(), 250.0, 0.05);
        }
    }
}

/// No exchange at all is no agreement.
#[test]
fn without_an_exchange_nothing_agrees() {
    let none = FixedPoint { max_iterations: 0, ..FixedPoint::default() };
    let found = none.solve(&one_link(vec![group(load(0.5))]), Law::Rcp).expect("it is modelled");
    assert_eq!(found.verdict, Verdict::NotConverged);
}

/// Losses are sent again: the link is full of what gets through.
#[test]
fn many_flows_of_tcp_fill_the_link() {
    let mut config = one_link(vec![group(long(100))]);
    config.links[0].buffer = BufferSize::Packets(20);
    let found = found(&config, Law::Tcp);
    assert_eq!(found.verdict, Verdict::Converged);
    assert_near(found.links[0].utilization, 1.0, 1e-3);
    assert_near(bps(found.classes[0].rate), 10e6, 1e-3);
}

/// A hundred flows of TCP have less than a packet a round trip each on 10 Mb/s, where time-outs make rates fall as
/// p^-1.5 and faster. A step of the whole way goes beyond the fixed point by more than it was short of it, does not
/// settle, and says so; with smaller steps the same network does.
#[test]
fn an_exchange_that_swings_says_so() {
    let mut config = one_link(vec![group(long(100))]);
    config.links[0].buffer = BufferSize::Packets(20);
    let full = FixedPoint { step: 1.0, least_step: 1.0, ..FixedPoint::default() };
    let swung = full.solve(&config, Law::Tcp).expect("it is modelled");
    assert_eq!(swung.verdict, Verdict::NotConverged, "{swung:?}");
    assert_eq!(swung.iterations, full.max_iterations);
    assert!(swung.residual > full.tolerance && swung.at == Some(0), "{swung:?}");
    let settled = found(&config, Law::Tcp);
    assert_eq!(settled.verdict, Verdict::Converged, "{settled:?}");
}

#[test]
fn what_has_no_model_is_refused_by_name() {
    let refused = |config: &Config, law| match FixedPoint::of(config, law) {
        Err(Refused::NotModelled(found)) => found,
        other => panic!("{other:?}"),
    };
    let sound = one_link(vec![group(load(0.5))]);
    let mut config = sound.clone();
    config.links[0].error = Ratio::new(0.01);
    config.groups[0].weight = Ratio::new(2.0);
    let found = refused(&config, Law::Tcp);
    assert!(found[0].starts_with("links[0].error: "), "{found:?}");
    assert!(found[1].starts_with("groups[0].weight: "), "{found:?}");

    let mut config = sound.clone();
    let sizes = Sizes::Fixed(Fixed(packets(1.0)));
    config.groups[0].traffic = Periodic {
        every: Some(Span::from_secs(1)),
        load: None,
        sizes,
        start: sluice_units::Time::ZERO,
        stop: sluice_units::Time::NEVER,
    }
    .into();
    assert!(refused(&config, Law::Rcp)[0].starts_with("groups[0].traffic: "));

    let mut config = sound.clone();
    for counted in [FlowCount::Eq5, FlowCount::Eq12] {
        config.parameters.ncp.counted = counted;
        assert!(refused(&config, Law::Ncp)[0].starts_with("ncp.counted: "));
    }
    config.parameters.ncp = NcpParams { compensated: true, ..NcpParams::default() };
    assert!(refused(&config, Law::Ncp)[0].starts_with("ncp.compensated: "));
    assert!(FixedPoint::of(&config, Law::Rcp).is_ok());

    // Nothing limits RCP where its narrowest link does not run it.
    let mut config = sound.clone();
    config.links[0].router = sluice_sim::LinkLaw::None.into();
    assert!(refused(&config, Law::Rcp)[0].starts_with("groups[0].path: "));
    assert!(FixedPoint::of(&config, Law::Tcp).is_ok());

    let broken = Config { links: vec![LinkConfig::new(0, 7, Rate::from_bps(MBPS))], ..sound };
    assert!(matches!(FixedPoint::of(&broken, Law::Tcp), Err(Refused::Invalid(_))));
}
