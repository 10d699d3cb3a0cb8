//! The queue of a scheduled link: packets wait, and when the transmitter becomes free the
//! discipline chooses one of them. A transmitter whose capacity is zero then is not free until it can
//! send: at the end of an outage, or at the next opportunity.
//!
//! A choice needs no event of its own. Like a tick, it is settled in the link's own time before the
//! next arrival after it; if none comes, before the first packet that it may choose could reach the
//! end of the link ([`super::Link::first_held`]).

use sluice_units::{Bytes, Time};

use super::varying_clock::Transmitter;
use crate::packet::{Hop, Packet};
use crate::queue::{Admission, QueueArrival, ScheduledPackets, Scheduler};

pub(crate) struct ScheduledQueue {
    /// When the next packet is chosen; [`Time::NEVER`] if none waits.
    pub(super) chooses: Time,
    /// When the last packet chosen has left.
    freed: Time,
    /// Since when packets have waited without a break.
    busy_since: Time,
    /// The transmitter. The link's own clock has when all waiting packets will be sent, whatever
    /// their order.
    transmitter: Transmitter,
    scheduler: Box<dyn Scheduler>,
    pub(super) packets: ScheduledPackets,
}

impl ScheduledQueue {
    pub(crate) fn new(scheduler: Box<dyn Scheduler>, transmitter: Transmitter) -> Self {
        Self {
            chooses: Time::NEVER,
            freed: Time::ZERO,
            busy_since: Time::ZERO,
            transmitter,
            scheduler,
            packets: ScheduledPackets::default(),
        }
    }

    /// When the discipline's own timer fires.
    pub(super) fn due(&self) -> Time {
        self.scheduler.due()
    }

    pub(super) fn tick(&mut self, now: Time) {
        self.scheduler.tick(now, &self.packets);
    }

    pub(super) fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.scheduler.metrics(out);
    }

    /// The earliest departure of a packet that waits; [`Time::NEVER`] if none does.
    pub(super) fn departs_from(&self) -> Time {
        if self.chooses == Time::NEVER {
            return Time::NEVER;
        }
        self.chooses.plus(self.transmitter.least())
    }

    /// Number of packets that wait behind the one in transmission.
    pub(super) fn waiting(&self) -> u64 {
        self.packets.store.packets()
    }

    /// Their bytes.
    pub(super) fn waiting_bytes(&self) -> Bytes {
        Bytes::new(self.packets.store.bytes())
    }

    /// Those of a class of traffic ([`Scheduler::waiting_of`]).
    pub(super) fn waiting_of(&self, class: u8) -> u64 {
        self.scheduler.waiting_of(class)
    }

    /// Takes a packet that arrives as `hop`, or not. Everything due by then must be settled: if the
    /// transmitter is free, nothing waits.
    #[inline(always)]
    pub(super) fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        mut arrival: QueueArrival,
    ) -> Admission {
        // While no packet can be sent, the first that waits takes the place of the one in transmission.
        let is_free = self.freed <= hop.at;
        arrival.waiting = self.packets.store.packets().saturating_sub(u64::from(is_free));
        let admission = self.scheduler.enqueue(packet, hop, &arrival, &mut self.packets);
        if self.chooses == Time::NEVER && self.waiting() > 0 {
            self.busy_since = hop.at;
            self.chooses = self.next_choice();
        }
        admission
    }

    /// When the transmitter is free and can send.
    #[inline(always)]
    fn next_choice(&self) -> Time {
        self.freed.max(self.transmitter.begins(self.busy_since))
    }

    /// Makes the choice that is due. Returns the place of the packet chosen, and when its last bit
    /// leaves.
    #[inline(always)]
    pub(super) fn choose(&mut self) -> Option<(u32, Time)> {
        let Some(place) = self.scheduler.dequeue(self.chooses, &mut self.packets) else {
            debug_assert_eq!(self.waiting(), 0, "no packet is chosen only if none waits");
            self.chooses = Time::NEVER;
            return None;
        };
        // Back to back in the transmitter's own fractions, unless it was idle.
        let bytes = self.packets.store.get(place).bytes;
        let departs = self.transmitter.send(self.busy_since, bytes);
        self.freed = departs;
        self.chooses = if self.waiting() > 0 { self.next_choice() } else { Time::NEVER };
        Some((place, departs))
    }
}
