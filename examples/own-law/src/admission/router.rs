//! Routers: one rate for flows that are admitted, and a budget for those that ask.

use sluice_laws::router::{LinkSample, MAX_TIMERS, Plain, RouterLaw, Sampled, Sums, Tick, Train};
use sluice_laws::wire::Offer;
use sluice_units::{Rate, Ratio, Span, Time};

use super::header::AdmissionHeader;

/// A flow is held elsewhere if it sends at less than 1 in 1.25 of R. The fastest rise of R is less, so that flows
/// which have yet to hear of it are not taken for such.
const HELD: f64 = 1.25;
const RISE: f64 = 1.1;
/// Fractions of the fixed-point numbers of [`Grant`].
const FRACTION: u32 = 16;

/// The sums over packets of admitted flows.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdmissionSums {
    /// X of flows that use what they are granted, in 2^-28 s: over an interval each flow adds the interval.
    x: u64,
    /// Bytes of flows that are held elsewhere.
    held: u64,
}

impl Plain for AdmissionSums {
    type Plain = [u64; 2];

    fn to_plain(self) -> [u64; 2] {
        [self.x, self.held]
    }

    fn from_plain([x, held]: [u64; 2]) -> Self {
        Self { x, held }
    }
}

impl Sums for AdmissionSums {
    fn plus(&self, other: &Self) -> Self {
        Self { x: self.x.wrapping_add(other.x), held: self.held.wrapping_add(other.held) }
    }

    fn since(&self, earlier: &Self) -> Self {
        Self { x: self.x.wrapping_sub(earlier.x), held: self.held.wrapping_sub(earlier.held) }
    }
}

/// The slow path's decision, in integers.
#[derive(Clone, Copy, Debug)]
pub struct Grant {
    /// R.
    rate: Offer,
    /// X of a byte above which a flow is held elsewhere, in 2^-28 s, with fractions.
    held_from: u64,
    /// The rate that sends a byte in an interval, in units of 100 b/s, with fractions.
    per_byte: u64,
    /// The rates that newcomers may take together, in units of 100 b/s.
    spare: u64,
}

impl Plain for Grant {
    type Plain = [u64; 4];

    fn to_plain(self) -> [u64; 4] {
        [self.rate.units().into(), self.held_from, self.per_byte, self.spare]
    }

    fn from_plain([rate, held_from, per_byte, spare]: [u64; 4]) -> Self {
        Self { rate: Offer::from_units(rate as u32), held_from, per_byte, spare }
    }
}

/// What newcomers have left of a grant, and how many were admitted.
#[derive(Clone, Copy, Debug)]
pub struct Newcomers {
    spare: u64,
    admitted: u64,
}

impl Plain for Newcomers {
    type Plain = [u64; 2];

    fn to_plain(self) -> [u64; 2] {
        [self.spare, self.admitted]
    }

    fn from_plain([spare, admitted]: [u64; 2]) -> Self {
        Self { spare, admitted }
    }
}

/// The law at one link.
#[derive(Debug)]
pub struct AdmissionRouter {
    interval: Span,
    spare: Ratio,
    /// R, in bits a second.
    rate: f64,
    /// Newcomers of the interval that ends.
    admitted: u64,
    flows: f64,
}

impl AdmissionRouter {
    /// The law of a link; see [`super::Admission`].
    pub fn new(interval: Span, spare: Ratio) -> Self {
        Self { interval, spare, rate: 0.0, admitted: 0, flows: 0.0 }
    }

    fn grant(&self, capacity: Rate) -> Grant {
        let one = f64::from(1_u32 << FRACTION);
        // Casts from floating point saturate.
        Grant {
            rate: Offer::granting(Rate::from_bps_f64(self.rate)),
            held_from: (8.0 / self.rate * HELD * (1_u64 << 28) as f64 * one) as u64,
            per_byte: (8.0 / self.interval.as_secs_f64() / 100.0 * one) as u64,
            spare: (capacity * self.spare).as_bps() / 100,
        }
    }
}

impl RouterLaw for AdmissionRouter {
    type Header = AdmissionHeader;
    type Sums = AdmissionSums;
    type Grant = Grant;
    type Budget = Newcomers;

    fn arrive(sums: &mut AdmissionSums, grant: &Grant, header: &AdmissionHeader, train: Train) {
        let packets = u64::from(train.packets());
        let x = u64::from(header.x) * packets;
        if x << FRACTION > grant.held_from.saturating_mul(train.bytes().into()) {
            sums.held = sums.held.wrapping_add(train.bytes().into());
        } else {
            sums.x = sums.x.wrapping_add(x);
        }
    }

    /// A newcomer takes R from the budget, or less if it has less to send or less is there: with nothing left it is
    /// denied, and asks again.
    fn stamp(grant: &Grant, left: &mut Newcomers, header: &mut AdmissionHeader, _: Train) {
        header.rate = header.rate.min(grant.rate);
        if !header.asks || header.rate == Offer::NONE {
            return;
        }
        let usable = (header.left.saturating_mul(grant.per_byte) >> FRACTION).max(1);
        let rate = u64::from(header.rate.units()).min(usable).min(left.spare);
        left.spare -= rate;
        left.admitted += u64::from(rate > 0);
        header.rate = Offer::from_units(rate as u32);
    }

    fn fresh(grant: &Grant) -> Newcomers {
        Newcomers { spare: grant.spare, admitted: 0 }
    }

    /// The first newcomers take no more than the budget even when they have heard of R.
    fn start(&mut self, capacity: Rate) -> (Grant, [Time; MAX_TIMERS]) {
        self.rate = (capacity * self.spare).min(capacity).as_bps_f64();
        (self.grant(capacity), [Time::ZERO + self.interval, Time::NEVER])
    }

    fn on_budget(&mut self, left: &Newcomers) {
        self.admitted = left.admitted;
    }

    /// R = (C - E - q / T) / N: what flows held elsewhere leave (E is theirs), less what drains the queue in an
    /// interval, in equal parts. N are the flows seen in packets, and those admitted, whose data are yet to come.
    fn tick(&mut self, _: usize, sums: &AdmissionSums, sample: &LinkSample) -> Tick<Grant> {
        let seconds = sample.now.since(sample.since).as_secs_f64();
        let bits = (sums.held + sample.waiting.as_u64()) as f64 * 8.0;
        let capacity = sample.capacity.as_bps_f64();
        let free = (capacity - bits / seconds).max(capacity / 10.0);
        self.flows = sums.x as f64 / (1_u64 << 28) as f64 / seconds + self.admitted as f64;
        let share = free / self.flows.max(1.0);
        self.rate = Offer::granting(Rate::from_bps_f64(share.min(self.rate * RISE)))
            .rate()
            .map_or(share, Rate::as_bps_f64);
        Tick { grant: Some(self.grant(sample.capacity)), next: sample.now + self.interval }
    }

    fn stamped(&self) -> Sampled {
        Sampled::Arrival
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("R", self.rate);
        out("flows", self.flows);
        out("admitted", self.admitted as f64);
    }
}
