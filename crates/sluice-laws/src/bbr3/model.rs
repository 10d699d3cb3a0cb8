//! The response of a BBR v3 sender to losses (section 5.5.10): a long-term bound on the volume in flight from
//! probing for bandwidth, and short-term bounds on rate and volume for the rest of the time. Volumes are in
//! packets, bandwidths in packets a second.

use sluice_units::Time;

use super::state::{Bbr3Sender, State};
use crate::bbr::Ack;
use crate::host::RateSample;

/// "BBRStartupFullLossCnt" (section 5.3.1.3).
const STARTUP_FULL_LOSS_COUNT: u32 = 6;

impl Bbr3Sender {
    /// "NoteLoss" and "HandleLostPacket" (section 5.5.10.2), of the packets found lost up to this
    /// acknowledgement: where they are several, "P" is the burst of them, as with offload.
    pub(super) fn handle_lost_packets(&mut self, ack: &Ack) {
        if ack.newly_lost == 0 {
            return;
        }
        if !self.bounds.is_loss_in_round {
            self.bounds.loss_round_delivered = ack.total_delivered;
            self.save_cwnd();
        }
        self.bounds.is_loss_in_round = true;
        self.bounds.loss_events += 1;
        let Some(sample) = ack.sample else { return };
        if self.bounds.is_bw_probe_sample && self.is_inflight_too_high(&sample) {
            let at_loss = self.inflight_at_loss(&sample, ack.newly_lost);
            self.handle_inflight_too_high(ack.now, at_loss, sample.app_limited);
        }
    }

    /// "IsInflightTooHigh".
    pub(super) fn is_inflight_too_high(&self, sample: &RateSample) -> bool {
        let most = f64::from(sample.in_flight_at_send) * self.loss_thresh;
        sample.lost as f64 > most || (sample.lost > 0 && !self.has_selective_acks)
    }

    /// "InflightAtLoss": what was in flight as losses reached the threshold, within the `size` packets that
    /// were lost last.
    fn inflight_at_loss(&self, sample: &RateSample, size: u64) -> f64 {
        let size = size.min(sample.lost).min(sample.in_flight_at_send.into()) as f64;
        let inflight_prev = f64::from(sample.in_flight_at_send) - size;
        let lost_prev = sample.lost as f64 - size;
        let thresh = self.loss_thresh;
        let lost_prefix = (thresh * inflight_prev - lost_prev) / (1.0 - thresh);
        inflight_prev + lost_prefix
    }

    /// "HandleInflightTooHigh": once for each probe. The bound is whole packets, as Linux has it: what is in
    /// flight would never reach one between two packets, and the next probe would not be precautionary.
    pub(super) fn handle_inflight_too_high(&mut self, now: Time, at_loss: f64, app_limited: bool) {
        self.bounds.prev_probe_too_high = true;
        self.bounds.is_bw_probe_sample = false;
        if !app_limited {
            let least = f64::from(self.target_inflight()) * self.beta;
            self.bounds.inflight_longterm = at_loss.max(least).floor();
        }
        if self.state == State::Up {
            self.start_down(now);
        }
    }

    /// "UpdateCongestionSignals" (section 5.5.10.3), with "UpdateMaxBw" (section 5.5.5).
    pub(super) fn update_congestion_signals(&mut self, ack: &Ack) {
        self.update_max_bw(ack);
        if !self.bounds.loss_round_start {
            return;
        }
        if self.bounds.is_loss_in_round && !self.is_probing_bw() {
            self.adapt_lower_bounds();
        }
        self.check_startup_high_loss(ack);
        self.bounds.is_loss_in_round = false;
        self.bounds.loss_events = 0;
        self.bounds.recovering_round = self.connection.is_in_fast_recovery();
    }

    fn update_max_bw(&mut self, ack: &Ack) {
        self.rounds.update(ack);
        if self.rounds.started {
            self.connection.turn_round();
            self.cycle.rounds_since_probe_up += 1;
        }
        let bounds = &mut self.bounds;
        if let Some(rate) = ack.delivery_rate()
            && (rate >= bounds.max_bw.max() || !ack.is_app_limited())
        {
            bounds.max_bw.enter(bounds.cycle_count, rate);
        }
    }

    /// "InitLowerBounds" and "LossLowerBounds".
    fn adapt_lower_bounds(&mut self) {
        let bounds = &mut self.bounds;
        if bounds.bw_shortterm == f64::INFINITY {
            bounds.bw_shortterm = bounds.max_bw.max();
        }
        if bounds.inflight_shortterm == f64::INFINITY {
            bounds.inflight_shortterm = f64::from(self.window.cwnd);
        }
        bounds.bw_shortterm = bounds.bw_latest.max(self.beta * bounds.bw_shortterm);
        bounds.inflight_shortterm =
            bounds.inflight_latest.max(self.beta * bounds.inflight_shortterm);
    }

    /// "CheckStartupHighLoss" (section 5.3.1.3), as a loss round ends: fast recovery lasted all of it, and
    /// more than the threshold was lost, in several bursts.
    fn check_startup_high_loss(&mut self, ack: &Ack) {
        if self.state != State::Startup || !self.connection.is_in_fast_recovery() {
            return;
        }
        let Some(sample) = ack.sample else { return };
        let enough = self.bounds.recovering_round
            && self.bounds.loss_events >= STARTUP_FULL_LOSS_COUNT
            && self.is_inflight_too_high(&sample);
        if enough || !self.has_selective_acks {
            self.pipe.reached = true;
            let latest = self.bounds.inflight_latest;
            self.bounds.inflight_longterm = self.bdp().max(latest).floor();
        }
    }
}
