//! A Swift sender: Algorithm 1, with its names. Windows are in packets.

use sluice_units::{Bytes, Rate, Span, Time};

use super::params::SwiftParams;
use super::target::TargetDelay;
use crate::WireHeader;
use crate::host::{
    AckEvent, CongestionEvent, HostLaw, PacketKind, RtoEvent, SendEvent, SenderContext,
};

/// A pace above zero, so that a sender sends.
const LEAST_RATE: Rate = Rate::from_bps(1);

/// A Swift sender's window and pace.
#[derive(Clone, Copy, Debug)]
pub struct SwiftSender {
    gains: Gains,
    target: TargetDelay,
    packet: Bytes,
    cwnd: f64,
    /// The newest RTT sample.
    rtt: Option<Span>,
    srtt: Option<Span>,
    t_last_decrease: Option<Time>,
    retransmit_cnt: u32,
    /// Whether a SYN or data left since the last time-out.
    has_sent: bool,
}

/// The parameters of Algorithm 1.
#[derive(Clone, Copy, Debug)]
struct Gains {
    ai: f64,
    beta: f64,
    max_mdf: f64,
    min_cwnd: f64,
    max_cwnd: f64,
    retx_reset_threshold: u32,
}

impl Gains {
    fn new(params: &SwiftParams) -> Self {
        Self {
            ai: params.ai.get(),
            beta: params.beta.get(),
            max_mdf: params.max_mdf.get(),
            min_cwnd: params.min_cwnd.get(),
            max_cwnd: params.max_cwnd.get(),
            retx_reset_threshold: params.retx_reset_threshold,
        }
    }
}

impl SwiftSender {
    /// The sender of a new flow. It begins with the initial window of the transport: the paper has no slow
    /// start, and no number.
    pub fn new(params: &SwiftParams, context: &SenderContext) -> Self {
        let gains = Gains::new(params);
        Self {
            gains,
            target: TargetDelay::new(params, context.hops),
            packet: context.packet,
            cwnd: f64::from(context.initial_window).clamp(gains.min_cwnd, gains.max_cwnd),
            rtt: None,
            srtt: None,
            t_last_decrease: None,
            retransmit_cnt: 0,
            has_sent: false,
        }
    }

    /// "On Receiving ACK", with `delay` and `num_acked`. Those in sequence and selectively are acknowledged alike.
    fn respond(&mut self, now: Time, delay: Span, num_acked: u32) {
        let target_delay = self.target.of_window(self.cwnd);
        let delay = delay.as_secs_f64();
        if delay < target_delay {
            self.set_cwnd(now, self.cwnd + self.increase(num_acked));
        } else {
            let excess = (delay - target_delay) / delay;
            self.decrease(now, self.gains.beta * excess);
        }
    }

    /// "Additive Increase (AI)": "ai / cwnd * num_acked", and "ai * num_acked" below a packet.
    fn increase(&self, num_acked: u32) -> f64 {
        self.gains.ai * f64::from(num_acked) / self.cwnd.max(1.0)
    }

    /// "Multiplicative Decrease (MD)" by the fraction `part` of the window, `max_mdf` at most, if "can_decrease".
    fn decrease(&mut self, now: Time, part: f64) {
        if self.can_decrease(now) {
            self.set_cwnd(now, self.cwnd * (1.0 - part).max(1.0 - self.gains.max_mdf));
        }
    }

    /// "can_decrease = (now - t_last_decrease >= rtt)". With the RTT sample that is: the packet acknowledged left
    /// after the last decrease. The smoothed RTT, shorter while a queue builds up, would decrease twice for one
    /// queue.
    fn can_decrease(&self, now: Time) -> bool {
        let (Some(last), Some(rtt)) = (self.t_last_decrease, self.rtt) else { return true };
        now.since(last) >= rtt
    }

    /// "clamp(min_cwnd, fcwnd, max_cwnd)", and the time of a decrease. The paper prints "fcwnd <= fcwnd_prev":
    /// a window that is at `max_cwnd` or `min_cwnd`, or that may not decrease yet, would put the next
    /// decrease off with each acknowledgement. Here, only a decrease does.
    fn set_cwnd(&mut self, now: Time, cwnd: f64) {
        let cwnd_prev = self.cwnd;
        self.cwnd = cwnd.clamp(self.gains.min_cwnd, self.gains.max_cwnd);
        if self.cwnd < cwnd_prev {
            self.t_last_decrease = Some(now);
        }
    }

    /// "pacing_delay = rtt / fcwnd" below a packet, else 0, in seconds. With the smoothed RTT: a pace has one
    /// sample for each packet, and would follow the queue that this one met.
    fn pacing_delay(&self) -> f64 {
        match self.srtt {
            Some(rtt) if self.cwnd < 1.0 => rtt.as_secs_f64() / self.cwnd,
            _ => 0.0,
        }
    }
}

impl HostLaw for SwiftSender {
    fn on_ack(&mut self, event: &AckEvent) {
        self.rtt = event.rtt.or(self.rtt);
        self.srtt = event.srtt;
        if event.kind != PacketKind::Ack || event.delivered == 0 {
            return;
        }
        self.retransmit_cnt = 0;
        if let Some(delay) = event.rtt {
            self.respond(event.now, delay, event.delivered);
        }
    }

    /// "On Fast Recovery".
    fn on_congestion(&mut self, event: &CongestionEvent) {
        self.retransmit_cnt = 0;
        self.decrease(event.now, self.gains.max_mdf);
    }

    /// "On Retransmit Timeout". A timer that expires while the retransmission for its last time-out still waits for
    /// its pace is not another one.
    fn on_rto(&mut self, event: &RtoEvent) {
        if !core::mem::take(&mut self.has_sent) {
            return;
        }
        self.retransmit_cnt = self.retransmit_cnt.saturating_add(1);
        if self.retransmit_cnt >= self.gains.retx_reset_threshold {
            self.set_cwnd(event.now, self.gains.min_cwnd);
        } else {
            self.decrease(event.now, self.gains.max_mdf);
        }
    }

    /// Below a packet, the pace keeps the window.
    fn window(&self) -> u32 {
        self.cwnd.max(1.0) as u32
    }

    /// A packet each `pacing_delay`; without one, at a rate that delays none.
    fn rate(&self) -> Option<Rate> {
        let bits = self.packet.as_f64() * 8.0;
        let rate = match self.pacing_delay() {
            0.0 => Rate::MAX,
            delay => Rate::from_bps_f64(bits / delay).max(LEAST_RATE),
        };
        Some(rate)
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        self.has_sent |= matches!(out.kind, PacketKind::Syn | PacketKind::Data);
        WireHeader::default()
    }

    /// `cwnd` in packets; the target delay `target_s` and `pacing_delay_s` in seconds, the latter 0 from a window of
    /// a packet on.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("cwnd", self.cwnd);
        out("target_s", self.target.of_window(self.cwnd));
        out("pacing_delay_s", self.pacing_delay());
    }
}

#[cfg(test)]
#[path = "sender_tests.rs"]
mod tests;
