//! The fair share of a link, estimated without state of its flows.
//!
//! I. Stoica, S. Shenker, H. Zhang, "Core-Stateless Fair Queueing" (SIGCOMM 1998; SSZ below), section
//! 2.2 and figure 3.

use core::ops::RangeInclusive;

use sluice_units::{Span, Time};

use super::arrival::QueueArrival;
use super::rate_average::RateAverages;
use crate::schedule::LinkCapacity;

/// SSZ, section 2.2: by which the share falls as the buffer overflows.
const OVERFLOW: f64 = 0.99;
/// SSZ, section 2.2: the part of it that overflows leave between two updates.
const LEFT: f64 = 0.75;
/// Beyond all labels. Where K_c is far below K_alpha, F lags behind the updates, and their product
/// could leave the range of floating point.
const SHARES: RangeInclusive<f64> = 1e-9..=1e21;

/// The fair share of a link. Rates are in bits a second; labels and the share are rates for each unit of
/// weight.
pub(super) struct FairShare {
    capacity: LinkCapacity,
    k_alpha: Span,
    k_c: Span,
    /// The backlog, in transmission time, up to which an uncongested link remains so.
    congested_from: Span,
    /// A of SSZ, what arrives, and F, what is not dropped for its label.
    rates: RateAverages<2>,
    /// alpha of SSZ.
    share: f64,
    /// What overflows leave of it until its next update.
    floor: f64,
    /// tmp_alpha of SSZ: the largest label of the interval.
    largest: f64,
    congested: bool,
    /// start_time of SSZ: when the interval began.
    since: Time,
}

impl FairShare {
    pub(super) fn new(
        capacity: LinkCapacity,
        k_alpha: Span,
        k_c: Span,
        congested_from: Span,
    ) -> Self {
        Self {
            capacity,
            k_alpha,
            k_c,
            congested_from,
            rates: RateAverages::default(),
            share: 0.0,
            floor: 0.0,
            largest: 0.0,
            congested: false,
            since: Time::ZERO,
        }
    }

    /// SSZ, equation 2 and figure 3: the drop probability of a packet, max(0, 1 - alpha / label).
    ///
    /// It is 0 at an uncongested link, as in the fluid model of section 2.1. Figure 3 applies the
    /// largest label of the interval before instead, which would drop packets of a flow that
    /// accelerates on an idle link.
    pub(super) fn drop_probability(&self, label: f64) -> f64 {
        if self.congested { f64::max(0.0, 1.0 - self.share / label) } else { 0.0 }
    }

    /// The label with which a packet goes on that is not dropped.
    pub(super) fn relabel(&self, label: f64) -> f64 {
        if self.congested { label.min(self.share) } else { label }
    }

    /// SSZ, figure 3, `estimate_alpha`: a packet arrived with this label, and was accepted or
    /// dropped for it. Packets that find no room are accepted here, as there: otherwise F would be
    /// C at a full buffer, and the share would not fall. Dropped ones count in F with a length of 0; in
    /// figure 3 they do not, and F remains as it was while nearly all are dropped.
    pub(super) fn count(&mut self, arrival: &QueueArrival, bytes: u32, label: f64, accepted: bool) {
        let now = arrival.now;
        self.rates.count(now, [bytes, if accepted { bytes } else { 0 }], self.k_alpha);
        let [arriving, accepted] = self.rates.bps();
        let capacity = self.capacity(now);
        // SSZ, section 2.2: an uncongested link with a short queue remains uncongested.
        let is_full =
            arriving >= capacity && (self.congested || arrival.ahead >= self.congested_from);
        match (self.congested, is_full) {
            (false, false) => self.pass_uncongested(now, label),
            (false, true) => self.become_congested(now, label),
            (true, false) => self.become_uncongested(now, label),
            (true, true) => self.pass_congested(now, capacity / accepted),
        }
    }

    /// SSZ, section 2.2: the buffer has no room for a packet.
    pub(super) fn overflow(&mut self) {
        self.share = f64::max(self.share * OVERFLOW, self.floor);
    }

    /// alpha, A and F.
    pub(super) fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("fair_share_bps", self.share);
        let [arriving, accepted] = self.rates.bps();
        out("arrival_rate_bps", arriving);
        out("accepted_rate_bps", accepted);
    }

    /// C. If it varies, the mean over K_alpha, as A and F are means.
    fn capacity(&self, now: Time) -> f64 {
        self.capacity.mean(Time::ZERO + now.since(Time::ZERO + self.k_alpha), now).as_bps_f64()
    }

    /// The packet that ends an interval counts in it. In figure 3 it does not, and the share is 0 after an
    /// interval of one packet.
    fn pass_uncongested(&mut self, now: Time, label: f64) {
        self.largest = self.largest.max(label);
        if now >= self.since + self.k_c {
            self.update(self.largest);
            (self.since, self.largest) = (now, 0.0);
        }
    }

    /// The share is at least the largest label of the interval that ends: it is continuous as A passes C in
    /// the fluid model of section 2.1. Figure 3 keeps that of the interval before, which is low while
    /// flows accelerate, and has no initial value.
    fn become_congested(&mut self, now: Time, label: f64) {
        self.update(self.share.max(self.largest).max(label));
        (self.congested, self.since) = (true, now);
    }

    fn become_uncongested(&mut self, now: Time, label: f64) {
        (self.congested, self.since, self.largest) = (false, now, label);
    }

    /// alpha <- alpha C / F.
    fn pass_congested(&mut self, now: Time, correction: f64) {
        if now > self.since + self.k_c {
            self.update(self.share * correction);
            self.since = now;
        }
    }

    fn update(&mut self, share: f64) {
        self.share = share.clamp(*SHARES.start(), *SHARES.end());
        self.floor = self.share * LEFT;
    }
}

#[cfg(test)]
#[path = "fair_share_tests.rs"]
mod tests;
