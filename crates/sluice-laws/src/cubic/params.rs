//! The parameters of `cubic`.

use core::ops::{Bound, RangeInclusive};

use sluice_units::{Ratio, above};

use crate::tcp::shared::tcp_params;

/// Allowed values of [`CubicParams::c`], in packets a second cubed.
pub const C: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(100.0));
/// Allowed values of [`CubicParams::beta`].
pub const BETAS: RangeInclusive<Ratio> = Ratio::new(0.1)..=Ratio::new(0.9);

tcp_params! {
    /// CUBIC's parameters: TCP's, and three of its own.
    CubicParams {
        /// C, how fast the window grows, in packets a second cubed, above 0 to 100. Default 0.4
        /// (section 5).
        c: Ratio = Ratio::new(0.4),
        /// What is left of the window after a congestion event, 0.1 to 0.9. Default 0.7 (section
        /// 4.6).
        beta: Ratio = Ratio::new(0.7),
        /// Whether a flow whose window falls from one congestion event to the next leaves more room
        /// to others (section 4.7). Default on.
        fast_convergence: bool = true,
    }
}
