//! An estimate of the time, memory and disk that a plan's runs will take.

use std::ops::AddAssign;

use sluice_sim::{ConfigError, Forecast};
use sluice_units::{Bytes, Span, Time};

use crate::{Machine, Plan};

/// Bytes on disk of a flow, of a value of a series, and of an event of a packet, with its part of the
/// capture; measured.
const FLOW: f64 = 42.0;
const VALUE: f64 = 12.0;
const EVENT: f64 = 60.0;
/// The same of a run's other files.
const RUN: f64 = 40e3;
/// Values of a sample: queue, load, and a few of the law.
const VALUES: f64 = 5.0;
/// Processor time of a flow under an ideal, in nanoseconds.
const IDEAL_NANOS: f64 = 3_000.0;

/// The cost of runs, usually within a factor of 3. Stored runs, which cost nothing, are included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Number of runs: each protocol and ideal with each seed.
    pub runs: usize,
    /// Flows of all runs.
    pub flows: f64,
    /// Packets of all runs, acknowledgements included.
    pub packets: f64,
    /// Processor time of all runs, on one core.
    pub time: Span,
    /// Memory of the largest run.
    pub memory: Bytes,
    /// Disk space of all results.
    pub disk: Bytes,
}

impl Cost {
    /// Estimates the cost of a plan.
    ///
    /// # Errors
    ///
    /// As of a run.
    pub fn of(plan: &Plan) -> Result<Self, ConfigError> {
        let run = Forecast::of(&plan.config)?;
        let seeds = plan.scenario.seeds().len();
        let (protocols, ideals) = (plan.protocols().count() * seeds, plan.ideals().count() * seeds);
        let runs = (protocols + ideals) as f64;
        let ideal = Span::from_secs_f64(run.flows * IDEAL_NANOS / 1e9);
        let disk = runs * (RUN + run.flows * FLOW + samples(plan, run.end) * VALUES * VALUE)
            + protocols as f64 * events(plan, &run) * EVENT;
        Ok(Self {
            runs: protocols + ideals,
            flows: runs * run.flows,
            packets: protocols as f64 * run.packets,
            time: run.time() * protocols as u64 + ideal * ideals as u64,
            memory: run.memory(),
            disk: Bytes::new(disk as u64),
        })
    }

    /// Wall-clock time on this number of cores.
    pub fn wall_time(&self, cores: usize) -> Span {
        self.time / self.together(cores)
    }

    /// Memory on this number of cores.
    pub fn memory_on(&self, cores: usize) -> Bytes {
        Bytes::new(self.memory.as_u64().saturating_mul(self.together(cores)))
    }

    /// What the runs need beyond the machine, if anything.
    pub fn excess(&self, machine: &Machine, cores: usize) -> Option<Excess> {
        let memory = self.memory_on(cores);
        if memory > machine.memory {
            return Some(Excess::Memory { needed: memory, available: machine.memory });
        }
        let available = machine.disk.filter(|&free| self.disk > free)?;
        Some(Excess::Disk { needed: self.disk, available })
    }

    /// Number of runs at the same time.
    fn together(&self, cores: usize) -> u64 {
        cores.min(self.runs).max(1) as u64
    }
}

/// What runs need beyond the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Memory of the runs at the same time.
    Memory {
        /// By estimate.
        needed: Bytes,
        /// On the machine.
        available: Bytes,
    },
    /// Space for results.
    Disk {
        /// By estimate.
        needed: Bytes,
        /// On the disk of the results.
        available: Bytes,
    },
}

impl AddAssign for Cost {
    /// Runs of a further plan.
    fn add_assign(&mut self, other: Self) {
        *self = Self {
            runs: self.runs + other.runs,
            flows: self.flows + other.flows,
            packets: self.packets + other.packets,
            time: self.time + other.time,
            memory: self.memory.max(other.memory),
            disk: self.disk + other.disk,
        }
    }
}

/// Samples of all metrics in a run that ends at `end`.
fn samples(plan: &Plan, end: Time) -> f64 {
    let links = plan.config.link_metrics.iter().map(|metrics| metrics.every);
    let flows = plan.config.flow_metrics.iter().map(|metrics| metrics.every);
    links.chain(flows).map(|every| end.as_secs_f64() / every.as_secs_f64()).sum()
}

/// Traced events of packets in a run: enqueued, dequeued and delivered at each traced link.
fn events(plan: &Plan, run: &Forecast) -> f64 {
    let traced = plan.config.trace.links.len() as f64 / plan.config.links.len().max(1) as f64;
    3.0 * traced * run.hops
}
