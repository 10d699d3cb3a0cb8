//! The windowed maximum of a series.

/// The maximum over the present and the `N - 1` preceding units of time. Exact, where the drafts suggest
/// Kathleen Nichols' estimator: `N` is small.
///
/// Time passes with the values that are entered: as in that estimator, what is not entered displaces
/// nothing, so that an application-limited flow keeps its estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaxFilter<const N: usize> {
    slots: [f64; N],
    time: u64,
    max: f64,
}

impl<const N: usize> MaxFilter<N> {
    /// One that is 0 until a value is entered.
    pub(crate) const fn new() -> Self {
        Self { slots: [0.0; N], time: 0, max: 0.0 }
    }

    /// Enters a value at `time`, which never falls.
    pub(crate) fn enter(&mut self, time: u64, value: f64) {
        let steps = time.saturating_sub(self.time).min(N as u64);
        for step in 1..=steps {
            self.slots[slot::<N>(time - (steps - step))] = 0.0;
        }
        self.time = self.time.max(time);
        let now = &mut self.slots[slot::<N>(self.time)];
        *now = now.max(value);
        if steps > 0 {
            self.max = self.slots.iter().copied().fold(0.0, f64::max);
        } else {
            self.max = self.max.max(value);
        }
    }

    /// Forgets all values before `time`.
    pub(crate) fn forget_before(&mut self, time: u64) {
        if self.time < time {
            *self = Self { time, ..Self::new() };
        }
    }

    pub(crate) fn max(&self) -> f64 {
        self.max
    }
}

fn slot<const N: usize>(time: u64) -> usize {
    (time % N as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_maximum_of_the_last_n_units() {
        let mut filter = MaxFilter::<3>::new();
        let mut found = Vec::new();
        for (time, value) in [(0, 5.0), (0, 7.0), (1, 3.0), (2, 4.0), (3, 1.0), (5, 2.0)] {
            filter.enter(time, value);
            found.push(filter.max());
        }
        // 7 is of time 0, which leaves the window at time 3; 4 of time 2 leaves it at 5.
        assert_eq!(found, [5.0, 7.0, 7.0, 7.0, 4.0, 2.0]);
    }

    #[test]
    fn a_value_after_a_long_gap_is_alone() {
        let mut filter = MaxFilter::<10>::new();
        filter.enter(3, 9.0);
        filter.enter(1_000_000_007, 1.0);
        assert_eq!(filter.max(), 1.0);
        filter.forget_before(1_000_000_008);
        assert_eq!(filter.max(), 0.0);
    }

    /// Against a list of all values.
    #[test]
    fn it_agrees_with_a_search() {
        let mut filter = MaxFilter::<10>::new();
        let mut all: Vec<(u64, f64)> = Vec::new();
        let (mut time, mut seed) = (0_u64, 1_u64);
        for _ in 0..10_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            time += [0, 0, 0, 1, 1, 2, 13][(seed >> 33) as usize % 7];
            let value = (seed >> 40) as f64;
            filter.enter(time, value);
            all.push((time, value));
            let recent = all.iter().rev().take_while(|(at, _)| at + 10 > time);
            let max = recent.map(|(_, value)| *value).fold(0.0, f64::max);
            assert_eq!(filter.max(), max);
        }
    }
}
