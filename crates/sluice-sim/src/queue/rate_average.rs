//! Rates averaged exponentially over arrivals.

use sluice_units::{Span, Time};

/// Rates in bits a second of `N` parts of a sequence of packets, after I. Stoica, S. Shenker,
/// H. Zhang, "Core-Stateless Fair Queueing" (SIGCOMM 1998), equation 5: a packet of length l that
/// arrives T after the one before it makes r <- (1 - e^(-T/K)) l/T + e^(-T/K) r. K is the same for
/// all packets of an average.
///
/// The paper leaves three cases open. At T = 0 this is the limit, r + l/K. T counts as [`memory`]
/// at most, and is that for the first packet: an average without packets for so long is as one that
/// never had any, and need not be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct RateAverages<const N: usize> {
    bps: [f64; N],
    /// When the last packet arrived; `None` before the first.
    last: Option<Time>,
}

/// After which an average is forgotten: 4e-18 of it would be left.
pub(super) fn memory(k: Span) -> Span {
    Span::from_nanos(k.as_nanos() * 40)
}

impl<const N: usize> Default for RateAverages<N> {
    fn default() -> Self {
        Self { bps: [0.0; N], last: None }
    }
}

impl<const N: usize> RateAverages<N> {
    /// Counts a packet that arrives at `now`, of which the parts have these bytes.
    pub(super) fn count(&mut self, now: Time, bytes: [u32; N], k: Span) {
        let memory = memory(k);
        self.count_after(self.gap(now, memory).unwrap_or(memory), now, bytes, k);
    }

    /// The same, where the packet counts as `elapsed` after the one before it, [`memory`] at most.
    pub(super) fn count_after(&mut self, elapsed: Span, now: Time, bytes: [u32; N], k: Span) {
        self.last = Some(now);
        let constant = k.as_secs_f64();
        let constants = elapsed.as_secs_f64() / constant;
        // 1 - e^(-T/K), which rounds to 1 at `memory`.
        let renewed = -libm::expm1(-constants);
        let newest = if elapsed == Span::ZERO { 1.0 } else { renewed / constants };
        let kept = 1.0 - renewed;
        for (rate, bytes) in self.bps.iter_mut().zip(bytes) {
            *rate = f64::from(bytes) * 8.0 / constant * newest + kept * *rate;
        }
    }

    /// Takes the rates of this packet alone, l/T, which is the limit at K = 0. T counts as 1 ns at least.
    pub(super) fn count_alone(&mut self, elapsed: Span, now: Time, bytes: [u32; N]) {
        self.last = Some(now);
        let elapsed = elapsed.max(Span::NANO).as_secs_f64();
        self.bps = bytes.map(|bytes| f64::from(bytes) * 8.0 / elapsed);
    }

    /// The time since the last packet; `None` if there was none within `memory`.
    pub(super) fn gap(&self, now: Time, memory: Span) -> Option<Span> {
        self.last.map(|last| now.since(last)).filter(|&gap| gap < memory)
    }

    /// The rates as the last packet arrived, in bits a second; 0 before the first.
    pub(super) fn bps(&self) -> [f64; N] {
        self.bps
    }

    /// Whether packets have been counted, but the next will count as the first.
    pub(super) fn is_over(&self, now: Time, k: Span) -> bool {
        self.last.is_some_and(|last| now.since(last) >= memory(k))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const K: Span = Span::from_millis(100);

    fn at(ms: u64) -> Time {
        Time::ZERO + Span::from_millis(ms)
    }

    /// The rate after one more packet of 1000 bytes.
    fn after(rate: &mut RateAverages<1>, ms: u64) -> f64 {
        rate.count(at(ms), [1000], K);
        rate.bps()[0]
    }

    fn near(found: f64, by_hand: f64) {
        assert!((found / by_hand - 1.0).abs() < 1e-9, "{found}, not {by_hand}");
    }

    /// Packets of 1000 bytes. The first counts as 4 s after one before: 8000 / 4. After 100 ms:
    /// (1 - 1/e) 80,000 + 2000 / e. After another 50 ms: (1 - e^-0.5) 160,000 + e^-0.5 of that.
    #[test]
    fn rates_are_those_of_equation_5() {
        let mut rate = RateAverages::default();
        near(after(&mut rate, 7), 2000.0);
        near(after(&mut rate, 107), 51_305.403589);
        near(after(&mut rate, 157), 94_073.394731);
    }

    /// Three packets at once: 80 kb/s more for each.
    #[test]
    fn packets_of_one_instant_add_their_length_over_k() {
        let mut rate = RateAverages::default();
        [2e3, 82e3, 162e3].into_iter().for_each(|by_hand| near(after(&mut rate, 1), by_hand));
    }

    /// At a constant gap the average is the rate: 8000 bits each 10 ms.
    #[test]
    fn a_steady_flow_has_its_rate() {
        let mut rate = RateAverages::default();
        let last = (0..400).map(|place| after(&mut rate, 10 * place)).last();
        near(last.expect("400 packets"), 800e3);
    }

    /// A part of every other packet is half of the whole, on average.
    #[test]
    fn a_part_averages_over_all_packets() {
        let mut rates = RateAverages::default();
        let mut sums = [0.0; 2];
        for place in 0..2000 {
            rates.count(at(10 * place), [1000, if place % 2 == 0 { 1000 } else { 0 }], K);
            if place >= 1000 {
                sums = [0, 1].map(|part: usize| sums[part] + rates.bps()[part]);
            }
        }
        near(sums[0], 2.0 * sums[1]);
    }

    /// After a pause of 4 s or more nothing of the past is left, so it may have been dropped.
    #[test]
    fn a_rate_is_forgotten_after_40_constants() {
        for pause in [4_000, 4_001, 100_000] {
            let mut rate = RateAverages::default();
            (0..100).for_each(|ms| rate.count(at(ms), [1000], K));
            assert!(!rate.is_over(at(99 + 3_999), K));
            assert!(rate.is_over(at(99 + pause), K));
            assert_eq!(after(&mut rate, 99 + pause), after(&mut RateAverages::default(), 5));
        }
    }
}
