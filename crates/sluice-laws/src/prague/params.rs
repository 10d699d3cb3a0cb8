//! The parameters of `prague`.

use core::ops::{Bound, RangeInclusive};

use sluice_units::{Ratio, Span, above};

use crate::tcp::shared::window_params;

/// Allowed values of [`PragueParams::g`].
pub const GAINS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(1.0));
/// Allowed values of [`PragueParams::rtt_virt_min`].
pub const VIRTUAL_RTTS: RangeInclusive<Span> = Span::ZERO..=Span::from_secs(1);

window_params! {
    /// Prague's parameters: TCP's, and three of its own. `ecn` is `"ect1"` by default, and cannot be off.
    PragueParams {
        /// Weight of the newest window in the estimate of the marked fraction, above 0 to 1. Default
        /// 1/16.
        g: Ratio = Ratio::new(1.0 / 16.0),
        /// Least RTT by which the window grows and the estimate is updated, so that flows with
        /// shorter RTTs get no more than their share; 0 (as DCTCP) to 1 s. Default 25 ms, as in Linux
        /// (RTT_VIRT_MIN, section 2.4.4).
        rtt_virt_min: Span = Span::from_millis(25),
        /// Round trips after slow start until `rtt_virt_min` applies: before, a short flow is as fast
        /// as its RTT allows. Default 500, as in Linux (section 2.4.4).
        rtt_transition: u32 = 500,
    }
}
