//! Where a BBR v3 sender stands between two probes for bandwidth (section 2.13).

use sluice_units::{Span, Time};

/// "BBR.ack_phase" (section 2.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AckPhase {
    Init,
    Refilling,
    ProbeStarting,
    ProbeFeedback,
    ProbeStopping,
}

/// Where a cycle stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cycle {
    pub(super) ack_phase: AckPhase,
    pub(super) rounds_since_probe_up: u64,
    pub(super) bw_probe_wait: Span,
    pub(super) stamp: Time,
    pub(super) bw_probe_up_rounds: u32,
    pub(super) bw_probe_up_acked: f64,
    pub(super) probe_up_acked_per_inc: f64,
    pub(super) prev_probe_precautionary: bool,
}

impl Cycle {
    pub(super) const fn new() -> Self {
        Self {
            ack_phase: AckPhase::Init,
            rounds_since_probe_up: 0,
            bw_probe_wait: Span::ZERO,
            stamp: Time::ZERO,
            bw_probe_up_rounds: 0,
            bw_probe_up_acked: 0.0,
            probe_up_acked_per_inc: f64::INFINITY,
            prev_probe_precautionary: false,
        }
    }
}
