//! The XCP sender (thesis section 4.5): a window that moves by the feedback of each
//! acknowledgement. It is ack-clocked; the thesis does not pace.

use sluice_units::{Rate, Span};

use super::ageing::Ageing;
use super::choices::StatedWindow;
use super::fraction::Fraction;
use super::header::XcpHeader;
use super::params::XcpParams;
use crate::WireHeader;
use crate::host::{
    AckEvent, CongestionEvent, HostLaw, PacketKind, RtoEvent, SendEvent, SenderContext,
};
use crate::router::LawHeader as _;
use crate::wire::Spacing;
use crate::wire::ticks::ticks;

/// Limit on the window in packets; far beyond any path, within a `u32` and the precision of an `f64`.
const MAX_PACKETS: f64 = 4e9;

/// One flow's sender.
#[derive(Clone, Debug)]
pub struct XcpSender {
    /// Size of a full packet on the wire, and its inverse.
    packet: u32,
    per_byte: f64,
    /// The rate r that the application wants, in packets a second; infinite for most.
    desired: f64,
    stated_window: StatedWindow,
    weight: f64,
    /// The window in packets: at least one, and not a whole number.
    cwnd: f64,
    /// The packet that a round may send above the whole ones of `cwnd`.
    fraction: Fraction,
    /// The most recent estimate of the RTT in seconds; `None` before the first.
    rtt: Option<f64>,
    ageing: Ageing,
    /// X, of which each packet states whole ticks.
    apart: Spacing,
    /// The last feedback, in bytes a second.
    feedback: i32,
}

impl XcpSender {
    /// The sender of a new flow.
    pub fn new(params: &XcpParams, context: &SenderContext) -> Self {
        let packet = u32::try_from(context.packet.as_u64()).unwrap_or(u32::MAX).max(1);
        let per_byte = 1.0 / f64::from(packet);
        let desired = params.desired_rate.map_or(f64::INFINITY, Rate::as_bytes_per_sec_f64);
        Self {
            packet,
            per_byte,
            desired: desired * per_byte,
            stated_window: params.stated_window,
            weight: context.weight.get(),
            cwnd: f64::from(context.initial_window.max(1)),
            fraction: Fraction::default(),
            rtt: None,
            ageing: Ageing::default(),
            apart: Spacing::default(),
            feedback: 0,
        }
    }

    /// (4.1): cwnd = max(cwnd + H_feedback x rtt, s).
    ///
    /// With a desired rate the window also stays within it: every packet of a window requests its
    /// part of what is missing, and those sent before the first feedback request it again, so that
    /// the window would overshoot by about a half before negative requests reduce it.
    fn adjust(&mut self, feedback: i32) {
        self.feedback = feedback;
        let Some(rtt) = self.rtt else { return };
        let change = f64::from(feedback) * rtt * self.per_byte;
        let max = (self.desired * rtt).min(MAX_PACKETS);
        self.set_window((self.cwnd + change).min(max));
    }

    fn set_window(&mut self, packets: f64) {
        self.cwnd = packets.max(1.0);
    }

    /// The time between two full packets in seconds, which headers state.
    fn spacing(&self, rtt: f64) -> f64 {
        // "The sender replaces the H_throughput field with the current throughput divided by the
        // weight of the flow" (section 6.3).
        rtt / self.mean_window() * self.weight
    }

    /// "The desired increase in the rate (r - cwnd/rtt) divided by the number of packets in the
    /// current congestion window"; the maximum if r is infinite (section 4.5).
    fn request(&self, rtt: f64) -> i32 {
        if self.desired == f64::INFINITY {
            return i32::MAX;
        }
        let missing = (self.desired - self.cwnd / rtt) * f64::from(self.packet);
        (missing / self.cwnd) as i32
    }

    /// Takes in the most recent estimate.
    fn learn_rtt(&mut self, srtt: Option<Span>) {
        let Some(srtt) = srtt else { return };
        // Zero would divide the throughput by nothing. Signed numbers are the quicker ones to turn
        // into floating point.
        let nanos = i64::try_from(srtt.as_nanos()).unwrap_or(i64::MAX).max(1);
        self.rtt = Some(nanos as f64 * 1e-9);
    }
}

impl HostLaw for XcpSender {
    #[inline(always)]
    fn on_ack(&mut self, event: &AckEvent) {
        self.learn_rtt(event.srtt);
        self.adjust(XcpHeader::from_wire(event.header).reverse);
        let aged = self.ageing.on_ack(event, self.cwnd);
        if aged < self.cwnd {
            self.set_window(aged);
        }
        if self.stated_window == StatedWindow::Exact {
            self.fraction.acked(event.acked, self.cwnd);
        }
    }

    /// "We choose to be conservative and react in a similar manner to TCP (i.e., halve cwnd)"
    /// (section 4.5). Feedback goes on meanwhile.
    fn on_congestion(&mut self, _event: &CongestionEvent) {
        self.set_window(self.cwnd / 2.0);
    }

    /// As TCP: one packet (RFC 5681, the loss window). No slow start follows; feedback opens the
    /// window again.
    fn on_rto(&mut self, _event: &RtoEvent) {
        self.set_window(1.0);
        self.fraction = Fraction::default();
    }

    fn window(&self) -> u32 {
        self.cwnd as u32 + self.fraction.packet()
    }

    fn mean_window(&self) -> f64 {
        match self.stated_window {
            StatedWindow::Exact => self.cwnd,
            StatedWindow::Whole => f64::from(self.window()),
        }
    }

    /// "On packet departure, the sender attaches a congestion header" (section 4.5). A SYN states
    /// nothing, as H_rtt = -1 "in the first packet of a flow" has it.
    fn header(&mut self, out: &SendEvent) -> WireHeader {
        if out.kind != PacketKind::Data {
            return WireHeader::default();
        }
        let aged = self.ageing.sending(out, self.cwnd);
        if aged < self.cwnd {
            self.set_window(aged);
        }
        // Before an RTT is known it states and requests nothing, since no feedback could be
        // turned into a window.
        let Some(rtt) = self.rtt else { return WireHeader::default() };
        self.apart.set(self.spacing(rtt));
        // X is s_i / r_i with this packet's size.
        let x = self.apart.say(out.bytes, self.packet);
        // "As long as the sender does not use all of its cwnd, it initializes H_feedback to zero."
        let delta = if out.backlogged { self.request(rtt) } else { 0 };
        XcpHeader { x, rtt: ticks(rtt), delta, reverse: 0 }.to_wire()
    }

    /// `cwnd` in packets, `rate` (cwnd / rtt) in bits a second, `feedback` in bytes a second.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        let bits = f64::from(self.packet) * 8.0;
        out("cwnd", self.cwnd);
        out("rate", self.rtt.map_or(0.0, |rtt| self.cwnd * bits / rtt));
        out("feedback", f64::from(self.feedback));
    }
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
