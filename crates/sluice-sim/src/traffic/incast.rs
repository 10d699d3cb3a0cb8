//! Incast: many senders at once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Ratio, Span, Time};

use super::ticks::ticks;
use super::volume::{check_choice, check_frequency, per_second, share};
use super::{Arrivals, Faults, FlowArrival, Means, Model, Sizes, TrafficContext};
use crate::rng::Streams;

/// `senders` flows, or so many of each pair, that start at the same instant, as answers to one
/// question do, and again with the next question. Flows of one group leave one host; for as many
/// hosts as senders use `pairs = "each"`. Say how often either by `every` or by `load`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Incast {
    /// Time from one question to the next; above 0. All pairs answer each.
    pub every: Option<Span>,
    /// Data (without headers) as a fraction of the least capacity on the path, all pairs together.
    pub load: Option<Ratio>,
    /// Flows that start at once, or so many of each pair; 1 by default, up to a million.
    #[serde(default = "super::one")]
    pub senders: u64,
    /// How much each of them sends.
    pub sizes: Sizes,
    /// When the first question is answered; 0 s by default.
    #[serde(default = "super::at_once")]
    pub start: Time,
    /// No answer comes after this; never by default.
    #[serde(default = "super::never", skip_serializing_if = "super::is_never")]
    pub stop: Time,
}

impl Incast {
    /// Flows that a question brings, all pairs together.
    fn answers(&self, setting: &TrafficContext) -> f64 {
        self.senders as f64 * setting.pairs as f64
    }

    /// Seconds from one question to the next.
    fn gap(&self, setting: &TrafficContext) -> f64 {
        let own = self.every.map_or(0.0, Span::as_secs_f64);
        let bytes = self.answers(setting) * self.sizes.mean(setting.payload);
        self.load.map_or(own, |load| 1.0 / per_second(load, bytes, setting))
    }
}

impl Model for Incast {
    const SOURCE: &'static str = "Phanishayee et al., FAST 2008: synchronized reads of a cluster";

    fn check(&self, setting: &TrafficContext, faults: &mut Faults) {
        let some = (1..=1_000_000).contains(&self.senders);
        faults.need(some, "senders", "there must be 1 to a million senders");
        let own = ("every", "100 ms");
        let chosen = check_choice(own, self.every.is_some(), self.load, faults);
        if self.sizes.check(setting.payload, faults) && chosen && some {
            check_frequency(self.answers(setting) / self.gap(setting), faults);
        }
    }

    fn of_pair(&self, setting: &TrafficContext) -> Self {
        Self { load: share(self.load, setting), ..self.clone() }
    }

    fn means(&self, setting: &TrafficContext) -> Means {
        let flows = self.answers(setting) / self.gap(setting);
        Means::new(flows, self.sizes.mean(setting.payload))
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        Some(&mut self.sizes)
    }

    fn arrivals(&self, setting: &TrafficContext, streams: &Streams<'_>) -> Arrivals {
        let mut sizes = self.sizes.draw(setting.payload, streams.named("sizes"));
        let senders = self.senders;
        let times = ticks(self.start, self.gap(setting), self.stop);
        let answers = times.flat_map(move |time| (0..senders).map(move |_| time));
        Box::new(answers.map(move |start| FlowArrival::sized(start, sizes())))
    }
}
