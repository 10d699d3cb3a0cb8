//! Numbers that follow from the equations without an iteration.

use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_laws::rcp::RcpRecovery;
use sluice_laws::registry::Parameters;
use sluice_laws::router::QueueCounts;
use sluice_laws::transport::{EcnMode, LossRecovery};
use sluice_laws::xcp::{Shuffle, StatedWindow};
use sluice_sim::fixed_point::{Doubt, FixedPoint, Law, Refused, SteadyState};
use sluice_sim::traffic::sizes::{Exponential, Fixed};
use sluice_sim::traffic::{Amount, Long, Periodic, Poisson, Sizes, Traffic, Udp};
use sluice_sim::{Config, GroupConfig, LinkConfig};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span};

use crate::shown::{config, group, link, pipe, two_pipes};

pub(super) const MBPS: u64 = 1_000_000;

pub(super) fn packets(number: f64) -> Amount {
    Amount::Packets(Ratio::new(number))
}

/// Flows of 100 packets that load a link of 10 Mb/s: at 12.5 a second it is full.
pub(super) fn load(load: f64) -> Traffic {
    Poisson::new(Ratio::new(12.5 * load), Sizes::Fixed(Fixed(packets(100.0)))).into()
}

pub(super) fn long(count: u64) -> Traffic {
    Long { count, ..Long::default() }.into()
}

pub(super) fn one_link(groups: Vec<GroupConfig>) -> Config {
    config(pipe(10 * MBPS, Span::from_millis(20)), groups, Span::from_secs(100))
}

pub(super) fn named(name: &str, traffic: Traffic) -> GroupConfig {
    GroupConfig { name: name.into(), ..group(traffic) }
}

pub(super) fn found(config: &Config, law: Law) -> SteadyState {
    FixedPoint::of(config, law).expect("it is modelled")
}

pub(super) fn bps(rate: Rate) -> f64 {
    rate.as_bps_f64()
}

#[track_caller]
pub(super) fn assert_settled(found: &SteadyState) {
    assert!(found.converged && found.overloaded.is_empty(), "{found:?}");
}

#[track_caller]
pub(super) fn assert_near(found: f64, wanted: f64, part: f64) {
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
            assert_settled(&found);
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
        assert_settled(&found);
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
    assert_settled(&found);
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
        assert_settled(&found);
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
        assert_settled(&found);
        assert!(found.iterations <= 2, "{found:?}");
        assert!(found.links.iter().all(|link| link.utilization == 0.0 && link.queue.as_u64() == 0));
        let nothing = FixedPoint::of(&Config::new(0, vec![], vec![], config_end()), *law);
        assert_eq!(nothing.expect("an empty network is one").worst_link, None);
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
            assert_eq!(found.overloaded, [0], "{law:?}");
            assert_eq!(found.classes[0].afct, None);
            assert_eq!(found.classes[0].flows, None);
            assert!(found.links[0].utilization <= 1.0);
        }
    }
    let at = |law, rho| found(&one_link(vec![group(load(rho))]), law).overloaded;
    assert_eq!(at(Law::Ncp, 0.951), [0]);
    // 40 ms of 10 Mb/s are 50 packets: (1 - rho) / rho = sqrt(1 / (0.2 x 50)) at 0.76.
    assert_eq!(at(Law::Rcp, 0.78), [0]);
    assert!(at(Law::Rcp, 0.74).is_empty());
}

/// A group that does not cross the link in overload keeps its completion time.
#[test]
fn overload_elsewhere_leaves_other_groups() {
    let groups =
        vec![GroupConfig::new("over", 0, 1, load(1.5)), GroupConfig::new("other", 1, 2, load(0.5))];
    let config = config(two_pipes(10 * MBPS, Span::from_millis(20)), groups, Span::from_secs(9));
    let found = found(&config, Law::MaxMin);
    assert_eq!(found.overloaded, [0]);
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
    assert_eq!(found.overloaded, [0]);
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
        assert_settled(&found);
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
    assert!(!found.converged && found.worst_link.is_none(), "{found:?}");
}

/// Losses are sent again: the link is full of what gets through.
#[test]
fn many_flows_of_tcp_fill_the_link() {
    let mut config = one_link(vec![group(long(100))]);
    config.links[0].buffer = BufferSize::Packets(20);
    let found = found(&config, Law::Tcp);
    assert_settled(&found);
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
    assert!(!swung.converged, "{swung:?}");
    assert_eq!(swung.iterations, full.max_iterations);
    assert!(swung.residual > full.tolerance && swung.worst_link == Some(0), "{swung:?}");
    let settled = found(&config, Law::Tcp);
    assert_settled(&settled);
}

/// A mean over all flows: 2.5 a second of one class, 5 of the other; none where one of them has none.
#[test]
fn the_mean_over_classes_is_by_arrivals() {
    let both = vec![named("few", load(0.2)), named("many", load(0.4)), named("long", long(1))];
    let steady = found(&one_link(both), Law::Ncp);
    let [few, many] = [0, 1].map(|class| steady.classes[class].afct.expect("so").as_secs_f64());
    assert_eq!(steady.classes[0].arrivals, Some(2.5));
    let mean = steady.afct().expect("both have one").as_secs_f64();
    assert_near(mean, (2.5 * few + 5.0 * many) / 7.5, 1e-6);
    assert_eq!(steady.classes[2].arrivals, None);
    assert_eq!(found(&one_link(vec![group(long(1))]), Law::Ncp).afct(), None);
    assert_eq!(found(&one_link(vec![group(load(1.5))]), Law::Ncp).afct(), None);
}

/// Sizes have parts that are 1 together, a mean completion time that is the class's, and longer ones for larger sizes.
#[test]
fn sizes_make_up_the_class() {
    let sizes = Sizes::Exponential(Exponential(packets(100.0)));
    let traffic = Poisson::new(Ratio::new(6.0), sizes).into();
    let found = found(&one_link(vec![group(traffic)]), Law::Rcp);
    let by_size = &found.classes[0].by_size;
    assert!(by_size.len() > 10);
    assert_near(by_size.iter().map(|size| size.part).sum(), 1.0, 1e-9);
    let mean = by_size.iter().map(|size| size.part * size.completion.as_secs_f64()).sum();
    assert_near(found.classes[0].afct.expect("so").as_secs_f64(), mean, 1e-6);
    let payload = by_size.iter().map(|size| size.part * size.bytes.as_f64()).sum();
    assert_near(payload, 100_000.0, 1e-3);
    assert!(by_size.is_sorted_by_key(|size| (size.bytes, size.completion)));
}

/// 1.5 C and an overloaded link on the way back of others, whose acknowledgements queue there.
#[test]
fn overload_of_acknowledgements_counts() {
    let mut links = one_link(vec![]).links;
    links[1] = LinkConfig { from: 1, to: 0, ..links[0].clone() };
    let groups =
        vec![GroupConfig::new("over", 0, 1, load(1.5)), GroupConfig::new("back", 1, 0, load(0.3))];
    let config = config(links, groups, Span::from_secs(9));
    let found = found(&config, Law::Ncp);
    assert_eq!(found.overloaded, [0]);
    assert_near(found.links[0].load, 1.5, 0.02);
    assert_eq!(found.classes[1].afct, None);
}

/// Beside K flows without an end, n is rho (K + 1) / (1 - rho) by processor sharing of NCP's alpha C, and these have the
/// rest of it. Flows of 1.25 GB on 1 Gb/s, so that few bytes leave before the routers know of a flow, and a BDP of 5,000
/// packets, so that queues of packets count little.
#[test]
fn ncp_shares_with_flows_that_do_not_end() {
    for count in [1, 5, 20] {
        let sizes = Sizes::Fixed(Fixed(packets(1_250_000.0)));
        let sized = Poisson::new(Ratio::new(0.05), sizes).into();
        let both = vec![named("sized", sized), named("long", long(count))];
        let links = pipe(1000 * MBPS, Span::from_millis(20));
        let found = found(&config(links, both, Span::from_secs(100)), Law::Ncp);
        assert_settled(&found);
        let (rho, more) = (5.0 / 9.5, count as f64 + 1.0);
        assert_near(found.classes[0].flows.expect("so"), rho * more / (1.0 - rho), 0.02);
        assert_near(bps(found.classes[1].rate), 450e6, 0.02);
        assert_near(bps(found.links[0].grant), 450e6 / count as f64, 0.02);
    }
}

/// Under (8) a stream takes nothing from alpha C as long as there is room: flows of 0.5 C beside 0.4 C leave R at alpha
/// C, which (6) divides among what arrives, 0.9 C.
#[test]
fn ncp_counts_no_streams() {
    let stream = Udp::constant(Rate::from_bps(4 * MBPS), Bytes::new(1000));
    let both = vec![named("sized", load(0.5)), named("stream", stream.into())];
    let mut config = one_link(both);
    let eq8 = found(&config, Law::Ncp);
    config.parameters.ncp.counted = FlowCount::Eq6;
    let eq6 = found(&config, Law::Ncp);
    assert_settled(&eq8);
    assert_settled(&eq6);
    assert!(eq8.links[0].grant > eq6.links[0].grant, "{eq8:?}, {eq6:?}");
    // Up to 0.6 C under (8), and 0.55 C under (6).
    let stream = Udp::constant(Rate::from_bps(4 * MBPS), Bytes::new(1000));
    let mut config = one_link(vec![named("sized", load(0.57)), named("stream", stream.into())]);
    assert!(found(&config, Law::Ncp).overloaded.is_empty());
    config.parameters.ncp.counted = FlowCount::Eq6;
    assert_eq!(found(&config, Law::Ncp).overloaded, [0]);
}

/// A fifth of what TCP sends is lost at the second link: the first carries 1 / (1 - p) of what arrives, the third 1 of it.
#[test]
fn retransmissions_load_the_links_up_to_the_loss() {
    let chain = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)];
    let mut links: Vec<LinkConfig> =
        chain.iter().map(|&(from, to)| link(from, to, 10 * MBPS, Span::from_millis(20))).collect();
    links[2].buffer = BufferSize::Packets(2);
    let sized = GroupConfig::new("sized", 0, 3, load(0.5));
    let found = found(&config(links, vec![sized], Span::from_secs(9)), Law::Tcp);
    assert_settled(&found);
    let lost = found.links[2].loss;
    assert!(lost > 0.01 && found.links[0].loss == 0.0, "{found:?}");
    assert_near(found.links[0].load, 0.5 / (1.0 - lost), 1e-3);
    assert_near(found.links[2].load, 0.5 / (1.0 - lost), 1e-3);
    assert_near(found.links[4].load, 0.5, 1e-3);
}

/// A stream of 3 C reaches the links behind the first one at C, from the first exchange on.
#[test]
fn a_stream_is_cut_at_its_first_link() {
    let stream = Udp::constant(Rate::from_bps(30 * MBPS), Bytes::new(1000));
    let mut links = two_pipes(10 * MBPS, Span::from_millis(20));
    links[0].buffer = BufferSize::Packets(50);
    links[2].capacity = Rate::from_bps(20 * MBPS);
    let groups =
        vec![GroupConfig::new("stream", 0, 2, stream), GroupConfig::new("sized", 1, 2, load(0.5))];
    let found = found(&config(links, groups, Span::from_secs(9)), Law::Rcp);
    assert_settled(&found);
    assert!(found.iterations < 60, "{}", found.iterations);
    assert_near(found.links[2].load, 0.75, 1e-3);
}

/// Every parameter that the models do not have is refused under its own name, and one that a protocol overrides is
/// refused in the protocol's table.
#[test]
fn parameters_without_a_model_are_refused() {
    let sound = one_link(vec![group(load(0.5))]);
    let refused = |law: Law, change: &dyn Fn(&mut Parameters), field: &str| {
        let mut config = sound.clone();
        change(&mut config.parameters);
        match FixedPoint::of(&config, law) {
            Err(Refused::NotModelled(found)) => assert_eq!(found[0].field, field),
            other => panic!("{field}: {other:?}"),
        }
    };
    refused(Law::Rcp, &|all| all.rcp.losses_as_queue = true, "rcp.losses_as_queue");
    refused(Law::Rcp, &|all| all.rcp.rtt_every = 2, "rcp.rtt_every");
    refused(Law::Rcp, &|all| all.rcp.queue_counts = QueueCounts::Unsent, "rcp.queue_counts");
    refused(Law::Rcp, &|all| all.rcp.recovery = Some(RcpRecovery::Rounds), "rcp.recovery");
    refused(Law::Ncp, &|all| all.ncp.paced = false, "ncp.paced");
    refused(Law::Xcp, &|all| all.xcp.shuffle = Shuffle::Appendix, "xcp.shuffle");
    refused(Law::Xcp, &|all| all.xcp.stated_window = StatedWindow::Whole, "xcp.stated_window");
    refused(Law::Xcp, &|all| all.xcp.check_receiver = Ratio::new(0.1), "xcp.check_receiver");
    refused(Law::Xcp, &|all| all.xcp.delayed_ack = Some(true), "xcp.delayed_ack");
    refused(Law::Tcp, &|all| all.tcp.pacing = true, "tcp.pacing");
    refused(Law::Tcp, &|all| all.transport.delayed_ack = true, "transport.delayed_ack");
    refused(Law::Tcp, &|all| all.transport.recovery = LossRecovery::Reno, "transport.recovery");
    refused(Law::Tcp, &|all| all.tcp.ecn = Some(EcnMode::Ect0), "tcp.ecn");
}

/// A protocol's own first time-out counts, not that of the transport that it overrides. The answer to a SYN is lost too.
#[test]
fn lost_answers_cost_the_time_outs_of_the_protocol() {
    let mut links = one_link(vec![]).links;
    links[1].buffer = BufferSize::Packets(10);
    let flood = Udp::constant(Rate::from_bps(20 * MBPS), Bytes::new(1000));
    let groups =
        vec![GroupConfig::new("sized", 0, 1, load(0.3)), GroupConfig::new("flood", 1, 0, flood)];
    let mut config = config(links, groups, Span::from_secs(9));
    config.parameters.transport.initial_rto = Span::from_secs(30);
    let mut afct = |seconds: u64| {
        config.parameters.tcp.initial_rto = Some(Span::from_secs(seconds));
        let found = found(&config, Law::Tcp);
        assert_settled(&found);
        assert!(found.classes[0].doubts.contains(&Doubt::AcknowledgementLosses), "{found:?}");
        found.classes[0].afct.expect("so").as_secs_f64()
    };
    // Half of the answers are lost: 1 s, 2 s, up to 32 s, at halves of the chance each, and 60 s. With 2 s it begins later.
    let waits = |first: f64| -> f64 {
        let doubled = (1..=20)
            .map(|k| (first * libm::exp2(f64::from(k - 1))).min(60.0) * libm::exp2(-f64::from(k)));
        doubled.sum()
    };
    let (one, two) = (afct(1), afct(2));
    assert_near(two - one, waits(2.0) - waits(1.0), 0.1);
}

#[test]
fn what_has_no_model_is_refused_by_name() {
    let refused = |config: &Config, law| -> Vec<String> {
        match FixedPoint::of(config, law) {
            Err(Refused::NotModelled(found)) => found.into_iter().map(|lack| lack.field).collect(),
            other => panic!("{other:?}"),
        }
    };
    let sound = one_link(vec![group(load(0.5))]);
    let mut config = sound.clone();
    config.links[0].error = Ratio::new(0.01);
    config.groups[0].weight = Ratio::new(2.0);
    assert_eq!(refused(&config, Law::Tcp), ["links[0].error", "groups[0].weight"]);
    let text = FixedPoint::of(&config, Law::Tcp).expect_err("both are refused").to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].starts_with("groups[0].weight: "), "{text}");

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
    assert_eq!(refused(&config, Law::Rcp), ["groups[0].traffic"]);

    let mut config = sound.clone();
    for counted in [FlowCount::Eq5, FlowCount::Eq12] {
        config.parameters.ncp.counted = counted;
        assert_eq!(refused(&config, Law::Ncp), ["ncp.counted"]);
    }
    config.parameters.ncp = NcpParams { compensated: true, ..NcpParams::default() };
    assert_eq!(refused(&config, Law::Ncp), ["ncp.compensated"]);
    assert!(FixedPoint::of(&config, Law::Rcp).is_ok());

    // Nothing limits RCP where its narrowest link does not run it.
    let mut config = sound.clone();
    config.links[0].router = sluice_sim::LinkLaw::None.into();
    assert_eq!(refused(&config, Law::Rcp), ["groups[0].path"]);
    assert!(FixedPoint::of(&config, Law::Tcp).is_ok());

    let broken = Config { links: vec![LinkConfig::new(0, 7, Rate::from_bps(MBPS))], ..sound };
    assert!(matches!(FixedPoint::of(&broken, Law::Tcp), Err(Refused::Invalid(_))));
}
