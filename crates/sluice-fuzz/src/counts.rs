//! Counts of either target.

use std::fmt;

use serde::{Deserialize, Serialize};
use sluice_fuzz::scenarios::FuzzTally;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Counts {
    /// Nothing yet.
    None,
    /// Of scenarios.
    Scenarios(FuzzTally),
    /// Of laws: cases, and events that happened in them.
    Laws {
        /// Cases.
        cases: u64,
        /// Events.
        steps: u64,
    },
}

impl Counts {
    /// These and those of the same target.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Scenarios(mut sum), Self::Scenarios(more)) => {
                sum.add(&more);
                Self::Scenarios(sum)
            }
            (Self::Laws { cases, steps }, Self::Laws { cases: more, steps: further }) => {
                Self::Laws { cases: cases + more, steps: steps + further }
            }
            (counts, Self::None) | (_, counts) => counts,
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(f, "nothing"),
            Self::Laws { cases, steps } => write!(f, "{steps} steps in {cases} cases"),
            Self::Scenarios(tally) => write!(
                f,
                "{} executions ({} finished, {} cut off, {} made twice; {} flows, {} packets) of {} \
                 plans; {} inputs, {} scenarios; {} with all files",
                tally.executions,
                tally.finished,
                tally.executions - tally.finished,
                tally.repeated,
                tally.flows,
                tally.packets,
                tally.planned,
                tally.inputs,
                tally.scenarios,
                tally.outputs,
            ),
        }
    }
}
