//! Classes of traffic that share a link in proportions: weighted fair queueing with a queue for each class.
//!
//! The order is that of self-clocked fair queueing: S. J. Golestani, "A Self-Clocked Fair Queueing
//! Scheme for Broadband Applications" (IEEE INFOCOM 1994; G below), with a class for each session.
//! Virtual time is the finishing tag of the packet in service. Over any time in which two classes have
//! packets, their bytes over their shares differ by at most the sum of the largest packet of each over
//! its share (G).

use sluice_laws::router::CompetingTraffic;
use sluice_units::{Bytes, Ratio, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::class_parts::BYTES_OF_CLASS;
use super::fluid_server::VirtualTime;
use super::model::QueueContext;
use super::packet_store::{Lane, PacketStore};
use super::scheduler::{ScheduledPackets, Scheduler};
use super::shared_room::{Displaced, SharedRoom, Victims};
use crate::by_class::ByClass;
use crate::packet::{Hop, Packet};

/// What the queues of classes do to arriving packets beyond a limit on their room.
pub(super) trait ClassQueues: Send {
    /// Decides about a packet for the class at `place`; `waiting` gives the bytes of the class that wait. Where it
    /// does not fit (`fits`), not even in place of others, it is dropped.
    fn arrives(
        &mut self,
        place: usize,
        waiting: impl FnOnce() -> u64,
        arrival: &QueueArrival,
        bytes: u32,
        fits: bool,
    ) -> Admission;

    /// This packet of the class at `place`, which waited, was dropped for another.
    fn displaced(&mut self, _place: usize, _packet: &Packet) {}

    /// The last packet of the class at `place` that waited is no longer there, at `now`.
    #[inline(always)]
    fn emptied(&mut self, _place: usize, _now: Time) {}

    /// See [`Scheduler::competing`]; but for the bytes that wait.
    fn competing(&self) -> CompetingTraffic {
        CompetingTraffic::default()
    }

    /// See [`Scheduler::due`].
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// Their timer at `now`, with `waiting` bytes of the lowest class.
    fn tick(&mut self, _now: Time, _waiting: u64) {}

    /// See [`Scheduler::metrics`].
    fn metrics(&self, _out: &mut dyn FnMut(&'static str, f64)) {}
}

/// Nothing: they take all that finds room.
impl ClassQueues for () {
    #[inline(always)]
    fn arrives(
        &mut self,
        _: usize,
        _: impl FnOnce() -> u64,
        _: &QueueArrival,
        _: u32,
        fits: bool,
    ) -> Admission {
        if fits { Admission::Taken } else { Admission::NoRoom }
    }
}

/// Classes at a link, with these queues.
pub(super) struct FairClasses<Q> {
    room: SharedRoom,
    shares: ByClass<Ratio>,
    queues: Q,
    /// One for each share.
    classes: Box<[FairClass]>,
    /// The greatest finishing tag of packets that left since the link was idle.
    time: VirtualTime,
}

struct FairClass {
    share: f64,
    lane: Lane,
    /// Finishing tag of the packet before its first, or the virtual time at which that arrived if this
    /// is later.
    start: VirtualTime,
    /// Finishing tag of its first packet.
    finish: VirtualTime,
}

impl<Q: ClassQueues> Scheduler for FairClasses<Q> {
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission {
        if arrival.ahead == Span::ZERO && queue.store.packets() == 0 {
            // G: virtual time begins again when the link is idle, and keeps its
            // precision.
            self.time = VirtualTime::default();
        }
        let place = self.shares.place(arrival.traffic.class);
        let has_room = self.room.takes(arrival);
        let fits = has_room || self.may_displace(place, packet, arrival);
        let waiting = || self.classes[place].lane.bytes;
        let admission = self.queues.arrives(place, waiting, arrival, packet.bytes, fits);
        if admission.is_drop() {
            return admission;
        }
        if !has_room {
            self.displace(place, packet, arrival, queue);
        }
        let class = &mut self.classes[place];
        let is_first = class.lane.is_empty();
        queue.store.push(&mut class.lane, packet, hop);
        if is_first {
            // All packets of the class before it have left, with tags up to the virtual time.
            class.start = self.time;
            class.tag_first(&queue.store);
        }
        admission
    }

    /// The least finishing tag first, and at a tie the highest class.
    fn dequeue(&mut self, now: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        let classes = self.classes.iter_mut().enumerate();
        let waiting = classes.rev().filter(|(_, class)| !class.lane.is_empty());
        let (number, class) = waiting.min_by_key(|(_, class)| class.finish)?;
        // Below it is only the tag of a packet that moved up as one before it was dropped.
        self.time = self.time.max(class.finish);
        let place = queue.store.pop(&mut class.lane);
        class.start = class.finish;
        class.tag_first(&queue.store);
        if class.lane.is_empty() {
            self.queues.emptied(number, now);
        }
        place
    }

    fn waiting_of(&self, class: u8) -> u64 {
        self.classes.get(usize::from(class)).map_or(0, |class| class.lane.bytes)
    }

    fn competing(&self) -> CompetingTraffic {
        let waiting = Bytes::new(self.waiting_of(0));
        CompetingTraffic { waiting, ..self.queues.competing() }
    }

    fn set_weight(&mut self, weight: Ratio) {
        if let [lowest, .., highest] = &mut *self.classes {
            highest.share = weight.get();
            lowest.share = 1.0 - weight.get();
        }
    }

    fn due(&self) -> Time {
        self.queues.due()
    }

    fn tick(&mut self, now: Time, _: Span, _: &ScheduledPackets) {
        self.queues.tick(now, self.waiting_of(0));
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        for (name, class) in BYTES_OF_CLASS.iter().zip(&self.classes) {
            out(name, class.lane.bytes as f64);
        }
        self.queues.metrics(out);
    }
}

impl<Q: ClassQueues> FairClasses<Q> {
    /// Classes of these shares.
    pub(super) fn new(shares: ByClass<Ratio>, queues: Q, link: &QueueContext) -> Self {
        let classes = shares.as_slice().iter().map(|share| FairClass::new(share.get())).collect();
        let (room, time) = (SharedRoom::at(link), VirtualTime::default());
        Self { room, shares, queues, classes, time }
    }

    /// Bytes for each unit of its share that the class at this place has with a packet.
    fn level_with(&self, place: usize, packet: &Packet) -> f64 {
        let own = &self.classes[place];
        (own.lane.bytes + u64::from(packet.bytes)) as f64 / own.share
    }

    /// Whether others make room for a packet of the class at this place.
    #[cold]
    fn may_displace(&mut self, place: usize, packet: &Packet, arrival: &QueueArrival) -> bool {
        let (level, now) = (self.level_with(place, packet), arrival.now);
        let (classes, queues) = (&mut *self.classes, &mut self.queues);
        self.room.may_displace(&mut PacketsAbove { classes, queues, level, now }, arrival)
    }

    /// Makes room for a packet of the class at this place.
    #[cold]
    fn displace(
        &mut self,
        place: usize,
        packet: &Packet,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) {
        let (level, now) = (self.level_with(place, packet), arrival.now);
        let (classes, queues) = (&mut *self.classes, &mut self.queues);
        let made = self.room.displace(PacketsAbove { classes, queues, level, now }, arrival, queue);
        debug_assert!(made, "others make room for it");
    }
}

impl FairClass {
    fn new(share: f64) -> Self {
        let (lane, start, finish) = Default::default();
        Self { share, lane, start, finish }
    }

    /// Computes the finishing tag of the first packet (G). Of a packet behind others, the tag of the
    /// one before it is above the virtual time of its arrival, so tags of first packets suffice.
    fn tag_first(&mut self, store: &PacketStore) {
        if let Some(first) = store.first(&self.lane) {
            self.finish = self.start + VirtualTime::of(first, self.share);
        }
    }

    /// Bytes for each unit of its share.
    fn level(&self) -> f64 {
        self.lane.bytes as f64 / self.share
    }

    /// Bytes above a level.
    fn excess(&self, level: f64) -> u64 {
        self.lane.bytes.saturating_sub((level * self.share) as u64)
    }
}

/// The first packets of the classes with more bytes for each unit of share than a level; of the highest
/// such class first, at a tie the lowest number.
struct PacketsAbove<'a, Q> {
    classes: &'a mut [FairClass],
    queues: &'a mut Q,
    level: f64,
    now: Time,
}

impl<Q: ClassQueues> Victims for PacketsAbove<'_, Q> {
    fn total(&self) -> Displaced {
        let excesses = self.classes.iter().map(|class| class.excess(self.level));
        excesses.filter(|&excess| excess > 0).fold(Displaced::default(), |total, excess| {
            Displaced { packets: total.packets + 1, bytes: total.bytes + excess }
        })
    }

    fn pop(&mut self, store: &mut PacketStore) -> Option<u32> {
        let level = self.level;
        let above = self.classes.iter_mut().enumerate();
        let above = above.filter(|(_, class)| class.excess(level) > 0);
        let (number, class) = above.reduce(|a, b| if b.1.level() > a.1.level() { b } else { a })?;
        let place = store.pop(&mut class.lane)?;
        // The next packet moves up, so that the class does not pay for a packet that others displace.
        class.tag_first(store);
        self.queues.displaced(number, store.get(place));
        if class.lane.is_empty() {
            self.queues.emptied(number, self.now);
        }
        Some(place)
    }
}
