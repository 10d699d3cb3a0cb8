//! Deterministic arrivals: a flow every so often.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Ratio, Span, Time};

use super::model::{Arrivals, FlowArrival, Means, Model, TrafficContext};
use super::sizes::Sizes;
use super::ticks::ticks;
use super::volume::{check_choice, check_frequency, per_second, share};
use crate::rng::Streams;

/// Flows at equal intervals (D in Kendall's notation), whose sizes are drawn independently. Set
/// either `every` or `load`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Periodic {
    /// Interval between flows, round robin over pairs; above 0.
    pub every: Option<Span>,
    /// Data (without headers) over all pairs as a fraction of the rate that the group's paths carry
    /// together (of a single path, its lowest capacity).
    pub load: Option<Ratio>,
    /// Flow sizes.
    pub sizes: Sizes,
    /// First arrival; 0 s by default.
    #[serde(default = "super::defaults::at_once")]
    pub start: Time,
    /// End of arrivals; never by default.
    #[serde(default = "super::defaults::never", skip_serializing_if = "super::defaults::is_never")]
    pub stop: Time,
}

impl Periodic {
    /// Seconds from one flow to the next, all pairs together.
    fn gap(&self, context: &TrafficContext) -> f64 {
        let own = self.every.map_or(0.0, Span::as_secs_f64);
        let mean = self.sizes.mean(context.payload);
        self.load.map_or(own, |load| 1.0 / per_second(load, mean, context))
    }
}

impl Model for Periodic {
    const SOURCE: &'static str = "deterministic arrivals, the D/G/1 of queueing theory";

    fn check(&self, context: &TrafficContext, faults: &mut Faults) {
        let own = ("every", "10 ms");
        let chosen = check_choice(own, self.every.is_some(), self.load, faults);
        if self.sizes.check(context.payload, faults) && chosen {
            check_frequency(1.0 / self.gap(context), faults);
        }
    }

    fn of_pair(&self, context: &TrafficContext) -> Self {
        let wait = Span::from_secs_f64(self.gap(context) * context.pair as f64);
        Self {
            every: self.every.map(|every| every * context.pairs as u64),
            load: share(self.load, context),
            start: self.start + wait,
            ..self.clone()
        }
    }

    fn means(&self, context: &TrafficContext) -> Means {
        Means::new(1.0 / self.gap(context), self.sizes.mean(context.payload))
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        Some(&mut self.sizes)
    }

    fn arrivals(&self, context: &TrafficContext, streams: &Streams<'_>) -> Arrivals {
        let mut sizes = self.sizes.draw(context.payload, streams.named("sizes"));
        let times = ticks(self.start, self.gap(context), self.stop);
        Box::new(times.map(move |start| FlowArrival::sized(start, sizes())))
    }
}
