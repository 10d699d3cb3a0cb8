//! The parts of a link that only some links, or only some packets, need.

use std::collections::VecDeque;

use sluice_laws::WireHeader;

use super::clock::Clock;
use super::counters::Counters;
use super::errors::Errors;
use super::meter::LinkMeter;
use super::router::RouterDriver;
use super::sampler::LinkSampler;
use crate::packet::{CacheLine, Ecn};
use crate::queue::{Admission, Buffer, QueueArrival};

/// The optional parts of a link, its meter and the packets that it holds, in memory apart from what
/// every packet touches.
pub(crate) struct LinkComponents {
    pub(crate) router: Option<RouterDriver>,
    pub(crate) buffer: Option<Buffer>,
    pub(crate) errors: Option<Errors>,
    pub(crate) meter: LinkMeter,
    pub(crate) sampler: Option<LinkSampler>,
    /// Packets not yet departed that a law must see as they do.
    pub(super) held: VecDeque<CacheLine>,
}

impl LinkComponents {
    pub(crate) fn new(
        router: Option<RouterDriver>,
        buffer: Option<Buffer>,
        errors: Option<Errors>,
        meter: LinkMeter,
        sampler: Option<LinkSampler>,
    ) -> Self {
        Self { router, buffer, errors, meter, sampler, held: VecDeque::new() }
    }

    pub(super) fn is_plain(&self) -> bool {
        self.router.is_none() && self.buffer.is_none() && self.errors.is_none()
    }

    /// When the next tick or sample is.
    pub(super) fn next_timer(&self) -> u64 {
        let tick = self.router.as_ref().map_or(u64::MAX, RouterDriver::due);
        let sampler = self.sampler.as_ref().map_or(u64::MAX, LinkSampler::due);
        tick.min(self.meter.due()).min(sampler)
    }

    /// Asks the queue's discipline.
    pub(super) fn admits(&mut self, now: u64, ecn: Ecn, ahead: u64, through: u64) -> Admission {
        let Some(buffer) = &mut self.buffer else { return Admission::Taken };
        let ecn_capable = ecn.has(Ecn::CAPABLE);
        let admission =
            buffer.arrives(QueueArrival { now, ahead, through, waiting: 0, ecn_capable });
        if admission == Admission::Marked {
            self.meter.marked();
        }
        admission
    }

    #[cold]
    pub(super) fn drop_packet(&mut self, words: WireHeader, bytes: u32, why: Admission) {
        self.meter.dropped(why == Admission::Early);
        if let Some(router) = &mut self.router {
            router.drop(&words, bytes);
        }
    }

    /// Counts a packet that leaves at `departs` where the discipline counts packets.
    pub(super) fn enlist(&mut self, departs: u64) {
        if let Some(buffer) = &mut self.buffer {
            buffer.enlist(departs);
        }
    }

    /// Packets that leave before this need not be held.
    pub(super) fn stamp_at_departure_from(&self) -> u64 {
        match &self.router {
            None => u64::MAX,
            Some(_) if !self.held.is_empty() => 0,
            Some(router) => router.stamp_at_departure_from(),
        }
    }

    /// Packets that leave before this need neither be held nor noted.
    pub(super) fn looks_from(&self) -> u64 {
        self.stamp_at_departure_from()
            .min(self.router.as_ref().map_or(u64::MAX, RouterDriver::notes_from))
    }

    #[cold]
    pub(super) fn timer(&mut self, now: u64, clock: &Clock, counters: &mut Counters) {
        if let Some(router) = &mut self.router
            && router.due() == now
        {
            router.tick(clock, counters);
        } else if self.meter.due() == now {
            self.meter.look(now, clock, counters);
        } else if let Some(sampler) = &mut self.sampler {
            sampler.sample(clock, counters, self.buffer.as_ref(), self.router.as_ref());
        }
    }

    /// Whether the first held packet may be stamped before it departs, since no tick comes between.
    pub(super) fn may_depart(&self, departs: u64) -> bool {
        !self.held.is_empty()
            && self.router.as_ref().is_none_or(|router| departs < router.stamp_at_departure_from())
    }
}
