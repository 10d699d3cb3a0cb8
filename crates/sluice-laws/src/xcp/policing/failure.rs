//! What a flow failed in.

use sluice_units::Time;

/// What a flow is convicted of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// It does not decrease as feedback demands within the RTT that it states: an abuser, a sender that
    /// understates its RTT, or one whose receiver returns other feedback.
    Unresponsive,
    /// It sends more than it states: a downward T-liar, or a sender that understates its RTT so much that its
    /// windows are bursts.
    Understates,
}

/// A test that a flow failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    /// In what it failed.
    pub charge: Charge,
    /// When the test began; of a conviction, the first of those in a row.
    pub since: Time,
    /// The rate measured, in bytes a second.
    pub measured: f64,
    /// The rate that the flow should have had, in bytes a second.
    pub required: f64,
}
