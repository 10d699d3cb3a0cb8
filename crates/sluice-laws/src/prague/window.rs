//! The window and pace of a Prague sender. Sections are those of
//! draft-briscoe-iccrg-prague-congestion-control-04; windows are in packets.

use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use super::params::PragueParams;
use crate::WireHeader;
use crate::dctcp::MarkedFraction;
use crate::host::{AckEvent, CongestionEvent, HostLaw, RtoEvent, SendEvent, SenderContext};
use crate::tcp::InitialSlowStart;

/// RFC 5681 equation (4), and the draft's minimum window.
const MIN_WINDOW: f64 = 2.0;
/// RFC 5681 section 3.1: the window after a time-out.
const LOSS_WINDOW: f64 = 1.0;
/// No window is larger, so that a count of packets holds it.
const LARGEST: f64 = 1e9;

/// No pace is slower: none would send nothing, for ever.
const SLOWEST: Rate = Rate::from_bps(1);

/// A Prague sender's window, with its fraction, and the pace that follows from it.
#[derive(Clone, Copy, Debug)]
pub struct PragueWindow {
    packet: Bytes,
    gain: Ratio,
    rtt_virt_min: Span,
    /// Round trips that are left until the virtual RTT applies.
    transition: u32,
    /// When the present round trip began.
    round: Time,
    srtt: Option<Span>,
    cwnd: f64,
    /// Infinite until the first congestion, or as a parameter says.
    ssthresh: f64,
    /// Section 2.4.1: "alpha" is 1 at the first mark, and counts from there on.
    marked: Option<MarkedFraction>,
    reduction: Option<Reduction>,
    /// From a loss until the acknowledgement that ends its repair: that one does not grow cwnd.
    repairing: bool,
    slow_start: InitialSlowStart,
}

/// The last reduction for a mark, while it suppresses others.
#[derive(Clone, Copy, Debug)]
struct Reduction {
    at: Time,
    packets: f64,
}

impl PragueWindow {
    /// The window of a new flow, in slow start.
    pub fn new(params: &PragueParams, context: &SenderContext) -> Self {
        let ssthresh = params.initial_ssthresh.map_or(f64::INFINITY, f64::from);
        Self {
            packet: context.packet,
            gain: params.g,
            rtt_virt_min: params.rtt_virt_min,
            transition: params.rtt_transition,
            round: Time::ZERO,
            srtt: None,
            cwnd: f64::from(context.initial_window).max(LOSS_WINDOW),
            ssthresh: ssthresh.max(MIN_WINDOW),
            marked: None,
            reduction: None,
            repairing: false,
            slow_start: params.initial_slow_start(true),
        }
    }

    /// Section 2.4.4: rtt_virt, above the smoothed RTT where flows are to share as with longer ones;
    /// `None` where it is the RTT itself.
    fn virtual_rtt(&self) -> Option<Span> {
        let applies = self.transition == 0 && self.srtt? < self.rtt_virt_min;
        applies.then_some(self.rtt_virt_min)
    }

    fn count(&mut self, event: &AckEvent) {
        if event.sent >= self.round {
            self.round = event.now;
            let avoiding = self.cwnd >= self.ssthresh;
            self.transition = self.transition.saturating_sub(u32::from(avoiding));
        }
        if self.marked.is_none() && event.marked > 0 {
            self.marked = Some(MarkedFraction::new(Ratio::new(1.0), self.gain));
        }
        // Section 2.4.4: once in a virtual RTT, if that is longer
        let least = self.virtual_rtt().unwrap_or(Span::ZERO);
        if let Some(marked) = &mut self.marked {
            marked.on_ack_after(event, least);
        }
    }

    /// Section 2.4.2: a mark "triggers a multiplicative decrease", and "then it suppresses any further
    /// decreases for one round trip", a virtual one if that is longer (section 2.4.4).
    fn on_marks(&mut self, event: &AckEvent) {
        let least = self.virtual_rtt().unwrap_or(Span::ZERO);
        self.reduction =
            self.reduction.filter(|last| event.sent < last.at || event.now.since(last.at) < least);
        if event.marked == 0 || event.recovering || self.reduction.is_some() {
            return;
        }
        let alpha = self.marked.map_or(1.0, |marked| marked.get());
        let left = (self.cwnd * (1.0 - alpha / 2.0)).max(self.cwnd.min(MIN_WINDOW));
        self.reduction = Some(Reduction { at: event.now, packets: self.cwnd - left });
        self.cwnd = left;
        self.ssthresh = self.cwnd.max(MIN_WINDOW);
        self.slow_start.give_up();
    }

    /// Slow start by RFC 5681 equation (2). Then section 2.4.3: packets that were not marked grow the
    /// window, also after a reduction: by one packet in an RTT without marks; where a virtual RTT
    /// applies (section 2.4.4), by (srtt / rtt_virt)^2, which makes one packet a virtual RTT of a flow
    /// with the same rate and that RTT.
    fn grow(&mut self, event: &AckEvent) {
        let packets = f64::from(event.delivered.saturating_sub(event.marked)).min(self.cwnd);
        let step = if self.cwnd < self.ssthresh {
            f64::from(self.slow_start.growth(packets as u32)).min(packets)
        } else {
            let slower = match (self.srtt, self.virtual_rtt()) {
                (Some(srtt), Some(virt)) => srtt.as_secs_f64() / virt.as_secs_f64(),
                _ => 1.0,
            };
            slower * slower * packets / self.cwnd
        };
        self.cwnd = (self.cwnd + step).min(LARGEST);
    }

    /// RFC 5681 equation (4), of the window where it is less than FlightSize, as in [`crate::tcp`].
    fn halve(&mut self, in_flight: u32) {
        // A loss in the round trip of a reduction for marks halves the window before it: both together
        // reduce it by half.
        let before = self.cwnd + self.reduction.take().map_or(0.0, |last| last.packets);
        let half = f64::from(in_flight).min(before) / 2.0;
        self.ssthresh = half.min(self.cwnd).max(MIN_WINDOW);
        self.slow_start.give_up();
    }
}

impl HostLaw for PragueWindow {
    fn on_ack(&mut self, event: &AckEvent) {
        self.srtt = event.srtt.or(self.srtt);
        self.count(event);
        self.on_marks(event);
        let ends = core::mem::replace(&mut self.repairing, event.recovering);
        if event.recovering || ends {
            return;
        }
        if self.cwnd < self.ssthresh && self.slow_start.ends(event) {
            self.ssthresh = self.cwnd.max(MIN_WINDOW); // RFC 9406 section 4.2
        }
        if event.fills(self.window()) {
            self.grow(event);
        }
    }

    fn on_congestion(&mut self, event: &CongestionEvent) {
        self.halve(event.in_flight);
        self.cwnd = self.ssthresh;
        self.repairing = true;
    }

    /// RFC 5681 section 3.1: ssthresh once for a packet; a lost SYN has nothing in flight.
    fn on_rto(&mut self, event: &RtoEvent) {
        if event.first && event.in_flight > 0 {
            self.halve(event.in_flight);
        }
        self.cwnd = LOSS_WINDOW;
        self.repairing = false;
    }

    /// A fraction of a packet is one more: the pace keeps the rate.
    fn window(&self) -> u32 {
        libm::ceil(self.cwnd) as u32
    }

    /// Section 2.5: a window an RTT, and twice that in slow start, where each acknowledgement is to send
    /// two packets, up to half of ssthresh.
    fn rate(&self) -> Option<Rate> {
        let rtt = self.srtt?.max(Span::NANO);
        let factor = if self.cwnd < self.ssthresh / 2.0 { 2.0 } else { 1.0 };
        let bits = factor * self.cwnd * self.packet.as_f64() * 8.0;
        Some(Rate::from_bps_f64(bits / rtt.as_secs_f64()).max(SLOWEST))
    }

    fn header(&mut self, _out: &SendEvent) -> WireHeader {
        WireHeader::default()
    }

    /// `cwnd` and `ssthresh` in packets, an unlimited ssthresh as 4294967295; `alpha`, the estimated
    /// fraction of packets marked, 1 before the first mark; and `rate` in bits a second, 0 before the
    /// first acknowledgement.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("cwnd", self.cwnd);
        out("ssthresh", self.ssthresh.min(f64::from(u32::MAX)));
        out("alpha", self.marked.map_or(1.0, |marked| marked.get()));
        out("rate", self.rate().map_or(0.0, |rate| rate.as_bps() as f64));
    }
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
