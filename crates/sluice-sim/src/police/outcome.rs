//! The counts of an agent.

use serde::{Deserialize, Serialize};

/// What an agent did in [warm-up, stop).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoliceOutcome {
    /// Tests of a flow's reaction that ended.
    pub tests: u64,
    /// Those that the flow failed.
    pub failed: u64,
    /// Flows convicted.
    pub convicted: u64,
    /// Packets of convicted flows dropped.
    pub dropped: u64,
    /// Most flows tracked at once.
    pub tracked: u64,
}
