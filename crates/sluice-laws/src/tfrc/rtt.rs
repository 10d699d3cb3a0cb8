//! The RTT as RFC 5348 sections 4.3 and 4.5 average it, in seconds.

use sluice_units::Span;

/// q (section 4.3) and q2 (section 4.5), the weights of the past.
const PAST: f64 = 0.9;

/// R, R_sqmean, and the last sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundTrip {
    average: f64,
    average_root: f64,
    sample: f64,
}

impl RoundTrip {
    /// "If no feedback has been received before, R = R_sample".
    pub(super) fn new(sample: Span) -> Self {
        let sample = seconds(sample);
        Self { average: sample, average_root: sample.sqrt(), sample }
    }

    /// R = q R + (1 - q) R_sample, and R_sqmean = q2 R_sqmean + (1 - q2) sqrt(R_sample).
    pub(super) fn update(&mut self, sample: Span) {
        let sample = seconds(sample);
        self.average = PAST * self.average + (1.0 - PAST) * sample;
        self.average_root = PAST * self.average_root + (1.0 - PAST) * sample.sqrt();
        self.sample = sample;
    }

    /// R.
    pub(super) fn get(&self) -> f64 {
        self.average
    }

    /// The same as a span.
    pub(super) fn span(&self) -> Span {
        Span::from_secs_f64(self.average)
    }

    /// The longer of R and the last sample.
    pub(super) fn longest(&self) -> f64 {
        self.average.max(self.sample)
    }

    /// R_sqmean / sqrt(R_sample) (section 4.5).
    pub(super) fn factor(&self) -> f64 {
        self.average_root / self.sample.sqrt()
    }
}

/// A path has some delay, so that rates are finite.
fn seconds(sample: Span) -> f64 {
    sample.max(Span::NANO).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.9 x 100 + 0.1 x 225 = 112.5 ms; roots 10 and 15 average 10.5, so the factor is 10.5 / 15 = 0.7.
    #[test]
    fn averages_have_a_tenth_of_the_sample() {
        let mut rtt = RoundTrip::new(Span::from_millis(100));
        assert_eq!((rtt.get(), rtt.factor()), (0.1, 1.0));
        rtt.update(Span::from_millis(225));
        assert!((rtt.get() - 0.1125).abs() < 1e-12);
        assert!((rtt.factor() - 0.7).abs() < 1e-12, "{}", rtt.factor());
        assert_eq!(rtt.longest(), 0.225);
    }
}
