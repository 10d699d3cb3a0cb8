//! The per-packet half of the router, in integers: what arriving packets are summed into, and how
//! feedback is apportioned to leaving ones (thesis section 4.7.2, Appendix A).
//!
//! Feedback is counted in fixed point, [`FRACTION_BITS`] below one byte a second. What is cut off a
//! header's whole bytes a second is carried to the next packet: on a fast link a packet's share
//! near equilibrium is under 1 byte/s, and cut to 0 it would never add up to the target.
//!
//! A router of several CPUs splits a grant by what each of them summed, and each has a [`Residue`]
//! of its own: nothing is shared, and the whole never exceeds the targets. Split evenly, a CPU that
//! gets all of the traffic could hand out little of the feedback.

use sluice_units::Span;

use super::header::XcpHeader;
use crate::router::{self, Plain, Train};
use crate::wire::ticks::{self, span};

/// Fraction bits of feedback: from 1/256 byte/s to 2^55 bytes/s.
pub const FRACTION_BITS: u32 = 8;

const ONE: f64 = (1_u64 << FRACTION_BITS) as f64;
/// Limit on the feedback of a control interval; keeps every sum below within an `i64`.
const MAX_SUM: f64 = (1_u64 << 62) as f64;
/// Largest negative feedback that a header can hold.
const MAX_TAKEN: u64 = 1 << (31 + FRACTION_BITS);

/// The longest RTT that a header states; longer ones are stated as this.
pub const LONGEST_RTT: Span = Span::from_secs(1 << (u32::BITS - ticks::FRACTION_BITS));

/// The sums over packets that state a throughput. Others count only towards the link's input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct XcpSums {
    /// Sum of s_i, in bytes.
    pub bytes: u64,
    /// Sum of s_i / r_i, in ticks. Takes 2^32 packets that all state the longest; a flow that states
    /// the truth adds the time that passes.
    pub x: u64,
    /// Sum of rtt_i x s_i / r_i, in ticks squared: two packets could overflow 64 bits.
    pub x_rtt: u128,
}

impl XcpSums {
    /// "On packet arrival do" (Appendix A), but that the traffic at large is counted by the link,
    /// and RTTs above MAX_INTERVAL enter as stated: the bounds of section 7.3.2 are "on the control
    /// interval not the RTT". The mean of shortened RTTs would be shorter than the loop's delay,
    /// which the control interval must not be.
    pub(super) fn add(&mut self, header: &XcpHeader, train: Train) {
        if !header.states_throughput() {
            return;
        }
        let x = u64::from(header.x) * u64::from(train.packets());
        self.bytes = self.bytes.wrapping_add(u64::from(train.bytes()));
        self.x = self.x.wrapping_add(x);
        self.x_rtt = self.x_rtt.wrapping_add(u128::from(x) * u128::from(header.rtt));
    }

    /// The average RTT by (4.2), or `None` if no packet stated any.
    pub(crate) fn average_rtt(&self) -> Option<Span> {
        let average = self.x_rtt.checked_div(u128::from(self.x))?;
        Some(span(u32::try_from(average).unwrap_or(u32::MAX)))
    }

    /// The number of flows by (9.1), N = sum of s_i / (d r_i); these are the sums of `seconds`, d.
    pub(super) fn flows(&self, seconds: f64) -> f64 {
        self.x as f64 / (1_u64 << ticks::FRACTION_BITS) as f64 / seconds
    }
}

impl Plain for XcpSums {
    type Plain = [u64; 4];

    fn to_plain(self) -> [u64; 4] {
        [self.bytes, self.x, self.x_rtt as u64, (self.x_rtt >> 64) as u64]
    }

    fn from_plain([bytes, x, low, high]: [u64; 4]) -> Self {
        Self { bytes, x, x_rtt: u128::from(high) << 64 | u128::from(low) }
    }
}

impl router::Sums for XcpSums {
    fn plus(&self, other: &Self) -> Self {
        Self {
            bytes: self.bytes.wrapping_add(other.bytes),
            x: self.x.wrapping_add(other.x),
            x_rtt: self.x_rtt.wrapping_add(other.x_rtt),
        }
    }

    fn since(&self, earlier: &Self) -> Self {
        Self {
            bytes: self.bytes.wrapping_sub(earlier.bytes),
            x: self.x.wrapping_sub(earlier.x),
            x_rtt: self.x_rtt.wrapping_sub(earlier.x_rtt),
        }
    }
}

/// A factor as mantissa x 2^-shift, so that a multiplication and a shift apply it to an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Factor {
    mantissa: u32,
    shift: u32,
}

impl Factor {
    /// `total / parts` to 32 bits, rounded down; 0 if there are no parts.
    fn new(total: u64, parts: u64) -> Self {
        if parts == 0 { Self::default() } else { Self::of(total as f64 / parts as f64) }
    }

    /// `ratio`, not negative, to 32 bits, rounded down.
    pub(crate) fn of(mut ratio: f64) -> Self {
        let mut shift = 0;
        while ratio < f64::from(1_u32 << 31) && shift < 63 {
            ratio *= 2.0;
            shift += 1;
        }
        Self { mantissa: ratio as u32, shift }
    }

    pub(crate) const fn to_plain(self) -> u64 {
        self.mantissa as u64 | (self.shift as u64) << 32
    }

    pub(crate) const fn from_plain(word: u64) -> Self {
        Self { mantissa: word as u32, shift: (word >> 32) as u32 & 63 }
    }

    /// The factor times `n`, rounded down.
    pub(crate) fn times(self, n: u32) -> u64 {
        (u64::from(self.mantissa) * u64::from(n)) >> self.shift
    }
}

/// What may still be handed out until the next control decision, in units of 2^-8 bytes a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residue {
    pub(super) positive: i64,
    pub(super) negative: i64,
    /// The fraction that the last stamped header could not take, for the next one: under 1 byte/s
    /// for each packet of its train.
    pub(super) carry: i64,
}

impl Plain for Residue {
    type Plain = [u64; 3];

    fn to_plain(self) -> [u64; 3] {
        [self.positive, self.negative, self.carry].map(|word| word as u64)
    }

    fn from_plain(words: [u64; 3]) -> Self {
        let [positive, negative, carry] = words.map(|word| word as i64);
        Self { positive, negative, carry }
    }
}

/// One control decision's feedback: the targets of (4.7) and (4.10) and how to apportion them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct XcpGrant {
    /// h + max(phi, 0).
    positive: u64,
    /// h + max(-phi, 0).
    negative: u64,
    /// xi_p, per tick of s_i / r_i.
    xi_p: Factor,
    /// xi_n, per byte.
    xi_n: Factor,
}

impl Plain for XcpGrant {
    type Plain = [u64; 4];

    fn to_plain(self) -> [u64; 4] {
        [self.positive, self.negative, self.xi_p.to_plain(), self.xi_n.to_plain()]
    }

    fn from_plain([positive, negative, xi_p, xi_n]: [u64; 4]) -> Self {
        let [xi_p, xi_n] = [xi_p, xi_n].map(Factor::from_plain);
        Self { positive, negative, xi_p, xi_n }
    }
}

impl XcpGrant {
    /// The targets, in bytes a second, over the packets of the interval that ended: (4.8), (4.11).
    ///
    /// (4.11) sums s_i over all packets. [`XcpSums`] leaves out those that state no throughput, since
    /// they can bear no feedback and (4.7) and (4.10) would miss their targets; see
    /// [`super::XcpParams::xi_n_counts`].
    pub(super) fn new(positive: f64, negative: f64, sums: &XcpSums) -> Self {
        let positive = (positive * ONE).min(MAX_SUM) as u64;
        let negative = (negative * ONE).min(MAX_SUM) as u64;
        Self {
            positive,
            negative,
            xi_p: Factor::new(positive, sums.x),
            xi_n: Factor::new(negative, sums.bytes),
        }
    }

    /// All of it: "stops giving positive feedback when the sum [...] since the beginning of the
    /// interval reaches the target" (section 4.7.2), and negative likewise.
    pub(super) const fn residue(&self) -> Residue {
        Residue { positive: self.positive as i64, negative: self.negative as i64, carry: 0 }
    }

    /// The part of the targets for a CPU that summed `part` of the `whole`.
    pub(super) fn share(&self, part: &XcpSums, whole: &XcpSums) -> Self {
        Self {
            positive: in_proportion(self.positive, part.x, whole.x),
            negative: in_proportion(self.negative, part.bytes, whole.bytes),
            ..*self
        }
    }

    /// "On packet departure do" (Appendix A): a header grants at most p_i - n_i, and no more than
    /// its request, or what an earlier router left of it.
    ///
    /// p_i and n_i are cut to what is left of the targets, which is "xi = 0 when the residue is
    /// exhausted" without overdrawing by the last packet. A packet that states no throughput gets
    /// no increase (a SYN that requests one starts from the initial window).
    ///
    /// A train of n packets is granted n times the feedback of its header.
    pub(super) fn stamp(&self, residue: &mut Residue, header: &mut XcpHeader, train: Train) {
        if !header.states_throughput() {
            header.delta = header.delta.min(0);
            return;
        }
        let n = i64::from(train.packets());
        let bytes = train.bytes() / u32::from(train.packets());
        // What is left is never below nothing.
        let limited = |share: u64, left: i64| n * share.min((left / n) as u64) as i64;
        let positive = limited(self.xi_p.times(header.x), residue.positive); // (4.6)
        let taken = self.xi_n.times(bytes).min(MAX_TAKEN); // (4.9)
        let negative = limited(taken, residue.negative);
        let feedback = positive - negative + residue.carry; // (4.5)
        let whole = (feedback >> FRACTION_BITS).div_euclid(n);
        if whole <= i64::from(header.delta) {
            // Fits: not above the i32 that was there, nor below -MAX_TAKEN.
            header.delta = whole as i32;
            residue.carry = feedback - whole * (n << FRACTION_BITS);
            residue.book(positive, negative);
        } else {
            residue.book_less(positive, n * (i64::from(header.delta) << FRACTION_BITS));
        }
    }
}

impl Residue {
    fn book(&mut self, positive: i64, negative: i64) {
        self.positive -= positive;
        self.negative -= negative;
    }

    /// Books a header that grants `granted`, less than its share.
    ///
    /// What the flow will not take counts as taken from it, out of the negative target: then the
    /// others lose less, and shuffling gives to them what it took. So the negative booking is
    /// p - H_feedback and the difference of the two is H_feedback, the change that will happen.
    /// Appendix A means this too, but its branch H_feedback >= 0 books H_feedback for p as well:
    /// with p = 10, n = 4 and H_feedback = 3 a net change of 0, where 3 is the truth.
    /// If the negative residue does not suffice, less positive is booked instead.
    ///
    /// A train's carry may be more than all that a shorter one after it is granted: then that comes
    /// out of the carry, and neither target is touched for it.
    fn book_less(&mut self, positive: i64, granted: i64) {
        let carried = (granted - positive).max(0);
        self.carry -= carried;
        let granted = granted - carried;
        let negative = (positive - granted).min(self.negative);
        self.book((granted + negative).max(0), negative);
    }
}

/// `total` x `part` / `whole`, rounded down; nothing of nothing.
fn in_proportion(total: u64, part: u64, whole: u64) -> u64 {
    let share = u128::from(total) * u128::from(part);
    share.checked_div(u128::from(whole)).map_or(0, |share| share.min(u128::from(total)) as u64)
}

#[cfg(test)]
#[path = "feedback_tests.rs"]
mod tests;
