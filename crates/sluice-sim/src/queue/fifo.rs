//! A discipline that decides as packets arrive, at a link whose packets wait in its store.

use sluice_units::{Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::model::{Queue, QueueState};
use super::packet_store::Lane;
use super::scheduler::{ScheduledPackets, Scheduler};
use crate::packet::{Hop, Packet};

impl QueueState {
    /// The discipline at a link whose packets wait in its store.
    pub(crate) fn scheduler(self) -> Box<dyn Scheduler> {
        let lane = Lane::default();
        match self {
            Self::Unlimited => Box::new(Fifo { queue: None, lane }),
            Self::Arrival(queue) => Box::new(Fifo { queue: Some(queue), lane }),
            Self::Departure(scheduler) => scheduler,
        }
    }
}

/// First in, first out. A link that loses its packets when it goes down must have them at hand, while
/// those of other FIFO links are sent ahead as they arrive.
struct Fifo {
    /// `None` if every packet is taken.
    queue: Option<Box<dyn Queue>>,
    lane: Lane,
}

impl Scheduler for Fifo {
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission {
        let admission = self.queue.as_mut().map_or(Admission::Taken, |own| own.arrives(arrival));
        if !admission.is_drop() {
            queue.store.push(&mut self.lane, packet, hop);
        }
        admission
    }

    fn dequeue(&mut self, _: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        queue.store.pop(&mut self.lane)
    }

    fn due(&self) -> Time {
        self.queue.as_ref().map_or(Time::NEVER, |own| own.due())
    }

    fn tick(&mut self, now: Time, backlog: Span, _: &ScheduledPackets) {
        if let Some(own) = &mut self.queue {
            own.tick(now, backlog);
        }
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        if let Some(own) = &self.queue {
            own.metrics(out);
        }
    }
}
