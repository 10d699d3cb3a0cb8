//! Constant bit rate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Rate, Ratio, Span, Time};

use super::ticks::ticks;
use super::volume::{check_choice, check_frequency, share};
use super::{Amount, Arrivals, Faults, FlowArrival, Means, Model, Sizes, TrafficContext};
use crate::rng::Streams;

/// An application that produces data at a constant rate and hands it over in pieces: a flow of
/// `size` each time so much has come together. Hosts have no door through which an application
/// could hold back a flow that is open, so each piece is a flow of its own, with its own SYN. Say
/// how much either by `rate` or by `load`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cbr {
    /// Data a second, all pairs together, which take turns; above 0.
    pub rate: Option<Rate>,
    /// The same as a fraction of the least capacity on the path.
    pub load: Option<Ratio>,
    /// How much is handed over at once.
    pub size: Amount,
    /// When the first piece is handed over; 0 s by default.
    #[serde(default = "super::at_once")]
    pub start: Time,
    /// Nothing is handed over after this; never by default.
    #[serde(default = "super::never", skip_serializing_if = "super::is_never")]
    pub stop: Time,
}

impl Cbr {
    fn piece(&self, setting: &TrafficContext) -> f64 {
        self.size.bytes(setting.payload).as_f64()
    }

    /// Bits a second, all pairs together.
    fn bps(&self, setting: &TrafficContext) -> f64 {
        let own = self.rate.map_or(0.0, Rate::as_bps_f64);
        self.load.map_or(own, |load| load.get() * setting.capacity.as_bps_f64())
    }

    /// Seconds from one piece to the next, all pairs together.
    fn gap(&self, setting: &TrafficContext) -> f64 {
        8.0 * self.piece(setting) / self.bps(setting)
    }
}

impl Model for Cbr {
    const SOURCE: &'static str = "ns-2's Application/Traffic/CBR, a flow for each packet of it";

    fn check(&self, setting: &TrafficContext, faults: &mut Faults) {
        let sized = faults.inside("size", |faults| self.size.check(setting.payload, faults));
        let own = ("rate", "1 Mbps");
        if check_choice(own, self.rate.is_some(), self.load, faults) && sized {
            check_frequency(1.0 / self.gap(setting), faults);
        }
    }

    fn of_pair(&self, setting: &TrafficContext) -> Self {
        // As a load, whose parts are not rounded to whole bits a second.
        let load = Ratio::new(self.bps(setting) / setting.capacity.as_bps_f64());
        let wait = Span::from_secs_f64(self.gap(setting) * setting.pair as f64);
        Self { rate: None, load: share(Some(load), setting), start: self.start + wait, ..*self }
    }

    fn means(&self, setting: &TrafficContext) -> Means {
        Means::new(1.0 / self.gap(setting), self.piece(setting))
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        None
    }

    fn arrivals(&self, setting: &TrafficContext, _streams: &Streams<'_>) -> Arrivals {
        let size = self.size.bytes(setting.payload);
        let times = ticks(self.start, self.gap(setting), self.stop);
        Box::new(times.map(move |start| FlowArrival::sized(start, size)))
    }
}
