//! What Ledger's slow path hands to the fast path, and what newcomers use up of it.

use super::classes::{CLASSES, TICK, class_of};
use super::header::{BYTES, EVEN, LedgerHeader};
use crate::router::Plain;
use crate::wire::Offer;

/// One flow, in the fixed point of [`LedgerGrant::flows`].
pub(super) const ONE: u64 = 256;

/// Half a second a byte. With it, the product by a train of up to a mebibyte has 63 bits.
pub(super) const MAX_SLOW: u64 = 1 << 43;

/// A decision of the slow path. Rates are in 100 b/s.
#[derive(Clone, Copy, Debug, Default)]
pub struct LedgerGrant {
    /// R, for flows that send.
    pub(super) rate: u64,
    /// S, what all flows share.
    pub(super) shared: u64,
    /// N, the flows that share it, in 1/256.
    pub(super) flows: u64,
    /// The rate that newcomers may book together until the next tick.
    pub(super) room: u64,
    /// What a newcomer may have whatever is booked, unless its share is less: 0.8 packets a d0.
    pub(super) least: u64,
    /// Half of what a flow sends in a tick at S / N, as a number of [`BYTES`]: an octave below the lowest class but one.
    pub(super) below_a_tick: u64,
    /// Ticks that a flow takes for a byte at S / N, in 2^-40.
    pub(super) ticks_per_byte: u64,
    /// The rate of a byte a d0, in 2^-32.
    pub(super) byte_a_d0: u64,
    /// The rate of a byte a tick, in 2^-32.
    pub(super) byte_a_tick: u64,
    /// The time a byte above which its flow is held elsewhere, in 2^-16 of the header's ticks, at most [`MAX_SLOW`].
    pub(super) slow: u64,
    /// (9) Factor by which the queue stretches the time between two packets that pass it, in 1/64.
    pub(super) stretch: u64,
}

/// What newcomers used up of a grant.
#[derive(Clone, Copy, Debug, Default)]
pub struct LedgerBudget {
    /// Newcomers, each as the part of a tick that it sends for at S / N, in 1/256.
    pub(super) newcomers: u64,
    /// What they book of the room: each its rate, or what makes up its data in a d0 if that is less.
    pub(super) booked: u64,
    /// Bytes of those that send for less than a tick, or a packet.
    pub(super) short: u64,
    /// The time for which these send at the rates granted to them, in 1/256 of a tick.
    pub(super) short_ticks: u64,
    /// Those for which there was no room, with more than a packet: they send one, and then as its answer says.
    pub(super) waiting: u64,
    /// What the least rate offered to one leaves to the largest word; 0 before one.
    pub(super) below_largest: u64,
    /// The others by the ticks for which they will send at the rate granted to them.
    pub(super) count: [u64; CLASSES],
    /// Rates granted to them.
    pub(super) granted: [u64; CLASSES],
}

impl LedgerBudget {
    /// Whether there are newcomers that send for a tick and more.
    pub(super) fn has_newcomers(&self) -> bool {
        self.waiting > 0 || self.count.iter().any(|&count| count > 0)
    }

    fn add_short(&mut self, bytes: u64, ticks: u64) {
        self.short = self.short.saturating_add(bytes);
        self.short_ticks = self.short_ticks.saturating_add(ticks);
    }
}

impl LedgerGrant {
    /// The class of a flow with that much left, a number of [`BYTES`], at S / N. Codes of octaves are evenly spaced.
    #[inline]
    pub(super) fn class_of(&self, left: u32) -> usize {
        let above = u64::from(left).max(self.below_a_tick) - self.below_a_tick;
        ((above / u64::from(BYTES.octave())) as usize).min(CLASSES - 1)
    }

    /// Whether a flow that takes `x` ticks of 2^-28 s for `packets` of `bytes` is held elsewhere. Senders state x in whole ticks, so that a
    /// packet's may be one above its mean: much of it, at rates of hundreds of gigabits a second.
    ///
    /// `x` is at most that of 2^16 packets, so it has 48 bits. The product wraps for trains above a mebibyte, which no host sends.
    #[inline]
    pub(super) fn is_slow(&self, x: u64, packets: u64, bytes: u64) -> bool {
        x << 16 > self.slow.wrapping_mul(bytes).wrapping_add(packets << 16)
    }

    /// Lowers the rate in the header, and multiplies the stretch, but not of SYNs, which have no x. Fast path.
    #[inline]
    pub(super) fn stamp(&self, budget: &mut LedgerBudget, header: &mut LedgerHeader) {
        if header.rate == Offer::NONE {
            return;
        }
        if header.flow.is_syn() {
            header.rate = self.book(budget, header);
        } else {
            // R is a rate of a header, and the factor has 7 bits.
            header.rate = header.rate.min(Offer::from_units(self.rate as u32));
            // Most links have no queue, or one that rests: 0.2 ns less.
            if self.stretch != u64::from(EVEN) {
                header.flow.stretch_by(self.stretch as u32);
            }
        }
    }

    /// (2) The rate of a newcomer, S / (N + n + 1), n being newcomers since the tick, as far as there is room. It
    /// enters the ledger: what this flow will send cannot be changed before it is seen to send.
    #[cold]
    #[inline(never)]
    fn book(&self, budget: &mut LedgerBudget, header: &LedgerHeader) -> Offer {
        let flows = self.flows.saturating_add(budget.newcomers).saturating_add(ONE);
        let share = self.shared.saturating_mul(ONE) / flows;
        let room = self.room.saturating_sub(budget.booked);
        let has_room = room >= self.least;
        let offered = share.min(room.max(self.least));
        let offered = Offer::rounded(u32::try_from(offered).unwrap_or(u32::MAX - 1));
        let granted = header.rate.min(offered);

        let (rate, left) = (u64::from(granted.units()), header.flow.left_code());
        let in_a_d0 = BYTES.times(left, self.byte_a_d0);
        let in_a_tick = BYTES.times(left, self.byte_a_tick);
        budget.newcomers += BYTES.times(left, self.ticks_per_byte).min(TICK);
        budget.booked = budget.booked.saturating_add(in_a_d0.min(rate));
        let below_largest = u64::from(u32::MAX) - u64::from(offered.units());
        budget.below_largest = budget.below_largest.max(below_largest);
        let ticks = in_a_tick.saturating_mul(TICK) / rate;
        match class_of(ticks) {
            0 => budget.add_short(header.flow.left(), ticks),
            _ if !has_room && in_a_d0 > self.a_packet() => budget.waiting += 1,
            _ if !has_room => budget.add_short(header.flow.left(), ticks),
            class => {
                budget.count[class] += 1;
                budget.granted[class] += rate;
            }
        }
        granted
    }

    /// The rate of a packet a d0, of which `least` is 0.8, and three units more than `least` and other numbers may be
    /// rounded down.
    fn a_packet(&self) -> u64 {
        self.least.saturating_add(self.least / 4).saturating_add(3)
    }
}

impl Plain for LedgerGrant {
    type Plain = [u64; 11];

    fn to_plain(self) -> Self::Plain {
        let Self { rate, slow, below_a_tick, shared, flows, room, least, .. } = self;
        let Self { ticks_per_byte, byte_a_d0, byte_a_tick, stretch, .. } = self;
        [
            rate,
            slow,
            below_a_tick,
            shared,
            flows,
            room,
            least,
            ticks_per_byte,
            byte_a_d0,
            byte_a_tick,
            stretch,
        ]
    }

    fn from_plain(words: Self::Plain) -> Self {
        let [rate, slow, below_a_tick, shared, flows, room, least, ..] = words;
        let [.., ticks_per_byte, byte_a_d0, byte_a_tick, stretch] = words;
        Self {
            rate,
            slow,
            below_a_tick,
            shared,
            flows,
            room,
            least,
            ticks_per_byte,
            byte_a_d0,
            byte_a_tick,
            stretch,
        }
    }
}

/// Words of a budget but for the classes.
const SCALARS: usize = 6;

impl Plain for LedgerBudget {
    type Plain = [u64; SCALARS + 2 * CLASSES];

    fn to_plain(self) -> Self::Plain {
        let Self { newcomers, booked, short, short_ticks, below_largest, waiting, .. } = self;
        let mut words = [0; SCALARS + 2 * CLASSES];
        let (scalars, classes) = words.split_at_mut(SCALARS);
        scalars.copy_from_slice(&[newcomers, booked, short, short_ticks, below_largest, waiting]);
        classes[..CLASSES].copy_from_slice(&self.count);
        classes[CLASSES..].copy_from_slice(&self.granted);
        words
    }

    fn from_plain(words: Self::Plain) -> Self {
        let [newcomers, booked, short, short_ticks, below_largest, waiting, ..] = words;
        let class = |first: usize| core::array::from_fn(|class| words[first + class]);
        Self {
            newcomers,
            booked,
            short,
            short_ticks,
            below_largest,
            waiting,
            count: class(SCALARS),
            granted: class(SCALARS + CLASSES),
        }
    }
}

#[cfg(test)]
#[path = "grant_tests.rs"]
mod tests;
