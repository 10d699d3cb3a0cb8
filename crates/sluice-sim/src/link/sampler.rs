//! Samples of a link over time: queue, throughput, and metrics of the queue discipline, the law and macro-flows.

use std::borrow::Cow;

use sluice_units::{Span, Time};

use super::running_laws::RunningLaws;
use super::scheduled_queue::ScheduledQueue;
use crate::cloud::Ingress;
use crate::queue::Buffer;
use crate::sample_buffer::SampleBuffer;
use crate::samples::Subject;
use crate::schedule::LinkCapacity;

pub(crate) struct LinkSampler {
    every: Span,
    due: Time,
    capacity: LinkCapacity,
    /// Bytes that had joined the queue by the last sample, but for those that its discipline dropped later.
    joined: u64,
    pub(crate) samples: SampleBuffer,
}

/// The discipline of a sampled link, whichever kind it is of.
#[derive(Clone, Copy)]
pub(crate) struct SampledQueue<'a> {
    buffer: Option<&'a Buffer>,
    scheduled: Option<&'a ScheduledQueue>,
}

impl<'a> SampledQueue<'a> {
    pub(crate) fn new(buffer: Option<&'a Buffer>, scheduled: Option<&'a ScheduledQueue>) -> Self {
        Self { buffer, scheduled }
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        if let Some(buffer) = self.buffer {
            buffer.metrics(out);
        }
        if let Some(scheduled) = self.scheduled {
            scheduled.metrics(out);
        }
    }
}

impl LinkSampler {
    pub(crate) fn new(
        link: usize,
        every: Span,
        capacity: LinkCapacity,
        queue: SampledQueue<'_>,
        laws: &RunningLaws,
    ) -> Self {
        let mut columns: Vec<Cow<'static, str>> = vec!["queue_bytes".into(), "load".into()];
        columns.extend(capacity.curve().map(|_| "capacity_bps".into()));
        queue.metrics(&mut |name, _| columns.push(name.into()));
        laws.metrics(&mut |class, name, _| {
            columns.push(class.map_or(name.into(), |class| format!("class_{class}_{name}").into()));
        });
        let samples = SampleBuffer::new(Subject::Link(link), columns);
        Self { every, due: Time::ZERO + every, capacity, joined: 0, samples }
    }

    /// Samples macro-flows too, which enter a cloud at the link.
    pub(crate) fn add_ingress(&mut self, ingress: &Ingress) {
        self.samples.name_more(|columns| {
            ingress.metrics(&mut |place, name, _| {
                columns.push(format!("macro_flow_{place}_{name}").into());
            });
        });
    }

    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// Samples the link with this backlog. `joined` are the bytes that have joined the queue, but for those
    /// that its discipline dropped later.
    pub(crate) fn sample(
        &mut self,
        backlog: Span,
        joined: u64,
        queue: SampledQueue<'_>,
        laws: &RunningLaws,
        ingress: Option<&Ingress>,
    ) {
        let nominal = self.capacity.nominal().as_bytes_per_sec_f64();
        let room = nominal * self.every.as_nanos() as f64 / 1e9;
        let values = self.samples.add_row(self.due);
        values.push(self.capacity.bytes_in(backlog).as_f64());
        values.push(joined.saturating_sub(self.joined) as f64 / room);
        if let Some(curve) = self.capacity.curve() {
            let since = self.due.minus(self.every);
            values.push(curve.mean(since, self.due).as_bps_f64());
        }
        queue.metrics(&mut |_, value| values.push(value));
        laws.metrics(&mut |_, _, value| values.push(value));
        if let Some(ingress) = ingress {
            ingress.metrics(&mut |_, _, value| values.push(value));
        }
        // Drops of packets from before are no arrivals: they count against those to come.
        self.joined = self.joined.max(joined);
        self.due += self.every;
    }
}
