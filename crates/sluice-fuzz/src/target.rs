//! What is fuzzed.

use clap::ValueEnum;
use sluice_fuzz::{laws, scenarios};

use crate::counts::Counts;

/// What inputs are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// [`sluice_fuzz::scenarios`].
    Scenarios,
    /// [`sluice_fuzz::laws`].
    Laws,
}

impl Target {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scenarios => "scenarios",
            Self::Laws => "laws",
        }
    }

    /// Inputs of one worker: some seconds of work.
    pub const fn batch(self) -> u64 {
        match self {
            Self::Scenarios => 20_000,
            Self::Laws => 50_000,
        }
    }

    /// Runs the input of that number.
    pub fn run(self, number: u64) -> Counts {
        match self {
            Self::Scenarios => Counts::Scenarios(scenarios::run(number)),
            Self::Laws => Counts::Laws { cases: 1, steps: laws::run(number) },
        }
    }

    /// The input of that number as text: of a law, the failure has it.
    pub fn text(self, number: u64) -> String {
        match self {
            Self::Scenarios => {
                let input = scenarios::Input::new(number);
                let settings = input.settings.iter().map(|setting| format!("# {setting:?}\n"));
                settings.collect::<String>() + &input.text
            }
            Self::Laws => String::new(),
        }
    }
}
