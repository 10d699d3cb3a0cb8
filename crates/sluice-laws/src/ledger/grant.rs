//! What Ledger's slow path hands to the fast path, and what newcomers use up of it.

use super::classes::{CLASSES, TICK, class_of};
use super::header::LedgerHeader;
use crate::router::Plain;
use crate::wire::Offer;

/// One flow, in the fixed point of [`LedgerGrant::flows`].
pub(super) const ONE: u64 = 256;

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
    /// Ticks that a flow takes for a byte at S / N, in 2^-40.
    pub(super) ticks_per_byte: u64,
    /// The rate of a byte a d0, in 2^-32.
    pub(super) byte_a_d0: u64,
    /// The rate of a byte a tick, in 2^-32.
    pub(super) byte_a_tick: u64,
    /// The time a byte above which its flow is held elsewhere, in 2^-16 of the header's ticks.
    pub(super) slow: u64,
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
}

impl LedgerGrant {
    /// The time for which a flow sends that has `left` bytes, in 1/256 of a tick.
    #[inline]
    pub(super) fn ticks(&self, left: u64) -> u64 {
        let ticks = (u128::from(left) * u128::from(self.ticks_per_byte)) >> 32;
        u64::try_from(ticks).unwrap_or(u64::MAX)
    }

    /// Whether a flow that takes `x` ticks of 2^-28 s for `bytes` is held elsewhere.
    #[inline]
    pub(super) fn is_slow(&self, x: u64, bytes: u64) -> bool {
        u128::from(x) << 16 > u128::from(self.slow) * u128::from(bytes)
    }

    /// Lowers the rate in the header. Fast path.
    #[inline]
    pub(super) fn stamp(&self, budget: &mut LedgerBudget, header: &mut LedgerHeader) {
        if header.rate == Offer::NONE {
            return;
        }
        header.rate = if header.syn {
            self.book(budget, header)
        } else {
            // R is a rate of a header.
            header.rate.min(Offer::from_units(self.rate as u32))
        };
    }

    /// (2) The rate of a newcomer, S / (N + n + 1), n being newcomers since the tick, as far as there is room. It
    /// enters the ledger: what this flow will send cannot be changed before it is seen to send.
    fn book(&self, budget: &mut LedgerBudget, header: &LedgerHeader) -> Offer {
        let flows = self.flows.saturating_add(budget.newcomers).saturating_add(ONE);
        let share = self.shared.saturating_mul(ONE) / flows;
        let room = self.room.saturating_sub(budget.booked);
        let has_room = room >= self.least;
        let offered = share.min(room.max(self.least));
        let offered = Offer::rounded(u32::try_from(offered).unwrap_or(u32::MAX - 1));
        let granted = header.rate.min(offered);

        let rate = u64::from(granted.units());
        let in_a_d0 = rate_of(header.left, self.byte_a_d0);
        let in_a_tick = rate_of(header.left, self.byte_a_tick);
        budget.newcomers += self.ticks(header.left).min(TICK);
        budget.booked = budget.booked.saturating_add(in_a_d0.min(rate));
        let below_largest = u64::from(u32::MAX) - u64::from(offered.units());
        budget.below_largest = budget.below_largest.max(below_largest);
        match class_of(in_a_tick.saturating_mul(TICK) / rate) {
            0 => budget.short = budget.short.saturating_add(header.left),
            _ if !has_room && in_a_d0 > self.a_packet() => budget.waiting += 1,
            _ if !has_room => budget.short = budget.short.saturating_add(header.left),
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

    /// The grant of a CPU that saw `part` of all the `whole` bytes: its part of the room, since SYNs come as packets do. Where
    /// none came, nothing shows which CPU the next SYN reaches, so each has all of the room.
    pub(super) fn share(&self, part: u64, whole: u64) -> Self {
        if whole == 0 {
            return *self;
        }
        let room = u128::from(self.room) * u128::from(part.min(whole)) / u128::from(whole);
        // No more than the room of the whole.
        Self { room: room as u64, ..*self }
    }
}

/// The rate at which `left` bytes leave in the time by which `byte` was made.
fn rate_of(left: u64, byte: u64) -> u64 {
    u64::try_from((u128::from(left) * u128::from(byte)) >> 32).unwrap_or(u64::MAX)
}

impl Plain for LedgerGrant {
    type Plain = [u64; 9];

    fn to_plain(self) -> [u64; 9] {
        let Self { rate, shared, flows, room, least, ticks_per_byte, byte_a_d0, byte_a_tick, slow } =
            self;
        [rate, shared, flows, room, least, ticks_per_byte, byte_a_d0, byte_a_tick, slow]
    }

    fn from_plain(words: [u64; 9]) -> Self {
        let [rate, shared, flows, room, least, ticks_per_byte, byte_a_d0, byte_a_tick, slow] =
            words;
        Self { rate, shared, flows, room, least, ticks_per_byte, byte_a_d0, byte_a_tick, slow }
    }
}

impl Plain for LedgerBudget {
    type Plain = [u64; 5 + 2 * CLASSES];

    fn to_plain(self) -> Self::Plain {
        let mut words = [0; 5 + 2 * CLASSES];
        words[..5].copy_from_slice(&[
            self.newcomers,
            self.booked,
            self.short,
            self.below_largest,
            self.waiting,
        ]);
        words[5..5 + CLASSES].copy_from_slice(&self.count);
        words[5 + CLASSES..].copy_from_slice(&self.granted);
        words
    }

    fn from_plain(words: Self::Plain) -> Self {
        let [newcomers, booked, short, below_largest, waiting, ..] = words;
        Self {
            newcomers,
            booked,
            short,
            below_largest,
            waiting,
            count: core::array::from_fn(|class| words[5 + class]),
            granted: core::array::from_fn(|class| words[5 + CLASSES + class]),
        }
    }
}

#[cfg(test)]
#[path = "grant_tests.rs"]
mod tests;
