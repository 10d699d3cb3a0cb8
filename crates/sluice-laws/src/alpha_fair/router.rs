//! Alpha-fair RCP's router: RCP's rate, stated as a price that packets add up.

use sluice_units::{Rate, Ratio, Time};

use super::header::AlphaFairHeader;
use super::params::AlphaFairParams;
use super::price::Price;
use crate::protocol::LinkContext;
use crate::rcp;
use crate::rcp::rtt::RttSums;
use crate::router::{LinkSample, MAX_TIMERS, RouterLaw, Sampled, Tick, Train};
use crate::wire::Offer;

/// The law at one link.
#[derive(Debug)]
pub struct AlphaFairRouter {
    rcp: rcp::router::RcpRouter,
    /// alpha of alpha-fairness.
    fairness: Ratio,
}

impl AlphaFairRouter {
    /// The law with these parameters at that link.
    pub fn new(params: &AlphaFairParams, link: &LinkContext) -> Self {
        let rcp = rcp::router::RcpRouter::up_to(params.max_rate, &params.rcp(), link);
        Self { rcp, fairness: params.fairness }
    }

    fn price(&self, rate: Offer) -> Price {
        rate.rate().map_or(Price::NONE, |rate| Price::of(rate, self.fairness))
    }
}

impl RouterLaw for AlphaFairRouter {
    type Header = AlphaFairHeader;
    type Sums = RttSums;
    type Grant = Price;
    type Budget = ();

    fn arrive(sums: &mut RttSums, _: &Price, header: &AlphaFairHeader, train: Train) {
        sums.add(header.rtt, train);
    }

    /// The sum over the links of a route of R_j^-alpha, one link at a time. A packet that requests
    /// nothing stays as it is.
    fn stamp(grant: &Price, _budget: &mut (), header: &mut AlphaFairHeader, _train: Train) {
        if header.price != Price::NONE {
            header.price = header.price.plus(*grant);
        }
    }

    fn fresh(_grant: &Price) {}

    fn start(&mut self, capacity: Rate) -> (Price, [Time; MAX_TIMERS]) {
        let (rate, timers) = self.rcp.start(capacity);
        (self.price(rate), timers)
    }

    /// dR_j/dt = a R_j / (C_j T_j) (C_j - y_j) with the mean RTT T_j of the packets that pass, which
    /// is RCP's equation (2) with beta = 0.
    fn tick(&mut self, timer: usize, sums: &RttSums, sample: &LinkSample) -> Tick<Price> {
        let Tick { grant, next } = self.rcp.tick(timer, sums, sample);
        Tick { grant: grant.map(|rate| self.price(rate)), next }
    }

    fn stamped(&self) -> Sampled {
        self.rcp.stamped()
    }

    /// R and d0. C / R, RCP's count of flows, is one only where all of them meet no other bottleneck.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.rcp.metrics(&mut |name, value| {
            if name != "N" {
                out(name, value);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_units::{Bytes, Span};

    const CAPACITY: Rate = Rate::from_bps(100_000_000);
    const ALPHA: Ratio = Ratio::new(1.0);

    fn router(params: &AlphaFairParams) -> AlphaFairRouter {
        let link = LinkContext { capacity: CAPACITY, packet: Bytes::new(1_000) };
        AlphaFairRouter::new(params, &link)
    }

    /// R as stated after a number of intervals without packets.
    fn idle(router: &mut AlphaFairRouter, intervals: u64) -> f64 {
        let mut grant = None;
        for i in 0..intervals {
            let [since, now] = [i, i + 1].map(|i| Time::ZERO + Span::from_millis(10) * i);
            let queue = Bytes::new(50_000);
            let sample = LinkSample {
                queue,
                waiting: queue,
                min_queue: queue,
                ..LinkSample::idle(since, now, CAPACITY)
            };
            grant = router.tick(0, &RttSums::default(), &sample).grant;
        }
        grant.and_then(|price| price.rate(ALPHA)).unwrap().as_bps_f64()
    }

    #[test]
    fn the_first_price_is_that_of_the_first_rate() {
        let (price, _) = router(&AlphaFairParams::default()).start(CAPACITY);
        let rate = price.rate(ALPHA).unwrap().as_bps_f64();
        assert!((rate / (0.05 * 100e6) - 1.0).abs() < 2e-6, "{rate}");
    }

    #[test]
    fn an_interval_moves_the_rate_as_rcp_does_whatever_the_queue() {
        // d0 is 200 ms: 5 Mb/s x (1 + 0.4 x 10 / 200).
        let rate = idle(&mut router(&AlphaFairParams::default()), 1);
        assert!((rate / 5.1e6 - 1.0).abs() < 2e-6, "{rate}");
    }

    #[test]
    fn an_idle_links_rate_rises_to_the_maximum_and_no_further() {
        let rate = idle(&mut router(&AlphaFairParams::default()), 10_000);
        assert!((rate / (4.0 * 0.9 * 100e6) - 1.0).abs() < 2e-6, "{rate}");
    }

    #[test]
    fn a_stamp_adds_to_requests_only() {
        let grant = Price::of(CAPACITY, ALPHA);
        let stamped = |price| {
            let mut header = AlphaFairHeader { price, ..AlphaFairHeader::default() };
            AlphaFairRouter::stamp(&grant, &mut (), &mut header, Train::packet(1_000));
            header
        };
        let twice = stamped(stamped(Price::ASKED).price);
        let half = twice.price.rate(ALPHA).unwrap().as_bps_f64();
        assert!((half / 50e6 - 1.0).abs() < 1e-6, "{half}");
        assert_eq!(stamped(Price::NONE), AlphaFairHeader::default());
    }
}
