use proptest::prelude::*;
use sluice_units::{Ratio, Span};

use super::*;

const RTT: Span = Span::from_millis(80);
const BYTES: u32 = 1000;

fn rules(failures: u32) -> TestRules {
    TestRules {
        keep: Ratio::new(0.5),
        failures,
        shortest_rtt: Span::ZERO,
        longest_rtt: Span::from_secs(1),
        weight: Ratio::new(1.0),
    }
}

/// A sender of one flow, seen at one place: its packets are evenly spaced, and what they are granted comes
/// back after an RTT.
#[derive(Clone, Copy)]
struct Sender {
    /// In packets.
    window: f64,
    /// What it makes of a decrease.
    decreases: f64,
    /// What it sends over what it states.
    throughput_gain: f64,
    /// Its RTT over the one that it states.
    rtt_gain: f64,
    /// Of each packet, what routers grant at most, in bytes a second.
    granted: i32,
    /// Each packet whose number this divides is lost, with its feedback.
    loses: usize,
}

const HONEST: Sender = Sender {
    window: 10.0,
    decreases: 1.0,
    throughput_gain: 1.0,
    rtt_gain: 1.0,
    granted: i32::MAX,
    loses: usize::MAX,
};

/// Tested in 50 RTTs, each with its time in RTTs, of which the first test begins after 10.
fn findings(sender: Sender, rules: &TestRules) -> Vec<(f64, Tested)> {
    let (mut window, rtt) = (sender.window, RTT.as_secs_f64());
    let mut test = FlowTest::new(Time::ZERO);
    let mut found = Vec::new();
    let mut feedback = std::collections::VecDeque::new();
    let mut now = 0.0;
    for number in 0.. {
        if now > 50.0 * rtt {
            break;
        }
        while feedback.front().is_some_and(|&(at, _)| at <= now) {
            let (_, delta) = feedback.pop_front().unwrap();
            let gain = if delta < 0 { sender.decreases } else { 1.0 };
            window = (window + f64::from(delta) * gain * rtt / f64::from(BYTES)).max(1.0);
        }
        let at = Time::ZERO + Span::from_secs_f64(now);
        if now > 10.0 * rtt && found.is_empty() && !test.is_testing() {
            test.begin(at);
        }
        let ticks = |seconds: f64| (seconds * TICKS) as u32;
        let (x, stated) = (rtt / window * sender.throughput_gain, rtt / sender.rtt_gain);
        let header = XcpHeader { x: ticks(x), rtt: ticks(stated), delta: i32::MAX, reverse: 0 };
        let mut wire = header.to_wire();
        let finding = test.on_data(at, &mut wire, BYTES, rules);
        if finding != Tested::default() {
            found.push((now / rtt, finding));
        }
        if number % sender.loses != sender.loses - 1 {
            feedback.push_back((now + rtt, XcpHeader::from_wire(wire).delta.min(sender.granted)));
        }
        now += rtt / window;
    }
    found
}

fn convictions(sender: Sender, rules: &TestRules) -> Vec<(f64, Charge)> {
    let found = findings(sender, rules).into_iter();
    found.filter_map(|(at, found)| Some((at, found.convicted?.charge))).collect()
}

#[test]
fn an_honest_flow_passes_at_any_window_growth_and_loss() {
    for window in [1.0, 1.5, 2.0, 3.7, 8.0, 10.0, 55.5, 1000.0] {
        for granted in [-10, 0, 100] {
            for loses in [usize::MAX, 10, 5] {
                let sender = Sender { window, granted, loses, ..HONEST };
                let found = findings(sender, &rules(1));
                let passed = Tested { passed: Some(true), convicted: None };
                let failed = |(_, finding): &(f64, Tested)| *finding != passed;
                assert!(!found.iter().any(failed), "{window} {granted} {loses}: {found:?}");
                assert!(!found.is_empty(), "{window} {granted} {loses}: no test ended");
            }
        }
    }
}

#[test]
fn a_test_halves_the_rate_of_an_honest_flow() {
    let mut test = Reaction::new(Time::ZERO);
    let ten = |now: u64| StatedPacket {
        now: Time::ZERO + Span::from_millis(now),
        bytes: 1000.0,
        x: 0.008,
        rtt: RTT,
    };
    let mut taken = 0;
    for packet in 1..=30 {
        let mut delta = i32::MAX;
        assert_eq!(test.on_data(&ten(8 * packet), &mut delta, &rules(1)), None);
        taken += delta;
    }
    // 10 packets an RTT are 125 kB/s.
    assert_eq!(taken, -62_500);
}

#[test]
fn an_unresponsive_flow_is_convicted_within_five_rtts_a_test() {
    for decreases in [0.0, 0.2] {
        for (failures, least, most) in [(1, 4.0, 5.0), (2, 8.0, 10.0)] {
            let sender = Sender { decreases, granted: 0, ..HONEST };
            let found = convictions(sender, &rules(failures));
            let (at, charge) = found[0];
            assert_eq!(charge, Charge::Unresponsive);
            assert!((least..most).contains(&(at - 10.0)), "{failures} failures: after {at} RTTs");
        }
    }
}

#[test]
fn an_understated_rtt_is_one_in_which_the_flow_does_not_react() {
    let liar = Sender { window: 40.0, granted: 0, ..HONEST };
    let four = convictions(Sender { rtt_gain: 4.0, ..liar }, &rules(1));
    assert_eq!(four[0].1, Charge::Unresponsive);
    // An abuser of 40 packets that states a fortieth of its RTT looks like one with a packet in each, which it
    // may keep: only who knows that no RTT is so short can tell.
    let forty = Sender { rtt_gain: 40.0, decreases: 0.0, ..liar };
    assert!(convictions(forty, &rules(1)).is_empty());
    let bounded = TestRules { shortest_rtt: Span::from_millis(20), ..rules(1) };
    assert_eq!(convictions(forty, &bounded)[0].1, Charge::Unresponsive);
    let overstated = Sender { rtt_gain: 0.3, granted: 0, ..HONEST };
    assert!(convictions(overstated, &rules(1)).is_empty());
}

#[test]
fn an_overstated_throughput_excuses_nobody() {
    let sender = Sender { throughput_gain: 0.1, decreases: 0.0, granted: 0, ..HONEST };
    assert_eq!(convictions(sender, &rules(1))[0].1, Charge::Unresponsive);
}

#[test]
fn an_understated_throughput_is_seen_the_sooner_the_larger_the_lie() {
    for (throughput_gain, most) in [(1.5, 6.0), (2.0, 2.5), (10.0, 1.0), (100.0, 1.0)] {
        let sender = Sender { throughput_gain, granted: 0, ..HONEST };
        let (at, charge) = convictions(sender, &rules(1))[0];
        assert_eq!(charge, Charge::Understates);
        assert!(at < most, "gain {throughput_gain}: after {at} RTTs");
    }
}

#[test]
fn a_weight_that_the_agent_knows_is_no_lie() {
    let sender = Sender { throughput_gain: 4.0, granted: 0, ..HONEST };
    let allowed = TestRules { weight: Ratio::new(4.0), ..rules(1) };
    assert!(convictions(sender, &allowed).is_empty());
    let above = Sender { throughput_gain: 8.0, ..sender };
    assert_eq!(convictions(above, &allowed)[0].1, Charge::Understates);
    let deaf = Sender { decreases: 0.0, ..sender };
    assert_eq!(convictions(deaf, &allowed)[0].1, Charge::Unresponsive);
}

#[test]
fn packets_without_an_rtt_are_left_alone() {
    let mut test = FlowTest::new(Time::ZERO);
    test.begin(Time::ZERO);
    let mut header = XcpHeader { delta: 5, ..XcpHeader::default() }.to_wire();
    assert_eq!(test.on_data(Time::ZERO, &mut header, 1000, &rules(1)), Tested::default());
    assert_eq!(XcpHeader::from_wire(header).delta, 5);
}

/// "cwnd = max(cwnd + H_feedback x rtt, s)" (4.1): at a weight of a half, a flow of one packet states two.
#[test]
fn a_flow_of_a_weight_below_one_keeps_a_packet() {
    for throughput_gain in [0.5, 0.25, 0.1] {
        for window in [1.0, 2.0, 10.0] {
            let sender = Sender { window, throughput_gain, granted: 0, ..HONEST };
            let found = findings(sender, &rules(1));
            assert!(!found.is_empty());
            let passed = found.iter().all(|(_, found)| found.passed == Some(true));
            assert!(passed, "{window} packets at {throughput_gain}: {found:?}");
        }
    }
}

/// What a flow of `window` packets states, evenly spaced, whose RTT is `rtts[0]` for 50 of them and
/// `rtts[1]` later, smoothed as in RFC 6298: failed comparisons.
fn failures_in_change(window: f64, rtts: [f64; 2]) -> u32 {
    let mut statement = Statement::new(Time::ZERO);
    let (mut now, mut srtt, mut failed) = (0.0, rtts[0], 0);
    for packet in 0..2000 {
        let rtt = rtts[usize::from(f64::from(packet) >= 50.0 * window)];
        srtt += (rtt - srtt) / 8.0;
        now += rtt / window;
        let stated = StatedPacket {
            now: Time::ZERO + Span::from_secs_f64(now),
            bytes: 1000.0,
            x: srtt / window,
            rtt: Span::from_secs_f64(srtt),
        };
        failed +=
            u32::from(statement.on_data(&stated, &rules(2)).is_some_and(|found| found.is_err()));
    }
    failed
}

#[test]
fn a_change_of_the_rtt_fails_at_most_one_comparison() {
    for window in [1.0, 2.0, 4.0, 10.0, 100.0] {
        for rtts in [[0.2, 0.04], [0.12, 0.04], [1.0, 0.1], [0.04, 0.2], [0.1, 0.05]] {
            let failed = failures_in_change(window, rtts);
            assert!(failed <= 1, "{failed} failures of {window} packets at {rtts:?} seconds");
        }
    }
}

/// A window that grows from `from` packets to `to` within an RTT, as feedback has it: each packet states its time.
/// The time from one to the next is an RTT over `to` throughout.
#[test]
fn growth_within_an_rtt_is_no_lie() {
    let rtt = RTT.as_secs_f64();
    for (from, to) in [(1.0, 10.0), (2.0, 400.0), (10.0, 10_000.0), (1.0, 50_000.0)] {
        let mut statement = Statement::new(Time::ZERO);
        for packet in 0..3 * to as u64 {
            let part = packet as f64 / to;
            let stated = StatedPacket {
                now: Time::ZERO + Span::from_secs_f64(part * rtt),
                bytes: 1000.0,
                x: rtt / (from + (to - from) * part.min(1.0)),
                rtt: RTT,
            };
            assert_ne!(
                statement.on_data(&stated, &rules(1)).map(|result| result.is_ok()),
                Some(false),
                "from {from} to {to}, after {part} of an RTT"
            );
        }
    }
}

/// A T-liar that states one short time a comparison, as if its window had grown.
#[test]
fn a_single_short_time_hides_no_lie_of_a_double_window() {
    for (gain, found) in [(1.0, false), (2.0, true), (3.0, true)] {
        let mut statement = Statement::new(Time::ZERO);
        let failed = (0..320).any(|packet| {
            let x = if packet % 160 == 20 { 1e-6 } else { 0.008 * gain };
            let now = Time::ZERO + Span::from_millis(8 * packet);
            let stated = StatedPacket { now, bytes: 1000.0, x, rtt: RTT };
            statement.on_data(&stated, &rules(1)).is_some_and(|result| result.is_err())
        });
        assert_eq!(failed, found, "gain {gain}");
    }
}

proptest! {
    /// Whatever packets state: feedback only falls, and what is found is a number.
    #[test]
    fn tests_survive_any_packets(
        packets in prop::collection::vec(
            (0_u64..1_000_000_000, any::<u32>(), any::<u32>(), any::<i32>(), 1_u32..65_536), 1..500,
        ),
        keep in 0.1..0.7_f64,
        weight in 1.0..1000.0_f64,
    ) {
        let rules = TestRules { keep: Ratio::new(keep), weight: Ratio::new(weight), ..rules(1) };
        let mut test = FlowTest::new(Time::ZERO);
        test.begin(Time::ZERO);
        let mut now = Time::ZERO;
        for (gap, x, rtt, delta, bytes) in packets {
            now += Span::from_nanos(gap);
            let mut header = XcpHeader { x, rtt, delta, reverse: 0 }.to_wire();
            let found = test.on_data(now, &mut header, bytes, &rules);
            prop_assert!(XcpHeader::from_wire(header).delta <= delta);
            if let Some(failure) = found.convicted {
                prop_assert!(failure.measured.is_finite() && failure.measured >= 0.0);
                prop_assert!(failure.required.is_finite() && failure.required >= 0.0);
            }
        }
    }
}
