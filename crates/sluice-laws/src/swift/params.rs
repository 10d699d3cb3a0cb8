//! The parameters of `swift`.

use core::ops::{Bound, RangeInclusive};

use sluice_units::{Ratio, Span, above};

use crate::transport::{EcnMode, FieldSource, TransportOverrides, transport_params};

/// Allowed values of [`SwiftParams::base_target`].
pub const BASE_TARGETS: (Bound<Span>, Bound<Span>) = above(Span::ZERO, Span::from_secs(100));
/// Allowed values of [`SwiftParams::per_hop`].
pub const PER_HOPS: RangeInclusive<Span> = Span::ZERO..=Span::from_secs(1);
/// Allowed values of [`SwiftParams::fs_range`].
pub const FS_RANGES: RangeInclusive<Span> = Span::ZERO..=Span::from_secs(100);
/// Allowed values of [`SwiftParams::fs_min_cwnd`] and [`SwiftParams::fs_max_cwnd`].
pub const FS_CWNDS: RangeInclusive<Ratio> = Ratio::new(1e-3)..=Ratio::new(1e6);
/// Allowed values of [`SwiftParams::ai`].
pub const INCREASES: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(1000.0));
/// Allowed values of [`SwiftParams::beta`] and [`SwiftParams::max_mdf`].
pub const DECREASES: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(1.0));
/// Allowed values of [`SwiftParams::min_cwnd`].
pub const MIN_CWNDS: RangeInclusive<Ratio> = Ratio::new(1e-6)..=Ratio::new(1.0);
/// Allowed values of [`SwiftParams::max_cwnd`].
pub const MAX_CWNDS: RangeInclusive<Ratio> = Ratio::new(1.0)..=Ratio::new(1e9);
/// Allowed values of [`SwiftParams::retx_reset_threshold`].
pub const RESET_THRESHOLDS: RangeInclusive<u32> = 1..=1000;

transport_params! {
    /// Swift's parameters: those of a transport, of the target delay, and of the window.
    SwiftParams {
        /// The target delay of a path without hops and of a large window, a round-trip time, above 0 to 100 s.
        /// Default 25 us, for the round trips of a data center. It has to exceed the RTT of the path without a
        /// queue: what exceeds it is the queue that one flow keeps. Where even the highest target, `base_target`
        /// + hops x `per_hop` + `fs_range`, is below that RTT, every delay is too long and the window falls to
        /// `min_cwnd`: a packet leaves each RTT / `min_cwnd`, which is 100 s at 100 ms.
        base_target: Span = Span::from_micros(25),
        /// What each link of the path from the sender to the receiver adds to the target (section 3.5), 0 to
        /// 1 s. Default 1 us, the time to transmit a packet of 1250 bytes at 10 Gb/s; the paper has no number.
        per_hop: Span = Span::from_micros(1),
        /// What a window of `fs_min_cwnd` packets or less adds to the target, so that many flows, whose
        /// windows are small, get the longer queue that they need (section 3.5); 0 (no flow scaling) to
        /// 100 s. Default 125 us, 5 times the default `base_target`: queues of N flows grow as the square root of
        /// N, and windows of 0.1 packets are those of many. The paper has no number.
        fs_range: Span = Span::from_micros(125),
        /// The window in packets up to which all of `fs_range` is added, 0.001 to 1000000, below `fs_max_cwnd`.
        /// Default 0.1 (section 3.5).
        fs_min_cwnd: Ratio = Ratio::new(0.1),
        /// The window in packets from which on nothing of `fs_range` is added, 0.001 to 1000000. Default 100
        /// (section 3.5). Above it few flows that nothing disturbs may keep unequal windows: whole packets then
        /// hold the delay at the one target.
        fs_max_cwnd: Ratio = Ratio::new(100.0),
        /// Packets by which the window grows each RTT while the delay is below the target, above 0 to 1000.
        /// Default 1, as TCP; the paper has no number.
        ai: Ratio = Ratio::new(1.0),
        /// The part of the excess over the target, as a fraction of the delay, by which a window decreases,
        /// above 0 to 1. Default 0.8: a whole part (1) would remove the excess if one flow alone caused it, and
        /// empty the queue where several decrease at once. The paper has no number.
        beta: Ratio = Ratio::new(0.8),
        /// The largest decrease of an RTT, and that for a loss, as a fraction of the window, above 0 to 1.
        /// Default 0.5, as TCP; the paper has no number.
        max_mdf: Ratio = Ratio::new(0.5),
        /// The smallest window in packets, 0.000001 to 1. Default 0.001: a thousand flows share a packet
        /// each RTT. With 1, windows are never less than a packet.
        min_cwnd: Ratio = Ratio::new(0.001),
        /// The largest window in packets, 1 to 1000000000. Default 1000000000, which limits none.
        max_cwnd: Ratio = Ratio::new(1e9),
        /// Time-outs in a row from which on the window is `min_cwnd` (RETX_RESET_THRESHOLD), 1 to 1000. Default 5:
        /// the path is lost, since time-outs double; the paper has no number.
        retx_reset_threshold: u32 = 5,
    }
}

impl SwiftParams {
    /// The fields of the transport that its table overrides. The law implies that there is no ECN.
    pub(super) fn transport_overrides(&self) -> TransportOverrides {
        self.overrides_with(FieldSource::Implied(EcnMode::Off))
    }
}
