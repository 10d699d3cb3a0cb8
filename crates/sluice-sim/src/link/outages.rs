//! The outages of a link in which it loses its packets ([`OnDown::Drop`]).

use sluice_units::Time;

use crate::schedule::{CapacitySchedule, OnDown};

/// Outages that lose packets. A link without such a schedule has none.
pub(crate) struct Outages {
    /// In order, each until its second instant.
    all: Vec<(Time, Time)>,
    /// The place of the first that was not over when a packet last arrived.
    next: usize,
}

impl Outages {
    /// Those of a link with this schedule.
    pub(crate) fn new(schedule: Option<&CapacitySchedule>) -> Self {
        let dropping = schedule.filter(|schedule| schedule.on_down == OnDown::Drop);
        Self { all: dropping.map_or(Vec::new(), |schedule| schedule.down.clone()), next: 0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// When the next begins, or the present one began; [`Time::NEVER`] if no more come.
    pub(super) fn begins(&self) -> Time {
        self.all.get(self.next).map_or(Time::NEVER, |&(from, _)| from)
    }

    /// A packet arrives at `now`: goes on to the first outage that is not over.
    pub(super) fn pass(&mut self, now: Time) {
        self.next += self.all[self.next..].partition_point(|&(_, to)| to <= now);
    }

    /// When an outage begins while a packet is on the wire from `departs` until `arrives`.
    pub(super) fn between(&self, departs: Time, arrives: Time) -> Option<Time> {
        let first = self.all.partition_point(|&(from, _)| from < departs);
        self.all.get(first).map(|&(from, _)| from).filter(|&from| from < arrives)
    }
}
