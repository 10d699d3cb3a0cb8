//! Alpha-fair shares behind XCP's efficiency controller (Katabi's thesis, section 9.1.4: "other protocols might
//! want a different bandwidth allocation (e.g., proportional fairness) than the one provided by AIMD, so they
//! might change the control law of the fairness controller").
//!
//! XCP's own header cannot carry these shares: it keeps the least feedback of the path, and the first router of a
//! flow sees the same headers and rates whether others limit the flow behind it or not (decision 23). Here what
//! routers state adds up along the path, as prices.
//!
//! The efficiency controller decides phi, the change of the traffic as a whole, as at an XCP router. The fairness
//! controller turns it into a change of the link's R. With x_r = w_r (sum of R_j^-alpha)^(-1/alpha), a flow's rate
//! follows R by dx_r / dR = w_r (x_r / (w_r R))^(alpha + 1), so that
//!
//! ```text
//! phi = dR x sum over flows of w_r (x_r / (w_r R))^(alpha + 1)
//! ```
//!
//! The sum is that of the weights where this is the flows' only bottleneck: C / R when it is full, RCP's estimate,
//! and y / R of any input y. Each flow that others limit, too, counts for less. So dR = phi R / max(y, C) changes
//! the traffic by phi or by less, never by more, once senders follow R. On an idle link R rises to its maximum,
//! and a first flow gets that.

use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use super::header::AlphaFairHeader;
use super::params::AlphaFairParams;
use super::price::Price;
use super::router::AlphaFairRouter;
use crate::protocol::LinkContext;
use crate::rcp::rtt::RttSums;
use crate::router::{LinkSample, MAX_TIMERS, QueueCounts, RouterLaw, Sampled, Tick, Train};
use crate::wire::Offer;
use crate::xcp::XcpParams;
use crate::xcp::efficiency::{EfficiencyController, Load};
use crate::xcp::intervals::Intervals;

/// The timer of control decisions; the other one is the queue's.
const CONTROL: usize = 0;

/// The law at one link.
#[derive(Debug)]
pub struct XcpPriceRouter {
    xcp: XcpParams,
    efficiency: EfficiencyController,
    intervals: Intervals,
    fairness: Ratio,
    /// R(0) and R at most, over the capacity.
    initial: f64,
    max: f64,
    /// R at least, in packets an interval.
    min_rate: f64,
    packet: Bytes,
    capacity: Rate,
    /// R, in bits a second.
    rate: f64,
    /// The mean RTT of packets; the first interval until one states an RTT.
    average_rtt: Span,
    /// Q, the persistent queue.
    persistent_queue: Bytes,
    /// The aggregate feedback, in bytes a second.
    phi: f64,
}

impl XcpPriceRouter {
    /// The law with these parameters at that link.
    pub fn new(params: &AlphaFairParams, link: &LinkContext) -> Self {
        let xcp = XcpParams { alpha: params.gain, ..XcpParams::default() };
        Self {
            efficiency: EfficiencyController::new(&xcp, link.packet),
            intervals: Intervals::new(&xcp),
            fairness: params.fairness,
            initial: params.initial_rate.get(),
            max: params.max_rate.get(),
            min_rate: params.rcp().min_rate.get(),
            packet: link.packet,
            capacity: link.capacity,
            rate: 0.0,
            average_rtt: xcp.first_interval,
            persistent_queue: Bytes::ZERO,
            phi: 0.0,
            xcp,
        }
    }

    fn decide(&mut self, sums: &RttSums, sample: &LinkSample) -> Price {
        self.average_rtt = sums.mean_rtt().unwrap_or(self.average_rtt);
        self.capacity = sample.capacity;
        let elapsed = sample.now.since(sample.since).as_secs_f64();
        let capacity = self.capacity.as_bytes_per_sec_f64();
        if elapsed > 0.0 && capacity > 0.0 {
            let input = sample.arrived.as_f64() / elapsed;
            self.phi = self.efficiency.aggregate_feedback(&Load {
                capacity,
                input,
                queue: self.persistent_queue.as_f64(),
                interval: self.intervals.control(self.average_rtt),
            });
            self.set_rate(self.rate * (1.0 + self.phi / input.max(capacity)));
        }
        self.price()
    }

    /// Sets R, to a packet in 100 RTTs at least, as RCP has it: senders must send to hear of a larger one.
    fn set_rate(&mut self, rate: f64) {
        let packets = self.min_rate * 8.0 * self.packet.as_f64();
        let least = packets / self.intervals.control(self.average_rtt).as_secs_f64();
        self.rate = Offer::bounded(rate, least, self.max * self.capacity.as_bps_f64());
    }

    fn price(&self) -> Price {
        Price::of(Rate::from_bps_f64(self.rate), self.fairness)
    }
}

impl RouterLaw for XcpPriceRouter {
    type Header = AlphaFairHeader;
    type Sums = RttSums;
    type Grant = Price;
    type Budget = ();

    fn arrive(sums: &mut RttSums, grant: &Price, header: &AlphaFairHeader, train: Train) {
        AlphaFairRouter::arrive(sums, grant, header, train);
    }

    fn stamp(grant: &Price, budget: &mut (), header: &mut AlphaFairHeader, train: Train) {
        AlphaFairRouter::stamp(grant, budget, header, train);
    }

    fn fresh(_grant: &Price) {}

    fn start(&mut self, capacity: Rate) -> (Price, [Time; MAX_TIMERS]) {
        self.capacity = capacity;
        self.set_rate(self.initial * capacity.as_bps_f64());
        let queue = self.intervals.queue(self.average_rtt, Bytes::ZERO, capacity);
        (self.price(), [self.xcp.first_interval, queue].map(|interval| Time::ZERO + interval))
    }

    fn tick(&mut self, timer: usize, sums: &RttSums, sample: &LinkSample) -> Tick<Price> {
        if timer == CONTROL {
            let grant = Some(self.decide(sums, sample));
            return Tick { grant, next: sample.now + self.intervals.control(self.average_rtt) };
        }
        self.persistent_queue = sample.min_queue;
        let queue = sample.queue_by(self.xcp.queue_counts);
        let next = self.intervals.queue(self.average_rtt, queue, sample.capacity);
        Tick { grant: None, next: sample.now + next }
    }

    fn grants(timer: usize) -> bool {
        timer == CONTROL
    }

    fn stamped(&self) -> Sampled {
        self.xcp.stamp_at
    }

    fn queue_sampled(&self) -> Sampled {
        self.xcp.queue_at
    }

    fn min_queue_counts(&self) -> QueueCounts {
        self.xcp.queue_counts
    }

    /// R in bits a second, phi in bytes a second, d in seconds, Q in bytes.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("R", self.rate);
        out("phi", self.phi);
        out("d", self.average_rtt.as_secs_f64());
        out("Q", self.persistent_queue.as_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::WireRtt;

    const CAPACITY: Rate = Rate::from_bps(8_000_000);
    const ALPHA: Ratio = Ratio::new(1.0);

    fn router() -> XcpPriceRouter {
        let link = LinkContext { capacity: CAPACITY, packet: Bytes::new(1000) };
        let mut router = XcpPriceRouter::new(&AlphaFairParams::default(), &link);
        router.start(CAPACITY);
        router
    }

    /// A decision after 125 ms in which these bytes arrived with an RTT of 125 ms, and this queue was seen.
    fn decided(router: &mut XcpPriceRouter, arrived: u64, queue: u64) -> f64 {
        let mut sums = RttSums::default();
        sums.add(WireRtt::new(Span::from_millis(125)), Train::packet(1000));
        let sample = LinkSample {
            min_queue: Bytes::new(queue),
            arrived: Bytes::new(arrived),
            ..LinkSample::idle(Time::ZERO, Time::ZERO + Span::from_millis(125), CAPACITY)
        };
        router.tick(1, &sums, &sample);
        let tick = router.tick(CONTROL, &sums, &sample);
        assert_eq!(tick.next.since(sample.now), Span::from_millis(125));
        tick.grant.and_then(|price| price.rate(ALPHA)).expect("a rate").as_bps_f64()
    }

    fn near(rate: f64, expected: f64) {
        assert!((rate / expected - 1.0).abs() < 2e-6, "{rate}, not {expected}");
    }

    /// R is 0.4 Mb/s of 8 Mb/s at first.
    #[test]
    fn r_changes_by_its_part_of_phi() {
        // phi = 0.4 x 0.5 MB/s = 0.2 C; with Q / d = 0.1 C, 0.0226 C less.
        near(decided(&mut router(), 62_500, 0), 0.4e6 * 1.2);
        near(decided(&mut router(), 62_500, 12_500), 0.4e6 * 1.1774);
        // Of 2 MB/s, phi = -0.4 MB/s is a fifth.
        near(decided(&mut router(), 250_000, 0), 0.4e6 * 0.8);
    }

    #[test]
    fn r_stays_within_its_bounds() {
        let mut idle = router();
        let highest = (0..200).map(|_| decided(&mut idle, 0, 0)).last().expect("a rate");
        near(highest, 4.0 * 8e6);
        // A packet of 8000 bits in 100 intervals of 125 ms.
        near(decided(&mut idle, 250_000, u64::MAX), 640.0);
    }
}
