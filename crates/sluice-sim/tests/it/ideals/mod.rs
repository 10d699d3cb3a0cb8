//! Shared code of the tests of ideals.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod plain;

use rand::distr::Distribution;
use rand_distr::Exp1;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use sluice_sim::ideal::{self, Ideal};
use sluice_sim::traffic::Listed;
use sluice_sim::{Config, FlowRecord, Observer, Outcome, Progress, Samples};
use sluice_units::{Bytes, Span, Time};

use crate::common::series::{self, Series};

/// Outcome, flow records and samples of a run, in the order reported.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    pub outcome: Outcome,
    pub records: Vec<FlowRecord>,
    pub series: Vec<Series>,
    pub ticks: u64,
}

/// Runs to the end.
pub fn run_to_end(config: &Config, ideal: Ideal) -> RunResult {
    interrupted(config, ideal, u64::MAX)
}

/// Runs until the observer has been called for the `ticks`-th time.
pub fn interrupted(config: &Config, ideal: Ideal, ticks: u64) -> RunResult {
    let series = series::empty_series(config);
    let mut kept = Kept { records: Vec::new(), series, asked: 0, ticks };
    let outcome = ideal::run(config, ideal, &mut kept).expect("the configuration is sound");
    RunResult { outcome, records: kept.records, series: kept.series, ticks: kept.asked }
}

/// Records in order of group and index.
pub fn by_flow(config: &Config, ideal: Ideal) -> Vec<FlowRecord> {
    let mut records = run_to_end(config, ideal).records;
    records.sort_by_key(|record| (record.group, record.index));
    records
}

struct Kept {
    records: Vec<FlowRecord>,
    series: Vec<Series>,
    asked: u64,
    ticks: u64,
}

impl Observer for Kept {
    fn flow(&mut self, record: &FlowRecord) {
        self.records.push(*record);
    }

    fn samples(&mut self, samples: &Samples<'_>) {
        series::add(&mut self.series, samples);
    }

    fn tick(&mut self, _: Progress) -> bool {
        self.asked += 1;
        self.asked < self.ticks
    }
}

/// Completion time beyond that of the flow alone, in seconds.
pub fn later(record: &FlowRecord) -> f64 {
    let (took, alone) = (record.completion.expect("finished"), record.alone.expect("sized"));
    took.as_secs_f64() - alone.as_secs_f64()
}

/// Random draws that are the same on every machine.
pub struct Draw(Xoshiro256PlusPlus);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Uniform in `low..high`.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.0.next_u64() % (high - low)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Exponential with mean 1.
    pub fn exponential(&mut self) -> f64 {
        Exp1.sample(&mut self.0)
    }

    /// `count` Poisson arrivals with a mean gap of `gap` seconds; `size` draws the sizes.
    pub fn flows(
        &mut self,
        count: usize,
        gap: f64,
        mut size: impl FnMut(&mut Self) -> f64,
    ) -> Vec<Listed> {
        let mut now = 0.0;
        let flow = |_| {
            now += gap * self.exponential();
            let size = Bytes::new((size(self) + 0.5).max(1.0) as u64);
            Listed { start: Time::ZERO + Span::from_secs_f64(now), size }
        };
        (0..count).map(flow).collect()
    }
}
