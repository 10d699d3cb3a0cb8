//! Mutated scenarios, read, planned and run under limits of events.

mod execution;
mod input;
mod mutate;
mod outputs;
mod sanity;
mod shorten;
mod stock;
mod tally;

pub use input::{Input, Reached, Setting};
pub use tally::FuzzTally;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::pulse::beat;

/// Executions of each plan: other protocols, seeds and durations each time.
const EXECUTIONS: u64 = 4;
/// One plan of this many is also run as the command runs it, with all its files.
const OUTPUT_OF: u64 = 256;

/// Reads the input of that number, and runs it if it can be.
///
/// # Panics
///
/// Where anything panics, or a result makes no sense.
pub fn run(number: u64) -> FuzzTally {
    check(&Input::new(number), number)
}

/// Reads the input, and runs it if it can be, with random choices by the seed.
///
/// # Panics
///
/// As [`run`].
pub fn check(input: &Input, seed: u64) -> FuzzTally {
    let mut tally = FuzzTally { inputs: 1, ..FuzzTally::default() };
    let plan = match input.read() {
        Reached::Refused => return tally,
        Reached::Scenario => {
            tally.scenarios = 1;
            return tally;
        }
        Reached::Planned(plan) => plan,
    };
    (tally.scenarios, tally.planned) = (1, 1);
    let mut draw = Xoshiro256PlusPlus::seed_from_u64(!seed);
    for _ in 0..EXECUTIONS {
        beat();
        tally.add(&execution::one(&plan, &mut draw));
    }
    if draw.random_ratio(1, OUTPUT_OF as u32) {
        tally.outputs += u64::from(outputs::make_sense(&plan, &mut draw));
    }
    tally
}
