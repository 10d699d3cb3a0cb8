//! The state of a BBR v3 sender, and what follows from it alone. Sections and names are those of
//! draft-ietf-ccwg-bbr-06.

use sluice_units::{Span, Time};

use super::bounds::Bounds;
use super::params::Bbr3Params;
use super::phase::Cycle;
use crate::bbr::{
    Aggregation, Connection, FullPipe, MIN_PIPE_CWND, OFFLOAD_BUDGET, Pacing, ProbeRttHold, Rounds,
    Window, bdp, packets,
};
use crate::host::SenderContext;

/// "BBR.StartupPacingGain" (section 2.5): 4 ln 2.
pub(super) const STARTUP_PACING_GAIN: f64 = 4.0 * core::f64::consts::LN_2;
/// "BBR.DrainPacingGain" (section 2.5).
const DRAIN_PACING_GAIN: f64 = 0.5;
/// "BBR.DefaultCwndGain" (section 2.6), and what section 5.6.1 has for ProbeBW_UP.
const DEFAULT_CWND_GAIN: f64 = 2.0;
const UP_CWND_GAIN: f64 = 2.25;
/// "BBR.ProbeRTTCwndGain" (section 2.15.2).
const PROBE_RTT_CWND_GAIN: f64 = 0.5;

/// "BBR.state"; the ProbeBW phases by their last word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Startup,
    Drain,
    Down,
    Cruise,
    Refill,
    Up,
    ProbeRtt,
}

/// A BBR v3 sender's model and state.
#[derive(Clone, Copy, Debug)]
pub struct Bbr3Sender {
    pub(super) loss_thresh: f64,
    pub(super) beta: f64,
    pub(super) headroom: f64,
    pub(super) probe_wait: Span,
    pub(super) probe_rtt_interval: Span,
    pub(super) probe_rtt_duration: Span,
    pub(super) initial_window: u32,
    pub(super) has_selective_acks: bool,
    pub(super) connection: Connection,
    pub(super) rounds: Rounds,
    pub(super) bounds: Bounds,
    pub(super) cycle: Cycle,
    pub(super) pipe: FullPipe,
    pub(super) aggregation: Aggregation,
    pub(super) state: State,
    pub(super) drain_start_round: u64,
    /// "BBR.min_rtt"; `None` for infinity.
    pub(super) min_rtt: Option<Span>,
    pub(super) min_rtt_stamp: Time,
    pub(super) probe_rtt_min_delay: Option<Span>,
    pub(super) probe_rtt_min_stamp: Time,
    pub(super) probe_rtt_expired: bool,
    pub(super) hold: ProbeRttHold,
    pub(super) idle_restart: bool,
    pub(super) pacing: Pacing,
    pub(super) window: Window,
}

impl Bbr3Sender {
    /// "OnInit" (section 5.2.1).
    pub fn new(params: &Bbr3Params, context: &SenderContext) -> Self {
        let mut pacing = Pacing::new(context.packet);
        pacing.init(STARTUP_PACING_GAIN, context.initial_window, None);
        Self {
            loss_thresh: params.loss_thresh.get(),
            beta: params.beta.get(),
            headroom: params.headroom.get(),
            probe_wait: params.probe_wait,
            probe_rtt_interval: params.probe_rtt_interval,
            probe_rtt_duration: params.probe_rtt_duration,
            initial_window: context.initial_window,
            has_selective_acks: context.selective,
            connection: Connection::default(),
            rounds: Rounds::default(),
            bounds: Bounds::new(),
            cycle: Cycle::new(),
            pipe: FullPipe::default(),
            aggregation: Aggregation::new(),
            state: State::Startup,
            drain_start_round: 0,
            min_rtt: None,
            min_rtt_stamp: Time::ZERO,
            probe_rtt_min_delay: None,
            probe_rtt_min_stamp: Time::ZERO,
            probe_rtt_expired: false,
            hold: ProbeRttHold::default(),
            idle_restart: false,
            pacing,
            window: Window::new(context.initial_window),
        }
    }

    pub(super) fn is_in_probe_bw(&self) -> bool {
        matches!(self.state, State::Down | State::Cruise | State::Refill | State::Up)
    }

    /// "IsProbingBW".
    pub(super) fn is_probing_bw(&self) -> bool {
        matches!(self.state, State::Startup | State::Refill | State::Up)
    }

    /// "BBR.pacing_gain" and "BBR.cwnd_gain" (section 5.6.1).
    pub(super) fn gains(&self) -> (f64, f64) {
        match self.state {
            State::Startup => (STARTUP_PACING_GAIN, DEFAULT_CWND_GAIN),
            State::Drain => (DRAIN_PACING_GAIN, DEFAULT_CWND_GAIN),
            State::Down => (0.9, DEFAULT_CWND_GAIN),
            State::Cruise | State::Refill => (1.0, DEFAULT_CWND_GAIN),
            State::Up => (1.25, UP_CWND_GAIN),
            State::ProbeRtt => (1.0, PROBE_RTT_CWND_GAIN),
        }
    }

    /// "BBR.bdp" (section 5.6.4.2).
    pub(super) fn bdp(&self) -> f64 {
        self.bdp_multiple(self.bounds.bw, 1.0)
    }

    /// "BDPMultiple".
    pub(super) fn bdp_multiple(&self, bw: f64, gain: f64) -> f64 {
        self.min_rtt.map_or(f64::from(self.initial_window), |rtt| gain * bdp(bw, rtt))
    }

    /// "QuantizationBudget".
    pub(super) fn quantization_budget(&self, inflight_cap: f64) -> f64 {
        let cap = inflight_cap.max(OFFLOAD_BUDGET).max(f64::from(MIN_PIPE_CWND));
        if self.state == State::Up { cap + 2.0 } else { cap }
    }

    /// "Inflight".
    pub(super) fn inflight(&self, bw: f64, gain: f64) -> f64 {
        self.quantization_budget(self.bdp_multiple(bw, gain))
    }

    /// "TargetInflight" (section 5.3.3.8.3).
    pub(super) fn target_inflight(&self) -> u32 {
        packets(self.bdp()).min(self.window.cwnd)
    }

    /// "ProbeRTTCwnd" (section 5.6.4.5).
    pub(super) fn probe_rtt_cwnd(&self) -> u32 {
        packets(self.bdp_multiple(self.bounds.bw, PROBE_RTT_CWND_GAIN)).max(MIN_PIPE_CWND)
    }

    /// "SaveCwnd" (section 5.6.4.4).
    pub(super) fn save_cwnd(&mut self) {
        self.window.save(self.connection.is_recovering() || self.state == State::ProbeRtt);
    }
}
