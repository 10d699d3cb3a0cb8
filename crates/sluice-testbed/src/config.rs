//! What a direction of a link emulates.

use sluice_units::{Bytes, Rate, Ratio, Span};

use crate::TestbedError;

/// One direction of a [`Link`](crate::Link): a drop-tail queue and a transmitter, then a delay, then
/// random loss and reordering. The default is a link without a limit of rate or buffer, without delay,
/// loss and reordering.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectionConfig {
    /// Transmission rate, in bytes of Ethernet frames without preamble, checksum and gap, as queue
    /// disciplines count them. `None` transmits at once; [`Rate::ZERO`] transmits nothing.
    pub rate: Option<Rate>,
    /// Propagation delay.
    pub delay: Span,
    /// Bytes that the queue holds, with the rest of the frame in transmission. A frame that exceeds
    /// the room is dropped; one that finds the queue empty always fits.
    pub buffer: Bytes,
    /// Probability, from 0 to 1, that a frame is lost after its transmission, independent of others.
    pub loss: Ratio,
    /// Frames that others overtake.
    pub reordering: Reordering,
    /// Whether the device passes on trains of TCP segments as one frame, as network cards with
    /// segmentation offload do. They then share one fate: they are dropped, lost, delayed and
    /// delivered together, so a buffer should have room for several of 64 kB. Without, each frame is a
    /// packet, at some 30 us of processor time: on two CPUs 400 Mb/s pass. Fixed when the link is
    /// created.
    pub super_packets: bool,
    /// Seed of the random numbers. Fixed when the link is created.
    pub seed: u64,
}

/// Random frames take longer than others, so that later frames overtake them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reordering {
    /// Probability, from 0 to 1, that a frame takes longer.
    pub part: Ratio,
    /// By how much it takes longer.
    pub by: Span,
}

impl Default for DirectionConfig {
    fn default() -> Self {
        Self {
            rate: None,
            delay: Span::ZERO,
            buffer: Bytes::MAX,
            loss: Ratio::default(),
            reordering: Reordering::default(),
            super_packets: true,
            seed: 1,
        }
    }
}

impl DirectionConfig {
    pub(crate) fn check(&self) -> Result<(), TestbedError> {
        let parts = [("loss", self.loss), ("reordering.part", self.reordering.part)];
        for (name, part) in parts {
            if !(0.0..=1.0).contains(&part.get()) {
                return Err(TestbedError::new(format!("{name} must be from 0 to 1, not {part}")));
            }
        }
        Ok(())
    }
}
