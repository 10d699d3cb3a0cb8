//! What the runs of a plan cost.

use std::ops::AddAssign;

use sluice_sim::{ConfigError, Forecast};
use sluice_units::{Bytes, Span};

use super::disk::{Disk, events, samples};
use super::memory::Memory;
use crate::Plan;
use crate::results::System;

/// Processor time in nanoseconds of a flow under an ideal, of recording a flow, of comparing it with the
/// same flow under another protocol, of a sample of metrics and of an event of a traced packet. Measured (`docs/performance.md`).
const IDEAL: f64 = 1_500.0;
const RECORD: f64 = 500.0;
const PAIR: f64 = 300.0;
const SAMPLE: f64 = 600.0;
const EVENT: f64 = 600.0;

/// The cost of runs that have to be made, usually within a factor of 3.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Number of runs to be made: of each protocol and ideal with each seed.
    pub runs: usize,
    /// Number of runs that are stored already; they cost nothing.
    pub stored: usize,
    /// Flows of the runs to be made.
    pub flows: f64,
    /// Their packets, acknowledgements included. Ideals have none.
    pub packets: f64,
    /// Processor time of all runs.
    pub time: Span,
    /// Processor time of the longest run.
    pub longest: Span,
    /// Memory of the largest run.
    pub memory: Memory,
    /// Disk space of all results.
    pub disk: Disk,
    /// Whether `precision` may add more runs.
    pub may_grow: bool,
}

impl Cost {
    /// Estimates the cost of the runs of a plan that are not stored.
    ///
    /// # Errors
    ///
    /// As a run.
    pub fn of(plan: &Plan, is_stored: impl Fn(System, u64) -> bool) -> Result<Self, ConfigError> {
        let seeds = plan.scenario.seeds();
        let missing = |systems: Vec<System>| {
            let all =
                systems.iter().flat_map(|&system| seeds.iter().map(move |&seed| (system, seed)));
            all.filter(|&(system, seed)| !is_stored(system, seed)).count()
        };
        let ideals = missing(plan.ideals().collect());
        // What is measured takes its own time, and no packets of the simulator.
        let simulated = |system: &System| !matches!(system, System::Measured(_));
        let protocols = missing(plan.protocols().filter(simulated).collect());
        let all = plan.systems().filter(simulated).count() * seeds.len();
        let may_grow = plan.scenario.precision.is_some();
        let stored = all - ideals - protocols;
        if ideals + protocols == 0 {
            return Ok(Self { stored, may_grow, ..Self::default() });
        }
        let run = Forecast::of(&plan.config)?;
        let nanos = |nanos: f64| Span::from_secs_f64(nanos / 1e9);
        let samples = nanos(samples(plan, &run) * SAMPLE);
        let traced = nanos(events(plan, &run) * EVENT);
        let of_protocol = run.time() + nanos(run.flows * (RECORD + PAIR)) + samples + traced;
        let of_ideal = nanos(run.flows * (IDEAL + RECORD)) + samples;
        Ok(Self {
            runs: ideals + protocols,
            stored,
            flows: (ideals + protocols) as f64 * run.flows,
            packets: protocols as f64 * run.packets,
            time: of_protocol * protocols as u64 + of_ideal * ideals as u64,
            longest: if protocols > 0 { of_protocol } else { of_ideal },
            memory: Memory::of(plan, &run),
            disk: Disk::of(plan, &run, protocols, ideals),
            may_grow,
        })
    }

    /// Wall-clock time on this number of cores.
    pub fn wall_time(&self, cores: usize) -> Span {
        self.longest.max(self.time / self.together(cores))
    }

    /// Memory on this number of cores.
    pub fn memory_on(&self, cores: usize) -> Bytes {
        Bytes::new(self.memory.total().as_u64().saturating_mul(self.together(cores)))
    }

    /// Number of runs at the same time.
    fn together(&self, cores: usize) -> u64 {
        cores.min(self.runs).max(1) as u64
    }
}

impl AddAssign for Cost {
    /// Runs of a further plan.
    fn add_assign(&mut self, other: Self) {
        self.runs += other.runs;
        self.stored += other.stored;
        self.flows += other.flows;
        self.packets += other.packets;
        self.time = self.time + other.time;
        self.longest = self.longest.max(other.longest);
        if other.memory.total() > self.memory.total() {
            self.memory = other.memory;
        }
        self.disk += other.disk;
        self.may_grow |= other.may_grow;
    }
}
