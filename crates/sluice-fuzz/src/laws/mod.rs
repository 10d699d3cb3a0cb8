//! Every protocol of the registry, with any parameters that its check accepts, against any order of
//! events, possible or not: no panic, and outputs stay within what the interfaces of [`sluice_laws`]
//! promise.

mod dice;
mod exchange;
mod operation;
mod parameters;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use sluice_laws::conduct::Conduct;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_units::Ratio;

use dice::Dice;
use exchange::Exchange;
use operation::{Operation, Start};

/// A protocol with its parameters, and what happens to it.
#[derive(Clone, Debug)]
pub struct Case {
    name: ProtocolName,
    parameters: Parameters,
    weight: Ratio,
    conduct: Conduct,
    start: Start,
    operations: Vec<Operation>,
}

impl Case {
    /// Any case of up to a hundred operations.
    pub fn any() -> impl Strategy<Value = Self> {
        let drawn = (select(ProtocolName::ALL), Dice::any(), operation::start());
        let operations = prop::collection::vec(operation::any(), 1..100);
        (drawn, operations).prop_map(|((name, dice, start), operations)| {
            let mut dice = dice;
            let parameters = parameters::of(name, &mut dice);
            let weights = parameters.protocol(name).weights();
            let weight =
                weights.map_or(Ratio::new(1.0), |range| dice.ratio(Ratio::new(1.0), range));
            let conduct = parameters::conduct(parameters.protocol(name), &mut dice);
            Self { name, parameters, weight, conduct, start, operations }
        })
    }

    /// Runs it, and returns the number of steps.
    ///
    /// # Panics
    ///
    /// Where a law panics or breaks a promise.
    pub fn run(&self) -> u64 {
        let Self { name, parameters, weight, conduct, start, operations } = self;
        Exchange::new(*name, parameters, *weight, *conduct, *start).run(operations);
        operations.len() as u64
    }
}

/// Runs the case of that number, and returns its steps.
///
/// # Panics
///
/// With the shortest case found that fails as well.
pub fn run(number: u64) -> u64 {
    let mut seed = [0x5A; 16];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    let config = Config {
        cases: 1,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::XorShift, &seed);
    let steps = std::cell::Cell::new(0);
    let result = TestRunner::new_with_rng(config, random).run(&Case::any(), |case| {
        steps.set(case.run());
        Ok(())
    });
    match result {
        Ok(()) => steps.get(),
        Err(TestError::Fail(reason, case)) => panic!("{reason}\n{case:#?}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}
