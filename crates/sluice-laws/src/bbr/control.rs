//! Parts of the control: pacing, and the window with what loss recovery and ProbeRTT take of it.

use sluice_units::{Bytes, Rate, Span};

/// The pacing rate (v1 section 4.2.1; v3 section 5.6.2).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pacing {
    /// In packets a second.
    rate: f64,
    bits: f64,
}

impl Pacing {
    /// "C.srtt ? C.srtt : 1ms".
    const NOMINAL_RTT: Span = Span::from_millis(1);
    /// A pace above zero, so that a sender sends.
    const LEAST: f64 = 1.0;

    /// Of packets of that size on the wire.
    pub(crate) fn new(packet: Bytes) -> Self {
        Self { rate: 0.0, bits: packet.as_f64() * 8.0 }
    }

    /// "InitPacingRate": the initial window in a round trip, by `gain`.
    pub(crate) fn init(&mut self, gain: f64, initial_window: u32, srtt: Option<Span>) {
        let rtt = srtt.filter(|&rtt| rtt > Span::ZERO).unwrap_or(Self::NOMINAL_RTT);
        self.rate = gain * f64::from(initial_window) / rtt.as_secs_f64();
    }

    /// "SetPacingRateWithGain": before the pipe is known to be `full` the rate does not fall.
    pub(crate) fn set(&mut self, rate: f64, full: bool) {
        if full || rate > self.rate {
            self.rate = rate;
        }
    }

    /// A bandwidth in bits a second.
    pub(crate) fn bps(&self, bw: f64) -> f64 {
        bw * self.bits
    }

    pub(crate) fn rate(&self) -> Rate {
        Rate::from_bps_f64((self.rate * self.bits).max(Self::LEAST))
    }
}

/// The congestion window, in packets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) cwnd: u32,
    /// "BBR.prior_cwnd": the last window that neither loss recovery nor ProbeRTT had reduced.
    prior: u32,
}

impl Window {
    pub(crate) const fn new(initial: u32) -> Self {
        Self { cwnd: initial, prior: 0 }
    }

    /// "SaveCwnd" (v1 section 4.2.3.4; v3 section 5.6.4.4). `reduced`: in loss recovery or ProbeRTT.
    pub(crate) fn save(&mut self, reduced: bool) {
        self.prior = if reduced { self.prior.max(self.cwnd) } else { self.cwnd };
    }

    /// "RestoreCwnd".
    pub(crate) fn restore(&mut self) {
        self.cwnd = self.cwnd.max(self.prior);
    }

    /// The core of "SetCwnd" (v1 section 4.2.3.6; v3 section 5.6.4.6), without its bounds: by no more than
    /// what is acknowledged towards `target`, and down to it once the pipe is known to be `full`. `young`:
    /// less than the initial window is delivered.
    pub(crate) fn approach(&mut self, target: u32, acked: u32, full: bool, young: bool) {
        if full {
            self.cwnd = self.cwnd.saturating_add(acked).min(target);
        } else if self.cwnd < target || young {
            self.cwnd = self.cwnd.saturating_add(acked);
        }
        self.cwnd = self.cwnd.max(super::MIN_PIPE_CWND);
    }
}
