//! Measurements of links under an ideal.

use sluice_units::{Bytes, Span, Time};

use super::way::FluidWay;
use crate::config::Config;
use crate::observer::Observer;
use crate::outcome::LinkOutcome;
use crate::sample_buffer::SampleBuffer;
use crate::samples::Subject;

/// Measures links at both ends of the time measured, and for samplers.
pub(super) struct IdealMeter {
    /// Bytes carried by each link at the start of the time measured ...
    before: Vec<f64>,
    /// ... and in it, once it is over.
    sent: Option<Vec<f64>>,
    samplers: Vec<IdealSampler>,
}

struct IdealSampler {
    link: usize,
    every: Span,
    /// Bytes carried by the link at the last sample.
    carried: f64,
    samples: SampleBuffer,
}

impl IdealMeter {
    pub(super) fn new(config: &Config) -> Self {
        // As in the engine, one for each link, by the number of the link.
        let asked = |link: usize| {
            config.link_metrics.iter().find(move |sampler| sampler.link == link).copied()
        };
        let sampler = |sampler: crate::config::LinkMetrics| IdealSampler {
            link: sampler.link,
            every: sampler.every,
            carried: 0.0,
            samples: SampleBuffer::new(Subject::Link(sampler.link), ["queue_bytes", "load"]),
        };
        Self {
            before: vec![0.0; config.links.len()],
            sent: None,
            samplers: (0..config.links.len()).filter_map(asked).map(sampler).collect(),
        }
    }

    /// Time between samples of each sampler.
    pub(super) fn samples(&self) -> impl Iterator<Item = Span> {
        self.samplers.iter().map(|sampler| sampler.every)
    }

    pub(super) fn begin(&mut self, carried: Vec<f64>) {
        self.before = carried;
    }

    pub(super) fn end(&mut self, carried: &[f64]) {
        let sent = carried.iter().zip(&self.before).map(|(now, before)| now - before);
        self.sent = Some(sent.collect());
    }

    /// Samples a link. Returns the time to the next sample.
    pub(super) fn sample(
        &mut self,
        config: &Config,
        sampler: usize,
        now: Time,
        carried: &[f64],
    ) -> Span {
        let sampler = &mut self.samplers[sampler];
        let capacity = config.links[sampler.link].capacity.as_bytes_per_sec_f64();
        let carried = carried[sampler.link];
        let load = (carried - sampler.carried) / (capacity * sampler.every.as_nanos() as f64 / 1e9);
        sampler.samples.add_row(now).extend([0.0, load]);
        sampler.carried = carried;
        sampler.every
    }

    pub(super) fn outcomes(&self, config: &Config) -> Vec<LinkOutcome> {
        let outcome = |(id, link): (usize, &crate::config::LinkConfig)| {
            let sent = self.sent.as_ref().map_or(0.0, |sent| sent[id]);
            let room = link.bytes_between(config.warm_up, config.stop).as_f64();
            LinkOutcome {
                utilization: if room > 0.0 { (sent / room).min(1.0) } else { 0.0 },
                sent: Bytes::new((sent + 0.5) as u64),
                mean_queue: Bytes::ZERO,
                p99_queue: Bytes::ZERO,
                max_queue: Bytes::ZERO,
                drops: 0,
                early_drops: 0,
                marks: 0,
                errors: 0,
                police: None,
                ingress: None,
            }
        };
        config.links.iter().enumerate().map(outcome).collect()
    }

    /// Emits the samples before `time`.
    pub(super) fn emit(&mut self, time: Time, observer: &mut dyn Observer) {
        self.samplers.iter_mut().for_each(|sampler| sampler.samples.emit(time, observer));
    }
}

/// Bytes carried by each link, from those carried on each way.
pub(super) fn by_link(config: &Config, ways: &[FluidWay], on_way: &[f64]) -> Vec<f64> {
    let mut carried = vec![0.0; config.links.len()];
    for (way, bytes) in ways.iter().zip(on_way) {
        for &(link, times) in &way.crossings.links {
            carried[link] += bytes * f64::from(times) / f64::from(way.crossings.paths);
        }
    }
    carried
}
