//! DualPI2 against the pseudo-code of RFC 9332, appendix A.

use proptest::prelude::*;

use super::*;
use crate::queue::test_link::{Arriving, Sent, bursts, send_all};
use sluice_units::Limit;
use std::collections::VecDeque;

/// A packet: its place, arrival in nanoseconds, bytes and codepoint.
type Pkt = (usize, u64, u32, Ecn);

/// One of the RFC's queues, with its names.
#[derive(Default)]
struct Fifo {
    packets: VecDeque<Pkt>,
    count: f64,
}

impl Fifo {
    /// Queueing time of the first packet, in nanoseconds.
    fn time(&self, now: u64) -> u64 {
        self.packets.front().map_or(0, |packet| now - packet.1)
    }

    fn recur(&mut self, likelihood: f64) -> bool {
        self.count += likelihood;
        if self.count > 1.0 {
            self.count -= 1.0;
            return true;
        }
        false
    }
}

/// The RFC's variables with their names, times in seconds, over a link of a byte a nanosecond.
#[derive(Default)]
#[expect(non_snake_case, reason = "the RFC's names")]
struct Reference {
    lq: Fifo,
    cq: Fifo,
    target: f64,
    alpha: f64,
    beta: f64,
    k: f64,
    /// In nanoseconds.
    minTh: u64,
    range: u64,
    p: f64,
    p_CL: f64,
    p_C: f64,
    prevq: f64,
    /// Bytes that C packets are owed; below 0 while L packets go first.
    owed: f64,
    share: f64,
    dropped: Vec<usize>,
    marked: Vec<usize>,
}

impl Reference {
    fn new(params: &Dualpi2) -> Self {
        let tupdate = params.t_update().as_secs_f64();
        let rtt_max = params.rtt_max.as_secs_f64();
        Self {
            target: params.target.as_secs_f64(),
            alpha: 0.1 * tupdate / (rtt_max * rtt_max),
            beta: 0.3 / rtt_max,
            k: params.k.get(),
            minTh: params.min_th.as_nanos(),
            range: params.range.as_nanos(),
            share: params.classic_share.get(),
            ..Self::default()
        }
    }

    fn enqueue(&mut self, pkt: Pkt) {
        if self.is_idle() {
            self.owed = 1000.0 * (self.share - 1.0);
        }
        let is_l4s = pkt.3 == Ecn::ECT1 || pkt.3.has(Ecn::EXPERIENCED);
        if is_l4s { self.lq.packets.push_back(pkt) } else { self.cq.packets.push_back(pkt) }
    }

    fn update(&mut self, now: u64) {
        let curq = self.cq.time(now).max(self.lq.time(now)) as f64 / 1e9;
        self.p += self.alpha * (curq - self.target) + self.beta * (curq - self.prevq);
        self.p = self.p.clamp(0.0, 1.0);
        self.p_CL = (self.k * self.p).min(1.0);
        self.p_C = self.p * self.p;
        self.prevq = curq;
    }

    fn laqm(&self, qdelay: u64) -> f64 {
        if qdelay >= self.minTh + self.range {
            1.0
        } else if qdelay > self.minTh {
            (qdelay - self.minTh) as f64 / self.range as f64
        } else {
            0.0
        }
    }

    fn scheduler_is_lq(&self) -> bool {
        !self.lq.packets.is_empty() && (self.cq.packets.is_empty() || self.owed <= 0.0)
    }

    fn sent(&mut self, is_lq: bool, pkt: &Pkt) {
        if is_lq && !self.cq.packets.is_empty() {
            self.owed += self.share * f64::from(pkt.2);
        } else if !is_lq && !self.lq.packets.is_empty() {
            self.owed -= (1.0 - self.share) * f64::from(pkt.2);
        }
    }

    /// The packet to send, with whether it was chosen from the L queue.
    fn dequeue(&mut self, now: u64) -> Option<(bool, Pkt)> {
        loop {
            let is_lq = self.scheduler_is_lq();
            let (mark, drop, pkt);
            if is_lq {
                let native = match self.lq.packets.len() {
                    0..=1 => 0.0,
                    _ => self.laqm(self.lq.time(now)),
                };
                pkt = self.lq.packets.pop_front()?;
                if self.p_CL < 1.0 {
                    (mark, drop) = (self.lq.recur(native.max(self.p_CL)), false);
                } else {
                    drop = self.lq.recur(self.p_C);
                    mark = !drop && self.lq.recur(self.p_CL);
                }
            } else {
                pkt = self.cq.packets.pop_front()?;
                let strikes = self.cq.recur(self.p_C);
                let p_cmax = (1.0 / (self.k * self.k)).min(1.0);
                drop = strikes && (pkt.3 == Ecn::NONE || self.p_C >= p_cmax);
                mark = strikes && !drop;
            }
            if mark {
                self.marked.push(pkt.0);
            }
            if !drop {
                self.sent(is_lq, &pkt);
                return Some((is_lq, pkt));
            }
            self.dropped.push(pkt.0);
        }
    }

    fn send_all(&mut self, arrivals: &[Arriving], tupdate: u64) -> Vec<Sent> {
        let (mut free, mut next, mut due, mut sent) = (0, 0, tupdate, Vec::new());
        while next < arrivals.len() || !self.is_idle() {
            let arrives = arrivals.get(next).map_or(u64::MAX, |arriving| arriving.at);
            let chooses = if self.is_idle() { u64::MAX } else { free };
            if chooses <= arrives.min(due) {
                let Some((_, (packet, _, bytes, _))) = self.dequeue(free) else { continue };
                let to = free + u64::from(bytes);
                sent.push(Sent { packet, from: free, to });
                free = to;
            } else if due <= arrives {
                self.update(due);
                due += tupdate;
            } else {
                free = if self.is_idle() { free.max(arrives) } else { free };
                self.enqueue((next, arrives, arrivals[next].bytes, arrivals[next].ecn));
                next += 1;
            }
        }
        sent
    }

    fn is_idle(&self) -> bool {
        self.lq.packets.is_empty() && self.cq.packets.is_empty()
    }
}

proptest! {
    /// Targets of tens of packets, RTTs short enough that the base probability moves over its range,
    /// and shares that floats represent.
    #[test]
    fn dualpi2_is_the_rfcs(
        arrivals in bursts(),
        target in 1_000_u64..20_000,
        rtt_max in 5_000_u64..100_000,
        k in 0.5..4.0,
        ramp in (0_u64..10_000, 0_u64..5_000),
        share in 1_u32..16,
    ) {
        let nanos = Span::from_nanos;
        let params = Dualpi2 {
            target: nanos(target),
            rtt_max: nanos(rtt_max),
            k: Ratio::new(k),
            min_th: nanos(ramp.0),
            range: nanos(ramp.1),
            classic_share: Ratio::new(f64::from(share) / 16.0),
            ..Dualpi2::default()
        };
        let mut reference = Reference::new(&params);
        let sent = reference.send_all(&arrivals, params.t_update().as_nanos());
        let link = send_all(&params, Limit::None, &arrivals);
        prop_assert_eq!(link.sent, sent);
        prop_assert_eq!(link.dropped, reference.dropped);
        prop_assert_eq!(link.marked, reference.marked);
    }
}

/// Table of section 2.1 and appendix A: alpha 0.1 * 15 ms / (100 ms)^2, beta 0.3 / 100 ms.
#[test]
fn gains_follow_from_the_longest_rtt() {
    let CoupledConfig { alpha, beta, .. } = Dualpi2::default().coupled();
    assert!((alpha - 0.15).abs() < 1e-12 && (beta - 3.0).abs() < 1e-12, "{alpha}, {beta}");
    assert_eq!(Dualpi2::default().t_update(), Span::from_millis(15));
    let short = Dualpi2 { rtt_max: Span::from_millis(30), ..Dualpi2::default() };
    assert_eq!(short.t_update(), Span::from_millis(10));
}

/// Section 2.1: p_C = (p_CL / k)^2, and by hand 0.15 / s (20 ms - 15 ms) + 3 / s 20 ms = 0.060 75.
#[test]
fn the_classic_probability_is_the_square_of_the_base() {
    let mut control = CoupledControl::new(Dualpi2::default().coupled());
    control.update(Span::from_millis(20));
    assert!((control.base - 0.060_75).abs() < 1e-12);
    for _ in 0..300 {
        let (coupled, classic) = (control.coupled(), control.classic());
        assert!((classic - (coupled / 2.0) * (coupled / 2.0)).abs() < 1e-12 || coupled == 1.0);
        control.update(Span::from_millis(20));
    }
    // 300 * 0.000 75
    assert!((control.base - 0.285_75).abs() < 1e-9, "{}", control.base);
}

/// Both ends of the ramp, a step, and a queue too short to be marked.
#[test]
fn l_packets_are_marked_from_the_ramp_on() {
    let likelihood = |params: Dualpi2, micros, may_mark| {
        CoupledControl::new(params.coupled()).l4s(Span::from_micros(micros), may_mark)
    };
    let ramp = Dualpi2::default();
    let found = [800, 900, 1000, 1200, 9999].map(|micros| likelihood(ramp, micros, true));
    assert_eq!(found, [0.0, 0.25, 0.5, 1.0, 1.0]);
    assert_eq!(likelihood(ramp, 9999, false), 0.0);
    let step = Dualpi2 { range: Span::ZERO, ..ramp };
    assert_eq!([799, 800, 801].map(|micros| likelihood(step, micros, true)), [0.0, 1.0, 1.0]);
}

fn at_once(ecn: Ecn, packets: usize) -> Vec<Arriving> {
    vec![Arriving { bytes: 1000, ecn, ..Arriving::default() }; packets]
}

/// 15 L packets to a C packet by default.
#[test]
fn classic_packets_get_their_share() {
    for (share, every) in [(1.0 / 16.0, 16), (0.25, 4), (0.5, 2)] {
        let params = Dualpi2 { classic_share: Ratio::new(share), ..Dualpi2::default() };
        let arrivals = [at_once(Ecn::ECT1, 320), at_once(Ecn::NONE, 320)].concat();
        let link = send_all(&params, Limit::None, &arrivals);
        let classic = link.sent[..320].iter().filter(|sent| sent.packet >= 320).count();
        assert!(classic.abs_diff(320 / every) <= 1, "{classic} of 320 at {share}");
    }
}

/// L packets arrive one at a time, slower than, at and faster than what the C queue leaves them, so that
/// the L queue is often empty; the C queue never is.
#[test]
fn classic_packets_get_their_share_of_a_link_full_of_single_l_packets() {
    let params = Dualpi2::default();
    for (gap, expected) in
        [(1250_u64, 0.2), (1053, 1.0 / 16.0), (1000, 1.0 / 16.0), (900, 1.0 / 16.0)]
    {
        let arrive = |place: u64| Arriving {
            at: 500 + place * gap,
            bytes: 1000,
            ecn: Ecn::ECT1,
            ..Arriving::default()
        };
        let arrivals: Vec<_> =
            at_once(Ecn::NONE, 4000).into_iter().chain((0..16_000).map(arrive)).collect();
        let link = send_all(&params, Limit::None, &arrivals);
        let classic = link.sent[..10_000].iter().filter(|sent| sent.packet < 4000).count();
        let share = classic as f64 / 10_000.0;
        assert!((share - expected).abs() < 0.001, "{share} with an L packet every {gap} ns");
    }
}

/// An L packet waits for at most the packet in transmission and one more, whatever the C queue.
#[test]
fn an_l_packet_passes_the_classic_queue() {
    let mut arrivals = at_once(Ecn::NONE, 500);
    for at in (1..40).map(|place| place * 10_000) {
        arrivals.push(Arriving { at, bytes: 1000, ecn: Ecn::ECT1, ..Arriving::default() });
    }
    let link = send_all(&Dualpi2::default(), Limit::None, &arrivals);
    let passing = link.sent.iter().filter(|sent| sent.packet >= 500);
    assert_eq!(passing.clone().count(), 39);
    assert!(passing.map(|sent| sent.from - arrivals[sent.packet].at).all(|waited| waited <= 2000));
}

/// At twice the capacity marks do not suffice: ECN-capable packets of either queue are dropped, in the
/// end every second one, and the queue stays short.
#[test]
fn an_overload_drops_ecn_capable_packets_of_both_queues() {
    let micros = Span::from_micros;
    let params = Dualpi2 {
        target: micros(15),
        rtt_max: micros(100),
        min_th: micros(5),
        ..Dualpi2::default()
    };
    for ecn in [Ecn::CAPABLE, Ecn::ECT1] {
        let arrivals: Vec<_> = (0..100_000)
            .map(|place| Arriving { at: place * 500, bytes: 1000, ecn, ..Arriving::default() })
            .collect();
        let link = send_all(&params, Limit::None, &arrivals);
        assert!(!link.marked.is_empty(), "at first, packets are marked");
        let late: Vec<_> = link.dropped.iter().filter(|&&place| place >= 50_000).collect();
        let dropped = late.len() as f64 / 50_000.0;
        assert!((dropped - 0.5).abs() < 0.02, "{ecn:?}: {dropped} of the packets are dropped");
        let last = link.sent.last().map(|sent| sent.from - arrivals[sent.packet].at);
        assert!(last.is_some_and(|waited| waited < 60_000), "the queue is held: {last:?}");
    }
}

#[test]
fn a_buffer_of_one_packet_takes_one_of_either_queue() {
    let arrivals = [at_once(Ecn::NONE, 2), at_once(Ecn::ECT1, 2)].concat();
    let link = send_all(&Dualpi2::default(), Limit::Packets(1), &arrivals);
    assert_eq!(link.dropped, [2, 3], "one in transmission, one waiting");
    assert_eq!(link.sent.len(), 2);
}
