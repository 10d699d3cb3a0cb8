//! What the tests of the engine share: random cases, and a run with its results.

#![allow(dead_code, reason = "each test file uses its own part")]

pub mod case;
pub mod laws;
pub mod network;
#[path = "../../../../sluice-fuzz/src/scenarios/sanity.rs"]
pub mod sanity;
pub mod series;
pub mod spy;
pub mod traffic;

use proptest::test_runner::Config as Runner;
use sluice_laws::protocol::Protocol;
use sluice_sim::{
    Config, Conviction, FlowRecord, Observer, Outcome, Progress, Samples, StreamRecord, run,
};

use series::{Series, empty_series};

/// Outcome, flow records and samples of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    pub outcome: Outcome,
    pub records: Vec<FlowRecord>,
    pub streams: Vec<StreamRecord>,
    pub convictions: Vec<Conviction>,
    /// In the order of the metrics of links, flows and groups.
    pub series: Vec<Series>,
}

/// Runs to the end.
pub fn run_to_end(config: &Config, protocol: &dyn Protocol) -> RunResult {
    interrupted(config, protocol, u64::MAX)
}

/// Runs until the observer has been called for the `ticks`-th time.
pub fn interrupted(config: &Config, protocol: &dyn Protocol, ticks: u64) -> RunResult {
    let series = empty_series(config);
    let (records, streams, convictions) = Default::default();
    let mut collect = Collect { records, streams, convictions, series, ticks };
    let outcome = run(config, protocol, &mut collect).expect("a case is a valid configuration");
    let Collect { records, streams, convictions, series, .. } = collect;
    RunResult { outcome, records, streams, convictions, series }
}

struct Collect {
    records: Vec<FlowRecord>,
    streams: Vec<StreamRecord>,
    convictions: Vec<Conviction>,
    series: Vec<Series>,
    ticks: u64,
}

impl Observer for Collect {
    fn flow(&mut self, record: &FlowRecord) {
        self.records.push(*record);
    }

    fn stream(&mut self, record: &StreamRecord) {
        self.streams.push(*record);
    }

    fn conviction(&mut self, conviction: &Conviction) {
        self.convictions.push(*conviction);
    }

    fn samples(&mut self, samples: &Samples<'_>) {
        sanity::samples_make_sense(samples);
        series::add(&mut self.series, samples);
    }

    fn tick(&mut self, _: Progress) -> bool {
        self.ticks -= 1;
        self.ticks > 0
    }
}

/// `cases` random cases, or as many as `PROPTEST_CASES` says.
pub fn runner(cases: u32) -> Runner {
    // A case that fails because it does not end may take seconds, and a thousand smaller ones are tried.
    let (failure_persistence, max_shrink_time) = (None, 60_000);
    let standard = Runner { failure_persistence, max_shrink_time, ..Runner::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        standard
    } else {
        Runner { cases, ..standard }
    }
}
