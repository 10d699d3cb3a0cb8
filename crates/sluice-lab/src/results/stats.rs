//! Confidence intervals that are valid for heavy tails: over replications, or of quantiles within a
//! run.

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

/// Confidence level of intervals.
pub const CONFIDENCE: f64 = 0.95;

/// An interval: its lower and upper end.
pub type Interval = [f64; 2];

/// Interval of the mean of independent replications, by Student's t. `None` for fewer than two.
pub fn of_mean(values: &[f64]) -> Option<Interval> {
    let count = values.len();
    if count < 2 {
        return None;
    }
    let n = count as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let half = t(count - 1) * (squares / (n - 1.0) / n).sqrt();
    Some([mean - half, mean + half])
}

/// Interval of the mean of independent replications whose values are at least `min`. `None` for
/// fewer than two, and where the upper end overflows: different values that are nearly at `min`.
///
/// Student's t on a logarithmic scale by the delta method: the standard error of log(mean - min) is
/// that of the mean over (mean - min). The interval encloses the mean, never reaches `min` unless
/// all values are there, and approaches that of [`of_mean`] where it is narrow. For skewed values
/// it covers the true mean more often than [`of_mean`]'s; an interval of the mean of logarithms
/// would cover the geometric mean, which is another quantity.
pub fn of_mean_above(values: &[f64], min: f64) -> Option<Interval> {
    let [low, high] = of_mean(values)?;
    let (above, half) = ((low + high) / 2.0 - min, (high - low) / 2.0);
    if above <= 0.0 {
        return Some([min, min]);
    }
    let factor = libm::exp(half / above);
    factor.is_finite().then_some([min + above / factor, min + above * factor])
}

/// Interval of a ratio of two means, of independent replications that each have a numerator and a denominator above 0. `None`
/// for fewer than two, and where the upper end overflows.
///
/// Student's t on a logarithmic scale by the delta method: with R = sum x / sum y, the standard error of R is that of the mean
/// of x - R y over the mean of y. So replications weigh as in R itself, which the interval encloses; the mean of
/// their own ratios is another quantity, and may lie elsewhere where few of them have large parts of both sums.
pub fn of_ratio(parts: &[[f64; 2]]) -> Option<Interval> {
    let sum = |i: usize| parts.iter().map(|part| part[i]).sum::<f64>();
    let [of, over] = [sum(0), sum(1)];
    let ratio = of / over;
    let rests: Vec<f64> = parts.iter().map(|part| part[0] - ratio * part[1]).collect();
    let [low, high] = of_mean(&rests)?;
    if ratio <= 0.0 {
        return Some([0.0, 0.0]);
    }
    let half = (high - low) / 2.0 * parts.len() as f64 / over;
    let factor = libm::exp(half / ratio);
    factor.is_finite().then_some([ratio / factor, ratio * factor])
}

/// The two-sided quantile of Student's t at [`CONFIDENCE`].
fn t(freedom: usize) -> f64 {
    let upper = 1.0 - (1.0 - CONFIDENCE) / 2.0;
    // Cannot fail: location 0, scale 1, and at least one degree of freedom.
    let quantile =
        StudentsT::new(0.0, 1.0, freedom as f64).map_or(f64::NAN, |t| t.inverse_cdf(upper));
    // Depends on the platform's logarithms: rounded, so that every machine gets the same.
    (quantile * 1e6).round() / 1e6
}

/// The ranks, from 1, of the order statistics that enclose the quantile `p` of the distribution of
/// `count` independent values, whatever that distribution is. `None` if there are too few values
/// for an upper end at this confidence.
pub fn ranks(count: u64, p: f64) -> Option<(u64, u64)> {
    let doubt = (1.0 - CONFIDENCE) / 2.0;
    let below = Binomial::new(p, count).ok()?;
    let (low, high) = (quantile(&below, count, doubt), quantile(&below, count, 1.0 - doubt) + 1);
    (low >= 1 && high <= count).then_some((low, high))
}

/// The smallest number that is not exceeded with probability `p`. (The library's own search fails
/// where that is the minimum.)
fn quantile(distribution: &Binomial, count: u64, p: f64) -> u64 {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if distribution.cdf(middle) >= p { high = middle } else { low = middle + 1 }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_t_is_that_of_the_tables() {
        for (freedom, quantile) in [(1, 12.7062), (2, 4.3027), (9, 2.2622), (29, 2.0452)] {
            assert!((t(freedom) - quantile).abs() < 5e-5, "{freedom}: {}", t(freedom));
        }
    }

    #[test]
    fn an_interval_by_hand() {
        // Mean 12, standard deviation 2, three values: 12 -+ 4.302653 x 2 / sqrt 3.
        let [low, high] = of_mean(&[10.0, 12.0, 14.0]).unwrap();
        assert!((low - (12.0 - 4.968_275)).abs() < 1e-5 && (high - 16.968_275).abs() < 1e-5);
        assert_eq!(of_mean(&[1.0]), None);
    }

    #[test]
    fn an_interval_above_a_minimum_by_hand() {
        // Mean 2 and half-width 12.706205 / 2 x (3 - 1): a factor of exp(12.706205 / 2).
        let [low, high] = of_mean_above(&[1.0, 3.0], 0.0).unwrap();
        let factor = libm::exp(12.706_205 / 2.0);
        assert!((low * factor - 2.0).abs() < 1e-5 && (high / factor - 2.0).abs() < 1e-5);
        // The same values with `min` 1, so a mean of 1 above it: twice the logarithm of the factor.
        let [low, high] = of_mean_above(&[1.0, 3.0], 1.0).unwrap();
        let factor = libm::exp(12.706_205);
        assert!(low > 1.0 && ((low - 1.0) * factor - 1.0).abs() < 1e-4, "{low}");
        assert!(((high - 1.0) / factor - 1.0).abs() < 1e-4, "{high}");
        assert_eq!(of_mean_above(&[1.0, 1.0], 1.0), Some([1.0, 1.0]));
        assert_eq!(of_mean_above(&[2.0], 1.0), None);
        assert_eq!(of_mean_above(&[0.9995, 1.000_501], 1.0), None, "exp(12 719) is no number");
    }

    #[test]
    fn an_interval_of_a_ratio_by_hand() {
        // 10 over 4, with 1 - 2.5 and 9 - 7.5 left: a standard error of sqrt(2 x (1.5^2 + 1.5^2)) / 4 = 0.75.
        let [low, high] = of_ratio(&[[1.0, 1.0], [9.0, 3.0]]).unwrap();
        let factor = libm::exp(12.706_205 * 0.75 / 2.5);
        assert!((low * factor - 2.5).abs() < 1e-4 && (high / factor - 2.5).abs() < 1e-4);
        // One replication has most of both sums, so its ratio of 1 counts more than that the others' is 3.
        let [low, high] =
            of_ratio(&[[100.0, 100.0], [3.0, 1.0], [3.0, 1.0], [3.1, 1.0], [3.0, 1.0]]).unwrap();
        // R = 112.1 / 104; what is left has a standard deviation of 4.354, t is 2.776: a factor of exp(0.2411).
        assert!((low - 0.847).abs() < 1e-3 && (high - 1.372).abs() < 1e-3, "{low} to {high}");
        // With denominators of 1 it is that of a mean.
        let means = of_mean_above(&[1.0, 3.0, 2.5], 0.0).unwrap();
        let ratios = of_ratio(&[[1.0, 1.0], [3.0, 1.0], [2.5, 1.0]]).unwrap();
        assert!((0..2).all(|end| (means[end] / ratios[end] - 1.0).abs() < 1e-12));
        assert_eq!(of_ratio(&[[1.0, 2.0]]), None);
        assert_eq!(of_ratio(&[[0.0, 2.0], [0.0, 1.0]]), Some([0.0, 0.0]));
    }

    #[test]
    fn a_narrow_interval_is_students_whatever_the_minimum() {
        let values = [1000.0, 1001.0, 999.5];
        let plain = of_mean(&values).unwrap();
        for min in [0.0, 1.0] {
            let above = of_mean_above(&values, min).unwrap();
            // To second order in 2.4 / 1000, of a half-width of 1.9.
            assert!((0..2).all(|end| (above[end] - plain[end]).abs() < 0.003), "{above:?}");
        }
    }

    /// Of 4000 samples of exponential values with mean 1, Student's t covers the mean in 88 to 92
    /// %, and extends below zero in half of the samples of five values.
    #[test]
    fn intervals_cover_the_mean_of_skewed_values_nearly_as_often_as_stated() {
        let mut state = 7_u64;
        // SplitMix64.
        let mut uniform = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
        };
        for count in [2, 3, 5, 10] {
            for min in [0.0, 1.0] {
                let (mut held, mut plain) = (0, 0);
                for _ in 0..4000 {
                    let draw = |u: f64| min - libm::log(1.0 - u);
                    let values: Vec<f64> = (0..count).map(|_| draw(uniform())).collect();
                    let [low, high] = of_mean_above(&values, min).unwrap();
                    assert!(low > min && high.is_finite(), "{values:?}");
                    let mean = min + 1.0;
                    held += u32::from(low <= mean && mean <= high);
                    let [low, high] = of_mean(&values).unwrap();
                    plain += u32::from(low <= mean && mean <= high);
                }
                assert!((3660..=3860).contains(&held), "{count}: {held} of 4000");
                assert!(held > plain, "{count}: {held}, and {plain} by Student's t alone");
            }
        }
    }

    #[test]
    fn ranks_of_a_median_by_hand() {
        // Ten values: P(2 <= B(10, 1/2) <= 8) = 0.9785, P(3 <= B <= 7) = 0.891.
        assert_eq!(ranks(10, 0.5), Some((2, 9)));
        assert_eq!(ranks(5, 0.5), None);
        assert_eq!(ranks(100, 0.99), None);
    }

    #[test]
    fn ranks_leave_out_a_fortieth_on_each_side_and_no_closer_ones_do() {
        for (count, p) in [(400, 0.5), (1000, 0.99), (10_000, 0.999), (1_000_000, 0.99)] {
            let (low, high) = ranks(count, p).unwrap();
            let below = Binomial::new(p, count).unwrap();
            // The quantile is below the value of rank `low` if fewer values are below it.
            let missed = [below.cdf(low - 1), below.sf(high - 1)];
            let closer = [below.cdf(low), below.sf(high - 2)];
            assert!(missed.iter().all(|&chance| chance <= 0.025), "{count} {p}: {missed:?}");
            assert!(closer.iter().all(|&chance| chance > 0.025), "{count} {p}: {closer:?}");
        }
    }
}
