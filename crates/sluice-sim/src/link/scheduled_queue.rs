//! The queue of a scheduled link: packets wait, and when the transmitter becomes free the
//! discipline chooses one of them. A transmitter whose capacity is zero then is not free until it can
//! send: at the end of an outage, or at the next opportunity.
//!
//! A choice needs no event of its own. Like a tick, it is settled in the link's own time before the
//! next arrival after it; if none comes, before the first packet that it may choose could reach the
//! end of the link ([`super::Link::first_held`]).
//!
//! An outage that loses the packets of the link is a choice, too: as it begins, all are dropped. The
//! packet in transmission is known to be among them since it was chosen, and is held until then.

use sluice_laws::router::CompetingTraffic;
use sluice_units::{Bytes, Ratio, Span, Time};

use super::outages::Outages;
use super::varying_clock::Transmitter;
use crate::packet::{Hop, Packet};
use crate::queue::{Admission, Afterthought, QueueArrival, ScheduledPackets, Scheduler};

pub(crate) struct ScheduledQueue {
    /// When the next packet is chosen, or the link goes down with packets; [`Time::NEVER`] if it has
    /// none.
    pub(super) chooses: Time,
    /// When the next outage begins that loses packets, or the present one began.
    pub(super) fails: Time,
    /// When the last packet chosen has left.
    freed: Time,
    /// Since when packets have waited without a break.
    busy_since: Time,
    /// The transmitter. The link's own clock has when all waiting packets will be sent, whatever
    /// their order.
    transmitter: Transmitter,
    scheduler: Box<dyn Scheduler>,
    outages: Outages,
    pub(super) packets: ScheduledPackets,
}

impl ScheduledQueue {
    pub(crate) fn new(
        scheduler: Box<dyn Scheduler>,
        transmitter: Transmitter,
        outages: Outages,
    ) -> Self {
        Self {
            chooses: Time::NEVER,
            fails: outages.begins(),
            freed: Time::ZERO,
            busy_since: Time::ZERO,
            transmitter,
            scheduler,
            outages,
            packets: ScheduledPackets::default(),
        }
    }

    /// When the discipline's own timer fires.
    pub(super) fn due(&self) -> Time {
        self.scheduler.due()
    }

    pub(super) fn tick(&mut self, now: Time, backlog: Span) {
        self.scheduler.tick(now, backlog, &self.packets);
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

    /// The traffic of the lowest class ([`Scheduler::competing`]).
    pub(super) fn competing(&self) -> CompetingTraffic {
        self.scheduler.competing()
    }

    /// See [`Scheduler::set_weight`].
    pub(super) fn set_weight(&mut self, weight: Ratio) {
        self.scheduler.set_weight(weight);
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
        if hop.at >= self.fails && self.is_down(hop.at) {
            return Admission::Down;
        }
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

    /// Whether the link is down at `now`, when a packet arrives.
    #[cold]
    fn is_down(&mut self, now: Time) -> bool {
        self.outages.pass(now);
        self.fails = self.outages.begins();
        now >= self.fails
    }

    /// When the transmitter is free and can send, or the link goes down.
    #[inline(always)]
    fn next_choice(&self) -> Time {
        self.begins().min(self.fails)
    }

    /// When the transmitter is free and can send.
    #[inline(always)]
    fn begins(&self) -> Time {
        self.freed.max(self.transmitter.begins(self.busy_since))
    }

    /// Whether the choice that is due is the beginning of an outage. What can be sent at that very
    /// instant is sent before.
    #[inline(always)]
    pub(super) fn goes_down(&self) -> bool {
        self.chooses == self.fails && self.begins() > self.fails
    }

    /// The link goes down: drops all packets that wait, and the one in transmission if there is one.
    #[cold]
    pub(super) fn go_down(&mut self, in_transmission: Option<Packet>) {
        let now = self.fails;
        if let Some(packet) = in_transmission {
            self.transmitter.give_back(packet.bytes);
            let packet = Packet { at: now, ..packet };
            self.packets.afterthoughts.push_back(Afterthought { packet, what: Admission::Down });
        }
        self.scheduler.go_down(now, &mut self.packets);
        (self.freed, self.chooses) = (now, Time::NEVER);
    }

    /// When an outage begins while a packet is on the wire from `departs` until `arrives`.
    pub(super) fn fails_between(&self, departs: Time, arrives: Time) -> Option<Time> {
        self.outages.between(departs, arrives)
    }

    /// Makes the choice of a packet that is due. Returns its place, and when its last bit leaves, or would
    /// if that is after [`ScheduledQueue::fails`].
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
        let has_more = self.waiting() > 0 || departs > self.fails;
        self.chooses = if has_more { self.next_choice() } else { Time::NEVER };
        Some((place, departs))
    }
}
