//! The ProbeBW phases of a BBR v3 sender (section 5.3.3): DOWN, CRUISE, REFILL and UP.

use sluice_units::{Span, Time};

use super::phase::AckPhase;
use super::state::{Bbr3Sender, State};
use crate::bbr::{Ack, MIN_PIPE_CWND, draw, is_over};

/// "We bound T_reno" at "min(reno_bdp, {62, 63}) round trips" (section 5.3.3.8.2).
const RENO_ROUNDS: u64 = 63;
/// Growth of "BBR.inflight_longterm" in a round doubles up to here.
const MOST_DOUBLINGS: u32 = 30;

impl Bbr3Sender {
    /// "StartProbeBW_DOWN".
    pub(super) fn start_down(&mut self, now: Time) {
        self.bounds.reset_signals();
        self.cycle.probe_up_acked_per_inc = f64::INFINITY;
        self.pick_probe_wait(now);
        self.cycle.stamp = now;
        self.cycle.ack_phase = AckPhase::ProbeStopping;
        self.rounds.begin(self.connection.delivered);
        self.state = State::Down;
    }

    /// "PickProbeWait" (section 5.3.3.8.3).
    fn pick_probe_wait(&mut self, now: Time) {
        let delivered = self.connection.delivered;
        self.cycle.rounds_since_probe_up = u64::from(draw(now, delivered, 0) < 0.5);
        let part = 1.0 + draw(now, delivered, 1) / 2.0;
        self.cycle.bw_probe_wait = Span::from_secs_f64(self.probe_wait.as_secs_f64() * part);
    }

    /// "StartProbeBW_REFILL".
    fn start_refill(&mut self) {
        self.bounds.reset_short_term();
        self.cycle.bw_probe_up_rounds = 0;
        self.cycle.bw_probe_up_acked = 0.0;
        self.cycle.prev_probe_precautionary = false;
        self.cycle.ack_phase = AckPhase::Refilling;
        self.rounds.begin(self.connection.delivered);
        self.state = State::Refill;
    }

    /// "StartProbeBW_UP".
    fn start_up(&mut self, ack: &Ack) {
        self.cycle.ack_phase = AckPhase::ProbeStarting;
        self.rounds.begin(self.connection.delivered);
        self.pipe.restart(ack.delivery_rate().unwrap_or(0.0));
        self.state = State::Up;
        self.raise_inflight_longterm_slope();
    }

    /// "UpdateProbeBWCyclePhase" (section 5.3.3.9).
    pub(super) fn update_cycle_phase(&mut self, ack: &Ack) {
        if !self.pipe.reached || self.adapt_long_term_model(ack) {
            return;
        }
        match self.state {
            State::Down => {
                if !self.check_time_to_probe(ack) && self.is_time_to_cruise(ack) {
                    self.state = State::Cruise;
                }
            }
            State::Cruise => {
                self.check_time_to_probe(ack);
            }
            State::Refill => {
                if self.rounds.started {
                    self.bounds.is_bw_probe_sample = true;
                    self.start_up(ack);
                }
            }
            State::Up => {
                if self.is_time_to_go_down(ack) {
                    self.bounds.prev_probe_too_high = false;
                    self.start_down(ack.now);
                }
            }
            State::Startup | State::Drain | State::ProbeRtt => {}
        }
    }

    /// "IsTimeToProbeBW": after two to three seconds, or as often as a Reno flow would grow by as much.
    fn check_time_to_probe(&mut self, ack: &Ack) -> bool {
        let reno_rounds = u64::from(self.target_inflight()).min(RENO_ROUNDS);
        let is_time = is_over(ack.now, self.cycle.stamp, self.cycle.bw_probe_wait)
            || self.cycle.rounds_since_probe_up >= reno_rounds;
        if is_time {
            self.start_refill();
        }
        is_time
    }

    /// "IsTimeToCruise".
    fn is_time_to_cruise(&self, ack: &Ack) -> bool {
        let in_flight = f64::from(ack.in_flight);
        let bdp = self.inflight(self.bounds.max_bw.max(), 1.0);
        in_flight <= self.inflight_with_headroom() && in_flight <= bdp
    }

    /// "IsTimeToGoDown".
    fn is_time_to_go_down(&mut self, ack: &Ack) -> bool {
        let longterm = self.bounds.inflight_longterm;
        // As the acknowledgement arrives: it takes out of flight what had filled the bound, and what replaces
        // that has yet to leave.
        if self.bounds.prev_probe_too_high && f64::from(ack.prior_in_flight) >= longterm {
            self.cycle.prev_probe_precautionary = true;
            return true;
        }
        if self.is_limited_by_longterm() {
            // "bw is limited by BBR.inflight_longterm"
            self.pipe.restart(ack.delivery_rate().unwrap_or(0.0));
            return false;
        }
        self.pipe.now
    }

    fn is_limited_by_longterm(&self) -> bool {
        let cwnd = f64::from(self.window.cwnd);
        self.connection.is_cwnd_limited() && cwnd >= self.bounds.inflight_longterm
    }

    /// "InflightWithHeadroom".
    pub(super) fn inflight_with_headroom(&self) -> f64 {
        let longterm = self.bounds.inflight_longterm;
        if longterm == f64::INFINITY {
            return longterm;
        }
        let headroom = (self.headroom * longterm).max(1.0);
        (longterm - headroom).max(f64::from(MIN_PIPE_CWND))
    }

    /// "RaiseInflightLongtermSlope".
    fn raise_inflight_longterm_slope(&mut self) {
        let cycle = &mut self.cycle;
        let growth_this_round = f64::from(1_u32 << cycle.bw_probe_up_rounds);
        cycle.bw_probe_up_rounds = (cycle.bw_probe_up_rounds + 1).min(MOST_DOUBLINGS);
        let cwnd = f64::from(self.window.cwnd);
        cycle.probe_up_acked_per_inc = (cwnd / growth_this_round).max(1.0);
    }

    /// "ProbeInflightLongtermUpward".
    fn probe_inflight_longterm_upward(&mut self, ack: &Ack) {
        if !self.is_limited_by_longterm() {
            return;
        }
        let cycle = &mut self.cycle;
        cycle.bw_probe_up_acked += f64::from(ack.newly_acked);
        if cycle.bw_probe_up_acked >= cycle.probe_up_acked_per_inc {
            let delta = (cycle.bw_probe_up_acked / cycle.probe_up_acked_per_inc).floor();
            cycle.bw_probe_up_acked -= delta * cycle.probe_up_acked_per_inc;
            self.bounds.inflight_longterm += delta;
        }
        if self.rounds.started {
            self.raise_inflight_longterm_slope();
        }
    }

    /// "AdaptLongTermModel": whether it decided on a transition.
    fn adapt_long_term_model(&mut self, ack: &Ack) -> bool {
        let in_probe_bw = self.is_in_probe_bw();
        if self.rounds.started && self.cycle.ack_phase == AckPhase::ProbeStarting {
            self.cycle.ack_phase = AckPhase::ProbeFeedback;
        }
        if self.rounds.started && self.cycle.ack_phase == AckPhase::ProbeStopping {
            self.bounds.is_bw_probe_sample = false;
            self.cycle.ack_phase = AckPhase::Init;
            if in_probe_bw && !ack.is_app_limited() {
                self.bounds.cycle_count += 1; // "AdvanceMaxBwFilter" (section 5.5.6)
            }
            let is_safe = self.cycle.prev_probe_precautionary && !self.bounds.prev_probe_too_high;
            if in_probe_bw && is_safe {
                self.start_refill();
                return true;
            }
        }
        let Some(sample) = ack.sample.filter(|sample| !self.is_inflight_too_high(sample)) else {
            return false;
        };
        if self.bounds.inflight_longterm == f64::INFINITY {
            return false;
        }
        let tx_in_flight = f64::from(sample.in_flight_at_send);
        self.bounds.inflight_longterm = self.bounds.inflight_longterm.max(tx_in_flight);
        if self.state == State::Up {
            self.probe_inflight_longterm_upward(ack);
        }
        false
    }
}

#[cfg(test)]
#[path = "cycle_tests.rs"]
mod tests;
