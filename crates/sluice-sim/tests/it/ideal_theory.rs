//! Ideals on one link against queueing theory: M/G/1 under processor sharing, SRPT and FCFS.

use crate::ideals::{Draw, by_flow, later};
use crate::shown::{config, group, mean_and_half_width, pipe};
use sluice_sim::ideal::Ideal;
use sluice_sim::traffic::{Listed, Traffic};
use sluice_sim::{Config, FlowRecord};
use sluice_units::Span;

/// 100 Mb/s: a mean flow takes 8 ms.
const CAPACITY: u64 = 100_000_000;
const BYTES_A_SECOND: f64 = CAPACITY as f64 / 8.0;
const MEAN: f64 = 100_000.0;
const LOAD: f64 = 0.7;
const FLOWS: usize = 60_000;
const SEEDS: std::ops::RangeInclusive<u64> = 1..=16;

/// A distribution of sizes with mean 1.
#[derive(Clone, Copy, Debug)]
enum Law {
    Fixed,
    Exponential,
    /// Two exponential phases, squared coefficient of variation 10.
    Hyper,
    /// Shape 2.2.
    Pareto,
}

impl Law {
    fn draw(self, draw: &mut Draw) -> f64 {
        match self {
            Self::Fixed => 1.0,
            Self::Exponential => draw.exponential(),
            Self::Hyper => {
                // Balanced means: p / m = (1 - p) / n.
                let p = 0.5 * (1.0 + (9.0_f64 / 11.0).sqrt());
                let mean = if draw.unit() < p { 0.5 / p } else { 0.5 / (1.0 - p) };
                mean * draw.exponential()
            }
            Self::Pareto => (1.2 / 2.2) * libm::pow(1.0 - draw.unit(), -1.0 / 2.2),
        }
    }

    /// The mean of the square.
    fn square(self) -> f64 {
        match self {
            Self::Fixed => 1.0,
            Self::Exponential => 2.0,
            Self::Hyper => 11.0,
            Self::Pareto => (1.2_f64 / 2.2).powi(2) * 2.2 / 0.2,
        }
    }
}

fn scenario(flows: Vec<Listed>) -> Config {
    let last = flows.last().expect("there are flows").start;
    let links = pipe(CAPACITY, Span::from_millis(1));
    let length = last.since(sluice_units::Time::ZERO) + Span::from_nanos(1);
    let mut config = config(links, vec![group(Traffic::List(flows))], length);
    config.limit = config.stop + Span::from_secs(100_000);
    config
}

fn flows(law: Law, seed: u64) -> Vec<Listed> {
    let gap = MEAN / BYTES_A_SECOND / LOAD;
    Draw::new(seed).flows(FLOWS, gap, |draw| MEAN * law.draw(draw))
}

/// Records without those of the first tenth, while the link fills, and of the last, while it
/// empties.
fn records(law: Law, seed: u64, ideal: Ideal) -> Vec<FlowRecord> {
    let records = by_flow(&scenario(flows(law, seed)), ideal);
    assert_eq!(records.len(), FLOWS);
    records[FLOWS / 10..FLOWS * 99 / 100].to_vec()
}

/// Time of service alone, in seconds.
fn service(record: &FlowRecord) -> f64 {
    record.size.expect("sized").as_f64() / BYTES_A_SECOND
}

/// The mean over the chosen flows of `found` divided by `expected`, per seed, must be 1: within 3%
/// and within 1.6 half-widths of a 95% interval (three standard errors).
#[track_caller]
fn agrees(
    what: &str,
    runs: &[Vec<FlowRecord>],
    chosen: impl Fn(&FlowRecord) -> bool,
    found: impl Fn(&FlowRecord) -> f64,
    expected: impl Fn(&FlowRecord) -> f64,
) {
    let of_run = |run: &Vec<FlowRecord>| {
        let chosen: Vec<_> = run.iter().filter(|record| chosen(record)).collect();
        assert!(chosen.len() > 100, "{what}: too few");
        let sum = |of: &dyn Fn(&FlowRecord) -> f64| chosen.iter().map(|r| of(r)).sum::<f64>();
        sum(&found) / sum(&expected)
    };
    let ratios: Vec<f64> = runs.iter().map(of_run).collect();
    let (mean, half) = mean_and_half_width(&ratios);
    println!("{what}: {mean:.4} +- {half:.4} of theory, seeds {SEEDS:?}");
    let error = (mean - 1.0).abs();
    assert!(error < 0.03 && error < 1.6 * half, "{what}: {mean} +- {half} of theory");
    assert!(half < 0.05, "{what}: an interval of {half} proves little");
}

/// Under processor sharing a flow of size x takes x / (C (1 - load)) on average, whatever the
/// distribution of sizes (Kleinrock 1967).
#[test]
fn processor_sharing_is_insensitive() {
    for law in [Law::Fixed, Law::Exponential, Law::Hyper, Law::Pareto] {
        let runs: Vec<_> = SEEDS.map(|seed| records(law, seed, Ideal::MaxMin)).collect();
        let bins = match law {
            Law::Fixed => vec![(0.0, 2.0)],
            _ => vec![(0.0, 0.6), (0.6, 1.2), (1.2, 3.0)],
        };
        for (low, high) in bins {
            let inside = |record: &FlowRecord| {
                let size = record.size.expect("sized").as_f64() / MEAN;
                low <= size && size < high
            };
            agrees(
                &format!("PS, {law:?} sizes of {low} to {high} means"),
                &runs,
                inside,
                |record| later(record) + service(record),
                |record| service(record) / (1.0 - LOAD),
            );
        }
    }
}

/// Pollaczek-Khinchine: a flow waits load E[S^2] / (2 (1 - load) E[S]), whatever its size.
#[test]
fn first_come_first_served_is_pollaczek_and_khinchine() {
    for law in [Law::Fixed, Law::Exponential] {
        let runs: Vec<_> = SEEDS.map(|seed| records(law, seed, Ideal::Fcfs)).collect();
        let wait = LOAD * law.square() / (2.0 * (1.0 - LOAD)) * MEAN / BYTES_A_SECOND;
        agrees(&format!("FCFS, {law:?} sizes"), &runs, |_| true, later, |_| wait);
    }
}

/// Schrage and Miller, Operations Research 14 (1966): under SRPT a flow of size x takes
/// load (m2(x) + x^2 (1 - F(x))) / (2 (1 - load(x))^2) + integral of dt / (1 - load(t)) to x, where
/// m2(x) and load(x) count flows of up to x. For exponential sizes of mean 1.
struct SchrageMiller(Vec<f64>);

impl SchrageMiller {
    const STEP: f64 = 1e-3;

    fn new() -> Self {
        let mut residence = 0.0;
        let time = |i: usize| {
            let x = i as f64 * Self::STEP;
            let tail = libm::exp(-x);
            let of_load = |x: f64| LOAD * (1.0 - libm::exp(-x) * (1.0 + x));
            let second = 2.0 - tail * (x * x + 2.0 * x + 2.0);
            let waits = LOAD * (second + x * x * tail) / (2.0 * (1.0 - of_load(x)).powi(2));
            let time = waits + residence;
            residence += Self::STEP / (1.0 - of_load(x + Self::STEP / 2.0));
            time
        };
        Self((0..20_000).map(time).collect())
    }

    /// In seconds.
    fn time(&self, record: &FlowRecord) -> f64 {
        let size = record.size.expect("sized").as_f64() / MEAN;
        self.0[(size / Self::STEP + 0.5) as usize] * MEAN / BYTES_A_SECOND
    }
}

#[test]
fn srpt_is_schrage_and_miller() {
    let theory = SchrageMiller::new();
    let runs: Vec<_> = SEEDS.map(|seed| records(Law::Exponential, seed, Ideal::Srpt)).collect();
    for (low, high) in [(0.0, 20.0), (0.0, 0.5), (0.5, 1.5), (1.5, 4.0)] {
        let inside = |record: &FlowRecord| {
            let size = record.size.expect("sized").as_f64() / MEAN;
            low <= size && size < high
        };
        agrees(
            &format!("SRPT, sizes of {low} to {high} means"),
            &runs,
            inside,
            |record| later(record) + service(record),
            |record| theory.time(record),
        );
    }
}

/// "On a single link, it is known that SRPT minimizes expected FCT" (FCT, footnote 3): on every
/// list of flows, not only on average.
#[test]
fn srpt_has_the_lowest_mean_of_every_list() {
    let mean = |flows: &[Listed], ideal| {
        let records = by_flow(&scenario(flows.to_vec()), ideal);
        records.iter().map(later).sum::<f64>() / records.len() as f64
    };
    for seed in 1..=500 {
        let law = [Law::Fixed, Law::Exponential, Law::Hyper, Law::Pareto][seed as usize % 4];
        let mut draw = Draw::new(seed);
        let (count, gap) = (draw.between(2, 60) as usize, 0.02 * draw.unit());
        let flows = draw.flows(count, gap, |draw| MEAN * law.draw(draw));
        let srpt = mean(&flows, Ideal::Srpt);
        for other in [Ideal::MaxMin, Ideal::Fcfs] {
            let other_mean = mean(&flows, other);
            // Records are rounded to a nanosecond.
            assert!(srpt <= other_mean + 1e-9, "seed {seed}: {srpt} s, {other:?} {other_mean} s");
        }
    }
}

/// FCT-fn3: "FCTs in PS come close to SRPT" and do not depend on the distribution of sizes; those
/// under FCFS grow with its variance.
#[test]
fn sharing_is_insensitive_and_close_to_srpt() {
    // Of mean service.
    let mean_time = |law, ideal| {
        let records = records(law, 1, ideal);
        let times = records.iter().map(|record| later(record) + service(record)).sum::<f64>();
        times / records.iter().map(service).sum::<f64>()
    };
    let [exponential, hyper] = [Law::Exponential, Law::Hyper].map(|law| {
        let times = [Ideal::Srpt, Ideal::MaxMin, Ideal::Fcfs].map(|ideal| mean_time(law, ideal));
        println!(
            "mean time, {law:?}: SRPT {:.2}, PS {:.2}, FCFS {:.2}",
            times[0], times[1], times[2]
        );
        times
    });
    for [srpt, ps, _] in [exponential, hyper] {
        assert!(srpt < ps && ps < 2.2 * srpt);
    }
    assert!((hyper[1] / exponential[1] - 1.0).abs() < 0.15, "PS is insensitive");
    assert!(hyper[2] > 3.0 * exponential[2] && hyper[2] > 3.0 * hyper[1], "FCFS is not");
}
