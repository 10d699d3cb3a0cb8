//! The buffer of a link: a discipline, and the count of waiting packets if its limit needs one.

use sluice_units::{Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::census::Census;
use super::model::Queue;
use super::room::Room;

pub(crate) struct Buffer {
    queue: Box<dyn Queue>,
    /// See [`Queue::asks_from`].
    pub(crate) asks_from: Span,
    /// Where the limit is in packets.
    census: Option<Census>,
}

impl Buffer {
    pub(crate) fn new(queue: Box<dyn Queue>, room: Room) -> Self {
        let census = room.counts_packets().then(Census::default);
        Self { asks_from: queue.asks_from(), queue, census }
    }

    /// See [`Queue::due`].
    pub(crate) fn due(&self) -> Time {
        self.queue.due()
    }

    /// See [`Queue::tick`].
    pub(crate) fn tick(&mut self, now: Time, backlog: Span) {
        self.queue.tick(now, backlog);
    }

    /// The discipline's decision about a packet. Fills in [`QueueArrival::waiting`].
    pub(crate) fn arrives(&mut self, mut arrival: QueueArrival) -> Admission {
        if let Some(census) = &mut self.census {
            arrival.waiting = census.waiting(arrival.now);
        }
        self.queue.arrives(&arrival)
    }

    /// Counts a packet that leaves at `departs`.
    pub(crate) fn enlist(&mut self, departs: Time) {
        if let Some(census) = &mut self.census {
            census.push(departs);
        }
    }

    pub(crate) fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.queue.metrics(out);
    }
}
