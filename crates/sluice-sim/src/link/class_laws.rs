//! Router laws over classes of traffic at a scheduled link. Each is driven as that of a whole link, and sees
//! the packets, the queue and the capacity of its class. What each packet calls is marked cold, so that links
//! without such laws do not pay for it.

use sluice_laws::WireHeader;
use sluice_laws::router::FlowId;
use sluice_units::{Bytes, Rate, Span, Time};

use super::counters::Counters;
use super::router::{Portion, RouterDriver};
use super::scheduled_queue::ScheduledQueue;
use crate::by_class::CLASSES;
use crate::queue::{ClassParts, TrafficClass};

/// The laws of a link, by class.
pub(crate) struct ClassLaws {
    parts: ClassParts,
    /// Nominal capacity of the link.
    capacity: Rate,
    /// The classes beyond the last are one with it.
    classes: Box<[LawOverClass]>,
    /// The packet in transmission.
    sending: Sending,
}

/// A packet in transmission, until it has left.
#[derive(Clone, Copy, Default)]
struct Sending {
    /// Place of its class.
    place: usize,
    bytes: u64,
    departs: Time,
}

/// A class of traffic and the law over it, if it has any.
struct LawOverClass {
    router: Option<RouterDriver>,
    counters: Counters,
    /// Bytes whose transmission has begun.
    sent: u64,
    /// Bytes dropped after the queue had taken them, by the last tick.
    withdrawn: u64,
}

impl ClassLaws {
    /// Of a link of this nominal capacity, which a discipline divides in these parts.
    pub(crate) fn new(
        parts: ClassParts,
        capacity: Rate,
        routers: impl Iterator<Item = Option<RouterDriver>>,
    ) -> Self {
        let counters = Counters { taken: 0, longest: Span::ZERO, least: Span::MAX };
        let class = |router| LawOverClass { router, counters, sent: 0, withdrawn: 0 };
        Self { parts, capacity, classes: routers.map(class).collect(), sending: Sending::default() }
    }

    /// When the next law ticks.
    pub(super) fn due(&self) -> Time {
        self.routers().map(RouterDriver::due).min().unwrap_or(Time::NEVER)
    }

    /// Earliest departure that must be stamped at departure.
    pub(super) fn stamp_at_departure_from(&self) -> Time {
        self.routers().map(RouterDriver::stamp_at_departure_from).min().unwrap_or(Time::NEVER)
    }

    /// Whether any of them counts flows.
    pub(super) fn count_flows(&self) -> bool {
        self.routers().any(RouterDriver::counts_flows)
    }

    /// A packet of this flow and class arrives.
    pub(super) fn on_flow(&mut self, flow: FlowId, traffic: TrafficClass) {
        if let Some(router) = &mut self.class(traffic).router {
            router.on_flow(flow, traffic);
        }
    }

    fn routers(&self) -> impl Iterator<Item = &RouterDriver> {
        self.classes.iter().filter_map(|class| class.router.as_ref())
    }

    /// A packet has joined the queue at `now`. Returns its header.
    #[cold]
    #[inline(never)]
    pub(super) fn arrive(
        &mut self,
        now: Time,
        header: WireHeader,
        bytes: u32,
        traffic: TrafficClass,
        queue: &ScheduledQueue,
    ) -> WireHeader {
        let place = self.place(traffic);
        let found = self.waiting(place, queue) - Bytes::new(u64::from(bytes));
        let backlog = self.backlog(place, now, found);
        let class = &mut self.classes[place];
        class.counters.taken += u64::from(bytes);
        let Some(router) = &mut class.router else { return header };
        router.saw_waiting(found);
        class.counters.least = class.counters.least.min(backlog);
        router.arrive(header, bytes, || traffic)
    }

    /// A packet arrives, and the queue drops it.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse(&mut self, header: WireHeader, bytes: u32, traffic: TrafficClass) {
        if let Some(router) = &mut self.class(traffic).router {
            let foreign = router.is_foreign(|| traffic);
            let seen = if foreign { WireHeader::default() } else { header };
            router.drop(&seen, bytes);
        }
    }

    /// The transmission of a packet begins, which leaves at `departs`.
    #[cold]
    #[inline(never)]
    pub(super) fn send(&mut self, bytes: u32, traffic: TrafficClass, departs: Time) {
        let place = self.place(traffic);
        let bytes = u64::from(bytes);
        self.sending = Sending { place, bytes, departs };
        self.classes[place].sent += bytes;
    }

    /// The link goes down: the packet in transmission is lost.
    pub(super) fn cut(&mut self) {
        let Sending { place, bytes, .. } = std::mem::take(&mut self.sending);
        if let Some(router) = &mut self.classes[place].router {
            router.withdraw(bytes);
        }
    }

    /// A packet's last bit leaves at `now`. Returns its header.
    #[cold]
    #[inline(never)]
    pub(super) fn depart(
        &mut self,
        now: Time,
        header: WireHeader,
        bytes: u32,
        traffic: TrafficClass,
        queue: &ScheduledQueue,
    ) -> WireHeader {
        let place = self.place(traffic);
        let backlog = self.backlog(place, now, self.waiting(place, queue));
        self.stamp(header, bytes, backlog, traffic)
    }

    /// A packet leaves before the next tick, when no law samples its queue at departures. Returns its header.
    #[cold]
    #[inline(never)]
    pub(super) fn depart_ahead(
        &mut self,
        header: WireHeader,
        bytes: u32,
        traffic: TrafficClass,
    ) -> WireHeader {
        self.stamp(header, bytes, Span::ZERO, traffic)
    }

    fn stamp(
        &mut self,
        header: WireHeader,
        bytes: u32,
        backlog: Span,
        traffic: TrafficClass,
    ) -> WireHeader {
        let Some(router) = &mut self.class(traffic).router else { return header };
        router.depart(header, bytes, backlog, || traffic)
    }

    /// Calls the next tick, which is due.
    pub(super) fn tick(&mut self, queue: &mut ScheduledQueue) {
        let dues = self.classes.iter().map(|class| class.router.as_ref().map(RouterDriver::due));
        let places = dues.enumerate().filter_map(|(place, due)| Some((due?, place)));
        let Some((now, place)) = places.min() else { return };
        let (portion, waiting) = (self.portion(place), self.waiting(place, queue));
        let backlog = self.backlog(place, now, waiting);
        let class = &mut self.classes[place];
        // What neither waits nor was sent has been dropped for other packets.
        let withdrawn = class.counters.taken - class.sent - waiting.as_u64();
        if let Some(router) = &mut class.router {
            router.withdraw(withdrawn - class.withdrawn);
            let weight = match &mut self.parts {
                ClassParts::Weighed(weight) if place > 0 => Some(weight),
                _ => None,
            };
            if weight.is_some() {
                router.compete(&queue.competing());
            }
            router.tick(backlog, &mut class.counters, Some(waiting), portion, None);
            if let (Some(weight), Some(moved)) = (weight, router.class_weight()) {
                *weight = moved;
                queue.set_weight(moved);
            }
        }
        class.withdrawn = withdrawn;
    }

    /// Bytes of the class at `place` that wait.
    fn waiting(&self, place: usize, queue: &ScheduledQueue) -> Bytes {
        let last = if place + 1 == self.classes.len() { CLASSES - 1 } else { place };
        Bytes::new((place..=last).map(|class| queue.waiting_of(class as u8)).sum())
    }

    /// Transmission time that the class at `place` still has queued at `now`, at the nominal capacity, while
    /// these bytes wait.
    fn backlog(&self, place: usize, now: Time, waiting: Bytes) -> Span {
        let Sending { bytes, departs, .. } = self.sending;
        let waiting = self.capacity.time_for(waiting);
        if self.sending.place != place || departs <= now {
            return waiting;
        }
        // Where the capacity varies, the rest may take longer than the whole would at the nominal one.
        waiting + departs.since(now).min(self.capacity.time_for(Bytes::new(bytes)))
    }

    /// What the class at `place` may use of the link.
    fn portion(&self, place: usize) -> Portion {
        let others = self.classes.iter().enumerate();
        let others = others.filter(|&(other, _)| self.parts.yields(place, other));
        Portion {
            guaranteed: self.parts.guaranteed(place),
            others: others.map(|(_, class)| class.sent).sum(),
        }
    }

    /// The metrics of each law, with the place of its class.
    pub(super) fn metrics(&self, out: &mut dyn FnMut(usize, &'static str, f64)) {
        for (place, class) in self.classes.iter().enumerate() {
            if let Some(router) = &class.router {
                router.metrics(&mut |name, value| out(place, name, value));
            }
        }
    }

    fn class(&mut self, traffic: TrafficClass) -> &mut LawOverClass {
        &mut self.classes[self.place(traffic)]
    }

    fn place(&self, traffic: TrafficClass) -> usize {
        usize::from(traffic.class).min(self.classes.len() - 1)
    }
}
