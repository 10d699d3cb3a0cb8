//! Confidence intervals that hold for heavy tails: over replications, or of quantiles within one.

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

/// How sure intervals are.
pub const CONFIDENCE: f64 = 0.95;

/// An interval: its lower and upper end.
pub type Interval = [f64; 2];

/// The mean of values of independent replications, by Student's t. `None` for fewer than two.
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

/// The quantile of Student's t that leaves out the doubt on both sides together.
fn t(freedom: usize) -> f64 {
    let upper = 1.0 - (1.0 - CONFIDENCE) / 2.0;
    // It cannot fail: location 0, scale 1, and at least one degree of freedom.
    let quantile =
        StudentsT::new(0.0, 1.0, freedom as f64).map_or(f64::NAN, |t| t.inverse_cdf(upper));
    // The platform's logarithms are in this: rounded, so that every machine has the same.
    (quantile * 1e6).round() / 1e6
}

/// The ranks, from 1, of the order statistics between which the quantile `p` of a distribution lies
/// that `count` independent values are of, whatever that distribution is. `None` if there are too
/// few values: no upper end is certain enough.
pub fn ranks(count: u64, p: f64) -> Option<(u64, u64)> {
    let doubt = (1.0 - CONFIDENCE) / 2.0;
    let below = Binomial::new(p, count).ok()?;
    let (low, high) = (quantile(&below, count, doubt), quantile(&below, count, 1.0 - doubt) + 1);
    (low >= 1 && high <= count).then_some((low, high))
}

/// The least number that is not exceeded with probability `p`. (That of the library finds none
/// where it is the least of all.)
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
