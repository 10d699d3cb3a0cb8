//! A TFRC sender with the receiver's calculations. Sections are RFC 5348's.

use sluice_units::{Bytes, Rate, Span, Time};

use super::allowed::{AllowedRate, Feedback, Path};
use super::equation::loss_event_rate;
use super::losses::Losses;
use super::params::TfrcParams;
use super::rtt::RoundTrip;
use crate::WireHeader;
use crate::host::{
    AckEvent, CongestionEvent, HostLaw, RateSample, RtoEvent, SendEvent, SenderContext,
};

/// Round trips at the allowed rate that may be in flight: what leaves in silence until the nofeedback timer,
/// of four round trips, has halved the rate to nothing, 4 + 2 + 1 + ....
const WINDOW: f64 = 8.0;
/// Packets that may be in flight however low the rate is.
const LEAST_WINDOW: f64 = 16.0;
/// Section 4.2, before the first RTT sample: a packet a second.
const UNKNOWN_PATH: f64 = 1.0;
/// No pace is slower: none would send nothing, for ever.
const SLOWEST: Rate = Rate::from_bps(1);

/// A TFRC sender.
#[derive(Clone, Copy, Debug)]
pub struct TfrcSender {
    packet: Bytes,
    initial_window: u32,
    reduce_oscillations: bool,
    losses: Losses,
    /// Whether the application limited all samples since the last feedback; `None` without any.
    data_limited: Option<bool>,
    /// From the first RTT sample on.
    open: Option<Open>,
}

/// The state of a sender that knows the RTT.
#[derive(Clone, Copy, Debug)]
struct Open {
    rtt: RoundTrip,
    allowed: AllowedRate,
    /// The last X_recv, and the maximum so far.
    x_recv: f64,
    most_received: f64,
    /// Since the last feedback, and since the one before.
    interval: Interval,
    last_interval: Interval,
    /// Whether a loss event has yet to be reported.
    new_event: bool,
}

/// The beginning of an interval over which X_recv is measured.
#[derive(Clone, Copy, Debug)]
struct Interval {
    since: Time,
    /// Packets delivered before.
    delivered: u64,
}

impl TfrcSender {
    /// A sender before its SYN.
    pub fn new(params: &TfrcParams, context: &SenderContext) -> Self {
        Self {
            packet: context.packet,
            initial_window: context.initial_window,
            reduce_oscillations: params.reduce_oscillations,
            losses: Losses::new(params.history_discounting),
            data_limited: None,
            open: None,
        }
    }

    /// Sections 4.2 and 4.3: the first RTT sample, that of the SYN, gives R and the initial rate.
    fn begin(&mut self, event: &AckEvent) {
        let Some(sample) = event.rtt else { return };
        let rtt = RoundTrip::new(sample);
        let interval = Interval { since: event.now, delivered: self.losses.delivered() };
        self.open = Some(Open {
            rtt,
            allowed: AllowedRate::new(event.now, self.initial_window, rtt.get()),
            x_recv: 0.0,
            most_received: 0.0,
            interval,
            last_interval: interval,
            new_event: false,
        });
    }

    /// Time has passed since the last feedback, and losses may have been found.
    fn catch_up(&mut self, now: Time) {
        let Some(open) = &mut self.open else { return };
        if open.allowed.is_overdue(now, open.rtt.get()) {
            open.allowed.on_silence(now, open.path(&self.losses));
        }
        open.new_event |= self.losses.count(now, open.rtt.span(), || open.first_interval());
    }

    fn count_marks(&mut self, event: &AckEvent) {
        if let Some(open) = &mut self.open
            && event.marked > 0
        {
            let first = || open.first_interval();
            open.new_event |= self.losses.on_mark(event.now, open.rtt.span(), first);
        }
    }

    /// The receiver's part (sections 6.1 and 6.2): feedback once an RTT if something arrived, and at once for
    /// a new loss event.
    fn feed_back(&mut self, event: &AckEvent) {
        let Some(open) = &mut self.open else { return };
        let delivered = self.losses.delivered();
        let is_due = event.now.since(open.interval.since) >= open.rtt.span()
            && delivered > open.interval.delivered;
        if !is_due && !open.new_event {
            return;
        }
        if let Some(sample) = event.rtt {
            open.rtt.update(sample);
        }
        open.measure(event.now, delivered);
        open.allowed.on_feedback(&Feedback {
            now: event.now,
            x_recv: open.x_recv,
            path: open.path(&self.losses),
            new_event: core::mem::take(&mut open.new_event),
            data_limited: self.data_limited.take().unwrap_or(false),
        });
    }

    /// X_inst of section 4.5, in packets a second, or X.
    fn packets_per_second(&self) -> f64 {
        let Some(open) = &self.open else { return UNKNOWN_PATH };
        let factor = if self.reduce_oscillations { open.rtt.factor() } else { 1.0 };
        open.allowed.instantaneous(factor)
    }

    fn bps(&self, packets_per_second: f64) -> f64 {
        packets_per_second * self.packet.as_f64() * 8.0
    }
}

impl Open {
    fn path(&self, losses: &Losses) -> Path {
        Path { event_rate: losses.event_rate(), rtt: self.rtt.get() }
    }

    /// Section 6.2: X_recv over what arrived since the last feedback, or over an RTT at least where feedback
    /// is early: a shorter interval would measure the gap between two packets.
    fn measure(&mut self, now: Time, delivered: u64) {
        let is_short = now.since(self.interval.since) < self.rtt.span();
        let over = if is_short { self.last_interval } else { self.interval };
        let time = now.since(over.since).max(Span::NANO).as_secs_f64();
        self.x_recv = delivered.saturating_sub(over.delivered) as f64 / time;
        self.most_received = self.most_received.max(self.x_recv);
        self.last_interval = self.interval;
        self.interval = Interval { since: now, delivered };
    }

    /// Section 6.3.1: the first loss interval is that for which the equation gives X_target, the maximum of
    /// X_recv: "half of the maximum sending rate before the loss event". Half of X before any was measured.
    fn first_interval(&self) -> f64 {
        let measured = self.most_received > 0.0;
        let target = if measured { self.most_received } else { self.allowed.get() / 2.0 };
        1.0 / loss_event_rate(target, self.rtt.get())
    }
}

impl HostLaw for TfrcSender {
    /// For [`RateSample::app_limited`].
    fn needs_rate_samples(&self) -> bool {
        true
    }

    fn on_ack(&mut self, event: &AckEvent) {
        self.catch_up(event.now);
        self.losses.on_delivered(event.delivered);
        if self.open.is_none() {
            return self.begin(event);
        }
        self.count_marks(event);
        self.feed_back(event);
    }

    fn on_rate_sample(&mut self, sample: &RateSample) {
        self.data_limited = Some(self.data_limited.unwrap_or(true) && sample.app_limited);
    }

    fn on_packets_lost(&mut self, lost: u64) {
        self.losses.on_lost(lost);
    }

    /// The rate follows with the next acknowledgement, which brings the feedback.
    fn on_congestion(&mut self, event: &CongestionEvent) {
        self.catch_up(event.now);
    }

    /// A retransmission time-out is not TFRC's: it is when the pace follows the nofeedback timer.
    fn on_rto(&mut self, event: &RtoEvent) {
        self.catch_up(event.now);
    }

    fn window(&self) -> u32 {
        let Some(open) = &self.open else { return self.initial_window };
        (WINDOW * open.allowed.get() * open.rtt.longest()).max(LEAST_WINDOW) as u32
    }

    fn rate(&self) -> Option<Rate> {
        Some(Rate::from_bps_f64(self.bps(self.packets_per_second())).max(SLOWEST))
    }

    fn header(&mut self, _out: &SendEvent) -> WireHeader {
        WireHeader::default()
    }

    /// `rate` and `receive_rate` (the last X_recv) in bits a second; `loss_event_rate`, 0 before the first
    /// loss; and `loss_interval`, the average in packets, 0 before the first loss.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        let x_recv = self.open.map_or(0.0, |open| open.x_recv);
        out("rate", self.bps(self.packets_per_second()));
        out("receive_rate", self.bps(x_recv));
        out("loss_event_rate", self.losses.event_rate().unwrap_or(0.0));
        out("loss_interval", self.losses.mean_interval().unwrap_or(0.0));
    }
}

#[cfg(test)]
#[path = "sender_tests.rs"]
mod tests;
