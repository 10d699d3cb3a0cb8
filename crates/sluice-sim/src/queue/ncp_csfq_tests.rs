use super::*;
use crate::queue::test_arrivals::{PACKET, link, link_with};
use crate::queue::test_labels::{AtWork, at};
use sluice_units::{Bytes, Fault, Limit};

const CAPACITY: f64 = 8e6;

impl AtWork {
    /// Flows with these labels and weights send at their rates, from just after `from` ms for an interval of 1 s,
    /// after which R(t) follows with `backlog` left.
    fn interval(&mut self, from: u64, flows: &[(f64, f64)], backlog: Span) -> f64 {
        for (number, &(label, weight)) in flows.iter().enumerate() {
            let packets = (label * weight / 8000.0).round() as u64;
            for place in 0..packets {
                let now = at(from) + Span::from_nanos(1_000_000_000 * place / packets);
                self.arrive((number as u32, weight), now, Span::ZERO, Some(label));
            }
        }
        self.scheduler.tick(at(from + 1000), backlog, &self.queue);
        self.metric("fair_share_bps")
    }
}

fn near(found: f64, by_hand: f64) {
    assert!((found / by_hand - 1.0).abs() < 1e-9, "{found}, not {by_hand}");
}

fn second(counted: LabelCount) -> NcpCsfq {
    NcpCsfq { counted, interval: Span::from_secs(1), ..NcpCsfq::default() }
}

/// Flows of 8, 4, 2 and 1 Mb/s add a second each: R = C / 4. With 300 ms of queue and a beta of 0.6,
/// (8 - 0.6 * 2.4) / 4 Mb/s.
#[test]
fn labels_add_up_to_the_number_of_flows() {
    let flows = [(8e6, 1.0), (4e6, 1.0), (2e6, 1.0), (1e6, 1.0)];
    let mut link = AtWork::new(second(LabelCount::Eq8), &link());
    near(link.interval(0, &flows, Span::ZERO), CAPACITY / 4.0);
    near(link.metric("counted_flows"), 4.0);
    near(link.interval(1000, &flows, PACKET * 300), (CAPACITY - 0.6 * 2.4e6) / 4.0);
    near(link.interval(2000, &[], Span::ZERO), CAPACITY);
}

/// (12): flows of 0.8 and 1.6 Mb/s leave 5.6 Mb/s to two of 8 Mb/s. From R = C, where all count as a part of it:
/// 8 / (1 + 1 + 0.1 + 0.2) = 3.478; then both count as 0.8 / R and 1.6 / R.
#[test]
fn flows_below_the_share_leave_the_rest_to_the_others() {
    let flows = [(8e6, 1.0), (8e6, 1.0), (0.8e6, 1.0), (1.6e6, 1.0)];
    let mut link = AtWork::new(second(LabelCount::Eq12), &link());
    let first = 8e6 / 2.3;
    near(link.interval(0, &flows, Span::ZERO), first);
    near(link.interval(1000, &flows, Span::ZERO), 8e6 / (2.0 + 2.4e6 / first));
    let last = (2..40).map(|second| link.interval(1000 * second, &flows, Span::ZERO)).last();
    near(last.expect("38 intervals"), 2.8e6);
}

/// Weights 1, 2 and 4 at labels of 1 Mb/s: 7 flows, or 3.
#[test]
fn a_flow_counts_as_its_weight_unless_each_counts_as_one() {
    let flows = [(1e6, 1.0), (1e6, 2.0), (1e6, 4.0)];
    for (weighted, number) in [(true, 7.0), (false, 3.0)] {
        let mut link = AtWork::new(NcpCsfq { weighted, ..second(LabelCount::Eq8) }, &link());
        near(link.interval(0, &flows, Span::ZERO), CAPACITY / number);
    }
}

/// A packet each 10 ms is 800 kb/s, over the weight of the flow; its first as if an interval of 200 ms had passed.
#[test]
fn gaps_are_rates_without_an_average() {
    let gap = NcpCsfq { labels: LabelRate::Gap, ..NcpCsfq::default() };
    let mut link = AtWork::new(gap, &link());
    for (weight, ms, label) in
        [(1.0, 0, 40e3), (1.0, 10, 800e3), (2.0, 15, 800e3), (1.0, 1015, 8e3)]
    {
        near(link.arrive((0, weight), at(ms), Span::ZERO, None).1, label);
    }
    // Two at one instant are 1 ns apart, and no more than the share goes on.
    let (what, label) = link.arrive((0, 1.0), at(1015), Span::ZERO, None);
    assert!(what == Admission::Early || label == CAPACITY, "{what:?}, {label}");
}

/// A flow that pauses for 40 K, 4 s, or more starts anew: its label is that of a new flow, whether or not other
/// arrivals have let the edge remove it. At a pause of a nanosecond less it is the same flow.
#[test]
fn a_forgotten_flow_is_new_whether_or_not_it_was_removed() {
    for labels in [LabelRate::Average, LabelRate::Gap] {
        let after = |pause: Span, is_removed: bool| {
            let mut link = AtWork::new(NcpCsfq { labels, ..NcpCsfq::default() }, &link());
            // The edge removes flows at 1 ms, and next at 4001 ms or later.
            link.arrive((1, 1.0), at(1), Span::ZERO, None);
            for ms in 2..12 {
                link.arrive((0, 1.0), at(ms), Span::ZERO, None);
            }
            let again = at(11) + pause;
            if is_removed {
                link.arrive((1, 1.0), again, Span::ZERO, None);
            }
            link.arrive((0, 1.0), again, Span::ZERO, None).1
        };
        let new = AtWork::new(NcpCsfq { labels, ..NcpCsfq::default() }, &link())
            .arrive((0, 1.0), at(0), Span::ZERO, None)
            .1;
        let memory = Span::from_secs(4);
        for pause in [memory, memory * 5] {
            assert_eq!([false, true].map(|is_removed| after(pause, is_removed)), [new; 2]);
        }
        assert!(after(memory - Span::NANO, false) < 0.1 * new);
    }
}

/// Beside four flows of 1 Mb/s, one that sends a packet each second counts as 5 in the interval of 200 ms with its
/// packet, and not at all in the others: once as N on average. After 4 s and more it is new, and counts once.
#[test]
fn a_slow_flow_counts_in_the_interval_of_its_packet() {
    let gap = NcpCsfq { labels: LabelRate::Gap, ..NcpCsfq::default() };
    let mut link = AtWork::new(gap, &link());
    let mut counted = Vec::new();
    for ms in 0..10_000 {
        if ms % 8 == 0 {
            for flow in 1..=4 {
                link.arrive((flow, 1.0), at(ms), Span::ZERO, None);
            }
        }
        if [1100, 2100, 3100, 8100].contains(&ms) {
            link.arrive((0, 1.0), at(ms), Span::ZERO, None);
        }
        if ms % 200 == 199 {
            link.scheduler.tick(at(ms), Span::ZERO, &link.queue);
            counted.push(link.metric("counted_flows").round());
        }
    }
    let beside = |second: usize| -> Vec<f64> {
        counted[5 * second..5 * second + 5].iter().map(|flows| flows - 4.0).collect()
    };
    assert_eq!(beside(1), [1.0, 0.0, 0.0, 0.0, 0.0], "{counted:?}");
    assert_eq!(beside(2), [5.0, 0.0, 0.0, 0.0, 0.0], "{counted:?}");
    assert_eq!(beside(8), [1.0, 0.0, 0.0, 0.0, 0.0], "{counted:?}");
}

/// Two flows of 6 and 1.9 Mb/s at a share of 2 Mb/s: a third and all of their packets pass, with labels of 2 and 1.9
/// Mb/s. Refused are labels above the share, and no others.
#[test]
fn what_exceeds_the_share_is_thinned_or_refused() {
    let four = [(2e6, 1.0); 4];
    for (above, passes) in [(AboveShare::Thin, 1.0 / 3.0), (AboveShare::Refuse, 0.0)] {
        let mut link = AtWork::new(NcpCsfq { above, ..second(LabelCount::Eq8) }, &link());
        near(link.interval(0, &four, Span::ZERO), 2e6);
        let mut taken = [0, 0];
        for place in 0..10_000 {
            let now = at(1000) + Span::from_micros(place);
            for (flow, label) in [(0, 6e6), (1, 1.9e6)] {
                let (what, label) = link.arrive((flow, 1.0), now, Span::ZERO, Some(label));
                if what == Admission::Taken {
                    taken[flow as usize] += 1;
                    near(label, [2e6, 1.9e6][flow as usize]);
                }
            }
        }
        assert!((f64::from(taken[0]) / 10_000.0 - passes).abs() < 0.02, "{above:?}: {taken:?}");
        assert_eq!(taken[1], 10_000);
    }
}

/// A packet each 2 ms at half of the capacity. In shorter intervals than these, N of a flow alone is 2 or more where a
/// packet falls, and 0 elsewhere.
fn drops_of_a_flow_alone(params: NcpCsfq, from: u64) -> usize {
    let mut link = AtWork::new(params, &link());
    let dropped = (0..2000).map(|place| {
        let now = at(2 * place);
        let (what, _) = link.arrive((0, 1.0), now, Span::ZERO, None);
        if link.scheduler.due() <= now {
            link.scheduler.tick(now, Span::ZERO, &link.queue);
        }
        what.is_drop()
    });
    dropped.skip(from as usize / 2).filter(|&dropped| dropped).count()
}

/// Whatever K and interval, by (12), which counts what is below the share as a part, and by (8) with gaps, which add
/// up to the time.
#[test]
fn a_flow_alone_loses_nothing() {
    let (ms, s) = (Span::from_millis, Span::from_secs);
    for (counted, labels) in [
        (LabelCount::Eq12, LabelRate::Average),
        (LabelCount::Eq12, LabelRate::Gap),
        (LabelCount::Eq8, LabelRate::Gap),
    ] {
        for k in [Span::from_micros(50), ms(100), s(1000)] {
            for interval in [ms(10), ms(200), s(1000)] {
                let params = NcpCsfq { counted, labels, k, interval, ..NcpCsfq::default() };
                assert_eq!(drops_of_a_flow_alone(params, 0), 0, "{params:?}");
            }
        }
    }
}

/// By (8) with averages, a new flow counts several times while its average, over 100 ms, is far below its rate.
#[test]
fn a_flow_alone_loses_a_little_until_its_average_is_its_rate() {
    let params = NcpCsfq::default();
    assert!(drops_of_a_flow_alone(params, 0) > 0);
    assert_eq!(drops_of_a_flow_alone(params, 1000), 0);
}

/// A packet with a label keeps it below the share, and leaves no state.
#[test]
fn a_core_keeps_no_flow() {
    let mut link = AtWork::new(NcpCsfq::default(), &link());
    for flow in 0..10 {
        let taken = link.arrive((flow, 2.0), at(flow.into()), Span::ZERO, Some(123.0));
        assert_eq!(taken, (Admission::Taken, 123.0));
    }
    assert_eq!(link.metric("flows"), 0.0);
}

#[test]
fn what_finds_no_room_is_dropped() {
    let mut small = AtWork::new(NcpCsfq::default(), &link_with(Limit::Bytes(Bytes::new(5000))));
    let ahead = [0, 4, 5].map(|packets| small.arrive((0, 1.0), at(0), PACKET * packets, None).0);
    assert_eq!(ahead, [Admission::Taken, Admission::Taken, Admission::NoRoom]);
    let mut one = AtWork::new(NcpCsfq::default(), &link_with(Limit::Packets(0)));
    let ahead = [0, 1].map(|packets| one.arrive((0, 1.0), at(0), PACKET * packets, None).0);
    assert_eq!(ahead, [Admission::Taken, Admission::NoRoom]);
}

/// A queue that would take longer than an interval to drain leaves the least share, from which (12) returns at once.
#[test]
fn a_share_returns_from_its_least() {
    let flows = [(8e6, 1.0), (8e6, 1.0)];
    for counted in [LabelCount::Eq8, LabelCount::Eq12] {
        let mut link = AtWork::new(second(counted), &link());
        near(link.interval(0, &flows, PACKET * 5000), 1.0);
        near(link.interval(1000, &flows, Span::ZERO), CAPACITY / 2.0);
    }
}

#[test]
fn parameters_have_ranges() {
    let faults = |params: NcpCsfq| -> Vec<String> {
        let found = Faults::of(|faults| params.check(Rate::from_bps(8_000_000), faults));
        found.iter().map(Fault::to_string).collect()
    };
    let good = NcpCsfq::default();
    let [short, long] = [Span::from_micros(1), Span::from_secs(1000)];
    for time in [short, long] {
        assert_eq!(faults(NcpCsfq { k: time, interval: time, ..good }).len(), 0);
    }
    for time in [short - Span::NANO, long + Span::NANO] {
        assert_eq!(faults(NcpCsfq { k: time, interval: time, ..good }).len(), 2);
    }
    assert_eq!(faults(NcpCsfq { alpha: Ratio::new(0.0), ..good }).len(), 1);
    assert_eq!(faults(NcpCsfq { beta: Ratio::new(10.1), ..good }).len(), 1);
}
