//! One execution: the engine, or an ideal, over the flows of a plan.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_lab::{Plan, System};
use sluice_sim::{
    Config, FlowRecord, Observer, Outcome, PacketEvent, Progress, Samples, SenderEvent,
    StreamRecord, Subject, ideal, run,
};
use sluice_units::Time;

use super::sanity::{
    conserved, flows_make_sense, links_make_sense, samples_make_sense, streams_make_sense,
};
use super::shorten::shorten;
use super::tally::FuzzTally;
use crate::pulse::beat;

/// Calls of [`Observer::tick`], of some ten thousand events each, after which a run is cut off.
const MAX_TICKS: u64 = 2;
/// One execution of this many is made twice.
const TWICE_OF: u32 = 100;

/// Runs a random protocol or ideal of the plan, for a random time.
pub fn one(plan: &Plan, draw: &mut Xoshiro256PlusPlus) -> FuzzTally {
    let protocols = plan.scenario.protocols.iter().map(|&name| System::Protocol(name));
    let systems: Vec<System> =
        protocols.chain(plan.scenario.ideals.iter().map(|&ideal| System::Ideal(ideal))).collect();
    let system = *systems.choose(draw).expect("a plan has a protocol");
    let mut config = Config { seed: draw.random(), ..plan.config.clone() };
    if !draw.random_ratio(1, 16) {
        shorten(&mut config, libm::pow(10.0, draw.random_range(1.0..3.5)));
    }
    let found = execute(plan, system, &config);
    found.makes_sense(&config);
    let is_twice = draw.random_ratio(1, TWICE_OF);
    if is_twice {
        found.equals(&execute(plan, system, &config), "the second time");
        if !found.outcome.interrupted {
            let slowly = execute(plan, system, &Config { lookahead: false, ..config });
            // It has more events, and may be cut off.
            if !slowly.outcome.interrupted {
                found.equals(&slowly, "without lookahead");
            }
        }
    }
    FuzzTally {
        executions: 1,
        finished: u64::from(!found.outcome.interrupted),
        repeated: u64::from(is_twice),
        flows: found.records.len() as u64,
        packets: found.outcome.totals.sent,
        ..FuzzTally::default()
    }
}

fn execute(plan: &Plan, system: System, config: &Config) -> Execution {
    let mut kept = Kept::default();
    let outcome = match system {
        System::Ideal(ideal) => ideal::run(config, ideal, &mut kept),
        System::Protocol(name) => run(config, plan.scenario.parameters.protocol(name), &mut kept),
        System::Custom(_) | System::Measured(_) => unreachable!("no scenario names such a system"),
    };
    let outcome = outcome.unwrap_or_else(|error| panic!("planned, and refused: {error}"));
    let Kept { records, streams, samples, values, .. } = kept;
    Execution { outcome, records, streams, samples, values }
}

/// What a run reported.
struct Execution {
    outcome: Outcome,
    records: Vec<FlowRecord>,
    streams: Vec<StreamRecord>,
    /// Subject and time of each sample, and the values of all.
    samples: Vec<(Subject, Time)>,
    values: Vec<f64>,
}

impl Execution {
    fn makes_sense(&self, config: &Config) {
        let Self { outcome, records, streams, .. } = self;
        conserved(outcome);
        flows_make_sense(records, outcome, config);
        if !outcome.interrupted {
            streams_make_sense(streams, outcome, config);
            links_make_sense(outcome, config);
        }
        assert!(outcome.interrupted || outcome.end >= config.stop, "it ended before the stop");
        assert!(outcome.end <= config.limit, "it ended after the limit");
    }

    /// Packet counts depend on lookahead.
    fn equals(&self, other: &Self, when: &str) {
        let differ = self.records.iter().zip(&other.records).find(|(one, two)| one != two);
        assert_eq!(differ, None, "{when}");
        assert_eq!(self.records.len(), other.records.len(), "{when}");
        assert_eq!(self.streams, other.streams, "{when}");
        let outcome = Outcome { totals: self.outcome.totals, ..other.outcome.clone() };
        assert!(self.outcome == outcome, "{when}: {:?} and {outcome:?}", self.outcome);
        assert_eq!(self.samples, other.samples, "{when}");
        assert_eq!(self.values, other.values, "{when}");
    }
}

/// Keeps the flows, and looks at every event.
#[derive(Default)]
struct Kept {
    records: Vec<FlowRecord>,
    streams: Vec<StreamRecord>,
    samples: Vec<(Subject, Time)>,
    values: Vec<f64>,
    ticks: u64,
}

impl Observer for Kept {
    fn flow(&mut self, record: &FlowRecord) {
        self.records.push(*record);
    }

    fn stream(&mut self, record: &StreamRecord) {
        self.streams.push(*record);
    }

    fn samples(&mut self, samples: &Samples<'_>) {
        samples_make_sense(samples);
        self.samples.extend(samples.times.iter().map(|&time| (samples.subject, time)));
        self.values.extend(samples.values);
    }

    fn tick(&mut self, _: Progress) -> bool {
        beat();
        self.ticks += 1;
        self.ticks < MAX_TICKS
    }

    fn packet(&mut self, event: &PacketEvent) {
        std::hint::black_box(event);
    }

    fn sender(&mut self, event: &SenderEvent) {
        std::hint::black_box(event);
    }
}
