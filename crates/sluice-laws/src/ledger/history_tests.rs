use super::*;
use crate::ledger::classes::CLASSES;
use crate::ledger::grant::LedgerBudget;
use crate::ledger::header::EVEN;
use crate::wire::WireRtt;
use proptest::prelude::*;

/// A sixteenth of a d0 of a second.
const TICK: f64 = 1.0 / 16.0;
/// In bytes, so short that flows send often.
const PACKET: f64 = 1.0;
const PER_SECOND: u64 = WireRtt::PER_SECOND as u64 * EVEN as u64;

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found} not {expected}");
}

/// A quiet interval of that length in seconds, in which a flow gets 1,000 bytes a second.
fn quiet(end: f64, length: f64) -> BookedInterval {
    BookedInterval {
        end,
        length,
        rate: 8_000.0,
        tick: TICK,
        tick_bytes: 1.0,
        ..BookedInterval::default()
    }
}

fn history(intervals: &[BookedInterval]) -> History {
    let mut history = History::new(PACKET);
    for interval in intervals {
        history.add(interval);
    }
    history
}

fn of_class(class: usize, number: u64) -> [u64; CLASSES] {
    core::array::from_fn(|i| if i == class { number } else { 0 })
}

#[test]
fn without_intervals_nothing_is_foreseen() {
    let empty = History::new(PACKET);
    let outlook = empty.outlook(5.0, 1.0);
    assert_eq!((outlook.flows(), outlook.promised, outlook.adjustable()), (0.0, 0.0, 0.0));
    assert_eq!((outlook.elsewhere, outlook.foreign, outlook.short), (0.0, 0.0, 0.0));
    assert_eq!(empty.expected_queue(700.0, 5.0, 1.0, 1e9), 700.0);
    assert_eq!(empty.least_rate(5.0, 2.0), f64::INFINITY);
    assert_eq!(empty.served_at(3.0), 0.0);
}

/// Longer by 0.6 s in the last half of a second, and by 0.2 s in the one before.
#[test]
fn the_wait_grows_over_the_intervals_that_last_for_the_span() {
    let waits = |end, length, wait| BookedInterval { wait, ..quiet(end, length) };
    assert_eq!(history(&[]).wait_grows(1.0), 0.0);
    let one = history(&[waits(0.5, 0.5, 0.1)]);
    assert_eq!(one.wait_grows(1.0), 0.0, "the wait before is not known");
    let three = history(&[waits(0.5, 0.5, 0.1), waits(1.0, 0.5, 0.3), waits(1.5, 0.5, 0.9)]);
    for (span, grows) in [(0.0, 0.0), (0.1, 1.2), (0.5, 1.2), (0.6, 0.8), (9.0, 0.8)] {
        close(three.wait_grows(span), grows);
    }
}

/// Two intervals of a quarter of a second, an eighth and three eighths of one ago: 2 and 6 ticks.
#[test]
fn newcomers_are_those_that_still_have_data_at_the_promised_rates() {
    let mut intervals = [quiet(0.25, 0.25), quiet(0.5, 0.25)];
    // 4 to 8 ticks: a third goes on after 6.
    intervals[0].budget =
        LedgerBudget { count: of_class(3, 9), granted: of_class(3, 900), ..Default::default() };
    // 2 to 4 ticks: all go on after 2.
    intervals[1].budget =
        LedgerBudget { count: of_class(2, 5), granted: of_class(2, 50), ..Default::default() };
    let outlook = history(&intervals).outlook(0.5, 1.0);
    close(outlook.newcomers, 9.0 / 3.0 + 5.0);
    close(outlook.promised, 100.0 * (900.0 / 3.0 + 50.0));
    close(outlook.adjustable(), 0.0);
    close(outlook.flows(), 8.0);
}

/// In half a second packets add up x of 1.5 s: three flows. Those of the first quarter were served 375 bytes
/// since, those of the second 125.
#[test]
fn flows_that_send_are_their_x_less_those_whose_data_were_granted() {
    let mut intervals = [quiet(0.25, 0.25), quiet(0.5, 0.25)];
    for interval in &mut intervals {
        // 62.5 bytes a tick: 6 and 2 ticks passed.
        interval.tick_bytes = 62.5;
        let endless = of_class(CLASSES - 1, PER_SECOND / 4);
        interval.sums.x = endless;
        // 4 to 8 ticks: a third of the earlier goes on.
        interval.sums.x[3] = PER_SECOND / 4;
        // Less than a tick: gone.
        interval.sums.x[0] = PER_SECOND / 4;
    }
    let outlook = history(&intervals).outlook(0.5, 1.0);
    close(outlook.sending, 1.0 + 1.0 / 2.0 + 1.0 / 2.0 / 3.0);
    close(outlook.flows(), outlook.sending);
}

#[test]
fn what_does_not_follow_r_is_added_up_to_rates() {
    let mut intervals = [quiet(0.25, 0.25), quiet(0.5, 0.25), quiet(1.0, 0.5)];
    intervals[0].sums.elsewhere_bytes = 3_000;
    intervals[0].sums.elsewhere_x = 2 * PER_SECOND;
    intervals[1].foreign = 500.0;
    intervals[2].foreign = 250.0;
    intervals[2].budget.short = 7_000;
    let outlook = history(&intervals).outlook(1.0, 1.0);
    close(outlook.elsewhere, 24_000.0);
    close(outlook.elsewhere_flows, 2.0);
    close(outlook.foreign, 6_000.0);
    close(outlook.short, 56_000.0);
    assert_eq!(outlook.flows(), 0.0, "none of these is a flow that shares");
}

/// At 1.5 s, the middle of the first interval is 1.25 d0 ago, so a quarter of its flows is counted by packets.
/// They sent for a d0, 16 ticks, at 8 kb/s each, and since 1.25 s at R: 250 bytes, 4 ticks at their rate.
#[test]
fn newcomers_older_than_a_d0_go_on_at_r_and_are_handed_over_to_their_packets() {
    let mut first = quiet(0.5, 0.5);
    first.budget.count = of_class(CLASSES - 1, 2);
    // 16 to 32 ticks: after 20, 3/5.
    first.budget.count[5] = 3;
    (first.budget.granted[5], first.budget.granted[CLASSES - 1]) = (240, 160);
    let at = |now: f64, intervals: &[BookedInterval]| history(intervals).outlook(now, 1.0);
    let outlook = at(1.5, &[first, quiet(1.0, 0.5), quiet(1.5, 0.5)]);
    close(outlook.starting, (2.0 + 3.0 * 0.6) * 0.75);
    assert_eq!((outlook.newcomers, outlook.promised), (0.0, 0.0));
    close(outlook.flows(), outlook.starting);
    // At 2.5 s it is older than two d0.
    let late = [first, quiet(1.0, 0.5), quiet(1.5, 0.5), quiet(2.0, 0.5), quiet(2.5, 0.5)];
    assert_eq!(at(2.5, &late).flows(), 0.0);
}

/// Five d0 ago on average, it counts as one d0 old: after 16 ticks, newcomers of 16 to 32 ticks are all there.
#[test]
fn the_latest_interval_counts_however_long_it_was() {
    let mut long = quiet(10.0, 10.0);
    long.budget =
        LedgerBudget { count: of_class(5, 4), granted: of_class(5, 40), ..Default::default() };
    long.sums.x = of_class(CLASSES - 1, 20 * PER_SECOND);
    long.foreign = 1_250.0;
    for before in [&[][..], &[quiet(0.0, 0.5)]] {
        let outlook = history(&[before, &[long]].concat()).outlook(10.0, 1.0);
        close(outlook.newcomers, 4.0);
        close(outlook.promised, 4_000.0);
        close(outlook.sending, 2.0);
        close(outlook.foreign, 1_000.0);
    }
}

/// A crowd's packets of 1.25 d0 ago: 8 flows in a quarter of a d0. Of 1,000 bytes a second, packets of 1 byte pass often: who
/// has sent none in a d0 is gone. Of packets of 500 bytes, two pass in a d0, and the next may be late.
#[test]
fn flows_that_send_rarely_count_for_two_d0_if_that_is_more() {
    let crowd = |at: usize, packet: f64| {
        let mut history = History::new(packet);
        for i in 1..=8 {
            let mut interval = quiet(0.25 * f64::from(i), 0.25);
            if i as usize == at {
                interval.sums.x = of_class(CLASSES - 1, 8 * PER_SECOND);
            }
            history.add(&interval);
        }
        history.outlook(2.0, 1.0).sending
    };
    close(crowd(4, 1.0), 0.0);
    close(crowd(4, 500.0), 8.0 / 2.0);
    // Within a d0 both count it, as eight flows.
    close(crowd(7, 1.0), 8.0);
    close(crowd(7, 500.0), 8.0);
}

#[test]
fn the_queue_expected_is_lindleys() {
    let mut history = History::new(PACKET);
    for (end, load) in [(0.25, 1e9), (1.25, 500.0), (1.5, 0.0), (1.75, 300.0)] {
        history.add(&quiet(end, 0.25));
        history.book(load, 0.0, 1.0);
    }
    // 250 bytes leave in each; what was booked before 0.75 s has arrived.
    let queue = |waiting| history.expected_queue(waiting, 1.75, 1.0, 1_000.0);
    close(queue(1_000.0), 1_000.0 + 800.0 - 750.0);
    // 350, 100, 150.
    close(queue(100.0), 150.0);
    // 250, 0, 50: the link was idle for none of the 300.
    close(queue(0.0), 50.0);
    // Of an RTT that was taken for far longer, the latest interval is all that counts.
    close(history.expected_queue(0.0, 1.75, 0.01, 1_000.0), 50.0);
}

/// At 1.75 s, an interval of a quarter of a second ends: a d0 before are those with middles in (0.5, 0.75].
#[test]
fn what_was_foreseen_a_d0_ago_is_compared_once() {
    let mut history = History::new(PACKET);
    for (i, end) in [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75].into_iter().enumerate() {
        let short_ticks = 256 * (i as u64 + 1);
        let budget = LedgerBudget { short_ticks, ..LedgerBudget::default() };
        history.add(&BookedInterval { budget, ..quiet(end, 0.25) });
        history.book(0.0, end, if end == 1.5 { 2.5 } else { 1.0 });
    }
    assert_eq!(history.foreseen(1.75, 0.25, 1.0), Some([0.75, 3.0 * TICK]));
    assert_eq!(history.foreseen(1.7, 0.01, 1.0), Some([0.0; 2]), "a part of an interval");
    assert_eq!(history.foreseen(1.75, 0.5, 1.0), Some([0.5 + 0.75, 5.0 * TICK]));
    assert_eq!(history.foreseen(2.5, 0.25, 1.0), None, "foreseen for later");
    assert_eq!(history.foreseen(2.5, 0.5, 1.0), None, "in part foreseen for later");
    assert_eq!(history.foreseen(1.25, 0.25, 1.0), Some([0.25, TICK]), "the first");
    assert_eq!(history.foreseen(1.0, 0.25, 1.0), None, "too early");
    history.add(&quiet(9.75, 8.0));
    assert_eq!(history.foreseen(9.75, 8.0, 1.0), None, "longer than what is looked at");
}

#[test]
fn the_least_rate_is_that_of_r_and_of_offers_to_newcomers() {
    let rate = |end, rate| BookedInterval { rate, ..quiet(end, 0.25) };
    let mut intervals = [rate(0.25, 1_000.0), rate(0.5, 9_000.0), rate(0.75, 7_000.0)];
    close(history(&intervals).least_rate(0.75, 0.5), 1_000.0);
    close(history(&intervals).least_rate(0.75, 0.25), 7_000.0);
    // 50 units of 100 b/s were offered.
    intervals[1].budget.below_largest = u64::from(u32::MAX) - 50;
    close(history(&intervals).least_rate(0.75, 0.25), 5_000.0);
    close(history(&intervals).least_rate(0.75, 0.1), 7_000.0);
}

#[test]
fn old_intervals_make_room_without_allocation() {
    let mut history = History::new(PACKET);
    let before = history.entries.capacity();
    for i in 1..=1_000 {
        history.add(&quiet(f64::from(i) * 0.25, 0.25));
    }
    assert_eq!((history.entries.len(), history.entries.capacity()), (KEPT, before));
    close(history.served(), 250_000.0);
    // Before what is kept: F at its beginning.
    close(history.served_at(0.0), (1_000.0 - KEPT as f64) * 250.0);
}

/// Intervals one after the other, of these lengths and rates.
fn one_by_one() -> impl Strategy<Value = Vec<BookedInterval>> {
    prop::collection::vec((0.01..0.5, 0.0..1e6), 1..40).prop_map(|drawn| {
        let mut end = 0.0;
        let interval = |(length, rate)| {
            end += length;
            BookedInterval { rate, ..quiet(end, length) }
        };
        drawn.into_iter().map(interval).collect()
    })
}

proptest! {
    /// F by brute force: what each interval before that time brought.
    #[test]
    fn service_is_the_integral_of_r(intervals in one_by_one(), part in 0.0..1.2) {
        let now = intervals.last().expect("one at least").end;
        let time: f64 = part * now;
        let before = |interval: &BookedInterval| {
            let length = (time - (interval.end - interval.length)).clamp(0.0, interval.length);
            interval.rate / 8.0 * length
        };
        let integral: f64 = intervals.iter().map(before).sum();
        prop_assert!((history(&intervals).served_at(time) - integral).abs() < 1e-3);
    }

    /// Those that wait are foreseen at most once, at any age.
    #[test]
    fn nobody_waits_twice(
        intervals in one_by_one(), numbers in prop::collection::vec(1..1_000_u64, 40), d0 in 0.01..2.0
    ) {
        let mut intervals = intervals;
        for (interval, number) in intervals.iter_mut().zip(numbers) {
            interval.budget.waiting = number;
        }
        let now = intervals.last().expect("one at least").end;
        let outlook = history(&intervals).outlook(now, d0);
        let all = intervals.iter().map(|interval| interval.budget.waiting).sum::<u64>() as f64;
        let foreseen = outlook.waiting + outlook.beginning + outlook.late + outlook.starting;
        prop_assert!(foreseen <= all * (1.0 + 1e-9), "{} of {}", foreseen, all);
        prop_assert_eq!((outlook.newcomers, outlook.promised, outlook.sending), (0.0, 0.0, 0.0));
    }

    /// Nobody is foreseen who was not seen, and nobody twice.
    #[test]
    fn no_more_are_foreseen_than_were_seen(
        intervals in one_by_one(), counts in prop::collection::vec((0..CLASSES, 1..1_000_u64), 40), d0 in 0.01..2.0
    ) {
        let mut intervals = intervals;
        for (interval, (class, number)) in intervals.iter_mut().zip(counts) {
            interval.budget.count = of_class(class.max(1), number);
            interval.budget.granted = of_class(class.max(1), 10 * number);
            interval.sums.x = of_class(class, number * PER_SECOND);
        }
        let now = intervals.last().expect("one at least").end;
        let outlook = history(&intervals).outlook(now, d0);
        let seen = intervals.iter().map(|interval| interval.budget.count.iter().sum::<u64>()).sum::<u64>() as f64;
        prop_assert!(outlook.newcomers + outlook.starting <= seen * (1.0 + 1e-9));
        prop_assert!(outlook.promised <= 1_000.0 * seen * (1.0 + 1e-9));
        let fastest = |interval: &BookedInterval| interval.sums.x.iter().sum::<u64>() as f64 / PER_SECOND as f64 / interval.length;
        let most = intervals.iter().map(fastest).fold(0.0, f64::max);
        prop_assert!((0.0..=most * (1.0 + 1e-9)).contains(&outlook.sending));
    }
}
