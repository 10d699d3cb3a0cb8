//! The disk space of results, and what takes most of it.

use std::ops::AddAssign;

use sluice_sim::Forecast;
use sluice_units::{Bytes, Span};

use crate::Plan;

/// Bytes on disk of a flow, of a value of a series, and of an event of a packet, its part of the capture
/// included; measured.
const FLOW: f64 = 42.0;
const VALUE: f64 = 4.0;
const EVENT: f64 = 30.0;
/// The same of a link, and of the rest of a run's files.
const LINK: f64 = 400.0;
const RUN: f64 = 20e3;
/// Values of a sample: queue, throughput and a few of the law.
const VALUES: f64 = 5.0;
/// Events of a packet at a traced link: queued, sent and delivered.
const EVENTS: f64 = 3.0;

/// The disk space of results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Disk {
    /// Records of flows.
    pub flows: Bytes,
    /// Samples of `[[metrics]]`.
    pub samples: Bytes,
    /// Traced packets.
    pub traces: Bytes,
    /// Everything else.
    pub rest: Bytes,
}

impl Disk {
    /// Of this many runs of protocols and ideals.
    pub(super) fn of(plan: &Plan, run: &Forecast, protocols: usize, ideals: usize) -> Self {
        let (protocols, all) = (protocols as f64, (protocols + ideals) as f64);
        let bytes = |bytes: f64| Bytes::new(bytes as u64);
        Self {
            flows: bytes(all * run.flows * FLOW),
            samples: bytes(all * samples(plan, run) * VALUES * VALUE),
            traces: bytes(protocols * events(plan, run) * EVENT),
            rest: bytes(all * (RUN + run.links as f64 * LINK)),
        }
    }

    /// All of it.
    pub fn total(&self) -> Bytes {
        let parts = [self.flows, self.samples, self.traces, self.rest];
        Bytes::new(parts.iter().fold(0, |sum, part| sum.saturating_add(part.as_u64())))
    }
}

impl AddAssign for Disk {
    fn add_assign(&mut self, other: Self) {
        let sum = |one: Bytes, two: Bytes| Bytes::new(one.as_u64().saturating_add(two.as_u64()));
        *self = Self {
            flows: sum(self.flows, other.flows),
            samples: sum(self.samples, other.samples),
            traces: sum(self.traces, other.traces),
            rest: sum(self.rest, other.rest),
        }
    }
}

/// Samples of all metrics in a run: streamed to disk as the run goes on, so that they take no memory.
pub(super) fn samples(plan: &Plan, run: &Forecast) -> f64 {
    let config = &plan.config;
    let links = config.link_metrics.iter().map(|metrics| metrics.every);
    let flows = config.flow_metrics.iter().map(|metrics| metrics.every);
    let groups = config.group_metrics.iter().map(|metrics| metrics.every);
    let number = |every: Span| run.end.as_secs_f64() / every.as_secs_f64();
    links.chain(flows).chain(groups).map(number).sum()
}

/// Traced events of packets in a run.
pub(super) fn events(plan: &Plan, run: &Forecast) -> f64 {
    let traced = plan.config.trace.links.len() as f64 / plan.config.links.len().max(1) as f64;
    EVENTS * traced * run.hops
}
