use sluice_units::{Bytes, Ratio, Span};

use super::*;
use crate::protocol::{LinkContext, Protocol as _};
use crate::router::{LawHeader as _, LinkRouter, RouterPort};

const CAPACITY: Rate = Rate::from_bps(10_000_000);
/// 15 % of it, in units of 100 b/s.
const PROFILE: u32 = 15_000;
const INTERVAL: Span = Span::from_millis(300);

fn sample(number: u64) -> LinkSample {
    LinkSample::idle(Time::ZERO + INTERVAL * number, Time::ZERO + INTERVAL * (number + 1), CAPACITY)
}

/// What an interval sums of flows that reserve and use these bandwidths, in Mb/s.
fn sums(profiles: f64, used: f64) -> GuaranteedSums {
    let seconds = INTERVAL.as_secs_f64();
    let profile_x = profiles * 1e6 / UNIT as f64 * seconds * TICKS_PER_SECOND;
    GuaranteedSums { bytes: (used * 1e6 / 8.0 * seconds) as u64, profile_x: profile_x as u128 }
}

/// Admission control that has `reserved` Mb/s, and admitted `recent` since.
fn control(params: XcpGuaranteedParams, reserved: f64, recent: f64) -> AdmissionControl {
    let mut control = AdmissionControl::new(params);
    control.reserved = reserved * 1e6;
    let Reservable(left) = control.grant(CAPACITY);
    control.on_budget(&Reservable(left - (recent * 1e4) as u64));
    control
}

/// R_g in Mb/s after an interval.
fn after(mut control: AdmissionControl, sums: GuaranteedSums) -> f64 {
    control.tick(0, &sums, &sample(0));
    control.reserved / 1e6
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-4, "{value}, not {expected}");
}

const DEFAULTS: fn() -> XcpGuaranteedParams = XcpGuaranteedParams::default;

#[test]
fn a_higher_estimate_is_taken_at_once_and_a_lower_one_by_four_tenths() {
    near(after(control(DEFAULTS(), 3.0, 0.0), sums(4.5, 4.5)), 4.5);
    near(after(control(DEFAULTS(), 4.5, 0.0), sums(3.0, 3.0)), 0.4 * 3.0 + 0.6 * 4.5);
    let whole = XcpGuaranteedParams { fall: Ratio::new(1.0), ..DEFAULTS() };
    near(after(control(whole, 4.5, 0.0), sums(3.0, 3.0)), 3.0);
}

#[test]
fn admissions_count_before_their_packets_arrive() {
    near(after(control(DEFAULTS(), 3.0, 1.5), sums(3.0, 3.0)), 4.5);
}

#[test]
fn the_throughput_bounds_the_estimate_from_below() {
    near(after(control(DEFAULTS(), 1.0, 0.0), sums(1.0, 2.0)), 2.0);
}

#[test]
fn admissions_come_on_top_of_the_throughput_or_not() {
    let with = |recent| XcpGuaranteedParams { recent, ..DEFAULTS() };
    let sums = || sums(1.0, 2.0);
    near(after(control(with(RecentReservations::Added), 1.0, 1.5), sums()), 3.5);
    // max(1 + 1.5, 2).
    near(after(control(with(RecentReservations::WithinMaximum), 1.0, 1.5), sums()), 2.5);
}

#[test]
fn what_is_not_refreshed_expires() {
    let mut control = control(DEFAULTS(), 7.5, 0.0);
    let mut expected = 7.5;
    for number in 0..10 {
        let tick = control.tick(0, &GuaranteedSums::default(), &sample(number));
        expected *= 0.6;
        near(control.reserved / 1e6, expected);
        let Reservable(left) = tick.grant.expect("each estimate is a grant");
        assert!((left as f64 - (8.0 - expected) * 1e4).abs() <= 1.0, "{left}");
        assert_eq!(tick.next, sample(number).now + INTERVAL);
    }
}

/// Whether a link admits one more request.
fn admits(port: &mut dyn RouterPort) -> bool {
    let request = GuaranteedHeader { profile: PROFILE, request: true, ..Default::default() };
    GuaranteedHeader::from_wire(port.pass(request.to_wire(), 40)).request
}

#[test]
fn a_link_admits_five_flows_of_15_percent_and_more_once_they_expired() {
    let mut port = LinkRouter::new(AdmissionControl::new(DEFAULTS()), CAPACITY);
    let admitted = (0..9).filter(|_| admits(&mut port)).count();
    assert_eq!(admitted, 5);
    port.tick(0, &sample(0));
    assert!(!admits(&mut port), "R_r keeps them until the next interval");
    (1..3).for_each(|number| port.tick(0, &sample(number)));
    // R_g is 7.5 x 0.6^2 = 2.7 Mb/s of 8.
    let admitted = (0..9).filter(|_| admits(&mut port)).count();
    assert_eq!(admitted, 3);
}

#[test]
fn more_reserved_than_g_admits_nothing() {
    let mut control = control(DEFAULTS(), 0.0, 0.0);
    let tick = control.tick(0, &sums(9.0, 9.0), &sample(0));
    assert_eq!(tick.grant, Some(Reservable(0)));
    // The capacity falls below what is reserved.
    let slow = LinkSample { capacity: Rate::from_bps(1_000), ..sample(1) };
    assert_eq!(control.tick(0, &sums(9.0, 9.0), &slow).grant, Some(Reservable(0)));
}

#[test]
fn a_tick_twice_at_one_instant_keeps_what_was_admitted() {
    let mut port = LinkRouter::new(AdmissionControl::new(DEFAULTS()), CAPACITY);
    assert_eq!((0..4).filter(|_| admits(&mut port)).count(), 4);
    port.tick(0, &LinkSample { since: sample(0).now, ..sample(0) });
    assert_eq!((0..4).filter(|_| admits(&mut port)).count(), 1);
}

#[test]
fn extremes_leave_estimates_finite() {
    let full = GuaranteedSums { bytes: u64::MAX, profile_x: u128::MAX };
    for capacity in [1_000, 400_000_000_000].map(Rate::from_bps) {
        let mut control = AdmissionControl::new(DEFAULTS());
        control.start(capacity);
        for (number, sums) in [full, GuaranteedSums::default(), full].iter().enumerate() {
            let tick = control.tick(0, sums, &LinkSample { capacity, ..sample(number as u64) });
            let limit = (0.8 * capacity.as_bps_f64() / UNIT as f64) as u64;
            assert!(tick.grant.is_some_and(|Reservable(left)| left <= limit));
            control.metrics(&mut |name, value| assert!(value.is_finite(), "{name}"));
        }
    }
}

#[test]
fn shares_of_a_grant_are_in_proportion_to_guaranteed_traffic() {
    let [part, rest] = [3, 1].map(|bytes| GuaranteedSums { bytes, profile_x: 0 });
    let whole = GuaranteedSums { bytes: 4, profile_x: 0 };
    let share = |part| AdmissionControl::share(&Reservable(10), part, &whole);
    assert_eq!((share(&part), share(&rest)), (Reservable(7), Reservable(2)));
}

#[test]
fn the_protocol_puts_the_law_at_a_link() {
    let link = LinkContext { capacity: CAPACITY, packet: Bytes::new(1000) };
    let mut port = DEFAULTS().router(&link).expect("it has a law");
    assert_eq!((0..9).filter(|_| admits(&mut *port)).count(), 5);
}
