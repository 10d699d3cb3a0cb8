//! Packets at a scheduled link, whose discipline decides as the transmitter becomes free.

use sluice_laws::WireHeader;
use sluice_units::{Bytes, Span, Time};

use super::Link;
use super::running_laws::RunningLaws;
use super::verdict::Settled;
use crate::packet::{CacheLine, Ecn, Hop, Packet};
use crate::queue::{Admission, Afterthought, Label, QueueArrival, TrafficClass};

impl Link {
    /// Whether its discipline decides as the transmitter becomes free.
    #[inline]
    pub(crate) fn is_scheduled(&self) -> bool {
        self.parts.scheduled.is_some()
    }

    /// Takes a packet, which arrives at `hop.at`, to wait until it is chosen; everything due by then
    /// must be settled. Returns the discipline's decision. Others may have been dropped for it
    /// ([`Link::next_afterthought`]).
    #[inline(always)]
    pub(crate) fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        traffic: TrafficClass,
    ) -> Admission {
        let (now, bytes) = (hop.at, packet.bytes);
        let ahead = self.backlog(now);
        self.counters.least = self.counters.least.min(ahead);
        let through = self.through(now, bytes);
        let ecn_capable = packet.ecn.has(Ecn::CAPABLE);
        let arrival = QueueArrival { now, ahead, through, waiting: 0, ecn_capable, traffic };
        let Some(queue) = &mut self.parts.scheduled else { return Admission::Taken };
        let admission = queue.enqueue(packet, hop, arrival);
        if !queue.packets.afterthoughts.is_empty() {
            self.count_afterthoughts();
        }
        if admission.is_drop() {
            let foreign =
                self.parts.laws.whole().is_some_and(|router| router.is_foreign(|| traffic));
            let seen = if foreign { WireHeader::default() } else { hop.header };
            self.parts.drop_packet(seen, bytes, admission);
            if let RunningLaws::Classes(laws) = &mut self.parts.laws {
                laws.refuse(hop.header, bytes, traffic);
            }
        } else {
            self.admit(hop, bytes, traffic, admission);
            // After others that made room have left the clock.
            self.count_in(now, bytes);
        }
        admission
    }

    /// The same at a link that labels packets, of one that arrives with `label`, `None` at the first such link
    /// of its path. Returns the label with which it goes on, too, if it is taken.
    pub(crate) fn enqueue_labelled(
        &mut self,
        packet: &Packet,
        hop: Hop,
        traffic: TrafficClass,
        label: Option<Label>,
    ) -> (Admission, Option<Label>) {
        if let Some(queue) = &mut self.parts.scheduled {
            queue.packets.label = label;
        }
        let admission = self.enqueue(packet, hop, traffic);
        (admission, self.parts.scheduled.as_ref().and_then(|queue| queue.packets.label))
    }

    /// Shows the packet just taken to the law, and marks it if the discipline says so.
    #[inline(always)]
    fn admit(&mut self, hop: Hop, bytes: u32, traffic: TrafficClass, admission: Admission) {
        let Hop { at: now, header, .. } = hop;
        let parts = &mut *self.parts;
        let Some(queue) = &mut parts.scheduled else { return };
        match &mut parts.laws {
            RunningLaws::None => {}
            RunningLaws::Whole(router) => {
                queue.packets.store.newest().header = router.arrive(header, bytes, || traffic);
                router.saw_waiting(queue.waiting_bytes() - Bytes::new(u64::from(bytes)));
            }
            RunningLaws::Classes(laws) => {
                let header = laws.arrive(now, header, bytes, traffic, queue);
                queue.packets.store.newest().header = header;
            }
        }
        if admission == Admission::Marked {
            let packet = queue.packets.store.newest();
            *packet = packet.marked();
            parts.meter.marked();
        }
    }

    /// Settles the earliest event due by `now`. At one instant choices come first, so that the packet
    /// chosen is in transmission and not waiting; then ticks and samples, departures, arrivals.
    #[inline(always)]
    pub(crate) fn settle_scheduled(&mut self, now: Time) -> Settled {
        match &self.parts.scheduled {
            Some(queue) if self.parts.next_timer() > now && self.parts.held.is_empty() => {
                if queue.chooses <= now { self.choose() } else { Settled::Nothing }
            }
            _ => self.settle_any(now),
        }
    }

    #[inline(never)]
    fn settle_any(&mut self, now: Time) -> Settled {
        let chooses = self.chooses();
        let parts = &mut *self.parts;
        let timer = parts.next_timer();
        let departs =
            parts.held.front().map_or(Time::NEVER, |packet| packet.0.at.minus(self.delay));
        if chooses <= now && chooses <= timer.min(departs) {
            self.choose()
        } else if timer <= now && timer <= departs {
            let backlog = self.backlog(timer);
            self.parts.timer(timer, backlog, &mut self.counters);
            Settled::Timer
        } else if departs <= now || parts.may_depart(departs) {
            Settled::Departs
        } else {
            Settled::Nothing
        }
    }

    /// Makes the choice that is due.
    #[inline(always)]
    fn choose(&mut self) -> Settled {
        let Some(queue) = &mut self.parts.scheduled else { return Settled::Nothing };
        if queue.goes_down() {
            return self.go_down();
        }
        let chosen = queue.choose();
        if !queue.packets.afterthoughts.is_empty() {
            self.count_afterthoughts();
        }
        let Some((place, departs)) = chosen else { return Settled::Emptied };
        let parts = &mut *self.parts;
        let Some(queue) = &mut parts.scheduled else { return Settled::Nothing };
        let at = departs.plus(self.delay);
        if departs <= queue.fails && parts.laws.is_none() {
            return Settled::Leaves(place, at);
        }
        let stamped_late = departs >= parts.laws.stamp_at_departure_from();
        if stamped_late || departs > queue.fails || !parts.held.is_empty() {
            parts.held.push_back(CacheLine(Packet { at, ..queue.packets.store.take(place) }));
            return Settled::Holds(departs);
        }
        Settled::Leaves(place, at)
    }

    /// The link goes down, and loses the packet in transmission and those that wait.
    #[cold]
    #[inline(never)]
    fn go_down(&mut self) -> Settled {
        let parts = &mut *self.parts;
        let Some(queue) = &mut parts.scheduled else { return Settled::Nothing };
        let departs = |packet: &CacheLine| packet.0.at.minus(self.delay);
        let cut = parts.held.back().is_some_and(|last| departs(last) > queue.fails);
        let in_transmission = if cut { parts.held.pop_back() } else { None };
        if let (RunningLaws::Classes(laws), true) = (&mut parts.laws, cut) {
            laws.cut();
        }
        if let Some(clock) = &parts.varying {
            parts.meter.cut(clock.unsent(queue.fails));
        }
        queue.go_down(in_transmission.map(|CacheLine(packet)| packet));
        self.count_afterthoughts();
        Settled::Emptied
    }

    /// Takes out the packet at a place, which has been chosen to reach the end of the link at `at`, and stamps
    /// its header: no new grant comes before it departs. `traffic` gives the class of packets that wait for a step.
    #[inline(always)]
    pub(crate) fn take_chosen(
        &mut self,
        place: u32,
        at: Time,
        traffic: impl FnOnce(u32) -> TrafficClass,
    ) -> Packet {
        let parts = &mut *self.parts;
        let Some(queue) = &mut parts.scheduled else { return Packet::NONE };
        let mut packet = queue.packets.store.take(place);
        let Packet { header, bytes, step, .. } = packet;
        match &mut parts.laws {
            RunningLaws::None => {}
            RunningLaws::Whole(router) => {
                packet.header = router.depart(header, bytes, Span::ZERO, || traffic(step));
            }
            RunningLaws::Classes(laws) => {
                let traffic = traffic(step);
                laws.send(bytes, traffic, at.minus(self.delay));
                packet.header = laws.depart_ahead(header, bytes, traffic);
            }
        }
        packet
    }

    /// The packet that was chosen last is held until it departs at `departs`. `traffic` gives the class of
    /// packets that wait for a step.
    #[inline]
    pub(crate) fn begin_held(&mut self, departs: Time, traffic: impl FnOnce(u32) -> TrafficClass) {
        let parts = &mut *self.parts;
        if let RunningLaws::Classes(laws) = &mut parts.laws
            && let Some(CacheLine(packet)) = parts.held.back()
        {
            laws.send(packet.bytes, traffic(packet.step), departs);
        }
    }

    /// Counts what the discipline did to packets that it had taken.
    #[cold]
    fn count_afterthoughts(&mut self) {
        let parts = &mut *self.parts;
        let Some(queue) = &mut parts.scheduled else { return };
        for afterthought in queue.packets.afterthoughts.drain(..) {
            let Afterthought { packet: Packet { bytes, at, .. }, what } = afterthought;
            if what == Admission::Marked {
                parts.meter.marked();
            } else {
                match &mut parts.varying {
                    Some(clock) => clock.give_back(bytes),
                    None => self.clock.give_back(bytes),
                }
                match what {
                    Admission::Down => parts.meter.failed(at),
                    why => parts.meter.withdrawn(bytes, why == Admission::Early),
                }
                if let RunningLaws::Whole(router) = &mut parts.laws {
                    router.withdraw(u64::from(bytes));
                }
            }
            parts.afterthoughts.push_back(afterthought);
        }
    }

    /// The next decision about a packet after it had been taken, which the link has counted.
    #[inline(always)]
    pub(crate) fn next_afterthought(&mut self) -> Option<Afterthought> {
        self.parts.afterthoughts.pop_front()
    }

    /// When the next packet is chosen.
    #[inline(always)]
    pub(crate) fn chooses(&self) -> Time {
        self.parts.scheduled.as_ref().map_or(Time::NEVER, |queue| queue.chooses)
    }
}
