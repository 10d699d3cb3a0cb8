//! How many flows have which status ([`FlowStatus`]), and how many were convicted.

use serde::{Deserialize, Serialize};
use sluice_laws::host::FlowStatus;

/// Numbers of flows by what their senders found out by the end, and of what agents found out about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statuses {
    /// Flows that asked for a profile and have no answer.
    pub asking: u64,
    /// Flows whose profile is guaranteed.
    pub admitted: u64,
    /// Flows whose profile was denied and that send nothing.
    pub denied: u64,
    /// Flows whose profile was denied, best-effort flows since.
    pub best_effort: u64,
    /// Flows that found that their receiver lies.
    pub lying_receiver: u64,
    /// Flows whose path or receiver does not support their protocol, best-effort flows since.
    pub reverted: u64,
    /// Convictions by policing agents: a flow's at each link that isolates it.
    pub convictions: u64,
}

impl Statuses {
    /// Adds a flow.
    pub fn add(&mut self, status: FlowStatus) {
        *match status {
            FlowStatus::Asking => &mut self.asking,
            FlowStatus::Admitted => &mut self.admitted,
            FlowStatus::Denied => &mut self.denied,
            FlowStatus::BestEffort => &mut self.best_effort,
            FlowStatus::LyingReceiver => &mut self.lying_receiver,
            FlowStatus::Reverted => &mut self.reverted,
        } += 1;
    }

    /// Adds all that `other` has.
    pub fn merge(&mut self, other: &Self) {
        self.asking += other.asking;
        self.admitted += other.admitted;
        self.denied += other.denied;
        self.best_effort += other.best_effort;
        self.lying_receiver += other.lying_receiver;
        self.reverted += other.reverted;
        self.convictions += other.convictions;
    }

    /// `None` if no flow has one.
    pub fn if_any(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }
}
