//! Hosts that lie to RCP's routers, or ignore them, in a closed loop: how far d0 and R move, and for how long. The numbers are
//! in `docs/how-to/linux.md`, "Hosts that lie".

use sluice_laws::rcp::RcpParams;
use sluice_laws::rcp::rtt::RttFilter;
use sluice_laws::wire::WireRtt;
use sluice_units::{Bytes, Rate, Ratio, Span};

use crate::fluid::{Flows, Fluid, PACKET};

const CAPACITY: Rate = Rate::from_bps(100_000_000);
const RTT: Span = Span::from_millis(10);
/// A BDP.
const BUFFER: Bytes = Bytes::new(125_000);
const GAMMA: f64 = 0.95;
/// The most that a header can state.
const LONGEST: WireRtt = WireRtt::from_units(u32::MAX);

/// A liar that sends packets of this size sends most of the packets.
const SMALL_PACKET: u32 = 100;

/// Settled flows: three honest ones, and one that lies.
struct Bed {
    fluid: Fluid,
    liar: Flows,
}

impl Bed {
    /// RTTs count as `longest` at most: 10 s by the law, less where a router is set to its paths.
    fn new(longest: Span, liar: Flows) -> Self {
        Self::by(RttFilter::PerPacket, longest, liar)
    }

    fn by(rtt_filter: RttFilter, longest: Span, liar: Flows) -> Self {
        let gamma = Ratio::new(GAMMA);
        let params = RcpParams { gamma, rtt_filter, ..RcpParams::default() };
        let mut fluid = Fluid::new(&params, CAPACITY, RTT, BUFFER);
        fluid.longest_rtt = WireRtt::new(longest);
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
            if fluid.queue > BUFFER.as_f64() / 2.0 {
                last = fluid.now();
            }
        });
        last - begin
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
        for packet in [PACKET, SMALL_PACKET] {
            let per_honest = f64::from(PACKET) / f64::from(packet);
            let part = per_honest / (per_honest + 3.0);
            for (states, counts) in
                [(LONGEST, longest.as_secs_f64()), (WireRtt::from_units(1), 1.0 / (1 << 28) as f64)]
            {
                let bed = Bed::new(longest, stating(states, packet));
                let expected = (1.0 - part) * RTT.as_secs_f64() + part * counts;
                // No shorter than a packet's transmission.
                let expected = expected.max(f64::from(PACKET) * 8.0 / CAPACITY.as_bps_f64());
                let d0 = bed.fluid.metric("d0");
                assert!((d0 / expected - 1.0).abs() < 0.05, "{d0}, not {expected}");
                // Equilibrium is where it was.
                let r = bed.fluid.metric("R") / (GAMMA * CAPACITY.as_bps_f64() / 4.0);
                assert!((r - 1.0).abs() < 0.01 && bed.fluid.queue < 1_500.0, "{r} of R");
            }
        }
    }
}

/// By equation (2) R follows with a time constant of d0 / alpha: from half of the share to nine tenths it takes ln(9) of them.
#[test]
fn r_follows_within_22_d0_whatever_is_stated() {
    for (longest, states, packet, seconds) in [
        (TEN_SECONDS, LONGEST, SMALL_PACKET, 190.0),
        (TEN_SECONDS, LONGEST, PACKET, 56.0),
        (SECOND, LONGEST, PACKET, 6.0),
        (PATHS, LONGEST, SMALL_PACKET, 0.45),
        (PATHS, LONGEST, PACKET, 0.3),
        (PATHS, WireRtt::from_units(1), PACKET, 0.2),
        (PATHS, WireRtt::NONE, PACKET, 0.25),
    ] {
        let mut bed = Bed::new(longest, stating(states, packet));
        bed.settles(7);
        let took = bed.settles(3);
        let d0 = bed.fluid.metric("d0");
        assert!(took < 22.0 * d0 + 0.05 && took < seconds, "{took} s at d0 = {d0} s");
        assert!(took > seconds / 2.0, "{took} s of {seconds}");
    }
}

/// Four flows more, each at the rate of the four before: the link has twice as much as it carries until R falls.
#[test]
fn an_overload_ends_within_what_the_longest_rtt_allows() {
    let honest = Bed::new(TEN_SECONDS, Flows::honest(1)).drains(7);
    assert!(honest > 0.015 && honest < 0.05, "{honest} s");
    for (longest, seconds) in [(TEN_SECONDS, 25.0), (SECOND, 1.2), (PATHS, 0.05)] {
        let took = Bed::new(longest, stating(LONGEST, PACKET)).drains(7);
        assert!(took < seconds && took > seconds / 2.0, "{took} s");
    }
}

/// The filter of the authors' code lets d0 fall by (R/C) (RTT/d0) (T/d0) of the way in T, so that after a lie it takes
/// (C/R) d0^2 / (2 RTT) to return.
#[test]
fn the_authors_filter_remembers_a_lie() {
    for (longest, seconds) in [(TEN_SECONDS, 1_500.0), (SECOND, 16.0), (PATHS, 0.06)] {
        let mut bed = Bed::by(RttFilter::PerInterval, longest, stating(LONGEST, SMALL_PACKET));
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
    for (longest, seconds) in [(TEN_SECONDS, 100.0), (SECOND, 60.0), (PATHS, 2.5)] {
        let mut bed = Bed::new(longest, stating(LONGEST, PACKET));
        let sends = Some(Rate::from_bps(2 * CAPACITY.as_bps()));
        let unresponsive = Flows { sends, ..bed.liar };
        bed.fluid.run(&[unresponsive, Flows::honest(3)], Span::from_secs(60), |fluid| {
            let (r, d0) = (fluid.metric("R"), fluid.metric("d0"));
            assert!(d0 <= longest.as_secs_f64(), "{d0} s");
            assert!(r >= 100.0 && r <= GAMMA * CAPACITY.as_bps_f64(), "{r} b/s");
            assert!(fluid.queue <= BUFFER.as_f64());
        });
        let took = bed.settles(3);
        assert!(took < seconds && took > seconds / 2.0, "{took} s, {seconds} at most");
    }
}

/// One that takes half of the link for itself leaves the others what is left of gamma C, in equal parts.
#[test]
fn a_host_that_ignores_its_grant_takes_no_more_than_it_sends() {
    for states in [None, Some(LONGEST), Some(WireRtt::from_units(1))] {
        let sends = Some(Rate::from_bps(CAPACITY.as_bps() / 2));
        let bed = Bed::new(PATHS, Flows { states, sends, ..Flows::honest(1) });
        let left = (GAMMA - 0.5) * CAPACITY.as_bps_f64() / 3.0;
        let r = bed.fluid.metric("R");
        assert!((r / left - 1.0).abs() < 0.01, "{r}, not {left}");
        assert!(bed.fluid.queue < 1_500.0, "a queue of {}", bed.fluid.queue);
    }
}
