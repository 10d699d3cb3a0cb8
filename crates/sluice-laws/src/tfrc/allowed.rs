//! The allowed sending rate X (RFC 5348 sections 4.2 to 4.4). Rates are in packets a second, times in seconds
//! where they are floats.

use sluice_units::{Span, Time};

use super::equation::throughput;
use super::receive_rates::ReceiveRates;

/// s / t_mbi (section 4.3): at least a packet in 64 seconds.
const LEAST: f64 = 1.0 / 64.0;
/// The factor of X_recv where a loss is reported in a data-limited interval (section 4.3).
const LIMITED_AND_LOST: f64 = 0.85;

/// A feedback packet of section 3.2.2, which the sender writes itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feedback {
    pub(super) now: Time,
    pub(super) x_recv: f64,
    pub(super) path: Path,
    /// Whether it reports a new loss event.
    pub(super) new_event: bool,
    /// Whether the data, not the allowed rate, limited all that it covers.
    pub(super) data_limited: bool,
}

/// What the equation takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    /// p, `None` for 0.
    pub(super) event_rate: Option<f64>,
    /// R in seconds.
    pub(super) rtt: f64,
}

impl Path {
    /// X_Bps, infinite without losses.
    fn throughput(&self) -> f64 {
        self.event_rate.map_or(f64::INFINITY, |p| throughput(p, self.rtt))
    }
}

/// X and what it follows from.
#[derive(Clone, Copy, Debug)]
pub(super) struct AllowedRate {
    x: f64,
    /// W_init in packets.
    initial_window: f64,
    /// "tld": when slow start last doubled X.
    doubled: Time,
    received: ReceiveRates,
    /// When the nofeedback timer was set.
    timer_set: Time,
}

impl AllowedRate {
    /// X is W_init / R from the first RTT sample on (section 4.2).
    pub(super) fn new(now: Time, initial_window: u32, rtt: f64) -> Self {
        let initial_window = f64::from(initial_window);
        let received = ReceiveRates::new(now);
        Self { x: initial_window / rtt, initial_window, doubled: now, received, timer_set: now }
    }

    pub(super) fn get(&self) -> f64 {
        self.x
    }

    /// The instantaneous rate of section 4.5 where `factor` is R_sqmean / sqrt(R_sample).
    pub(super) fn instantaneous(&self, factor: f64) -> f64 {
        (self.x * factor).max(LEAST)
    }

    /// Section 4.3, steps 4 and 6.
    pub(super) fn on_feedback(&mut self, feedback: &Feedback) {
        let limit = self.receive_limit(feedback);
        self.recalculate(feedback.now, feedback.path, limit);
        self.timer_set = feedback.now;
    }

    /// recv_limit.
    fn receive_limit(&mut self, feedback: &Feedback) -> f64 {
        let Feedback { now, x_recv, path, new_event, data_limited } = *feedback;
        if !data_limited {
            self.received.update(now, x_recv, Span::from_secs_f64(path.rtt));
            return 2.0 * self.received.max();
        }
        if new_event {
            self.received.halve();
            self.received.maximize(now, LIMITED_AND_LOST * x_recv);
            return self.received.max();
        }
        self.received.maximize(now, x_recv);
        2.0 * self.received.max()
    }

    /// X by the equation once there was a loss; before, slow start, which doubles it once an RTT.
    fn recalculate(&mut self, now: Time, path: Path, limit: f64) {
        if path.event_rate.is_some() {
            self.x = path.throughput().min(limit).max(LEAST);
        } else if now.since(self.doubled).as_secs_f64() >= path.rtt {
            let initial = self.initial_window / path.rtt;
            self.x = (2.0 * self.x).min(limit).max(initial);
            self.doubled = now;
        }
    }

    /// Section 4.4: whether the nofeedback timer has expired at `now`.
    pub(super) fn is_overdue(&self, now: Time, rtt: f64) -> bool {
        self.x > LEAST && now.since(self.timer_set) >= self.timer(rtt)
    }

    /// Catches up with the expirations of the nofeedback timer until `now`. A sender with packets in flight is
    /// not idle, so the rules for idle senders never apply.
    pub(super) fn on_silence(&mut self, now: Time, path: Path) {
        while self.is_overdue(now, path.rtt) {
            self.timer_set += self.timer(path.rtt);
            self.halve(path);
        }
    }

    /// max(4 R, 2 s / X) (section 4.3, step 3).
    fn timer(&self, rtt: f64) -> Span {
        Span::from_secs_f64((4.0 * rtt).max(2.0 / self.x))
    }

    fn halve(&mut self, path: Path) {
        if path.event_rate.is_none() {
            self.x = (self.x / 2.0).max(LEAST);
            return;
        }
        let (x_recv, throughput) = (self.received.max(), path.throughput());
        // "2*X_recv was already limiting the sending rate", or X_Bps was.
        let limit = if throughput > 2.0 * x_recv { x_recv } else { throughput / 2.0 };
        // "Update_Limits"
        let limit = limit.max(LEAST);
        self.received.replace(self.timer_set, limit / 2.0);
        self.recalculate(self.timer_set, path, limit);
    }
}

#[cfg(test)]
#[path = "allowed_tests.rs"]
mod tests;
