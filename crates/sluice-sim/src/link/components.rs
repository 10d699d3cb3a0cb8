//! The parts of a link that only some links, or only some packets, need.

use std::collections::VecDeque;

use sluice_laws::WireHeader;
use sluice_units::{Span, Time};

use super::counters::Counters;
use super::errors::Errors;
use super::meter::LinkMeter;
use super::router::{Portion, RouterDriver};
use super::running_laws::RunningLaws;
use super::sampler::{LinkSampler, SampledQueue};
use super::scheduled_queue::ScheduledQueue;
use super::telemetry::LinkTelemetry;
use super::varying_clock::VaryingClock;
use crate::cloud::Ingress;
use crate::packet::{CacheLine, Ecn};
use crate::police::Agent;
use crate::queue::{Admission, Afterthought, Buffer, QueueArrival, TrafficClass};

/// The optional parts of a link, its meter and the packets that it holds, in memory apart from what
/// every packet touches.
pub(crate) struct LinkComponents {
    /// Its clock if its capacity varies.
    pub(crate) varying: Option<VaryingClock>,
    pub(crate) laws: RunningLaws,
    /// Whether one of them counts flows.
    pub(super) counts_flows: bool,
    pub(crate) buffer: Option<Buffer>,
    /// Where packets wait if the link is scheduled; there is no `buffer` then.
    pub(crate) scheduled: Option<ScheduledQueue>,
    pub(crate) errors: Option<Errors>,
    pub(crate) meter: LinkMeter,
    pub(crate) sampler: Option<LinkSampler>,
    /// Whether its packets are traced.
    pub(super) traced: bool,
    /// What it reports in packets, if it adds telemetry.
    pub(super) telemetry: Option<LinkTelemetry>,
    /// The agent that sees packets before the queue, if there is one.
    pub(super) police: Option<Box<Agent>>,
    /// The queues of macro-flows that enter a cloud here, if there are any.
    pub(super) ingress: Option<Box<Ingress>>,
    /// Packets that the law must see as they depart.
    pub(super) held: VecDeque<CacheLine>,
    /// Later decisions about packets that the queue had taken, which the engine has yet to see.
    pub(super) afterthoughts: VecDeque<Afterthought>,
    /// When the next tick or sample is.
    next_timer: Time,
}

impl LinkComponents {
    pub(crate) fn new(
        varying: Option<VaryingClock>,
        laws: RunningLaws,
        buffer: Option<Buffer>,
        scheduled: Option<ScheduledQueue>,
        errors: Option<Errors>,
        meter: LinkMeter,
        sampler: Option<LinkSampler>,
    ) -> Self {
        let mut parts = Self {
            varying,
            counts_flows: laws.count_flows(),
            laws,
            buffer,
            scheduled,
            errors,
            meter,
            sampler,
            traced: false,
            telemetry: None,
            police: None,
            ingress: None,
            held: VecDeque::new(),
            afterthoughts: VecDeque::new(),
            next_timer: Time::ZERO,
        };
        parts.next_timer = parts.earliest_timer();
        parts
    }

    pub(super) fn is_plain(&self) -> bool {
        self.varying.is_none()
            && self.laws.is_none()
            && self.buffer.is_none()
            && self.scheduled.is_none()
            && self.errors.is_none()
    }

    /// Whether packets take a way of their own through the link.
    pub(super) fn is_apart(&self) -> bool {
        let meets_others = self.laws.whole().is_some_and(RouterDriver::meets_others);
        self.scheduled.is_some() || self.varying.is_some() || meets_others || self.counts_flows
    }

    /// When the next tick or sample is.
    #[inline]
    pub(super) fn next_timer(&self) -> Time {
        self.next_timer
    }

    fn earliest_timer(&self) -> Time {
        let tick = self.laws.due();
        let queue = self.buffer.as_ref().map_or(Time::NEVER, Buffer::due);
        let sampler = self.sampler.as_ref().map_or(Time::NEVER, LinkSampler::due);
        let scheduled = self.scheduled.as_ref().map_or(Time::NEVER, ScheduledQueue::due);
        tick.min(queue).min(scheduled).min(self.meter.due()).min(sampler)
    }

    /// The decision of the queue's discipline.
    pub(super) fn admits(&mut self, now: Time, ecn: Ecn, ahead: Span, through: Span) -> Admission {
        let Some(buffer) = &mut self.buffer else { return Admission::Taken };
        let ecn_capable = ecn.has(Ecn::CAPABLE);
        // Only scheduled links distinguish classes.
        let traffic = TrafficClass::default();
        let admission =
            buffer.arrives(QueueArrival { now, ahead, through, waiting: 0, ecn_capable, traffic });
        if admission == Admission::Marked {
            self.meter.marked();
        }
        admission
    }

    #[cold]
    pub(super) fn drop_packet(&mut self, header: WireHeader, bytes: u32, why: Admission) {
        self.meter.dropped(why == Admission::Early);
        if let RunningLaws::Whole(router) = &mut self.laws {
            router.drop(&header, bytes);
        }
    }

    /// Counts a packet that leaves at `departs` where the discipline counts packets.
    pub(super) fn enlist(&mut self, departs: Time) {
        if let Some(buffer) = &mut self.buffer {
            buffer.enlist(departs);
        }
    }

    /// Earliest departure that must be stamped at departure: such packets are held.
    pub(super) fn stamp_at_departure_from(&self) -> Time {
        if !self.held.is_empty() { Time::ZERO } else { self.laws.stamp_at_departure_from() }
    }

    /// Earliest departure of a packet that must be held or recorded.
    pub(super) fn records_from(&self) -> Time {
        self.stamp_at_departure_from()
            .min(self.laws.whole().map_or(Time::NEVER, RouterDriver::records_from))
    }

    /// The tick or sample that is due at `now`, with this backlog. At one instant the law's tick comes
    /// first, then the discipline's, then samples.
    #[cold]
    pub(super) fn timer(&mut self, now: Time, backlog: Span, counters: &mut Counters) {
        if self.laws.due() == now {
            let waiting = self.scheduled.as_ref().map(ScheduledQueue::waiting_bytes);
            match &mut self.laws {
                RunningLaws::None => {}
                RunningLaws::Whole(router) => {
                    let clock = self.varying.as_mut();
                    router.tick(backlog, counters, waiting, Portion::WHOLE, clock);
                }
                RunningLaws::Classes(laws) => {
                    if let Some(queue) = &mut self.scheduled {
                        laws.tick(queue);
                    }
                }
            }
        } else if let Some(queue) = &mut self.scheduled
            && queue.due() == now
        {
            queue.tick(now, backlog);
        } else if let Some(buffer) = &mut self.buffer
            && buffer.due() == now
        {
            buffer.tick(now, backlog);
        } else if self.meter.due() == now {
            self.meter.measure(now, backlog, counters);
        } else if let Some(sampler) = &mut self.sampler {
            let queue = SampledQueue::new(self.buffer.as_ref(), self.scheduled.as_ref());
            let joined = self.meter.joined(counters);
            sampler.sample(backlog, joined, queue, &self.laws, self.ingress.as_deref());
        }
        self.next_timer = self.earliest_timer();
    }

    /// When the next outage begins that loses packets, or the present one began.
    #[inline(always)]
    pub(super) fn fails(&self) -> Time {
        self.scheduled.as_ref().map_or(Time::NEVER, |queue| queue.fails)
    }

    /// Whether the first held packet may be stamped ahead of its departure, since no tick comes
    /// before.
    pub(super) fn may_depart(&self, departs: Time) -> bool {
        !self.held.is_empty() && departs < self.laws.stamp_at_departure_from().min(self.fails())
    }
}
