//! What a BBR v3 sender does as events come: its states, the estimate of the path's delay, and the control.
//! Sections and names are those of draft-ietf-ccwg-bbr-06.

use sluice_units::{Rate, Span, Time};

use super::phase::AckPhase;
use super::state::{Bbr3Sender, STARTUP_PACING_GAIN, State};
use crate::WireHeader;
use crate::bbr::{Ack, MIN_PIPE_CWND, ProbeRttHold, is_over, packets};
use crate::host::{
    AckEvent, CongestionEvent, HostLaw, PacketKind, RateSample, RtoEvent, SendEvent,
};

/// "BBR.PacingMarginPercent" (section 2.5): what is left of the rate.
const PACING_MARGIN: f64 = 0.99;
/// "BBR.MinRTTFilterLen" (section 2.15.1).
const MIN_RTT_FILTER_LEN: Span = Span::from_secs(10);
/// Rounds after which Drain ends in any case (section 5.3.2).
const DRAIN_ROUNDS: u64 = 3;

impl Bbr3Sender {
    /// The connection is open: its RTT sample is the first ("BBR.min_rtt = C.srtt").
    fn open(&mut self, event: &AckEvent) {
        self.pacing.init(STARTUP_PACING_GAIN, self.initial_window, event.srtt);
        (self.min_rtt, self.probe_rtt_min_delay) = (event.rtt, event.rtt);
        (self.min_rtt_stamp, self.probe_rtt_min_stamp) = (event.now, event.now);
        self.aggregation.begin(event.now);
    }

    /// "UpdateModelAndState" (section 5.2.3), after the losses that came with the acknowledgement.
    fn update_model_and_state(&mut self, ack: &Ack) {
        self.handle_lost_packets(ack);
        self.bounds.update_latest(ack);
        self.update_congestion_signals(ack);
        let (bw, full, cwnd) = (self.bounds.bw, self.pipe.reached, self.window.cwnd);
        self.aggregation.update(ack, &self.rounds, full, bw, cwnd);
        if let Some(rate) = ack.delivery_rate() {
            self.pipe.check(ack, &self.rounds, rate);
        }
        self.check_startup_done();
        self.check_drain_done(ack);
        self.update_cycle_phase(ack);
        self.update_min_rtt(ack);
        self.check_probe_rtt(ack);
        self.bounds.advance_latest(ack);
        self.bounds.bound_bw();
    }

    /// "CheckStartupDone" and "EnterDrain" (section 5.3.2).
    fn check_startup_done(&mut self) {
        if self.state == State::Startup && self.pipe.reached {
            self.state = State::Drain;
            self.drain_start_round = self.rounds.count;
        }
    }

    /// "CheckDrainDone" (section 5.3.2).
    fn check_drain_done(&mut self, ack: &Ack) {
        let drained = || f64::from(ack.in_flight) <= self.inflight(self.bounds.bw, 1.0);
        let patience = self.drain_start_round + DRAIN_ROUNDS;
        if self.state == State::Drain && (drained() || self.rounds.count > patience) {
            self.start_down(ack.now);
        }
    }

    /// "UpdateMinRTT" (section 5.3.4.3).
    fn update_min_rtt(&mut self, ack: &Ack) {
        let now = ack.now;
        self.probe_rtt_expired = is_over(now, self.probe_rtt_min_stamp, self.probe_rtt_interval);
        if let Some(rtt) = ack.rtt
            && (self.probe_rtt_min_delay.is_none_or(|delay| rtt < delay) || self.probe_rtt_expired)
        {
            (self.probe_rtt_min_delay, self.probe_rtt_min_stamp) = (Some(rtt), now);
        }
        let Some(delay) = self.probe_rtt_min_delay else { return };
        let expired = is_over(now, self.min_rtt_stamp, MIN_RTT_FILTER_LEN);
        if self.min_rtt.is_none_or(|min| delay < min) || expired {
            (self.min_rtt, self.min_rtt_stamp) = (Some(delay), self.probe_rtt_min_stamp);
        }
    }

    /// "CheckProbeRTT" and "HandleProbeRTT" (section 5.3.4.3).
    fn check_probe_rtt(&mut self, ack: &Ack) {
        if self.state != State::ProbeRtt && self.probe_rtt_expired && !self.idle_restart {
            self.save_cwnd();
            self.state = State::ProbeRtt;
            self.hold = ProbeRttHold::default();
            self.cycle.ack_phase = AckPhase::ProbeStopping;
            self.rounds.begin(ack.total_delivered);
        }
        if self.state == State::ProbeRtt {
            self.connection.mark_app_limited(); // "Ignore low rate samples during ProbeRTT"
            let (most, duration) = (self.probe_rtt_cwnd(), self.probe_rtt_duration);
            if self.hold.is_done(ack, &mut self.rounds, most, duration) {
                self.exit_probe_rtt(ack.now);
            }
        }
        self.idle_restart &= ack.newly_acked == 0;
    }

    /// The rest of "CheckProbeRTTDone", and "ExitProbeRTT" (section 5.3.4.4).
    fn exit_probe_rtt(&mut self, now: Time) {
        self.probe_rtt_min_stamp = now;
        self.window.restore();
        self.bounds.reset_short_term();
        if self.pipe.reached {
            self.start_down(now);
            self.state = State::Cruise;
        } else {
            self.state = State::Startup;
        }
    }

    /// "SetPacingRateWithGain" (section 5.6.2).
    fn set_pacing_rate(&mut self, gain: f64) {
        self.pacing.set(gain * self.bounds.bw * PACING_MARGIN, self.pipe.reached);
    }

    /// "SetCwnd" (section 5.6.4.6).
    fn set_cwnd(&mut self, ack: &Ack) {
        if ack.leaves_recovery {
            self.window.restore();
        }
        let volume = self.bdp_multiple(self.bounds.bw, self.gains().1) + self.aggregation.extra();
        let max_inflight = packets(self.quantization_budget(volume));
        let young = ack.total_delivered < u64::from(self.initial_window);
        self.window.approach(max_inflight, ack.newly_acked, self.pipe.reached, young);
        if self.state == State::ProbeRtt {
            self.window.cwnd = self.window.cwnd.min(self.probe_rtt_cwnd());
        }
        self.bound_cwnd_for_model();
    }

    /// "BoundCwndForModel" (section 5.6.4.7).
    fn bound_cwnd_for_model(&mut self) {
        let cap = match self.state {
            State::Down | State::Refill | State::Up => self.bounds.inflight_longterm,
            State::Cruise | State::ProbeRtt => self.inflight_with_headroom(),
            State::Startup | State::Drain => f64::INFINITY,
        };
        let cap = cap.min(self.bounds.inflight_shortterm) as u32;
        self.window.cwnd = self.window.cwnd.min(cap.max(MIN_PIPE_CWND));
    }

    /// "HandleRestartFromIdle" (section 5.4.1).
    fn restart_from_idle(&mut self, now: Time) {
        self.idle_restart = true;
        self.aggregation.begin(now);
        if self.is_in_probe_bw() {
            self.set_pacing_rate(1.0);
        } else if self.state == State::ProbeRtt && self.hold.has_lasted(now) {
            self.exit_probe_rtt(now);
        }
    }
}

impl HostLaw for Bbr3Sender {
    fn needs_rate_samples(&self) -> bool {
        true
    }

    fn on_ack(&mut self, event: &AckEvent) {
        if event.kind == PacketKind::SynAck {
            return self.open(event);
        }
        let ack = self.connection.on_ack(event);
        self.update_model_and_state(&ack);
        self.set_pacing_rate(self.gains().0);
        self.set_cwnd(&ack);
    }

    fn on_rate_sample(&mut self, sample: &RateSample) {
        self.connection.on_rate_sample(sample);
    }

    fn on_packets_lost(&mut self, lost: u64) {
        self.connection.on_packets_lost(lost);
    }

    /// "OnEnterFastRecovery" (section 5.6.4.4).
    fn on_congestion(&mut self, _event: &CongestionEvent) {
        self.save_cwnd();
        self.connection.on_fast_recovery();
    }

    fn on_recovered(&mut self) {
        self.connection.on_recovered();
    }

    /// "OnEnterRTO" (section 5.6.4.4): "C.inflight + 1", and nothing is in flight.
    fn on_rto(&mut self, event: &RtoEvent) {
        if self.bounds.is_bw_probe_sample {
            self.handle_inflight_too_high(event.now, 0.0, false);
        }
        self.save_cwnd();
        self.connection.on_rto(event);
        self.window.cwnd = 1;
    }

    fn window(&self) -> u32 {
        self.window.cwnd
    }

    fn rate(&self) -> Option<Rate> {
        Some(self.pacing.rate())
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        if out.kind == PacketKind::Data && self.connection.on_send(out, self.window.cwnd) {
            self.restart_from_idle(out.now);
        }
        WireHeader::default()
    }

    /// A bound that is not set is 4294967295. `state` is 0 for Startup, 1 for Drain, 2 to 5 for ProbeBW's DOWN,
    /// CRUISE, REFILL and UP, 6 for ProbeRTT.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        let volume = |volume: f64| volume.min(f64::from(u32::MAX));
        out("cwnd", f64::from(self.window.cwnd));
        out("rate", self.pacing.rate().as_bps_f64());
        out("bw_bps", self.pacing.bps(self.bounds.bw));
        out("min_rtt_s", self.min_rtt.map_or(0.0, Span::as_secs_f64));
        out("inflight_longterm_packets", volume(self.bounds.inflight_longterm));
        out("inflight_shortterm_packets", volume(self.bounds.inflight_shortterm));
        out("state", f64::from(self.state as u8));
    }
}

#[cfg(test)]
#[path = "sender_tests.rs"]
mod tests;
