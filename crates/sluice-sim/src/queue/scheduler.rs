//! What a queue discipline implements that decides as the transmitter becomes free.

use std::collections::VecDeque;

use sluice_laws::router::CompetingTraffic;
use sluice_units::{Ratio, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::label::Label;
use super::packet_store::{Lane, PacketStore};
use crate::packet::{Hop, Packet};

/// A discipline's state at one link. Its packets wait in the link's store.
pub(crate) trait Scheduler: Send {
    /// Decides about a packet that arrives as `hop`, and puts it into the store if it is taken.
    /// Packets that wait may be dropped for it, before it is put there.
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission;

    /// Takes the packet out of its lane whose transmission begins at `now`, and returns its place in
    /// the store; `None` if all that waited were dropped. The link is never left idle while packets
    /// wait.
    fn dequeue(&mut self, now: Time, queue: &mut ScheduledPackets) -> Option<u32>;

    /// Bytes of packets of this class of traffic that wait, at a discipline that divides the link among classes.
    fn waiting_of(&self, _class: u8) -> u64 {
        0
    }

    /// The traffic of the lowest class, at a discipline whose weights a law moves
    /// ([`super::class_parts::ClassParts::Weighed`]).
    fn competing(&self) -> CompetingTraffic {
        CompetingTraffic::default()
    }

    /// The weight of the higher class from now on, at such a discipline; the lowest has the rest.
    fn set_weight(&mut self, _weight: Ratio) {}

    /// When its own timer fires; changes only when it does.
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// Its timer fires at `now`, which is [`Scheduler::due`], over the packets that wait and with
    /// `backlog` left to transmit; it must set a later time.
    fn tick(&mut self, _now: Time, _backlog: Span, _queue: &ScheduledPackets) {}

    /// The link goes down at `now`: drops all packets that wait. A discipline that marks or drops
    /// packets as it chooses must not do so here.
    fn go_down(&mut self, now: Time, queue: &mut ScheduledPackets) {
        while let Some(place) = self.dequeue(now, queue) {
            queue.drop_packet(place, now, Admission::Down);
        }
    }

    /// Calls `out` with name and value of each metric. Names and order never change.
    fn metrics(&self, _out: &mut dyn FnMut(&'static str, f64)) {}
}

/// The packets that wait at a link, and what its discipline does to them.
#[derive(Default)]
pub(crate) struct ScheduledPackets {
    pub(crate) store: PacketStore,
    /// Where the discipline labels packets: the label with which a packet arrives, `None` at the first such
    /// link of its path, and then that with which it goes on.
    pub(crate) label: Option<Label>,
    /// Packets dropped or marked after they were taken, of which the link has yet to be informed.
    pub(crate) afterthoughts: VecDeque<Afterthought>,
}

/// A later decision about a packet that was taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Afterthought {
    /// The packet; its `at` is when it was decided.
    pub(crate) packet: Packet,
    /// Not [`Admission::Taken`].
    pub(crate) what: Admission,
}

impl ScheduledPackets {
    /// Drops a packet that has been taken out of its lane.
    #[cold]
    pub(super) fn drop_packet(&mut self, place: u32, now: Time, why: Admission) {
        let packet = Packet { at: now, ..self.store.take(place) };
        self.afterthoughts.push_back(Afterthought { packet, what: why });
    }

    /// Drops the packets of a lane, since the link goes down at `now`.
    pub(super) fn drop_lane(&mut self, lane: &mut Lane, now: Time) {
        while let Some(place) = self.store.pop(lane) {
            self.drop_packet(place, now, Admission::Down);
        }
    }

    /// Marks a packet.
    #[cold]
    pub(super) fn mark(&mut self, place: u32, now: Time) {
        let packet = self.store.get_mut(place);
        *packet = packet.marked();
        let packet = Packet { at: now, ..*packet };
        self.afterthoughts.push_back(Afterthought { packet, what: Admission::Marked });
    }
}
