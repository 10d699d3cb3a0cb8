//! The parameters of `dctcp`.

use core::ops::{Bound, RangeInclusive};

use sluice_units::{Ratio, above};

use crate::tcp::shared::tcp_params;

/// Allowed values of [`DctcpParams::g`].
pub const GAINS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(1.0));
/// Allowed values of [`DctcpParams::initial_alpha`].
pub const ALPHAS: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(1.0);

tcp_params! {
    /// DCTCP's parameters: TCP's, and two of its own. `ecn` is on by default, and cannot be off.
    DctcpParams {
        /// Weight of the newest window in the estimate of the marked fraction, above 0 to 1. Default
        /// 1/16 (section 4.2).
        g: Ratio = Ratio::new(1.0 / 16.0),
        /// The estimate of the marked fraction before the first window, 0 to 1. Default 1 (section
        /// 3.3), so that the first mark halves the window.
        initial_alpha: Ratio = Ratio::new(1.0),
    }
}
