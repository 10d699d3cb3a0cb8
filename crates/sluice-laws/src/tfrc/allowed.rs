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
            self.timer_set = self.timer_set + self.timer(path.rtt);
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
mod tests {
    use super::*;

    const RTT: f64 = 0.1;

    fn at(millis: u64) -> Time {
        Time::ZERO + Span::from_millis(millis)
    }

    fn path(event_rate: Option<f64>) -> Path {
        Path { event_rate, rtt: RTT }
    }

    fn feedback(millis: u64, x_recv: f64, event_rate: Option<f64>) -> Feedback {
        let (path, now) = (path(event_rate), at(millis));
        Feedback { now, x_recv, path, new_event: false, data_limited: false }
    }

    /// 3 packets in 100 ms, doubled at the first two reports, whose X_recv does not count yet; then at most
    /// twice the maximum of the last two round trips.
    #[test]
    fn slow_start_doubles_once_an_rtt_up_to_twice_the_receive_rate() {
        let mut allowed = AllowedRate::new(at(0), 3, RTT);
        let reports = [
            (100, 10.0, 60.0),
            (150, 30.0, 60.0), // less than an RTT after the last
            (200, 30.0, 120.0),
            (300, 40.0, 80.0),
            (400, 100.0, 160.0),
            (500, 70.0, 200.0), // twice 100
            (600, 90.0, 200.0),
            (700, 90.0, 180.0), // 100 is older than two round trips
            (800, 1.0, 180.0),
            (900, 1.0, 180.0),
            (1_000, 1.0, 30.0), // the initial rate at least
        ];
        for (millis, x_recv, x) in reports {
            allowed.on_feedback(&feedback(millis, x_recv, None));
            assert!(
                (allowed.get() / x - 1.0).abs() < 1e-12,
                "{millis} ms: {}, not {x}",
                allowed.get()
            );
        }
    }

    /// The equation gives 112.332 packets a second at p = 0.01 and 100 ms.
    #[test]
    fn after_losses_the_rate_is_the_equations_up_to_twice_the_receive_rate() {
        let mut allowed = AllowedRate::new(at(0), 3, RTT);
        allowed.on_feedback(&feedback(300, 100.0, Some(0.01)));
        assert!((allowed.get() - 112.332).abs() < 0.001, "{}", allowed.get());
        allowed.on_feedback(&feedback(600, 40.0, Some(0.01)));
        assert_eq!(allowed.get(), 80.0);
        allowed.on_feedback(&feedback(900, 0.0, Some(0.01)));
        assert_eq!(allowed.get(), LEAST);
    }

    /// 4.3: such intervals do not lower the limit, unless they report a loss: 0.85 X_recv or half of the
    /// others, and not twice.
    #[test]
    fn data_limited_intervals_lower_the_limit_only_at_losses() {
        let mut allowed = AllowedRate::new(at(0), 3, RTT);
        allowed.on_feedback(&feedback(300, 100.0, Some(1e-4)));
        let limited = |millis, x_recv, new_event| Feedback {
            data_limited: true,
            new_event,
            ..feedback(millis, x_recv, Some(1e-4))
        };
        allowed.on_feedback(&limited(900, 10.0, false));
        assert_eq!(allowed.get(), 200.0);
        allowed.on_feedback(&limited(1_500, 10.0, true));
        assert_eq!(allowed.get(), 50.0);
        allowed.on_feedback(&limited(1_600, 80.0, true));
        assert_eq!(allowed.get(), 0.85 * 80.0);
    }

    #[test]
    fn in_slow_start_the_rate_halves_for_each_four_round_trips_of_silence() {
        let mut allowed = AllowedRate::new(at(0), 320, RTT);
        let rates = [399, 400, 799, 800, 1_200].map(|millis| {
            allowed.on_silence(at(millis), path(None));
            allowed.get()
        });
        assert_eq!(rates, [3_200.0, 1_600.0, 1_600.0, 800.0, 400.0]);
        // From 3.125 packets a second on, the timer is 2 s / X: 0.64 s from 4.0 s, 1.28 s from 4.64 s.
        allowed.on_silence(at(3_999), path(None));
        assert_eq!(allowed.get(), 6.25);
        allowed.on_silence(at(4_639), path(None));
        assert_eq!(allowed.get(), 3.125);
        allowed.on_silence(at(5_919), path(None));
        assert_eq!(allowed.get(), 1.5625);
        allowed.on_silence(at(1_000_000), path(None));
        assert_eq!(allowed.get(), LEAST);
    }

    /// "X_Bps > 2 X_recv": X falls from 80 to X_recv; else it falls to X_Bps / 2 = 56.166.
    #[test]
    fn after_losses_the_rate_halves_from_what_limited_it() {
        for (x_recv, halves) in [(40.0, [40.0, 20.0, 10.0]), (100.0, [56.166, 28.083, 14.042])] {
            let mut allowed = AllowedRate::new(at(0), 3, RTT);
            allowed.on_feedback(&feedback(300, x_recv, Some(0.01)));
            for (index, half) in halves.into_iter().enumerate() {
                allowed.on_silence(at(700 + 400 * index as u64), path(Some(0.01)));
                assert!((allowed.get() - half).abs() < 0.001, "{}, not {half}", allowed.get());
            }
        }
    }

    #[test]
    fn feedback_restarts_the_timer() {
        let mut allowed = AllowedRate::new(at(0), 3, RTT);
        allowed.on_feedback(&feedback(300, 100.0, None));
        allowed.on_silence(at(699), path(None));
        assert_eq!(allowed.get(), 60.0);
    }
}
