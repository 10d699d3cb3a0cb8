//! The window of a CUBIC sender. Sections, figures and equations are RFC 9438's; windows are in
//! packets, times in seconds.

use sluice_units::{Rate, Time};

use super::params::CubicParams;
use crate::WireHeader;
use crate::host::{AckEvent, CongestionEvent, HostLaw, RtoEvent, SendEvent, SenderContext};
use crate::tcp::{InitialSlowStart, Pacer};

/// Section 4.6: ssthresh is never below two packets.
const MIN_SSTHRESH: f64 = 2.0;
/// RFC 5681 section 3.1: the window after a time-out.
const LOSS_WINDOW: f64 = 1.0;
/// No window is larger, so that a count of packets holds it.
const LARGEST: f64 = 1e9;

/// A CUBIC sender's window, with its fraction: growth of less than a packet an RTT adds up.
#[derive(Clone, Copy, Debug)]
pub struct CubicWindow {
    c: f64,
    beta: f64,
    fast_convergence: bool,
    cwnd: f64,
    /// Infinite until the first congestion, or as a parameter says.
    ssthresh: f64,
    /// cwnd_prior: the window before it was last reduced.
    prior: f64,
    /// W_max; 0 where there is none, before the first loss and after a time-out.
    w_max: f64,
    /// The congestion avoidance stage, if it has begun.
    stage: Option<Stage>,
    /// From a loss until the acknowledgement that ends its repair: that one does not grow cwnd.
    repairing: bool,
    slow_start: InitialSlowStart,
    pacer: Option<Pacer>,
}

/// A congestion avoidance stage (section 4.1.2).
#[derive(Clone, Copy, Debug)]
struct Stage {
    /// epoch_start, put off by the time in which the window was not used (section 5.8).
    start: Time,
    /// The last acknowledgement in the stage.
    seen: Time,
    /// K of figure 2.
    k: f64,
    /// W_max of figure 1.
    origin: f64,
    /// W_est of figure 4.
    w_est: f64,
}

impl CubicWindow {
    /// The window of a new flow, the initial one and at least 1, in slow start.
    pub fn new(params: &CubicParams, context: &SenderContext) -> Self {
        let ssthresh = params.initial_ssthresh.map_or(f64::INFINITY, f64::from);
        Self {
            c: params.c.get(),
            beta: params.beta.get(),
            fast_convergence: params.fast_convergence,
            cwnd: f64::from(context.initial_window).max(LOSS_WINDOW),
            ssthresh: ssthresh.max(MIN_SSTHRESH),
            prior: 0.0,
            w_max: 0.0,
            stage: None,
            repairing: false,
            slow_start: params.initial_slow_start(params.pacing),
            pacer: params.pacer(context),
        }
    }

    fn respond(&mut self, event: &AckEvent) {
        if event.recovering || self.repairing {
            self.repairing = event.recovering;
            return;
        }
        if self.cwnd < self.ssthresh && self.slow_start.ends(event) {
            self.ssthresh = self.cwnd.max(MIN_SSTHRESH); // RFC 9406 section 4.2
        }
        if !event.fills(self.window()) {
            if let Some(stage) = &mut self.stage {
                // Section 5.8: t does not count time in which the application does not fill cwnd.
                stage.start += event.now.since(stage.seen);
                stage.seen = event.now;
            }
        } else if self.cwnd < self.ssthresh {
            self.cwnd = (self.cwnd + f64::from(self.slow_start.growth(event.acked))).min(LARGEST);
        } else {
            self.avoid(event);
        }
    }

    fn avoid(&mut self, event: &AckEvent) {
        let mut stage = self.stage.unwrap_or_else(|| self.begin(event.now));
        stage.seen = event.now;
        let t = event.now.since(stage.start).as_secs_f64();
        let rtt = event.srtt.map_or(0.0, |rtt| rtt.as_secs_f64());
        // One ACK that covers several windows is no reason for several RTTs' growth.
        let acked = f64::from(event.acked).min(self.cwnd);
        // Figure 4: W_est = W_est + alpha_cubic * segments_acked / cwnd
        stage.w_est = (stage.w_est + self.alpha(&stage) * acked / self.cwnd).min(LARGEST);
        self.cwnd = if stage.at(t, self.c) < stage.w_est {
            // Section 4.3: "cwnd SHOULD be set to W_est"; not where that is less, since W_est may
            // be below what a target an RTT ahead has reached.
            self.cwnd.max(stage.w_est)
        } else {
            // Section 4.2: target = W_cubic(t + RTT) within [cwnd, 1.5 cwnd]; 4.4 and 4.5: "cwnd
            // MUST be incremented by (target - cwnd)/cwnd for each new ACK", here for each packet
            // acknowledged, as Linux does, so that delayed ACKs are no slower.
            let target = stage.at(t + rtt, self.c).clamp(self.cwnd, 1.5 * self.cwnd);
            (self.cwnd + (target - self.cwnd) / self.cwnd * acked).min(target)
        };
        self.cwnd = self.cwnd.min(LARGEST);
        self.stage = Some(stage);
    }

    /// Figure 2: K = cubic root of (W_max - cwnd_epoch) / C. Without W_max, "K is set to 0, and
    /// W_max is set to the congestion window size at the beginning" (sections 4.8 and 4.10).
    fn begin(&mut self, now: Time) -> Stage {
        if self.prior == 0.0 {
            self.prior = self.cwnd; // slow start ended without a loss (section 4.10)
        }
        let origin = self.w_max.max(self.cwnd);
        let k = libm::cbrt((origin - self.cwnd) / self.c);
        Stage { start: now, seen: now, k, origin, w_est: self.cwnd }
    }

    /// Section 4.3: alpha_cubic = 3 (1 - beta) / (1 + beta), and 1 once W_est >= cwnd_prior.
    fn alpha(&self, stage: &Stage) -> f64 {
        if stage.w_est >= self.prior { 1.0 } else { 3.0 * (1.0 - self.beta) / (1.0 + self.beta) }
    }

    /// Figure 5: ssthresh = flight_size * beta_cubic, cwnd_prior = cwnd. Section 4.6 allows cwnd in
    /// flight_size's place; it is the less of both, because while a lost retransmission waits for
    /// its time-out, flight_size counts all that was sent and SACKed meanwhile, many windows.
    fn reduce(&mut self, in_flight: u32) {
        let used = f64::from(in_flight).min(self.cwnd);
        self.ssthresh = (used * self.beta).max(MIN_SSTHRESH);
        self.prior = self.cwnd;
        self.stage = None;
        self.slow_start.give_up();
    }
}

impl Stage {
    /// Figure 1: W_cubic(t) = C (t - K)^3 + W_max.
    fn at(&self, t: f64, c: f64) -> f64 {
        let from = t - self.k;
        c * from * from * from + self.origin
    }
}

impl HostLaw for CubicWindow {
    fn on_ack(&mut self, event: &AckEvent) {
        self.respond(event);
        if let Some(pacer) = &mut self.pacer {
            pacer.on_ack(event, self.cwnd, self.ssthresh);
        }
    }

    fn on_congestion(&mut self, event: &CongestionEvent) {
        // Section 4.7: "if cwnd < W_max and fast convergence is enabled, further reduce W_max".
        let converging = self.fast_convergence && self.cwnd < self.w_max;
        self.w_max = if converging { self.cwnd * (1.0 + self.beta) / 2.0 } else { self.cwnd };
        self.reduce(event.in_flight);
        self.cwnd = self.ssthresh;
        self.repairing = true;
    }

    fn on_rto(&mut self, event: &RtoEvent) {
        // Section 4.8: ssthresh by beta_cubic, then as Reno; for ssthresh as RFC 5681 section 3.1,
        // once for a packet, and a lost SYN has nothing in flight.
        if event.first && event.in_flight > 0 {
            self.reduce(event.in_flight);
        }
        (self.cwnd, self.w_max, self.stage) = (LOSS_WINDOW, 0.0, None);
        self.repairing = false;
    }

    fn window(&self) -> u32 {
        self.cwnd as u32
    }

    fn rate(&self) -> Option<Rate> {
        self.pacer.map(|pacer| pacer.rate())
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        if let Some(pacer) = &mut self.pacer {
            pacer.on_send(out.kind);
        }
        WireHeader::default()
    }

    /// `cwnd`, `ssthresh` and `w_max` in packets; an unlimited ssthresh is 4294967295, as TCP's.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("cwnd", self.cwnd);
        out("ssthresh", self.ssthresh.min(f64::from(u32::MAX)));
        out("w_max", self.w_max);
    }
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
