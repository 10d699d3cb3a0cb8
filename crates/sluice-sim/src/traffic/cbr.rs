//! Constant bit rate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio, Span, Time};

use super::amount::Amount;
use super::model::{Arrivals, FlowArrival, Means, Model, TrafficContext};
use super::sizes::Sizes;
use super::ticks::ticks;
use super::volume::{check_choice, check_frequency, share};
use crate::rng::Streams;

/// An application that produces data at a constant rate, as a flow of `size` whenever this much has
/// accumulated. Applications cannot pause an open flow, so each piece is a separate flow with its
/// own SYN. Set either `rate` or `load`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cbr {
    /// Data rate over all pairs, round robin; above 0.
    pub rate: Option<Rate>,
    /// The same as a fraction of the rate that the group's paths carry together (of a single path, its
    /// lowest capacity).
    pub load: Option<Ratio>,
    /// Size of a flow.
    pub size: Amount,
    /// Start of the first flow; 0 s by default.
    #[serde(default = "super::defaults::at_once")]
    pub start: Time,
    /// End of arrivals; never by default.
    #[serde(default = "super::defaults::never", skip_serializing_if = "super::defaults::is_never")]
    pub stop: Time,
}

impl Cbr {
    fn piece(&self, context: &TrafficContext) -> f64 {
        self.size.bytes(context.payload).as_f64()
    }

    /// Bits a second, all pairs together.
    fn bps(&self, context: &TrafficContext) -> f64 {
        let own = self.rate.map_or(0.0, Rate::as_bps_f64);
        self.load.map_or(own, |load| load.get() * context.capacity.as_bps_f64())
    }

    /// Seconds from one piece to the next, all pairs together.
    fn gap(&self, context: &TrafficContext) -> f64 {
        8.0 * self.piece(context) / self.bps(context)
    }
}

impl Model for Cbr {
    const SOURCE: &'static str = "ns-2's Application/Traffic/CBR, a flow for each packet of it";

    fn check(&self, context: &TrafficContext, faults: &mut Faults) {
        let sized = faults.inside("size", |faults| self.size.check(context.payload, faults));
        let own = ("rate", "1 Mbps");
        if check_choice(own, self.rate.is_some(), self.load, faults) && sized {
            check_frequency(1.0 / self.gap(context), faults);
        }
    }

    fn of_pair(&self, context: &TrafficContext) -> Self {
        // As a load, whose parts are not rounded to whole bits a second.
        let load = Ratio::new(self.bps(context) / context.capacity.as_bps_f64());
        let wait = Span::from_secs_f64(self.gap(context) * context.pair as f64);
        Self { rate: None, load: share(Some(load), context), start: self.start + wait, ..*self }
    }

    fn means(&self, context: &TrafficContext) -> Means {
        Means::new(1.0 / self.gap(context), self.piece(context))
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        None
    }

    fn arrivals(&self, context: &TrafficContext, _streams: &Streams<'_>) -> Arrivals {
        let size = self.size.bytes(context.payload);
        let times = ticks(self.start, self.gap(context), self.stop);
        Box::new(times.map(move |start| FlowArrival::sized(start, size)))
    }
}
