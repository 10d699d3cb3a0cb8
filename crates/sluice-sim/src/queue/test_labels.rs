//! A discipline that goes by labels at the link of the other tests, with what waits there.

use sluice_units::{Span, Time};

use super::arrival::{Admission, QueueArrival, TrafficClass};
use super::label::Label;
use super::model::{Model, QueueContext};
use super::scheduler::{ScheduledPackets, Scheduler};
use super::test_arrivals::finds_ahead;
use crate::packet::{FlowKey, Packet};
use crate::rng::Streams;

/// A discipline at the link of 8 Mb/s.
pub(super) struct AtWork {
    pub(super) scheduler: Box<dyn Scheduler>,
    pub(super) queue: ScheduledPackets,
}

impl AtWork {
    pub(super) fn new(discipline: impl Model, link: &QueueContext) -> Self {
        let scheduler = discipline.at(link, &Streams::new(1, "link")).scheduler();
        Self { scheduler, queue: ScheduledPackets::default() }
    }

    /// A packet of 1000 bytes of a flow of this weight arrives with a label, finds `ahead` and leaves at once.
    /// Returns the decision, and the label in bits a second with which it goes on if it is taken.
    pub(super) fn arrive(
        &mut self,
        (flow, weight): (u32, f64),
        now: Time,
        ahead: Span,
        label: Option<f64>,
    ) -> (Admission, f64) {
        let flow = FlowKey { slot: flow, generation: 0 };
        let packet = Packet { flow, bytes: 1000, at: now, ..Packet::NONE };
        let traffic = TrafficClass { weight, ..TrafficClass::default() };
        let arrival = QueueArrival { traffic, ..finds_ahead(now, ahead) };
        self.queue.label = label.map(Label);
        let admission = self.scheduler.enqueue(&packet, packet.hop(), &arrival, &mut self.queue);
        if let Some(place) = self.scheduler.dequeue(now, &mut self.queue) {
            self.queue.store.take(place);
        }
        (admission, self.queue.label.map_or(0.0, |Label(bps)| bps))
    }

    pub(super) fn metric(&self, name: &str) -> f64 {
        let mut found = f64::NAN;
        self.scheduler.metrics(&mut |metric, value| {
            if metric == name {
                found = value;
            }
        });
        found
    }
}

pub(super) fn at(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}
