//! Flash crowds.

use rand::distr::Distribution;
use rand_distr::Exp1;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Ratio, Span, Time};

use super::amount::PerSecond;
use super::model::{Arrivals, FlowArrival, Means, Model, TrafficContext};
use super::sizes::Sizes;
use super::volume::{check_choice, check_frequency, per_second};
use crate::rng::Streams;

/// A Poisson process whose rate is a base rate times a factor over time: linear between the points
/// of `profile`, constant before the first and after the last. Two points at one time are a step.
/// Set the base rate by either `rate` or `load`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlashCrowd {
    /// Flows per second over all pairs at factor 1; up to 10^9.
    pub rate: Option<PerSecond>,
    /// Data (without headers) over all pairs at factor 1, as a fraction of the rate that
    /// the group's paths carry together (of a single path, its lowest capacity).
    pub load: Option<Ratio>,
    /// Time and factor, e.g. `[["10 s", 1], ["11 s", 8], ["20 s", 8], ["30 s", 1]]`: eight times
    /// the base rate from 11 s to 20 s. Times may not fall; factors are 0 or above.
    pub profile: Vec<(Time, Ratio)>,
    /// Flow sizes.
    pub sizes: Sizes,
    /// Start of arrivals; 0 s by default.
    #[serde(default = "super::defaults::at_once")]
    pub start: Time,
    /// End of arrivals; never by default.
    #[serde(default = "super::defaults::never", skip_serializing_if = "super::defaults::is_never")]
    pub stop: Time,
}

impl FlashCrowd {
    /// Flows a second where the factor is 1, all pairs together.
    fn per_second(&self, context: &TrafficContext) -> f64 {
        let own = self.rate.map_or(0.0, |PerSecond(rate)| rate.get());
        self.load.map_or(own, |load| per_second(load, self.sizes.mean(context.payload), context))
    }

    fn peak(&self) -> f64 {
        self.profile.iter().map(|(_, factor)| factor.get()).fold(0.0, f64::max)
    }

    fn profile(&self) -> Profile {
        let points = self.profile.iter();
        Profile(points.map(|&(time, factor)| (time.as_secs_f64(), factor.get())).collect())
    }

    /// The factor on average from `start` to `stop`, or in the long run.
    fn mean_factor(&self) -> f64 {
        let profile = self.profile();
        let (start, stop) = (self.start.as_secs_f64(), self.stop.as_secs_f64());
        if self.stop == Time::NEVER || stop <= start {
            return profile.0.last().map_or(0.0, |&(_, factor)| factor);
        }
        let pieces = profile.pieces(start).map(|piece| {
            let length = piece.length.min((stop - piece.start).max(0.0));
            if length > 0.0 { (piece.factor + piece.slope * length / 2.0) * length } else { 0.0 }
        });
        pieces.sum::<f64>() / (stop - start)
    }
}

impl Model for FlashCrowd {
    const SOURCE: &'static str = "Jung et al., WWW 2002: flash crowds; an inhomogeneous Poisson \
         process by inversion (Cinlar 1975)";

    fn check(&self, context: &TrafficContext, faults: &mut Faults) {
        let own = ("rate", "400 /s");
        let chosen = check_choice(own, self.rate.is_some(), self.load, faults);
        let sound = faults.inside("profile", |faults| {
            let rises = self.profile.is_sorted_by(|a, b| a.0 <= b.0);
            faults.need(rises, "", "the times of a profile may not fall");
            let positive = self.profile.iter().all(|(_, factor)| factor.get() >= 0.0);
            faults.need(positive, "", "the factors of a profile are 0 or above");
            let what = "give at least one time with a factor above 0, e.g. `[[\"10 s\", 1]]`";
            faults.need(self.peak() > 0.0, "", what);
        });
        if self.sizes.check(context.payload, faults) && chosen && sound {
            check_frequency(self.per_second(context) * self.peak(), faults);
        }
    }

    fn of_pair(&self, context: &TrafficContext) -> Self {
        let rate = self.per_second(context) / context.pairs as f64;
        Self { rate: Some(PerSecond(Ratio::new(rate))), load: None, ..self.clone() }
    }

    fn means(&self, context: &TrafficContext) -> Means {
        let flows = self.per_second(context) * self.mean_factor();
        Means::new(flows, self.sizes.mean(context.payload))
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        Some(&mut self.sizes)
    }

    fn arrivals(&self, context: &TrafficContext, streams: &Streams<'_>) -> Arrivals {
        let mut units = streams.named("arrivals");
        let mut sizes = self.sizes.draw(context.payload, streams.named("sizes"));
        let mean_gap = 1.0 / self.per_second(context);
        let (profile, stop) = (self.profile(), self.stop);
        let mut now = self.start.as_secs_f64();
        Box::new(std::iter::from_fn(move || {
            let unit: f64 = Exp1.sample(&mut units);
            now = profile.after(now, unit * mean_gap)?;
            let start = Time::ZERO + Span::from_secs_f64(now);
            (start <= stop).then(|| FlowArrival::sized(start, sizes()))
        }))
    }
}

/// Seconds and factors, the former not falling.
struct Profile(Vec<(f64, f64)>);

/// A part of a profile without a corner.
struct Piece {
    start: f64,
    length: f64,
    /// At the start, and how it changes a second.
    factor: f64,
    slope: f64,
}

impl Profile {
    /// The pieces from `now` on; the last has no end.
    fn pieces(&self, now: f64) -> impl Iterator<Item = Piece> {
        let Self(points) = self;
        let next = points.partition_point(|&(time, _)| time <= now);
        let corners = (next..=points.len()).map(move |next| {
            let before = next.checked_sub(1).map(|last| points[last]);
            let after = points.get(next).copied();
            let start = before.map_or(now, |(time, _)| time.max(now));
            let length = after.map_or(f64::INFINITY, |(time, _)| time - start);
            let (from, to) = (before.or(after), after.or(before));
            let ((t0, f0), (t1, f1)) = (from.unwrap_or_default(), to.unwrap_or_default());
            let slope = if t1 > t0 { (f1 - f0) / (t1 - t0) } else { 0.0 };
            Piece { start, length, factor: f0 + slope * (start - t0), slope }
        });
        // The piece before the first point has no slope: from and to are the same point.
        corners.filter(|piece| piece.length > 0.0)
    }

    /// When the factor has added up to `sum` seconds from `now` on; never if it stays 0.
    fn after(&self, now: f64, mut sum: f64) -> Option<f64> {
        for Piece { start, length, factor, slope } in self.pieces(now) {
            let whole = if length.is_finite() {
                (factor + slope * length / 2.0) * length
            } else {
                f64::INFINITY
            };
            if sum >= whole {
                sum -= whole;
                continue;
            }
            if factor <= 0.0 && slope <= 0.0 {
                return None;
            }
            // The root of factor x + slope x^2 / 2 = sum that keeps its digits.
            let root = (factor * factor + 2.0 * slope * sum).max(0.0).sqrt();
            return Some(start + 2.0 * sum / (factor + root));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Areas under a triangle, by hand.
    #[test]
    fn a_profile_adds_up_over_slopes_steps_and_ends() {
        let rises = Profile(vec![(0.0, 0.0), (10.0, 1.0)]);
        for (now, sum, after) in [(0.0, 1.25, 5.0), (5.0, 3.75, 10.0), (0.0, 5.5, 10.5)] {
            let found = rises.after(now, sum).unwrap();
            assert!((found - after).abs() < 1e-12, "{sum} from {now}: {found}, not {after}");
        }
        let falls = Profile(vec![(2.0, 1.0), (12.0, 0.0), (20.0, 0.0), (20.0, 3.0)]);
        // 2 before the slope and 3.75 on its first half; 7 up to its end, 3 a second from 20 s on.
        for (sum, after) in [(1.0, 1.0), (5.75, 7.0), (10.0, 21.0)] {
            let found = falls.after(0.0, sum).unwrap();
            assert!((found - after).abs() < 1e-12, "{sum}: {found}, not {after}");
        }
        let ends = Profile(vec![(2.0, 1.0), (2.0, 0.0)]);
        assert_eq!((ends.after(0.0, 1.5), ends.after(0.0, 2.5)), (Some(1.5), None));
    }
}
