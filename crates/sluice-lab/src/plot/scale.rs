//! From values to pixels, and round values to label.

/// Axes whose values span more than this factor are logarithmic.
const LOG_ABOVE: f64 = 20.0;
/// How far intervals may widen an axis beyond its values: a factor if logarithmic, else spans.
const WIDENED: f64 = 2.0;

/// The values along an axis.
#[derive(Clone, Debug)]
pub struct Scale {
    /// The values at the ends, as shown: logarithms if `is_log`.
    ends: [f64; 2],
    /// The pixels at the ends.
    pixels: [f64; 2],
    is_log: bool,
}

impl Scale {
    /// The scale of an x axis: all values with some air.
    pub fn across(values: &[f64], pixels: [f64; 2]) -> Self {
        Self::with_air(range(values), is_wide(values), pixels)
    }

    /// The scale of a y axis: from 0 unless logarithmic, widened towards the ends of intervals.
    pub fn upright(values: &[f64], intervals: &[[f64; 2]], pixels: [f64; 2]) -> Self {
        let is_log = is_wide(values);
        let [min, max] = range(values);
        let bounds = if is_log {
            [min / WIDENED, max * WIDENED]
        } else {
            [min - (max - min) * WIDENED, max + (max - min) * WIDENED]
        };
        let low = intervals.iter().map(|ends| ends[0]).fold(min, f64::min).max(bounds[0]);
        let high = intervals.iter().map(|ends| ends[1]).fold(max, f64::max).min(bounds[1]);
        if is_log {
            return Self::with_air([low, high], true, pixels);
        }
        let low = low.min(0.0);
        let high = if high > low { high + (high - low) * 0.06 } else { low + 1.0 };
        Self { ends: [low, high], pixels, is_log }
    }

    fn with_air([min, max]: [f64; 2], is_log: bool, pixels: [f64; 2]) -> Self {
        let [min, max] = if is_log { [libm::log10(min), libm::log10(max)] } else { [min, max] };
        let air = if max > min { (max - min) * 0.04 } else { 0.5 };
        Self { ends: [min - air, max + air], pixels, is_log }
    }

    /// The pixel of a value, and where it would be if the axis went on.
    pub fn at(&self, value: f64) -> f64 {
        let value = if self.is_log { libm::log10(value.max(f64::MIN_POSITIVE)) } else { value };
        let part = (value - self.ends[0]) / (self.ends[1] - self.ends[0]);
        // To hundredths, which are not seen and print short.
        libm::round((self.pixels[0] + part * (self.pixels[1] - self.pixels[0])) * 100.0) / 100.0
    }

    /// At most about `count` round values within the axis.
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        let even = even_ticks(self.ends, count);
        if !self.is_log {
            return even;
        }
        let ticks = log_ticks(self.ends, count);
        let logs = || even.iter().map(|&log| libm::pow(10.0, log));
        if ticks.len() >= 2 { ticks } else { logs().collect() }
    }
}

fn range(values: &[f64]) -> [f64; 2] {
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if min <= max { [min, max] } else { [0.0, 1.0] }
}

fn is_wide(values: &[f64]) -> bool {
    let [min, max] = range(values);
    min > 0.0 && max > min * LOG_ABOVE
}

fn even_ticks([min, max]: [f64; 2], count: usize) -> Vec<f64> {
    let rough = (max - min) / count.max(2) as f64;
    let decade = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * decade);
    let step = steps.into_iter().find(|&step| step >= rough).unwrap_or(rough);
    let (first, last) = (libm::ceil(min / step) as i64, libm::floor(max / step) as i64);
    (first..=last).map(|n| n as f64 * step).collect()
}

/// Round values between powers of ten, `[min, max]`: of each decade as many as have room.
fn log_ticks([min, max]: [f64; 2], count: usize) -> Vec<f64> {
    const STEPS: [&[f64]; 3] = [&[1.0], &[1.0, 3.0], &[1.0, 2.0, 5.0]];
    let of_steps = |steps: &&[f64]| {
        let decades = libm::floor(min) as i32..=libm::floor(max) as i32;
        let all = decades.flat_map(|decade| {
            steps.iter().map(move |step| step * libm::pow(10.0, f64::from(decade)))
        });
        all.filter(|&tick| (min..=max).contains(&libm::log10(tick))).collect::<Vec<f64>>()
    };
    let mut all = STEPS.iter().map(of_steps);
    let best = all.rfind(|ticks| ticks.len() <= count).unwrap_or_else(|| of_steps(&STEPS[0]));
    let every = best.len().div_ceil(count.max(1)).max(1);
    best.into_iter().step_by(every).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_axis_is_logarithmic_with_round_ticks() {
        let scale = Scale::across(&[0.01, 1.0], [0.0, 100.0]);
        assert!((scale.at(0.1) - 50.0).abs() < 1e-9);
        let ticks: Vec<String> = scale.ticks(8).iter().map(|tick| format!("{tick:.2}")).collect();
        assert_eq!(ticks, ["0.01", "0.02", "0.05", "0.10", "0.20", "0.50", "1.00"]);
    }

    #[test]
    fn a_y_axis_starts_at_zero_and_holds_its_values() {
        let scale = Scale::upright(&[3.0, 5.0], &[], [300.0, 0.0]);
        assert_eq!(scale.at(0.0), 300.0);
        assert!(scale.at(5.0) > 0.0 && scale.ticks(6) == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    }

    #[test]
    fn a_wide_interval_does_not_flatten_the_values() {
        let plain = Scale::upright(&[1.0, 2.0], &[[0.5, 2.5]], [300.0, 0.0]);
        assert!(plain.at(2.5) > 0.0);
        let wide = Scale::upright(&[1.0, 2.0], &[[0.0, 1e9]], [300.0, 0.0]);
        assert!(wide.at(1.0) - wide.at(2.0) > 50.0);
    }

    #[test]
    fn one_value_has_an_axis() {
        for values in [&[7.0][..], &[0.0], &[]] {
            let scale = Scale::upright(values, &[], [300.0, 0.0]);
            assert!(values.iter().all(|&value| scale.at(value).is_finite()), "{values:?}");
            assert!(Scale::across(values, [0.0, 9.0]).at(7.0).is_finite());
        }
    }
}
