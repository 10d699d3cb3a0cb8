//! RCP's router: one rate R for all flows, updated every min(tau, d0) by equation (2).

use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use super::header::RcpHeader;
use super::params::RcpParams;
use super::rtt::{RttAverage, RttSums};
use crate::protocol::LinkContext;
use crate::router::{LinkSample, MAX_TIMERS, QueueCounts, RouterLaw, Sampled, Tick, Train};
use crate::wire::Offer;

/// RCP's law at one link.
#[derive(Debug)]
pub struct RcpRouter {
    params: RcpParams,
    /// R at most, as a multiple of what is to be filled.
    max: Ratio,
    /// Size of a full data packet on the wire.
    packet: Bytes,
    /// The link's capacity as of the last tick.
    capacity: Rate,
    /// The fair-share rate R(t) in bits a second, unrounded.
    rate: f64,
    /// The moving average of the RTTs, d0.
    rtt: RttAverage,
}

impl RcpRouter {
    /// The law with these parameters at that link.
    pub fn new(params: &RcpParams, link: &LinkContext) -> Self {
        Self::up_to(Ratio::new(1.0), params, link)
    }

    /// The law with an R of at most this many times the part of the capacity to fill.
    pub(crate) fn up_to(max: Ratio, params: &RcpParams, link: &LinkContext) -> Self {
        let initial_rtt = params.initial_rtt.as_secs_f64();
        let rtt = RttAverage::new(params.rtt_filter, params.rtt_gain.get(), initial_rtt);
        let (packet, capacity) = (link.packet, link.capacity);
        let mut router = Self { params: params.clone(), max, packet, capacity, rate: 0.0, rtt };
        router.begin();
        router
    }

    /// R(0), a part of the capacity.
    fn begin(&mut self) {
        self.rtt.bound(self.capacity, self.packet);
        self.rate = self.bounded(self.params.initial_rate.get() * self.capacity.as_bps_f64());
    }

    /// Equation (2) of "Processor Sharing Flows in the Internet":
    /// R(t) = R(t-T) [1 + (T/d0) (alpha (C - y(t)) - beta q(t)/d0) / C].
    ///
    /// C is gamma times the link's capacity (the papers' gamma is 1). T is the interval that ended,
    /// which is the one planned unless a tick comes late, and counts as at most d0.
    fn updated(&self, sample: &LinkSample) -> f64 {
        let elapsed = sample.now.since(sample.since).as_secs_f64();
        let d0 = self.rtt.get();
        let c = self.target();
        let y = bits(sample.arrived) / elapsed;
        let q = bits(self.backlog(sample));
        let (alpha, beta) = (self.params.alpha.get(), self.params.beta.get());
        let change = alpha * (c - y) - beta * q / d0;
        self.rate * (1.0 + (elapsed.min(d0) / d0) * change / c)
    }

    /// q(t), "the instantaneous queue size" (section 2.2): by default what waits. The equilibrium is
    /// "R_e = C/N and q_e = 0" (section 2.3), and a full link always has a packet in transmission: if
    /// that were queue, R would rest where alpha (C - y) = beta q/d0, below C. With `losses_as_queue`,
    /// also what was lost in the interval, "the queue we wanted to drain if we had enough buffering to
    /// accept the lost packets" (section 2.3).
    fn backlog(&self, sample: &LinkSample) -> Bytes {
        let queue = sample.queue_by(self.params.queue_counts);
        if self.params.losses_as_queue { queue + sample.dropped } else { queue }
    }

    /// The capacity to fill, gamma C, in bits a second.
    fn target(&self) -> f64 {
        self.params.gamma.get() * self.capacity.as_bps_f64()
    }

    /// R within [minimum R, gamma C]. Minimum R is a number of packets a d0 (authors' ns-2 code: one packet
    /// of 1000 bytes per 100 d0); the papers name no bounds, but without a minimum R would never rise again
    /// from zero. Both are at least what a header can grant.
    fn bounded(&self, rate: f64) -> f64 {
        let packets = self.params.min_rate.get() * bits(self.packet) / self.rtt.get();
        Offer::bounded(rate, packets, self.max.get() * self.target())
    }

    /// T = min(tau, d0) (section 2.2; "at least equal to average RTT" there must read "at most").
    fn interval(&self) -> Span {
        let d0 = Span::from_secs_f64(self.rtt.get());
        self.params.interval.min(d0).max(Span::from_nanos(1))
    }

    fn grant(&self) -> Offer {
        Offer::granting(Rate::from_bps_f64(self.rate))
    }
}

fn bits(bytes: Bytes) -> f64 {
    bytes.as_f64() * 8.0
}

impl RouterLaw for RcpRouter {
    type Header = RcpHeader;
    type Sums = RttSums;
    type Grant = Offer;
    type Budget = ();

    /// "When a router receives a packet it uses RTT_p to update its moving average of the RTT"
    /// (section 2.2 step 2). ACKs count on the link they take.
    fn arrive(sums: &mut RttSums, _: &Offer, header: &RcpHeader, train: Train) {
        sums.add(header.rtt, train);
    }

    /// "If R(t) at the router is smaller than R_p, then R_p <- R(t)" (section 2.2 step 2). A packet
    /// that requests no rate has zero there, which no R is below.
    fn stamp(grant: &Offer, _budget: &mut (), header: &mut RcpHeader, _train: Train) {
        header.rate = header.rate.min(*grant);
    }

    fn fresh(_grant: &Offer) {}

    fn start(&mut self, capacity: Rate) -> (Offer, [Time; MAX_TIMERS]) {
        self.capacity = capacity;
        self.begin();
        (self.grant(), [Time::ZERO + self.interval(), Time::NEVER])
    }

    fn tick(&mut self, _timer: usize, sums: &RttSums, sample: &LinkSample) -> Tick<Offer> {
        let elapsed = sample.now.since(sample.since);
        self.capacity = sample.capacity;
        if elapsed > Span::ZERO && self.capacity > Rate::ZERO {
            let share = self.rate / self.capacity.as_bps_f64();
            self.rtt.update(sums, elapsed.as_secs_f64(), share);
            self.rtt.bound(self.capacity, self.packet);
            self.rate = self.updated(sample);
        }
        // In an interval of no length too: the capacity may have fallen.
        self.rate = self.bounded(self.rate);
        Tick { grant: Some(self.grant()), next: sample.now + self.interval() }
    }

    fn stamped(&self) -> Sampled {
        self.params.stamp_at
    }

    fn min_queue_counts(&self) -> QueueCounts {
        self.params.queue_counts.of_minimum()
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("R", self.rate);
        out("d0", self.rtt.get());
        // The router's estimate of the number of flows, N = C/R (section 2.2).
        out("N", self.capacity.as_bps_f64() / self.rate.max(f64::MIN_POSITIVE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rcp::rtt::RttFilter;
    use crate::wire::WireRtt;

    const CAPACITY: Rate = Rate::from_bps(100_000_000);
    const RTT: Span = Span::from_millis(100);

    fn router(params: RcpParams) -> RcpRouter {
        at(params, CAPACITY)
    }

    fn at(params: RcpParams, capacity: Rate) -> RcpRouter {
        let mut router =
            RcpRouter::new(&params, &LinkContext { capacity, packet: Bytes::new(1_000) });
        router.start(capacity);
        router
    }

    fn sums(rtt: Span) -> RttSums {
        let mut sums = RttSums::default();
        let header = RcpHeader { rtt: WireRtt::new(rtt), ..RcpHeader::default() };
        RcpRouter::arrive(&mut sums, &Offer::NONE, &header, Train::packet(1_000));
        sums
    }

    /// The end of an interval of 10 ms.
    fn sample(arrived: u64, queue: u64, dropped: u64) -> LinkSample {
        LinkSample {
            queue: Bytes::new(queue),
            waiting: Bytes::new(queue),
            arrived: Bytes::new(arrived),
            dropped: Bytes::new(dropped),
            ..LinkSample::idle(Time::ZERO, Time::from_nanos(10_000_000), CAPACITY)
        }
    }

    fn close(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-7, "{a} is not {b}");
    }

    #[test]
    fn equation_2_by_hand() {
        let mut router = router(RcpParams::default());
        close(router.rate, 5e6);
        // y = 60 Mb/s, q/d0 = 2 Mb/s: 5 Mb/s x (1 + 0.1 x (0.1 x 40 - 2) / 100).
        router.tick(0, &sums(RTT), &sample(75_000, 25_000, 0));
        close(router.rate, 5.01e6);
        // y = 120 Mb/s, no queue: 5.01 Mb/s x (1 - 0.1 x 0.1 x 20 / 100).
        router.tick(0, &sums(RTT), &sample(150_000, 0, 0));
        close(router.rate, 5.01e6 * 0.998);
    }

    #[test]
    fn losses_count_as_queue_where_asked() {
        let mut router = router(RcpParams { losses_as_queue: true, ..RcpParams::default() });
        router.tick(0, &sums(RTT), &sample(75_000, 10_000, 15_000));
        close(router.rate, 5.01e6);
    }

    #[test]
    fn the_packet_in_transmission_is_no_queue_unless_asked() {
        // y = C: nothing to change unless the 25 kB not yet sent count.
        let full = LinkSample { waiting: Bytes::ZERO, ..sample(125_000, 25_000, 0) };
        let moved = |queue_counts| {
            let mut router = router(RcpParams { queue_counts, ..RcpParams::default() });
            router.tick(0, &sums(RTT), &full);
            router.rate
        };
        close(moved(QueueCounts::Waiting), 5e6);
        // q/d0 = 2 Mb/s: 5 Mb/s x (1 - 0.1 x 2 / 100).
        close(moved(QueueCounts::Unsent), 4.99e6);
        // At some time of the interval nothing waited.
        close(moved(QueueCounts::Least), 5e6);
        let standing = LinkSample { min_queue: Bytes::new(25_000), ..full };
        let mut router =
            router(RcpParams { queue_counts: QueueCounts::Least, ..RcpParams::default() });
        router.tick(0, &sums(RTT), &standing);
        close(router.rate, 4.99e6);
        assert_eq!(RcpParams::default().queue_counts, QueueCounts::Waiting);
    }

    #[test]
    fn gamma_is_the_utilization() {
        let mut router = router(RcpParams { gamma: Ratio::new(0.95), ..RcpParams::default() });
        // y = 95 Mb/s = gamma C: nothing to change.
        router.tick(0, &sums(RTT), &sample(118_750, 0, 0));
        close(router.rate, 5e6);
    }

    #[test]
    fn the_rate_stays_between_a_packet_in_100_rtts_and_the_capacity() {
        let mut router = router(RcpParams::default());
        for _ in 0..5_000 {
            router.tick(0, &sums(RTT), &sample(0, 0, 0));
        }
        close(router.rate, 100e6);
        for _ in 0..5_000 {
            router.tick(0, &sums(RTT), &sample(1_000_000, 10_000_000, 0));
        }
        close(router.rate, 800.0);
    }

    #[test]
    fn the_interval_is_10_ms_or_a_shorter_rtt() {
        let mut router = router(RcpParams::default());
        let now = sample(0, 0, 0).now;
        assert_eq!(router.tick(0, &sums(RTT), &sample(0, 0, 0)).next, now + Span::from_millis(10));
        let short = RttAverage::new(RttFilter::PerPacket, 0.02, 0.002);
        router.rtt = short;
        let none = RttSums::default();
        assert_eq!(router.tick(0, &none, &sample(0, 0, 0)).next, now + Span::from_millis(2));
    }

    #[test]
    fn a_stamp_lowers_the_requested_rate_only() {
        let grant = Offer::granting(Rate::from_bps(5_000_000));
        let stamped = |rate| {
            let mut header = RcpHeader { rate, ..RcpHeader::default() };
            RcpRouter::stamp(&grant, &mut (), &mut header, Train::packet(1_000));
            header.rate
        };
        let lower = Offer::granting(Rate::from_bps(2_000_000));
        assert_eq!(stamped(Offer::UNLIMITED), grant);
        assert_eq!(stamped(lower), lower);
        assert_eq!(stamped(Offer::NONE), Offer::NONE);
    }

    #[test]
    fn a_tick_twice_at_one_instant_changes_nothing() {
        let mut router = router(RcpParams::default());
        let empty = LinkSample { since: sample(0, 0, 0).now, ..sample(u64::MAX, 0, 0) };
        router.tick(0, &sums(RTT), &empty);
        close(router.rate, 5e6);
    }

    #[test]
    fn a_capacity_that_falls_takes_the_rate_with_it_at_once() {
        let mut router = router(RcpParams::default());
        let now = sample(0, 0, 0).now;
        let fallen =
            LinkSample { since: now, capacity: Rate::from_bps(1_000_000), ..sample(0, 0, 0) };
        router.tick(0, &RttSums::default(), &fallen);
        close(router.rate, 1e6);
    }

    #[test]
    fn every_capacity_and_rtt_keeps_the_rate_within_bounds() {
        for capacity in [1_000, 1_000_000, 400_000_000_000].map(Rate::from_bps) {
            for rtt in [10, 100_000, 10_000_000].map(Span::from_micros) {
                let mut router = at(RcpParams::default(), capacity);
                for arrived in [0, 1_000, u64::MAX, 0, 0] {
                    let sample = LinkSample { capacity, ..sample(arrived, arrived, arrived) };
                    let tick = router.tick(0, &sums(rtt), &sample);
                    assert!(tick.next > sample.now);
                    let granted = tick.grant.and_then(Offer::rate);
                    assert!(granted.is_some_and(|rate| rate > Rate::ZERO && rate <= capacity));
                }
            }
        }
    }
}
