//! Incast: many senders at once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Ratio, Span, Time};

use super::model::{Arrivals, FlowArrival, Means, Model, TrafficContext};
use super::sizes::Sizes;
use super::ticks::ticks;
use super::volume::{check_choice, check_frequency, per_second, share};
use crate::limits::SOURCES;
use crate::rng::Streams;

/// `senders` flows (per pair where there are several) that start at the same instant, as replies to
/// a request, repeated for each request. Flows of one group leave one host; for as many hosts as
/// senders use `pairs = "each"`. Set either `every` or `load`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Incast {
    /// Interval between requests; above 0. All pairs reply to each.
    pub every: Option<Span>,
    /// Data (without headers) over all pairs as a fraction of the rate that the group's paths carry
    /// together (of a single path, its lowest capacity).
    pub load: Option<Ratio>,
    /// Number of simultaneous flows, per pair where there are several; 1 by default, up to a million.
    #[serde(default = "super::defaults::one")]
    pub senders: u64,
    /// Flow sizes.
    pub sizes: Sizes,
    /// First replies; 0 s by default.
    #[serde(default = "super::defaults::at_once")]
    pub start: Time,
    /// End of replies; never by default.
    #[serde(default = "super::defaults::never", skip_serializing_if = "super::defaults::is_never")]
    pub stop: Time,
}

impl Incast {
    /// Flows that a question brings, all pairs together.
    fn answers(&self, context: &TrafficContext) -> f64 {
        self.senders as f64 * context.pairs as f64
    }

    /// Seconds from one question to the next.
    fn gap(&self, context: &TrafficContext) -> f64 {
        let own = self.every.map_or(0.0, Span::as_secs_f64);
        let bytes = self.answers(context) * self.sizes.mean(context.payload);
        self.load.map_or(own, |load| 1.0 / per_second(load, bytes, context))
    }
}

impl Model for Incast {
    const SOURCE: &'static str = "Phanishayee et al., FAST 2008: synchronized reads of a cluster";

    fn check(&self, context: &TrafficContext, faults: &mut Faults) {
        let some = SOURCES.contains(&self.senders);
        faults.need(some, "senders", "there must be 1 to a million senders");
        let own = ("every", "100 ms");
        let chosen = check_choice(own, self.every.is_some(), self.load, faults);
        if self.sizes.check(context.payload, faults) && chosen && some {
            check_frequency(self.answers(context) / self.gap(context), faults);
        }
    }

    fn of_pair(&self, context: &TrafficContext) -> Self {
        Self { load: share(self.load, context), ..self.clone() }
    }

    fn means(&self, context: &TrafficContext) -> Means {
        let flows = self.answers(context) / self.gap(context);
        Means::new(flows, self.sizes.mean(context.payload))
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        Some(&mut self.sizes)
    }

    fn arrivals(&self, context: &TrafficContext, streams: &Streams<'_>) -> Arrivals {
        let mut sizes = self.sizes.draw(context.payload, streams.named("sizes"));
        let senders = self.senders;
        let times = ticks(self.start, self.gap(context), self.stop);
        let answers = times.flat_map(move |time| (0..senders).map(move |_| time));
        Box::new(answers.map(move |start| FlowArrival::sized(start, sizes())))
    }
}
