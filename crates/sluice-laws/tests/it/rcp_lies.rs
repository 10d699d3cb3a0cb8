//! Hosts that lie to RCP's routers, or ignore them, in a closed loop: how far d0 and R move, and for how long. The numbers are
//! in `docs/how-to/linux.md`, "Hosts that lie".

use sluice_laws::rcp::RcpParams;
use sluice_laws::rcp::rtt::RttFilter;
use sluice_laws::wire::WireRtt;
use sluice_units::{Bytes, Rate, Ratio, Span};

use crate::fluid::{Flows, Fluid, PACKET};

const CAPACITY: Rate = Rate::from_bps(100_000_000);
const RTT: Span = Span::from_millis(10);
/// R may swing where RTTs are longer than two least intervals.
const LONG_RTT: Span = Span::from_millis(20);
const GAMMA: f64 = 0.95;
/// Between updates of R.
const LEAST_INTERVAL: Span = Span::from_millis(5);
/// Minimum R, in packets a d0.
const MIN_RATE: f64 = 0.1;
/// The most that a header can state.
const LONGEST: WireRtt = WireRtt::from_units(u32::MAX);
/// The least.
const SHORTEST: WireRtt = WireRtt::from_units(1);

/// A liar that sends packets of this size sends most of the packets.
const SMALL_PACKET: u32 = 100;

/// The defaults of routers on Linux.
fn params() -> RcpParams {
    RcpParams {
        alpha: Ratio::new(0.3),
        beta: Ratio::new(0.127),
        gamma: Ratio::new(GAMMA),
        min_rate: Ratio::new(MIN_RATE),
        ..RcpParams::default()
    }
}

/// The same, but for the filter of the authors' code.
fn authors() -> RcpParams {
    RcpParams { rtt_filter: RttFilter::PerInterval, ..params() }
}

/// In bytes.
fn bdp(rtt: Span) -> f64 {
    CAPACITY.as_bytes_per_sec_f64() * rtt.as_secs_f64()
}

/// Settled flows: three honest ones, and one that lies.
struct Bed {
    fluid: Fluid,
    liar: Flows,
}

impl Bed {
    /// RTTs count as `longest` at most: 10 s by the law, less where a router is set to its paths.
    fn new(longest: Span, liar: Flows) -> Self {
        Self::by(&params(), RTT, longest, liar)
    }

    fn by(params: &RcpParams, rtt: Span, longest: Span, liar: Flows) -> Self {
        let mut fluid = Fluid::new(params, CAPACITY, rtt, Bytes::new(bdp(rtt) as u64));
        fluid.longest_rtt = WireRtt::new(longest);
        fluid.least_interval = LEAST_INTERVAL;
        fluid.run(&[liar, Flows::honest(3)], Span::from_secs(1_000), |_| ());
        Self { fluid, liar }
    }

    /// Runs the liar beside honest flows until their rate is C / N, within a tenth for good; the seconds that takes.
    fn settles(&mut self, honest: u32) -> f64 {
        let share = GAMMA * CAPACITY.as_bps_f64() / f64::from(honest + 1);
        let begin = self.fluid.now();
        let mut last = begin;
        self.fluid.run(&[self.liar, Flows::honest(honest)], Span::from_secs(400), |fluid| {
            if (fluid.metric("R") / share - 1.0).abs() > 0.1 {
                last = fluid.now();
            }
        });
        last - begin
    }

    /// The same for the time in which the queue is above half of the buffer.
    fn drains(&mut self, honest: u32) -> f64 {
        let begin = self.fluid.now();
        let mut last = begin;
        self.fluid.run(&[self.liar, Flows::honest(honest)], Span::from_secs(100), |fluid| {
            if fluid.queue > bdp(RTT) / 2.0 {
                last = fluid.now();
            }
        });
        last - begin
    }

    /// The seconds until R has settled when eight flows become four, and the most of R over C / N when they do again.
    fn eight_become_four(&mut self) -> (f64, f64) {
        self.settles(7);
        let took = self.settles(3);
        self.settles(7);
        (took, self.swing().1)
    }

    /// The least and the most of R over C / N in the next 100 s.
    fn swing(&mut self) -> (f64, f64) {
        let share = GAMMA * CAPACITY.as_bps_f64() / 4.0;
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        self.fluid.run(&[self.liar, Flows::honest(3)], Span::from_secs(100), |fluid| {
            let r = fluid.metric("R") / share;
            (least, most) = (least.min(r), most.max(r));
        });
        (least, most)
    }
}

fn stating(states: WireRtt, packet: u32) -> Flows {
    Flows { states: Some(states), packet, ..Flows::honest(1) }
}

const TEN_SECONDS: Span = Span::from_secs(10);
const SECOND: Span = Span::from_secs(1);
/// Twice the RTT of the paths.
const PATHS: Span = Span::from_millis(20);

/// d0 is the mean over packets: a lie moves it by the share of its packets, of the way to the RTT that it counts as.
#[test]
fn a_lie_moves_d0_by_its_share_of_the_packets() {
    for longest in [TEN_SECONDS, SECOND, PATHS] {
        for (packet, states, counts) in [
            (PACKET, LONGEST, longest.as_secs_f64()),
            (SMALL_PACKET, LONGEST, longest.as_secs_f64()),
            (PACKET, SHORTEST, 0.0),
            (PACKET / 3, SHORTEST, 0.0),
        ] {
            let per_honest = f64::from(PACKET) / f64::from(packet);
            let part = per_honest / (per_honest + 3.0);
            let bed = Bed::new(longest, stating(states, packet));
            let expected = (1.0 - part) * RTT.as_secs_f64() + part * counts;
            let d0 = bed.fluid.metric("d0");
            assert!((d0 / expected - 1.0).abs() < 0.05, "{d0}, not {expected}");
            // Equilibrium is where it was.
            let r = bed.fluid.metric("R") / (GAMMA * CAPACITY.as_bps_f64() / 4.0);
            assert!((r - 1.0).abs() < 0.01 && bed.fluid.queue < 1_500.0, "{r} of R");
        }
    }
}

/// By equation (2) R follows with a time constant of d0 / alpha: from half of the share to nine tenths it takes ln(9) of them, 7.3
/// d0. So it does where d0 is far above the RTT. A loop with a delay overshoots only from alpha RTT / d0 = 1 / e on: where d0 is the RTT,
/// R takes 5 d0 and exceeds its share by a thousandth, since a tick is as long as the RTT.
#[test]
fn r_follows_within_8_d0_unless_a_short_rtt_is_stated() {
    for (longest, states, packet, seconds) in [
        (TEN_SECONDS, LONGEST, SMALL_PACKET, 65.0),
        (TEN_SECONDS, LONGEST, PACKET, 20.0),
        (SECOND, LONGEST, PACKET, 2.1),
        (PATHS, LONGEST, SMALL_PACKET, 0.13),
        (PATHS, LONGEST, PACKET, 0.07),
        (PATHS, WireRtt::NONE, PACKET, 0.06),
    ] {
        let mut bed = Bed::new(longest, stating(states, packet));
        bed.settles(7);
        let took = bed.settles(3);
        let d0 = bed.fluid.metric("d0");
        assert!(took < 7.33 * d0 + 0.01 && took < seconds, "{took} s at d0 = {d0} s");
        assert!(took > seconds / 2.0, "{took} s of {seconds}");
        bed.settles(7);
        let (_, most) = bed.swing();
        assert!(most < 1.002, "R to {most} of its share");
    }
}

/// d0 below the least interval counts as that: over 1 ms R follows as over 5.
#[test]
fn r_follows_within_8_least_intervals_where_d0_is_shorter() {
    for (rtt, states, seconds) in [
        (Span::from_millis(1), WireRtt::NONE, 0.03),
        (Span::from_millis(1), SHORTEST, 0.03),
        (Span::from_millis(5), WireRtt::NONE, 0.03),
        (Span::from_millis(5), SHORTEST, 0.03),
    ] {
        let mut bed = Bed::by(&params(), rtt, rtt * 2, stating(states, SMALL_PACKET));
        let (took, most) = bed.eight_become_four();
        assert!(took < seconds && took > seconds / 2.0, "{took} s of {seconds}");
        assert!(most < 1.002, "R to {most} of its share");
    }
}

/// Where d0 is below the RTT, R follows faster than flows can: alpha counts as alpha RTT / d0, or alpha RTT / 5 ms where d0 is less. R
/// overshoots, and then rings. The model makes that worse: a grant takes effect from the next whole tick on.
#[test]
fn r_overshoots_where_a_short_rtt_is_stated() {
    for (rtt, packet, seconds, high) in [
        (RTT, PACKET, 0.04, 1.06),
        (RTT, PACKET / 3, 0.03, 1.06),
        (RTT, 300, 0.03, 1.06),
        (RTT, 20, 0.1, 1.06),
        (LONG_RTT, PACKET, 0.1, 1.005),
        (LONG_RTT, PACKET / 3, 0.05, 1.06),
        (LONG_RTT, 300, 0.7, 1.18),
        (LONG_RTT, 260, 2.5, 1.18),
    ] {
        let mut bed = Bed::by(&params(), rtt, rtt * 2, stating(SHORTEST, packet));
        let (took, most) = bed.eight_become_four();
        assert!(took < seconds && took > seconds / 2.0, "{took} s of {seconds}");
        assert!(most > high && most < high + 0.05, "R to {most} of its share");
    }
}

/// It ends up in a swing that lasts, where d0 is below two fifths of the RTT or so: where two thirds of the packets state a short one, or
/// RTTs are two and a half times `longest_rtt`. By bytes a liar has no more than its share of the link, and with the papers' gains five
/// sixths of the packets are not enough. Where RTTs with the queue are two least intervals at most, R rests whatever is stated.
#[test]
fn r_swings_for_good_where_d0_is_below_two_fifths_of_a_long_rtt() {
    let papers = RcpParams { alpha: Ratio::new(0.1), beta: Ratio::new(1.0), ..params() };
    let short = |packet| stating(SHORTEST, packet);
    let (honest, twice) = (Flows::honest(1), LONG_RTT * 2);
    for (params, rtt, longest, liar) in [
        (params(), LONG_RTT, twice, short(260)),
        (params(), LONG_RTT, Span::from_micros(8_000), honest),
        (authors(), LONG_RTT, twice, short(SMALL_PACKET)),
        (papers, LONG_RTT, twice, short(SMALL_PACKET)),
        (params(), RTT, PATHS, short(SMALL_PACKET)),
        (params(), RTT, PATHS, short(20)),
        (params(), RTT, Span::from_micros(130), honest),
        (params(), Span::from_millis(8), Span::from_micros(1), honest),
    ] {
        let (least, most) = Bed::by(&params, rtt, longest, liar).swing();
        assert!(least > 0.99 && most < 1.01, "R from {least} to {most} of its share");
    }
    let just_above = Span::from_micros(10_100);
    for (rtt, longest, liar, low, high) in [
        (LONG_RTT, twice, short(250), 0.3, 1.3),
        (LONG_RTT, twice, short(200), 0.15, 1.4),
        (LONG_RTT, twice, short(SMALL_PACKET), 0.01, 1.4),
        (LONG_RTT, Span::from_micros(7_800), honest, 0.7, 1.1),
        (LONG_RTT, Span::from_micros(6_600), honest, 0.01, 1.4),
        (just_above, PATHS, short(SMALL_PACKET), 0.5, 1.1),
        (just_above, Span::from_micros(3_000), honest, 0.7, 1.1),
    ] {
        let (least, most) = Bed::by(&params(), rtt, longest, liar).swing();
        assert!(least < low && least > low / 2.0, "R from {least} of its share");
        assert!(most > high && most < 1.2 * high, "R to {most} of its share");
    }
}

/// Four flows more, each at the rate of the four before: the link has twice as much as it carries until R falls.
#[test]
fn an_overload_ends_within_what_the_longest_rtt_allows() {
    let honest = Bed::new(TEN_SECONDS, Flows::honest(1)).drains(7);
    assert!(honest > 0.04 && honest < 0.08, "{honest} s");
    for (longest, packet, seconds) in [
        (TEN_SECONDS, SMALL_PACKET, 60.0),
        (TEN_SECONDS, PACKET, 12.0),
        (SECOND, SMALL_PACKET, 6.5),
        (SECOND, PACKET, 1.4),
        (PATHS, PACKET, 0.09),
    ] {
        let took = Bed::new(longest, stating(LONGEST, packet)).drains(7);
        assert!(took < seconds && took > seconds / 2.0, "{took} s");
    }
}

/// The filter of the authors' code lets d0 fall by (R/C) (RTT/d0) (T/d0) of the way in T, so that after a lie it takes
/// (C/R) d0^2 / (2 RTT) to return.
#[test]
fn the_authors_filter_remembers_a_lie() {
    for (longest, seconds) in [(TEN_SECONDS, 1_500.0), (SECOND, 16.0), (PATHS, 0.06)] {
        let mut bed = Bed::by(&authors(), RTT, longest, stating(LONGEST, SMALL_PACKET));
        let lied = bed.fluid.metric("d0");
        // By bytes the liar has a quarter, whatever its packets.
        let expected = 0.75 * RTT.as_secs_f64() + 0.25 * longest.as_secs_f64();
        assert!((lied / expected - 1.0).abs() < 0.05, "{lied}, not {expected}");
        let begin = bed.fluid.now();
        let mut last = begin;
        bed.fluid.run(&[Flows::honest(4)], Span::from_secs_f64(1.1 * seconds), |fluid| {
            if fluid.metric("d0") > 1.1 * RTT.as_secs_f64() {
                last = fluid.now();
            }
        });
        let took = last - begin;
        assert!(took < seconds && took > seconds / 2.0, "{took} s from {lied} s");
    }
}

/// One that sends twice the link's capacity, whatever it is granted, and lies: R is at its bounds, and comes back.
#[test]
fn r_returns_after_a_host_that_ignores_its_grant() {
    for (longest, seconds) in [(TEN_SECONDS, 50.0), (SECOND, 28.0), (PATHS, 0.5)] {
        let mut bed = Bed::new(longest, stating(LONGEST, PACKET));
        let sends = Some(Rate::from_bps(2 * CAPACITY.as_bps()));
        let unresponsive = Flows { sends, ..bed.liar };
        bed.fluid.run(&[unresponsive, Flows::honest(3)], Span::from_secs(60), |fluid| {
            let (r, d0) = (fluid.metric("R"), fluid.metric("d0"));
            assert!(d0 <= longest.as_secs_f64(), "{d0} s");
            let least = MIN_RATE * f64::from(PACKET) * 8.0 / d0;
            assert!(least <= MIN_RATE * CAPACITY.as_bps_f64() * 1.000_001, "{least} b/s");
            assert!(r >= least * 0.999_999 && r <= GAMMA * CAPACITY.as_bps_f64(), "{r} b/s");
            assert!(fluid.queue <= bdp(RTT));
        });
        let took = bed.settles(3);
        assert!(took < seconds && took > seconds / 2.0, "{took} s, {seconds} at most");
    }
}

/// One that takes half of the link for itself leaves the others what is left of gamma C, in equal parts.
#[test]
fn a_host_that_ignores_its_grant_takes_no_more_than_it_sends() {
    for states in [None, Some(LONGEST), Some(SHORTEST)] {
        let sends = Some(Rate::from_bps(CAPACITY.as_bps() / 2));
        let bed = Bed::new(PATHS, Flows { states, sends, ..Flows::honest(1) });
        let left = (GAMMA - 0.5) * CAPACITY.as_bps_f64() / 3.0;
        let r = bed.fluid.metric("R");
        assert!((r / left - 1.0).abs() < 0.01, "{r}, not {left}");
        assert!(bed.fluid.queue < 1_500.0, "a queue of {}", bed.fluid.queue);
    }
}
