//! The bounds of a BBR v3 sender on rate and volume, and the signals from which they follow (sections 2.9 and
//! 5.5.10). Volumes are in packets, bandwidths in packets a second.

use crate::bbr::{Ack, MaxFilter};

/// The bounds, and the signals from which they follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// "BBR.max_bw_filter", over the present cycle and the one before: "MaxBwFilterLen" = 2.
    pub(super) max_bw: MaxFilter<2>,
    pub(super) cycle_count: u64,
    /// "BBR.bw".
    pub(super) bw: f64,
    pub(super) bw_shortterm: f64,
    pub(super) inflight_shortterm: f64,
    pub(super) inflight_longterm: f64,
    pub(super) bw_latest: f64,
    pub(super) inflight_latest: f64,
    pub(super) loss_round_delivered: u64,
    pub(super) loss_round_start: bool,
    pub(super) is_loss_in_round: bool,
    /// Acknowledgements in this loss round that found losses.
    pub(super) loss_events: u32,
    /// Whether fast recovery was under way as this loss round began.
    pub(super) recovering_round: bool,
    pub(super) is_bw_probe_sample: bool,
    pub(super) prev_probe_too_high: bool,
}

impl Bounds {
    pub(super) const fn new() -> Self {
        Self {
            max_bw: MaxFilter::new(),
            cycle_count: 0,
            bw: 0.0,
            bw_shortterm: f64::INFINITY,
            inflight_shortterm: f64::INFINITY,
            inflight_longterm: f64::INFINITY,
            bw_latest: 0.0,
            inflight_latest: 0.0,
            loss_round_delivered: 0,
            loss_round_start: false,
            is_loss_in_round: false,
            loss_events: 0,
            recovering_round: false,
            is_bw_probe_sample: false,
            prev_probe_too_high: false,
        }
    }

    /// "ResetShortTermModel".
    pub(super) fn reset_short_term(&mut self) {
        (self.bw_shortterm, self.inflight_shortterm) = (f64::INFINITY, f64::INFINITY);
    }

    /// "ResetCongestionSignals".
    pub(super) fn reset_signals(&mut self) {
        self.is_loss_in_round = false;
        (self.bw_latest, self.inflight_latest) = (0.0, 0.0);
    }

    /// "UpdateLatestDeliverySignals".
    pub(super) fn update_latest(&mut self, ack: &Ack) {
        self.loss_round_start = false;
        let Some(sample) = ack.sample else { return };
        self.bw_latest = self.bw_latest.max(ack.delivery_rate().unwrap_or(0.0));
        self.inflight_latest = self.inflight_latest.max(sample.delivered as f64);
        if sample.prior_delivered >= self.loss_round_delivered {
            self.loss_round_delivered = ack.total_delivered;
            self.loss_round_start = true;
        }
    }

    /// "AdvanceLatestDeliverySignals".
    pub(super) fn advance_latest(&mut self, ack: &Ack) {
        if self.loss_round_start {
            self.bw_latest = ack.delivery_rate().unwrap_or(0.0);
            self.inflight_latest = ack.sample.map_or(0.0, |sample| sample.delivered as f64);
        }
    }

    /// "BoundBWForModel".
    pub(super) fn bound_bw(&mut self) {
        self.bw = self.max_bw.max().min(self.bw_shortterm);
    }
}
