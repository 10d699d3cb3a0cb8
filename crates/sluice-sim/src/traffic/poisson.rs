//! Poisson arrivals: independent exponential gaps.

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

/// A Poisson process of flows whose sizes are drawn independently (M/G in Kendall's notation). Set
/// either `rate` or `load`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Poisson {
    /// Flows per second over all pairs; up to 10^9.
    pub rate: Option<PerSecond>,
    /// Data (without headers) over all pairs as a fraction of the rate that the group's paths carry
    /// together (of a single path, its lowest capacity).
    pub load: Option<Ratio>,
    /// Flow sizes.
    pub sizes: Sizes,
    /// Start of arrivals; 0 s by default.
    #[serde(default = "super::defaults::at_once")]
    pub start: Time,
    /// End of arrivals; never by default.
    #[serde(default = "super::defaults::never", skip_serializing_if = "super::defaults::is_never")]
    pub stop: Time,
}

impl Poisson {
    /// Arrivals at this rate in flows per second, from the start of the run.
    pub fn new(per_second: Ratio, sizes: Sizes) -> Self {
        let rate = Some(PerSecond(per_second));
        Self { rate, load: None, sizes, start: Time::ZERO, stop: Time::NEVER }
    }

    /// Flows a second, all pairs together.
    pub(crate) fn per_second(&self, context: &TrafficContext) -> f64 {
        let own = self.rate.map_or(0.0, |PerSecond(rate)| rate.get());
        self.load.map_or(own, |load| per_second(load, self.sizes.mean(context.payload), context))
    }
}

impl Model for Poisson {
    const SOURCE: &'static str = "the M/G/1 of the papers (IWQoS 2005, section 3.1)";

    fn check(&self, context: &TrafficContext, faults: &mut Faults) {
        let own = ("rate", "400 /s");
        let chosen = check_choice(own, self.rate.is_some(), self.load, faults);
        if self.sizes.check(context.payload, faults) && chosen {
            check_frequency(self.per_second(context), faults);
        }
    }

    fn of_pair(&self, context: &TrafficContext) -> Self {
        let rate = self.per_second(context) / context.pairs as f64;
        Self { rate: Some(PerSecond(Ratio::new(rate))), load: None, ..self.clone() }
    }

    fn means(&self, context: &TrafficContext) -> Means {
        Means::new(self.per_second(context), self.sizes.mean(context.payload))
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        Some(&mut self.sizes)
    }

    fn arrivals(&self, context: &TrafficContext, streams: &Streams<'_>) -> Arrivals {
        let mut gaps = streams.named("arrivals");
        let mut sizes = self.sizes.draw(context.payload, streams.named("sizes"));
        let mean_gap = 1.0 / self.per_second(context);
        let (mut now, stop) = (self.start, self.stop);
        Box::new(std::iter::from_fn(move || {
            let gap: f64 = Exp1.sample(&mut gaps);
            now += Span::from_secs_f64(gap * mean_gap);
            (now <= stop).then(|| FlowArrival::sized(now, sizes()))
        }))
    }
}
