//! The slow path of the router: the estimate of the total reserved bandwidth, R_g, without state by flow
//! (thesis section 6.4.4). What it does per packet is in [`super::admission`].

use sluice_units::{Rate, Time};

use super::admission::{GuaranteedSums, Reservable};
use super::choices::RecentReservations;
use super::header::{GuaranteedHeader, UNIT};
use super::params::XcpGuaranteedParams;
use crate::router::{LinkSample, MAX_TIMERS, RouterLaw, Sampled, Tick, Train};
use crate::wire::ticks::FRACTION_BITS;

const TICKS_PER_SECOND: f64 = (1_u64 << FRACTION_BITS) as f64;

/// Admission control at one link. Bandwidths are in bits a second.
#[derive(Clone, Debug)]
pub struct AdmissionControl {
    params: XcpGuaranteedParams,
    /// R_g as of the last timeout.
    reserved: f64,
    /// The estimate that entered it last.
    estimate: f64,
    /// R_r: profiles admitted since the last timeout.
    recent: f64,
    /// R_u: the throughput of guaranteed traffic.
    used: f64,
    /// What the grant in force allows to reserve, in units.
    granted: u64,
}

impl AdmissionControl {
    /// Admission control with these parameters, without reservations.
    pub const fn new(params: XcpGuaranteedParams) -> Self {
        Self { params, reserved: 0.0, estimate: 0.0, recent: 0.0, used: 0.0, granted: 0 }
    }

    /// "On T_e timeout" (section 6.4.4). R_u, R_r and the sum of profiles are those of the interval that
    /// ended: the text resets R_r "at the beginning of the estimation interval", and the pseudo-code, which
    /// resets the sum of profiles alone, would else add admissions up forever.
    fn estimate(&mut self, sums: &GuaranteedSums, seconds: f64) {
        let profiles = sums.profile_x as f64 / TICKS_PER_SECOND / seconds * UNIT as f64;
        self.used = sums.bytes as f64 * 8.0 / seconds;
        self.estimate = match self.params.recent {
            RecentReservations::Added => profiles.max(self.used) + self.recent,
            RecentReservations::WithinMaximum => (profiles + self.recent).max(self.used), // (6.1)
        };
        // "R_g += H_profile", as requests arrived.
        let before = self.reserved + self.recent;
        // "We use a running average that is biased toward larger values."
        self.reserved = if self.estimate >= before {
            self.estimate
        } else {
            let fall = self.params.fall.get();
            fall * self.estimate + (1.0 - fall) * before
        };
    }

    /// G - R_g, or nothing where more is reserved.
    fn grant(&mut self, capacity: Rate) -> Reservable {
        let limit = self.params.limit(capacity) as f64;
        // Casts from floating point saturate.
        self.granted = (limit - self.reserved / UNIT as f64) as u64;
        Reservable(self.granted)
    }
}

impl RouterLaw for AdmissionControl {
    type Header = GuaranteedHeader;
    type Sums = GuaranteedSums;
    type Grant = Reservable;
    type Budget = Reservable;

    fn arrive(sums: &mut GuaranteedSums, _: &Reservable, header: &GuaranteedHeader, train: Train) {
        sums.add(header, train);
    }

    fn stamp(_: &Reservable, left: &mut Reservable, header: &mut GuaranteedHeader, _: Train) {
        left.admit(header);
    }

    fn fresh(grant: &Reservable) -> Reservable {
        *grant
    }

    /// In proportion to guaranteed traffic, which is where requests come from: a CPU that saw none admits nobody.
    fn share(grant: &Reservable, part: &GuaranteedSums, whole: &GuaranteedSums) -> Reservable {
        let share = u128::from(grant.0) * u128::from(part.bytes);
        let share = share.checked_div(u128::from(whole.bytes)).unwrap_or(0);
        Reservable(share.min(u128::from(grant.0)) as u64)
    }

    fn start(&mut self, capacity: Rate) -> (Reservable, [Time; MAX_TIMERS]) {
        (self.grant(capacity), [Time::ZERO + self.params.interval, Time::NEVER])
    }

    fn on_budget(&mut self, left: &Reservable) {
        self.recent = self.granted.saturating_sub(left.0) as f64 * UNIT as f64;
    }

    fn tick(&mut self, _: usize, sums: &GuaranteedSums, sample: &LinkSample) -> Tick<Reservable> {
        let seconds = sample.now.since(sample.since).as_secs_f64();
        // A tick twice at one instant measures nothing, and keeps what was admitted.
        let grant = (seconds > 0.0).then(|| {
            self.estimate(sums, seconds);
            self.grant(sample.capacity)
        });
        Tick { grant, next: sample.now + self.params.interval }
    }

    /// "On request arrival".
    fn stamped(&self) -> Sampled {
        Sampled::Arrival
    }

    /// In bits a second, as of the last timeout: R_g counts later admissions only then.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("R_g", self.reserved);
        out("R_r", self.recent);
        out("R_u", self.used);
        out("estimate", self.estimate);
    }
}

#[cfg(test)]
#[path = "router_tests.rs"]
mod tests;
