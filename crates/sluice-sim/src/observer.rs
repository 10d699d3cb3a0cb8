//! What a run reports while it goes on.

use sluice_units::Time;

use crate::outcome::FlowRecord;
use crate::trace::{PacketEvent, SenderEvent};

/// Who a run reports to while it goes on.
pub trait Observer {
    /// A flow ended, or the run did before it. Records come ordered by the time the sender learnt
    /// that its flow had finished, then group and index; unfinished flows come last.
    fn flow(&mut self, record: &FlowRecord);

    /// Called every few milliseconds of real time; `false` ends the run now, keeping what finished.
    fn tick(&mut self, progress: Progress) -> bool;

    /// Something happened to a packet at a link of [`crate::TraceConfig::links`]. Ordered by time, then link;
    /// those of one link at one instant as they happened there.
    fn packet(&mut self, _event: &PacketEvent) {}

    /// A sender of [`crate::TraceConfig::groups`] may do something else than before, or was answered. Ordered by
    /// time, group, index.
    fn sender(&mut self, _event: &SenderEvent) {}
}

/// How far a run has got.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The run's clock.
    pub now: Time,
    /// When measuring ends.
    pub stop: Time,
    /// Measured flows that have arrived.
    pub measured: u64,
    /// Measured flows that have finished.
    pub finished: u64,
}
