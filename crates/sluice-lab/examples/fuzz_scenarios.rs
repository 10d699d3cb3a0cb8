//! Reads millions of randomly mutated scenarios with random `--set` and `--vary`: each must be
//! accepted or rejected within a second.
//!
//! `cargo run --profile test -p sluice-lab --example fuzz_scenarios -- [COUNT [SEED [FIRST]]]`, with
//! 100,000 inputs of seed 1 from number 0 on by default. An input that panics or takes longer is
//! written to a file whose name is printed. As long as the scenarios that inputs are made from do not
//! change, a number gives the same input: to repeat one, pass it as `FIRST` with a count of 1.

#[path = "../tests/it/fuzz/input.rs"]
mod input;
#[path = "../tests/it/fuzz/mutate.rs"]
mod mutate;
#[path = "../tests/it/fuzz/stock.rs"]
mod stock;

use std::panic::catch_unwind;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use input::{Input, PLANNED_OF, Reached};

/// Time limit of an input; longer counts as a failure.
const MAX_TIME: Duration = Duration::from_secs(1);
/// Number of inputs between reports of progress.
const CHUNK: u64 = 100_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut next = |or| arguments.next().map_or(or, |text| text.parse().expect("a number"));
    let (count, seed, first) = (next(100_000), next(1), next(0));
    println!("inputs {count} seed {seed} first {first}, one in {PLANNED_OF} planned");
    let start = Instant::now();
    let mut found = Found::default();
    for begin in (0..count).step_by(CHUNK as usize) {
        let numbers = first + begin..first + count.min(begin + CHUNK);
        let chunk = numbers.into_par_iter().map(|number| one(seed, number));
        found = found.and(chunk.reduce(Found::default, Found::and));
        println!("{} after {:.0} s: {found:?}", found.inputs, start.elapsed().as_secs_f64());
    }
    if found.panics + found.slow == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What came of inputs.
#[derive(Debug, Default)]
struct Found {
    inputs: u64,
    scenarios: u64,
    planned: u64,
    panics: u64,
    slow: u64,
    /// The longest that one took, and its number.
    slowest: (Duration, u64),
}

impl Found {
    fn and(self, other: Self) -> Self {
        Self {
            inputs: self.inputs + other.inputs,
            scenarios: self.scenarios + other.scenarios,
            planned: self.planned + other.planned,
            panics: self.panics + other.panics,
            slow: self.slow + other.slow,
            slowest: self.slowest.max(other.slowest),
        }
    }
}

fn one(seed: u64, number: u64) -> Found {
    let input = Input::new(seed, number);
    let start = Instant::now();
    let reached = catch_unwind(|| input.read());
    let took = start.elapsed();
    if reached.is_err() || took > MAX_TIME {
        keep(&input, seed, number, took);
    }
    Found {
        inputs: 1,
        scenarios: u64::from(matches!(reached, Ok(Reached::Scenario | Reached::Planned))),
        planned: u64::from(matches!(reached, Ok(Reached::Planned))),
        panics: u64::from(reached.is_err()),
        slow: u64::from(took > MAX_TIME),
        slowest: (took, number),
    }
}

/// Writes the input to a file.
fn keep(input: &Input, seed: u64, number: u64, took: Duration) {
    let path = std::env::temp_dir().join(format!("sluice-fuzz-{seed}-{number}.txt"));
    let text = format!("{}\n{:#?}\n", input.text, input.settings);
    let written = std::fs::write(&path, text).map_or_else(|e| e.to_string(), |()| "see".into());
    println!("number {number}, {took:?}: {written} {}", path.display());
}
