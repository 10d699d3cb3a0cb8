//! Equally spaced instants.

use sluice_units::{Span, Time};

/// `start`, and every `gap` seconds after it up to `stop`. Only instants are rounded, not gaps, so that
/// rounding does not add up.
pub(super) fn ticks(start: Time, gap: f64, stop: Time) -> impl Iterator<Item = Time> + Send {
    // In nanoseconds a gap that was written is a whole number, and its multiples are exact.
    let gap = gap * 1e9;
    (0_u64..)
        .map(move |i| start + Span::from_nanos((i as f64 * gap).round() as u64))
        .take_while(move |&time| time <= stop && time < Time::NEVER)
}
