//! Which flows are tracked: "To reduce the required per-flow state, a router samples the traffic to catch
//! the high-rate flows" (thesis section 7.1), by the mechanism of its reference 30.

use core::ops::{Bound, RangeInclusive};

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio, Span, Time, above};

/// Sample and hold (Estan and Varghese, "New Directions in Traffic Measurement and Accounting", SIGCOMM
/// 2002): each byte of a flow that is not tracked is sampled with a probability, and all bytes of a tracked
/// flow are counted. A flow that reaches the threshold in an interval is tested; one that does not is
/// forgotten at its end, except in the interval in which it was sampled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SampleAndHold {
    /// Threshold, as a part of the link's capacity, above 0 to 1. Default 0.01.
    pub threshold: Ratio,
    /// Mean number of samples of a flow at the threshold in an interval, 0.1 to 1000: it is missed with probability
    /// e^-oversampling. At a full link of many small flows, `oversampling / threshold` of them are sampled in an
    /// interval, and kept for one more. Default 20.
    pub oversampling: Ratio,
    /// Length of an interval, 1 ms to 1 h. Default 1 s.
    pub interval: Span,
}

impl Default for SampleAndHold {
    fn default() -> Self {
        Self {
            threshold: Ratio::new(0.01),
            oversampling: Ratio::new(20.0),
            interval: Span::from_secs(1),
        }
    }
}

const THRESHOLDS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(1.0));
const OVERSAMPLING: RangeInclusive<Ratio> = Ratio::new(0.1)..=Ratio::new(1000.0);
const INTERVALS: RangeInclusive<Span> = Span::from_millis(1)..=Span::from_secs(3600);

impl SampleAndHold {
    /// Adds what is out of range to `faults`.
    pub(super) fn check(&self, faults: &mut Faults) {
        faults.within("threshold", &self.threshold, &THRESHOLDS);
        faults.within("oversampling", &self.oversampling, &OVERSAMPLING);
        faults.within("interval", &self.interval, &INTERVALS);
    }
}

/// Sample and hold at a link.
pub(super) struct Sampler {
    /// In bytes an interval.
    pub(super) threshold: f64,
    /// Mean number of bytes from one sample to the next, "1/p".
    spacing: f64,
    interval: Span,
    ends: Time,
    /// Bytes up to the next sample.
    left: f64,
}

impl Sampler {
    pub(super) fn new(
        parameters: &SampleAndHold,
        capacity: Rate,
        stream: &mut Xoshiro256PlusPlus,
    ) -> Self {
        let room = capacity.as_bytes_per_sec_f64() * parameters.interval.as_secs_f64();
        let threshold = room * parameters.threshold.get();
        // "p = O/T"
        let spacing = threshold / parameters.oversampling.get();
        let (interval, left) = (parameters.interval, exponential(spacing, stream));
        Self { threshold, spacing, interval, ends: Time::ZERO + interval, left }
    }

    /// Whether a packet of a flow that is not tracked is sampled. The bytes from one sample to the next are
    /// geometric, and here exponential: a sample is a packet.
    pub(super) fn samples(&mut self, bytes: u32, stream: &mut Xoshiro256PlusPlus) -> bool {
        self.left -= f64::from(bytes);
        let sampled = self.left <= 0.0;
        if sampled {
            self.left = exponential(self.spacing, stream);
        }
        sampled
    }

    /// Whether an interval has ended by `now`.
    pub(super) fn turns(&mut self, now: Time) -> bool {
        let ended = now >= self.ends;
        if ended {
            let passed = now.as_nanos() / self.interval.as_nanos();
            self.ends = Time::ZERO + self.interval * (passed + 1);
        }
        ended
    }
}

/// An exponential number of this mean.
pub(super) fn exponential(mean: f64, stream: &mut Xoshiro256PlusPlus) -> f64 {
    -mean * libm::log1p(-stream.random::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;

    /// A flow of T bytes is missed with probability e^-O: of 20,000 flows within four standard deviations.
    #[test]
    fn a_flow_at_the_threshold_is_missed_as_the_paper_has_it() {
        let mut stream = Streams::new(1, "link").named("police");
        let (flows, packets) = (20_000, 1000);
        for oversampling in [0.5, 1.0, 3.0] {
            let parameters = SampleAndHold {
                threshold: Ratio::new(0.1),
                oversampling: Ratio::new(oversampling),
                ..SampleAndHold::default()
            };
            // 0.1 x 10 MB.
            let mut sampler =
                Sampler::new(&parameters, Rate::from_bytes_per_sec(10_000_000), &mut stream);
            assert!((sampler.threshold - 1e6).abs() < 1.0);
            let missed = (0..flows)
                .filter(|_| {
                    let sampled = (0..packets).filter(|_| sampler.samples(1000, &mut stream));
                    sampled.count() == 0
                })
                .count();
            let expected = libm::exp(-oversampling);
            let deviation = libm::sqrt(expected * (1.0 - expected) / f64::from(flows));
            let found = missed as f64 / f64::from(flows);
            assert!((found - expected).abs() < 4.0 * deviation, "{found}, not {expected}");
        }
    }

    #[test]
    fn intervals_end_at_multiples_of_their_length() {
        let mut stream = Streams::new(1, "link").named("police");
        let parameters = SampleAndHold::default();
        let mut sampler = Sampler::new(&parameters, Rate::from_bps(1_000_000), &mut stream);
        let at = |ms: u64| Time::ZERO + Span::from_millis(ms);
        let turns: Vec<_> =
            [500, 999, 1000, 1001, 4700, 4800, 5000].map(|ms| sampler.turns(at(ms))).into();
        assert_eq!(turns, [false, false, true, false, true, false, true]);
    }
}
