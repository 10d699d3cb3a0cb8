//! The loss history: the average loss interval (RFC 5348 sections 5.4 and 5.5). Intervals are in packets.

/// n, the number of intervals (section 5.4).
const INTERVALS: usize = 8;
/// Section 5.4: w_i is 1 for i < n / 2, else 2 (n - i) / (n + 2).
const WEIGHTS: [f64; INTERVALS] = [1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2];
/// THRESHOLD, the least discount factor (section 5.5; RFC 3448 had 0.25).
const LEAST_DISCOUNT: f64 = 0.5;

/// The intervals between loss events. All that follows takes I_0, the packets since the last of them, as an
/// argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct LossHistory {
    /// I_1 to I_k, the newest first.
    closed: [Interval; INTERVALS],
    /// k.
    count: usize,
    discounting: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Interval {
    packets: f64,
    /// DF_i.
    discount: f64,
}

impl LossHistory {
    /// No loss event so far.
    pub(super) fn new(discounting: bool) -> Self {
        Self { closed: [Interval::default(); INTERVALS], count: 0, discounting }
    }

    /// A loss event ends an interval of `packets`, or gives the first one (section 6.3.1).
    pub(super) fn close(&mut self, packets: f64) {
        let discount = self.discount(packets);
        for interval in self.intervals_mut() {
            interval.discount *= discount; // section 5.5: DF_i = DF_i DF
        }
        self.closed.rotate_right(1);
        self.closed[0] = Interval { packets: packets.max(1.0), discount: 1.0 };
        self.count = (self.count + 1).min(INTERVALS);
    }

    /// I_mean = 1 / p; `None` before the first loss event. "I_0 is only included where it increases" the mean
    /// (section 5.4).
    pub(super) fn mean(&self, open: f64) -> Option<f64> {
        let closed = self.closed_mean()?;
        Some(closed.max(self.mean_with(open)))
    }

    /// I_tot1 / W_tot1 of section 5.5, which without discounting is that of section 5.4.
    fn closed_mean(&self) -> Option<f64> {
        let weighted = self.intervals().iter().zip(WEIGHTS);
        let (total, weights) = weighted.fold((0.0, 0.0), |(total, weights), (interval, weight)| {
            let weight = weight * interval.discount;
            (total + weight * interval.packets, weights + weight)
        });
        (self.count > 0).then(|| total / weights)
    }

    /// I_tot0 / W_tot0: I_0 takes the newest interval's weight, and the oldest of n is left out.
    fn mean_with(&self, open: f64) -> f64 {
        let discount = self.discount(open);
        let younger = &self.intervals()[..self.count - 1];
        let weighted = younger.iter().zip(&WEIGHTS[1..]);
        let start = (open * WEIGHTS[0], WEIGHTS[0]);
        let (total, weights) = weighted.fold(start, |(total, weights), (interval, weight)| {
            let weight = weight * interval.discount * discount;
            (total + weight * interval.packets, weights + weight)
        });
        total / weights
    }

    /// DF (section 5.5): below 1 once I_0 is more than twice the average interval.
    fn discount(&self, open: f64) -> f64 {
        match self.closed_mean() {
            Some(mean) if self.discounting && open > 2.0 * mean => {
                (2.0 * mean / open).max(LEAST_DISCOUNT)
            }
            _ => 1.0,
        }
    }

    fn intervals(&self) -> &[Interval] {
        &self.closed[..self.count]
    }

    fn intervals_mut(&mut self) -> &mut [Interval] {
        &mut self.closed[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A history that closed these intervals, the oldest first.
    fn history(discounting: bool, intervals: &[f64]) -> LossHistory {
        let mut history = LossHistory::new(discounting);
        intervals.iter().for_each(|&packets| history.close(packets));
        history
    }

    fn close_to(found: f64, expected: f64) -> bool {
        (found / expected - 1.0).abs() < 1e-12
    }

    #[test]
    fn without_a_loss_event_there_is_no_mean() {
        assert_eq!(history(true, &[]).mean(1e9), None);
    }

    /// I_1 to I_8 are 80, 70, ..., 10: 80 + 70 + 60 + 50 + 0.8 x 40 + 0.6 x 30 + 0.4 x 20 + 0.2 x 10 = 320
    /// over the sum of weights, 6.
    #[test]
    fn the_newest_four_of_eight_intervals_count_fully() {
        let tens = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0];
        assert!(close_to(history(false, &tens).mean(0.0).unwrap(), 320.0 / 6.0));
        // A ninth pushes out the first: 5 + 80 + 70 + 60 + 0.8 x 50 + 0.6 x 40 + 0.4 x 30 + 0.2 x 20 = 295.
        let mut ninth = history(false, &tens);
        ninth.close(5.0);
        assert!(close_to(ninth.mean(0.0).unwrap(), 295.0 / 6.0));
    }

    /// With I_0 the sum is I_0 + 80 + 70 + 60 + 0.8 x 50 + 0.6 x 40 + 0.4 x 30 + 0.2 x 20 = I_0 + 290, which
    /// exceeds 320 from I_0 = 30 on.
    #[test]
    fn the_open_interval_counts_where_it_raises_the_mean() {
        let tens = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0];
        let history = history(false, &tens);
        for (open, total) in
            [(0.0, 320.0), (29.0, 320.0), (31.0, 321.0), (100.0, 390.0), (1e6, 1e6 + 290.0)]
        {
            assert!(close_to(history.mean(open).unwrap(), total / 6.0), "{open}");
        }
    }

    /// k = 1 and 3: as many weights as intervals. (30 + 20 + 10) / 3, and (60 + 30 + 20) / 3.
    #[test]
    fn a_short_history_uses_the_first_weights() {
        assert_eq!(history(false, &[100.0]).mean(1.0), Some(100.0));
        assert_eq!(history(false, &[100.0]).mean(150.0), Some(150.0));
        let three = history(false, &[10.0, 20.0, 30.0]);
        assert_eq!((three.mean(0.0), three.mean(60.0)), (Some(20.0), Some(110.0 / 3.0)));
    }

    /// Eight intervals of 100 packets, I_0 = 320: DF = 2 x 100 / 320 = 0.625. The mean is (320 + 0.625 x 100 x
    /// 5) / (1 + 0.625 x 5) = 153.3, with 5 the sum of w_1 to w_7; without discounting (320 + 500) / 6 = 136.7.
    #[test]
    fn a_long_open_interval_discounts_older_ones() {
        let hundreds = [100.0; 8];
        let mean = |discounting, open| history(discounting, &hundreds).mean(open).unwrap();
        assert!(close_to(mean(true, 320.0), 632.5 / 4.125));
        assert!(close_to(mean(false, 320.0), 820.0 / 6.0));
        // Up to twice the mean, nothing is discounted: (200 + 500) / 6.
        assert!(close_to(mean(true, 200.0), 700.0 / 6.0));
        // DF is 0.5 at least: (8000 + 0.5 x 500) / (1 + 0.5 x 5).
        assert!(close_to(mean(true, 8_000.0), 8_250.0 / 3.5));
    }

    /// The factors stay as the interval closes: I_1 = 400, and I_2 to I_8 = 100 with DF_i = 0.5 of sum of
    /// weights 5: (400 + 250) / 3.5.
    #[test]
    fn discounts_stay_with_their_intervals() {
        let mut history = history(true, &[100.0; 8]);
        history.close(400.0);
        assert!(close_to(history.mean(0.0).unwrap(), 650.0 / 3.5));
    }

    #[test]
    fn an_interval_has_at_least_a_packet() {
        assert_eq!(history(true, &[0.0, 0.0]).mean(0.0), Some(1.0));
    }
}
