//! What came of inputs.

use serde::{Deserialize, Serialize};

/// Counts over any number of inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FuzzTally {
    /// Inputs, of any kind.
    pub inputs: u64,
    /// Those that are scenarios.
    pub scenarios: u64,
    /// Those that can be run.
    pub planned: u64,
    /// Runs of the engine or of an ideal.
    pub executions: u64,
    /// Executions that ended by themselves; the others were cut off.
    pub finished: u64,
    /// Executions made twice, with the same results.
    pub repeated: u64,
    /// Flows of all executions.
    pub flows: u64,
    /// Packets of all executions.
    pub packets: u64,
    /// Plans run with all their files, as the command runs them.
    pub outputs: u64,
}

impl FuzzTally {
    /// Adds all that `other` has.
    pub fn add(&mut self, other: &Self) {
        self.inputs += other.inputs;
        self.scenarios += other.scenarios;
        self.planned += other.planned;
        self.executions += other.executions;
        self.finished += other.finished;
        self.repeated += other.repeated;
        self.flows += other.flows;
        self.packets += other.packets;
        self.outputs += other.outputs;
    }
}
