//! A buffer in which packets that wait make room for one that arrives: enough for it, or none.

use sluice_units::{Bytes, Rate};

use super::arrival::{Admission, QueueArrival};
use super::model::QueueContext;
use super::packet_store::PacketStore;
use super::room::Room;
use super::scheduler::ScheduledPackets;

/// Packets that may be dropped for one that arrives.
pub(super) trait Victims {
    /// The part of [`Victims::total`] that is taken first, where the whole takes long to compute;
    /// nothing only if that is nothing.
    fn first_part(&mut self) -> Displaced {
        self.total()
    }

    /// At most what [`Victims::pop`] takes out until there are no more.
    fn total(&self) -> Displaced;

    /// Takes the next of them out of its lane. Returns its place.
    fn pop(&mut self, store: &mut PacketStore) -> Option<u32>;
}

/// An amount of packets that are dropped for others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Displaced {
    pub(super) packets: u64,
    pub(super) bytes: u64,
}

impl Displaced {
    pub(super) fn plus(self, other: Self) -> Self {
        Self { packets: self.packets + other.packets, bytes: self.bytes + other.bytes }
    }
}

/// The limit of a link whose packets make room for others.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedRoom {
    room: Room,
    /// Nominal.
    capacity: Rate,
}

impl SharedRoom {
    pub(super) fn at(link: &QueueContext) -> Self {
        Self { room: link.room, capacity: link.capacity.nominal() }
    }

    /// Whether a packet fits.
    #[inline(always)]
    pub(super) fn takes(&self, arrival: &QueueArrival) -> bool {
        self.room.takes(arrival)
    }

    /// Whether a packet would fit without these.
    fn takes_without(
        &self,
        Displaced { packets, bytes }: Displaced,
        arrival: &QueueArrival,
    ) -> bool {
        let time = self.capacity.time_for(Bytes::new(bytes));
        self.room.takes(&arrival.without(packets, time))
    }

    /// Whether a packet that does not fit yet would without victims.
    pub(super) fn may_displace(&self, victims: &mut impl Victims, arrival: &QueueArrival) -> bool {
        let first = victims.first_part();
        let takes = |without| self.takes_without(without, arrival);
        first.packets > 0 && (takes(first) || takes(victims.total()))
    }

    /// Drops victims until a packet fits that does not yet; none of them, and `false`, if it would not
    /// fit without them all.
    #[cold]
    pub(super) fn displace(
        &self,
        mut victims: impl Victims,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> bool {
        if !self.may_displace(&mut victims, arrival) {
            return false;
        }
        let mut displaced = Displaced::default();
        while !self.takes_without(displaced, arrival) {
            let Some(victim) = victims.pop(&mut queue.store) else {
                debug_assert!(false, "victims yield their total");
                return false;
            };
            displaced.packets += 1;
            displaced.bytes += u64::from(queue.store.get(victim).bytes);
            queue.drop_packet(victim, arrival.now, Admission::NoRoom);
        }
        true
    }
}
