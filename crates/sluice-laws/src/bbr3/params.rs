//! The parameters of `bbr3`.

use core::ops::{Bound, RangeInclusive};

use sluice_units::{Ratio, Span, above};

use crate::bbr::bbr_params;

/// Allowed values of [`Bbr3Params::loss_thresh`].
pub const LOSS_THRESHES: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(0.5));
/// Allowed values of [`Bbr3Params::beta`].
pub const BETAS: RangeInclusive<Ratio> = Ratio::new(0.1)..=Ratio::new(0.95);
/// Allowed values of [`Bbr3Params::headroom`].
pub const HEADROOMS: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(0.5);
/// Allowed values of [`Bbr3Params::probe_wait`].
pub const PROBE_WAITS: (Bound<Span>, Bound<Span>) = above(Span::ZERO, Span::from_secs(1000));

bbr_params! {
    /// BBR v3's parameters: those of a transport, and some of its model.
    Bbr3Params {
        /// LossThresh, the fraction of packets of a round trip that may be lost while the flow probes for
        /// bandwidth, above 0 to 0.5. Default 0.02 (section 2.7).
        loss_thresh: Ratio = Ratio::new(0.02),
        /// Beta, what is left of the bounds on rate and volume after a round trip with losses, at least,
        /// 0.1 to 0.95. Default 0.7 (section 2.7).
        beta: Ratio = Ratio::new(0.7),
        /// Headroom, the fraction of the longest-lasting bound on volume that a cruising flow leaves to
        /// others, 0 to 0.5. Default 0.15 (section 2.7).
        headroom: Ratio = Ratio::new(0.15),
        /// Time between probes for bandwidth, above 0 to 1000 s: from this to half as much again, drawn
        /// for each. Default 2 s, so 2 s to 3 s (section 5.3.3.8.2).
        probe_wait: Span = Span::from_secs(2),
        /// ProbeRTTInterval, the time from one ProbeRTT to the next, above 0 to 1000 s. Default 5 s
        /// (section 2.15.2).
        probe_rtt_interval: Span = Span::from_secs(5),
    }
}
