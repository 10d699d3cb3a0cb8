//! XCP's router over the X-queue of a link that it shares with TCP (thesis section 8.2): [`XcpRouter`], and the
//! weights of both queues ([`super::friendly`]).
//!
//! (8.5) and (8.6) are (4.3) with Q_X and w_X c - y_X: the queue and the traffic that the law sees are those of
//! its class, and so is the capacity, which is w_X c or, if it is more, what TCP leaves. Taken by the letter,
//! (8.6) leaves w_T c unused where no TCP flow is.

use sluice_units::Ratio;

use super::delegate::delegate_to_law;
use super::feedback::{Residue, XcpGrant};
use super::friendly::{Weights, XcpTraffic};
use super::header::XcpHeader;
use super::params::XcpParams;
use super::router::{CONTROL, XcpRouter};
use super::window_sums::WindowSums;
use crate::protocol::LinkContext;
use crate::router::{CompetingTraffic, LinkSample, RouterLaw, Tick, Train};

/// The law at one link.
#[derive(Clone, Debug)]
pub struct FriendlyRouter {
    xcp: XcpRouter<WindowSums>,
    weights: Weights,
}

impl FriendlyRouter {
    /// The law with these parameters; `link` has the part of the capacity that is `weight`.
    pub fn new(params: XcpParams, link: &LinkContext, weight: Ratio) -> Self {
        Self { xcp: XcpRouter::new(params, link), weights: Weights::new(&params, weight) }
    }
}

impl RouterLaw for FriendlyRouter {
    type Header = XcpHeader;
    type Sums = WindowSums;
    type Grant = XcpGrant;
    type Budget = Residue;

    delegate_to_law!(XcpRouter<WindowSums>, xcp);

    #[inline]
    fn stamp(grant: &XcpGrant, residue: &mut Residue, header: &mut XcpHeader, train: Train) {
        XcpRouter::<WindowSums>::stamp(grant, residue, header, train);
    }

    fn on_competing(&mut self, traffic: &CompetingTraffic) {
        self.weights.see(traffic);
    }

    fn class_weight(&self) -> Option<Ratio> {
        Some(self.weights.xcp())
    }

    fn tick(&mut self, timer: usize, sums: &WindowSums, sample: &LinkSample) -> Tick<XcpGrant> {
        let tick = self.xcp.tick(timer, sums, sample);
        if timer == CONTROL {
            let capacity = sample.capacity.as_bytes_per_sec_f64();
            self.weights.update(&XcpTraffic {
                window: sums.average_window(),
                rtt: self.xcp.average_rtt(),
                queueing: sample.waiting.as_f64() / capacity,
                input: self.xcp.input(),
            });
        }
        tick
    }

    /// Those of XCP, `w_X`, `cwnd_X` and `cwnd_T` in bytes, and `p`.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.xcp.metrics(out);
        self.weights.metrics(out);
    }
}

#[cfg(test)]
#[path = "friendly_router_tests.rs"]
mod tests;
