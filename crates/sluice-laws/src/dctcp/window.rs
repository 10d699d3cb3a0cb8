//! The window of a DCTCP sender. Sections are RFC 8257's; windows are in packets.

use sluice_units::{Rate, Time};

use super::fraction::MarkedFraction;
use super::params::DctcpParams;
use crate::WireHeader;
use crate::host::{AckEvent, CongestionEvent, HostLaw, RtoEvent, SendEvent, SenderContext};
use crate::tcp::{InitialSlowStart, Pacer};

/// RFC 5681 equation (4): ssthresh is never below two packets. Nor is the window after a mark, as in
/// Linux and FreeBSD; the RFC sets no minimum (section 4.2 discusses it).
const MIN_WINDOW: f64 = 2.0;
/// RFC 5681 section 3.1: the window after a time-out.
const LOSS_WINDOW: f64 = 1.0;
/// No window is larger, so that a count of packets holds it.
const LARGEST: f64 = 1e9;

/// A DCTCP sender's window. It keeps fractions of a packet: where windows are a few packets, as in a data
/// center, a reduction rounded to whole packets would be another law.
#[derive(Clone, Copy, Debug)]
pub struct DctcpWindow {
    cwnd: f64,
    /// Infinite until the first congestion, or as a parameter says.
    ssthresh: f64,
    marked: MarkedFraction,
    /// When the window was last reduced for a mark, until a packet is acknowledged that left from then
    /// on: section 3.3, "DCTCP does not react to congestion indications more than once for every window
    /// of data".
    reduced: Option<Time>,
    /// From a loss until the acknowledgement that ends its repair: that one does not grow cwnd.
    repairing: bool,
    slow_start: InitialSlowStart,
    pacer: Option<Pacer>,
}

impl DctcpWindow {
    /// The window of a new flow, the initial one and at least 1, in slow start.
    pub fn new(params: &DctcpParams, context: &SenderContext) -> Self {
        let ssthresh = params.initial_ssthresh.map_or(f64::INFINITY, f64::from);
        Self {
            cwnd: f64::from(context.initial_window).max(LOSS_WINDOW),
            ssthresh: ssthresh.max(MIN_WINDOW),
            marked: MarkedFraction::new(params.initial_alpha, params.g),
            reduced: None,
            repairing: false,
            slow_start: params.initial_slow_start(params.pacing),
            pacer: params.pacer(context),
        }
    }

    fn respond(&mut self, event: &AckEvent) {
        let ends = core::mem::replace(&mut self.repairing, event.recovering);
        if event.marked > 0 {
            self.on_marks(event);
        } else if !event.recovering && !ends {
            if self.cwnd < self.ssthresh && self.slow_start.ends(event) {
                self.ssthresh = self.cwnd.max(MIN_WINDOW); // RFC 9406 section 4.2
            }
            if event.fills(self.window()) {
                self.grow(event.acked);
            }
        }
    }

    /// An acknowledgement reports marks. During recovery the loss has reduced the window already.
    fn on_marks(&mut self, event: &AckEvent) {
        if event.recovering || self.reduced.is_some() {
            return;
        }
        // "cwnd = cwnd * (1 - DCTCP.Alpha / 2)"
        self.cwnd = (self.cwnd * (1.0 - self.marked.get() / 2.0)).max(self.cwnd.min(MIN_WINDOW));
        self.ssthresh = self.cwnd.max(MIN_WINDOW);
        self.reduced = Some(event.now);
        self.slow_start.give_up();
    }

    /// RFC 5681 equations (2) and (3), the latter with the bytes acknowledged.
    fn grow(&mut self, acked: u32) {
        let step = if self.cwnd < self.ssthresh {
            f64::from(self.slow_start.growth(acked))
        } else {
            f64::from(acked).min(self.cwnd) / self.cwnd
        };
        self.cwnd = (self.cwnd + step).min(LARGEST);
    }

    /// RFC 5681 equation (4), of the window where it is less than FlightSize, as in [`crate::tcp`].
    fn halve(&mut self, in_flight: u32) {
        self.ssthresh = (f64::from(in_flight).min(self.cwnd) / 2.0).max(MIN_WINDOW);
        self.reduced = None;
        self.slow_start.give_up();
    }
}

impl HostLaw for DctcpWindow {
    fn on_ack(&mut self, event: &AckEvent) {
        if self.reduced.is_some_and(|at| event.sent >= at) {
            self.reduced = None;
        }
        // Section 3.3 updates the estimate at the end of a window, then reduces the next one by it.
        self.marked.on_ack(event);
        self.respond(event);
        if let Some(pacer) = &mut self.pacer {
            pacer.on_ack(event, self.cwnd, self.ssthresh);
        }
    }

    /// Section 3.5: a loss halves the window, as in TCP, but "a DCTCP sender will only reduce the cwnd
    /// once per window of data across all loss signals".
    fn on_congestion(&mut self, event: &CongestionEvent) {
        if self.reduced.is_some() {
            return;
        }
        self.halve(event.in_flight);
        self.cwnd = self.ssthresh;
        self.repairing = true;
    }

    /// Section 3.5: "upon a timeout, the cwnd MUST be set to no more than the loss window". ssthresh by
    /// RFC 5681 section 3.1, once for a packet; a lost SYN has nothing in flight.
    fn on_rto(&mut self, event: &RtoEvent) {
        if event.first && event.in_flight > 0 {
            self.halve(event.in_flight);
        }
        self.cwnd = LOSS_WINDOW;
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

    /// `cwnd` and `ssthresh` in packets, an unlimited ssthresh as 4294967295, and `alpha`, the
    /// estimated fraction of packets marked.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("cwnd", self.cwnd);
        out("ssthresh", self.ssthresh.min(f64::from(u32::MAX)));
        out("alpha", self.marked.get());
    }
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
