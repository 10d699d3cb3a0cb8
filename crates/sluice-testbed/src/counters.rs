//! What a direction of a link counts.

use sluice_units::{Bytes, Rate, Span};

use crate::Lateness;

/// Counts of a link's direction since the link's creation, or since another reading
/// ([`LinkCounters::since`]).
///
/// A frame is what the sending device hands over at once; a super-packet is one frame and several
/// packets, of which each has headers of its own on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkCounters {
    /// The time over which these were counted.
    pub elapsed: Span,
    /// Frames transmitted.
    pub frames: u64,
    /// Packets in these frames.
    pub packets: u64,
    /// Bytes transmitted, with what the frame in transmission has sent so far. Lost frames are included,
    /// dropped ones are not.
    pub sent: Bytes,
    /// Frames that the queue had no room for.
    pub dropped_frames: u64,
    /// Packets in these frames.
    pub dropped_packets: u64,
    /// Frames lost at random after transmission.
    pub lost_frames: u64,
    /// Packets in these frames.
    pub lost_packets: u64,
    /// Frames delayed so that others overtake them.
    pub reordered_frames: u64,
    /// Frames that the receiving device did not take, for example while it was down.
    pub refused_frames: u64,
    /// The queue at the time of the reading, with the rest of the frame in transmission.
    pub queue: Bytes,
    /// The largest queue since the link's creation or [`reset_peaks`](crate::LinkDirection::reset_peaks).
    pub max_queue: Bytes,
    /// How late frames were delivered.
    pub lateness: Lateness,
    /// The integral of the queue over time, in bytes times seconds.
    pub(crate) queue_area: f64,
}

impl LinkCounters {
    /// What was counted after an earlier reading. `queue`, `max_queue` and `lateness` remain.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            elapsed: self.elapsed - earlier.elapsed,
            frames: self.frames.saturating_sub(earlier.frames),
            packets: self.packets.saturating_sub(earlier.packets),
            sent: self.sent - earlier.sent,
            dropped_frames: self.dropped_frames.saturating_sub(earlier.dropped_frames),
            dropped_packets: self.dropped_packets.saturating_sub(earlier.dropped_packets),
            lost_frames: self.lost_frames.saturating_sub(earlier.lost_frames),
            lost_packets: self.lost_packets.saturating_sub(earlier.lost_packets),
            reordered_frames: self.reordered_frames.saturating_sub(earlier.reordered_frames),
            refused_frames: self.refused_frames.saturating_sub(earlier.refused_frames),
            queue_area: self.queue_area - earlier.queue_area,
            ..*self
        }
    }

    /// Bytes transmitted over the time; zero for no time.
    pub fn throughput(&self) -> Rate {
        if self.elapsed == Span::ZERO {
            return Rate::ZERO;
        }
        Rate::from_bps_f64(8.0 * self.sent.as_f64() / self.elapsed.as_secs_f64())
    }

    /// The mean queue over the time, with the rest of the frame in transmission; zero for no time.
    pub fn mean_queue(&self) -> Bytes {
        if self.elapsed == Span::ZERO {
            return Bytes::ZERO;
        }
        Bytes::new((self.queue_area / self.elapsed.as_secs_f64()).round() as u64)
    }
}
