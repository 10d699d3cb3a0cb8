//! HPCC's sender: algorithm 1.

use sluice_units::{Rate, Span, Time};

use super::header::{MAX_HOPS, request};
use super::params::HpccParams;
use crate::WireHeader;
use crate::host::{
    AckEvent, CongestionEvent, HostLaw, PacketKind, RtoEvent, SendEvent, SenderContext,
};
use crate::telemetry::HopReading;

/// The slowest pace: a flow that sends nothing would learn nothing.
const MIN_RATE: Rate = Rate::from_bps(1000);

/// A sender.
pub struct HpccSender {
    params: HpccParams,
    /// Bytes of a full packet.
    packet: f64,
    /// T, in seconds.
    base_rtt: f64,
    /// W_init and W_AI, in bytes.
    first_window: f64,
    additive_increase: f64,
    /// L of algorithm 1: the last reading of each link.
    last: Vec<HopReading>,
    /// U: bytes in flight over the busiest link, over B T.
    utilization: f64,
    /// Whether the acknowledgement in hand has changed `utilization`.
    measured: bool,
    /// W and W_c, in bytes.
    window: f64,
    reference: f64,
    stage: u32,
    /// When W_c was updated: an acknowledgement of a packet that left later is `ack.seq > lastUpdateSeq`.
    updated: Time,
}

impl HpccSender {
    /// A sender at its first window, B T of its own link and at least a packet: flows start at line rate
    /// (section 3.2).
    pub fn new(params: &HpccParams, context: &SenderContext) -> Self {
        let packet = context.packet.as_f64();
        // At least a nanosecond: a path may take no time.
        let base_rtt = params.base_rtt.unwrap_or(context.base_rtt).max(Span::NANO).as_secs_f64();
        let first_window = (context.line_rate.as_bps_f64() / 8.0 * base_rtt).max(packet);
        Self {
            packet,
            base_rtt,
            first_window,
            // Section 3.3.
            additive_increase: first_window * (1.0 - params.eta.get()) / f64::from(params.flows),
            last: Vec::with_capacity(MAX_HOPS),
            // All of B T is in flight as the flow begins.
            utilization: 1.0,
            measured: false,
            window: first_window,
            reference: first_window,
            stage: 0,
            updated: Time::ZERO,
            params: params.clone(),
        }
    }

    /// Lines 1 to 10. Readings of other links than before, after a change of path, are only stored.
    fn measure_in_flight(&mut self, hops: &[HopReading]) {
        let (mut busiest, mut period) = (0.0, 0.0);
        for (now, last) in hops.iter().zip(&self.last) {
            let elapsed = now.at.since(last.at).as_secs_f64();
            let capacity = now.capacity.as_bps_f64() / 8.0;
            // Line 4.
            let tx_rate = now.sent.saturating_sub(last.sent) as f64 / elapsed;
            // Line 5, equation (2).
            let queue = now.queue.min(last.queue).as_f64();
            let in_flight = queue / (capacity * self.base_rtt) + tx_rate / capacity;
            if in_flight > busiest {
                (busiest, period) = (in_flight, elapsed);
            }
        }
        // Lines 8 and 9.
        let part = (period / self.base_rtt).min(1.0);
        self.utilization = (1.0 - part) * self.utilization + part * busiest;
        self.measured = true;
    }

    /// Whether each link has reported again, later than before.
    fn continues(&self, hops: &[HopReading]) -> bool {
        let later =
            |(now, last): (&HopReading, &HopReading)| now.link == last.link && now.at > last.at;
        !hops.is_empty() && hops.len() == self.last.len() && hops.iter().zip(&self.last).all(later)
    }

    /// Whether it is about the same links, at an earlier time: packets overtook each other.
    fn is_late(&self, hops: &[HopReading]) -> bool {
        let earlier =
            |(now, last): (&HopReading, &HopReading)| now.link == last.link && now.at <= last.at;
        hops.iter().zip(&self.last).any(earlier)
    }

    /// Lines 11 to 20; `updates` is `updateWc`. W never exceeds B T: no flow is faster than its own link.
    fn compute_window(&mut self, updates: bool) {
        let eta = self.params.eta.get();
        // Equation (4).
        let decreases = self.utilization >= eta || self.stage >= self.params.max_stage;
        let scaled =
            if decreases { self.reference / (self.utilization / eta) } else { self.reference };
        self.window = (scaled + self.additive_increase).clamp(1.0, self.first_window);
        if updates {
            self.stage = if decreases { 0 } else { self.stage + 1 };
            self.reference = self.window;
        }
    }

    /// Lines 21 to 26, for the acknowledgement of a packet that left at `sent`.
    fn new_ack(&mut self, now: Time, sent: Time) {
        let updates = sent >= self.updated;
        self.compute_window(updates);
        if updates {
            self.updated = now;
        }
    }
}

impl HostLaw for HpccSender {
    fn on_telemetry(&mut self, hops: &[HopReading]) {
        if self.is_late(hops) {
            return;
        }
        if self.continues(hops) {
            self.measure_in_flight(hops);
        }
        // Line 27.
        self.last.clear();
        self.last.extend(hops.iter().take(MAX_HOPS));
    }

    fn on_ack(&mut self, event: &AckEvent) {
        if core::mem::take(&mut self.measured) {
            self.new_ack(event.now, event.sent);
        }
    }

    /// The paper's window follows the bytes in flight alone: a loss changes neither.
    fn on_congestion(&mut self, _: &CongestionEvent) {}

    fn on_rto(&mut self, _: &RtoEvent) {}

    /// Rounded up, since the pace holds the flow at W / T.
    fn window(&self) -> u32 {
        (self.window / self.packet).ceil() as u32
    }

    /// Line 27: R = W / T.
    fn rate(&self) -> Option<Rate> {
        Some(Rate::from_bps_f64(8.0 * self.window / self.base_rtt).max(MIN_RATE))
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        if out.kind == PacketKind::Data { request() } else { WireHeader::default() }
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("cwnd", self.window / self.packet);
        out("utilization", self.utilization);
        out("base_rtt", self.base_rtt);
    }
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
