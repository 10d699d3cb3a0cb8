//! X_recv_set: the receive rates of the last two round trips (RFC 5348 sections 4.3 and 8.2.2). Rates are in
//! packets a second.

use sluice_units::{Span, Time};

/// Entries kept. Feedback once a round trip, and once more at a loss event, gives five in two of them.
const ENTRIES: usize = 5;

/// The receive rates that limit the sending rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReceiveRates {
    /// The oldest first; "Infinity" at first, so that the first round trips do not limit the rate.
    entries: [(Time, f64); ENTRIES],
    len: usize,
}

impl ReceiveRates {
    pub(super) fn new(now: Time) -> Self {
        Self { entries: [(now, f64::INFINITY); ENTRIES], len: 1 }
    }

    /// "max (X_recv_set)".
    pub(super) fn max(&self) -> f64 {
        self.rates().iter().fold(0.0, |most, &(_, rate)| rate.max(most))
    }

    /// "Update X_recv_set()": adds a rate and deletes "values older than two round-trip times".
    pub(super) fn update(&mut self, now: Time, rate: f64, rtt: Span) {
        let age = rtt * 2;
        let old = self.rates().iter().take_while(|&&(at, _)| now.since(at) > age).count();
        let full = usize::from(self.len - old == ENTRIES);
        self.entries.copy_within(old + full..self.len, 0);
        self.len -= old + full;
        self.entries[self.len] = (now, rate);
        self.len += 1;
    }

    /// "Maximize X_recv_set()": keeps the maximum of all but "Infinity" and the new rate, as of now.
    pub(super) fn maximize(&mut self, now: Time, rate: f64) {
        let finite = self.rates().iter().map(|entry| entry.1).filter(|rate| rate.is_finite());
        self.replace(now, finite.fold(rate, f64::max));
    }

    /// "Halve entries in X_recv_set".
    pub(super) fn halve(&mut self) {
        for (_, rate) in &mut self.entries[..self.len] {
            *rate /= 2.0;
        }
    }

    /// "Replace X_recv_set contents with the single item".
    pub(super) fn replace(&mut self, now: Time, rate: f64) {
        (self.entries[0], self.len) = ((now, rate), 1);
    }

    fn rates(&self) -> &[(Time, f64)] {
        &self.entries[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: Span = Span::from_millis(100);

    fn at(millis: u64) -> Time {
        Time::ZERO + Span::from_millis(millis)
    }

    #[test]
    fn the_first_two_round_trips_limit_nothing() {
        let mut rates = ReceiveRates::new(at(0));
        rates.update(at(100), 5.0, RTT);
        rates.update(at(200), 7.0, RTT);
        assert_eq!(rates.max(), f64::INFINITY);
        rates.update(at(201), 6.0, RTT);
        assert_eq!(rates.max(), 7.0);
    }

    #[test]
    fn rates_of_two_round_trips_count() {
        let mut rates = ReceiveRates::new(at(0));
        let maxima =
            [(300, 9.0), (400, 4.0), (500, 3.0), (600, 2.0), (700, 1.0)].map(|(ms, rate)| {
                rates.update(at(ms), rate, RTT);
                rates.max()
            });
        assert_eq!(maxima, [9.0, 9.0, 9.0, 4.0, 3.0]);
    }

    #[test]
    fn more_entries_than_fit_push_out_the_oldest() {
        let mut rates = ReceiveRates::new(at(0));
        (1..=8).for_each(|i| rates.update(at(i), 10.0 - i as f64, RTT));
        assert_eq!(rates.max(), 6.0);
    }

    #[test]
    fn maximizing_keeps_one_finite_rate_as_of_now() {
        let mut rates = ReceiveRates::new(at(0));
        rates.maximize(at(50), 5.0);
        assert_eq!(rates.max(), 5.0);
        rates.maximize(at(100), 3.0);
        rates.update(at(290), 1.0, RTT);
        assert_eq!(rates.max(), 5.0);
        rates.update(at(301), 1.0, RTT);
        assert_eq!(rates.max(), 1.0);
    }

    #[test]
    fn halving_and_replacing() {
        let mut rates = ReceiveRates::new(at(0));
        rates.replace(at(10), 8.0);
        rates.update(at(20), 6.0, RTT);
        rates.halve();
        assert_eq!(rates.max(), 4.0);
        rates.replace(at(30), 1.0);
        assert_eq!(rates.max(), 1.0);
    }
}
