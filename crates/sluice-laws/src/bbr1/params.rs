//! The parameters of `bbr1`.

use core::ops::RangeInclusive;

use sluice_units::{Ratio, Span};

use crate::bbr::bbr_params;

/// Allowed values of [`Bbr1Params::cwnd_gain`].
pub const CWND_GAINS: RangeInclusive<Ratio> = Ratio::new(1.0)..=Ratio::new(10.0);

/// Allowed values of [`Bbr1Params::pacing_margin`].
pub const PACING_MARGINS: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(0.1);

bbr_params! {
    /// BBR v1's parameters: those of a transport, and three of its model.
    Bbr1Params {
        /// cwnd_gain in ProbeBW, the window in estimated bandwidth-delay products, 1 to 10. Default 2
        /// (section 4.3.4).
        cwnd_gain: Ratio = Ratio::new(2.0),
        /// How far the pace stays below the estimated bandwidth, as a fraction, 0 to 0.1. Default 0 (section
        /// 4.2.1). Linux has 0.01 since 4.20: BtlBw is the highest of many samples and so a little too high
        /// where acknowledgements jitter, and without a margin the excess queues, up to the window.
        pacing_margin: Ratio = Ratio::new(0.0),
        /// RTpropFilterLen, how long an RTT sample is remembered as the path's, and so the time from one
        /// ProbeRTT to the next, above 0 to 1000 s. Default 10 s (section 4.1.2).
        rtprop_filter_len: Span = Span::from_secs(10),
    }
}
