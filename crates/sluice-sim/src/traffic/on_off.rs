//! On-off sources.

mod source;

pub(super) use source::{Production, Switch};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio, Span, Time};

use super::amount::Amount;
use super::merge::Merge;
use super::model::{Arrivals, FlowArrival, Means, Model, TrafficContext};
use super::period_law::{PeriodLaw, check_shape};
use super::sizes::Sizes;
use super::volume::{check_choice, check_frequency, share};
use crate::limits::SOURCES;
use crate::rng::Streams;

/// Sources that are on and off in turn, for independent random times. While one is on, its
/// application produces data at a constant rate. With `size`, it starts a flow of that size
/// whenever this much has accumulated (ns-2's on-off sources, whose packets the application paces).
/// Without, each on period is one flow with all its data, sent as fast as the protocol allows.
///
/// From `start` on sources are as if they had always run: on or off by the odds, somewhere in their
/// time. Production that does not fill a flow is kept for the next time on, so that the load is met
/// (ns-2 rounds each time on to whole packets, and begins with a time off).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnOff {
    /// Data rate of a source while it is on; above 0.
    pub rate: Option<Rate>,
    /// Mean data (without headers) over all sources and pairs as a fraction of the rate that
    /// the group's paths carry together (of a single path, its lowest capacity).
    pub load: Option<Ratio>,
    /// Mean on period; above 0.
    pub on: Span,
    /// Mean off period; may be 0.
    pub off: Span,
    /// Tail index of Pareto on and off periods, 1.01 to 1000000; at 2 and below their variance is
    /// infinite. Exponential by default.
    pub shape: Option<Ratio>,
    /// Size of a flow, up to the data of 10,000 mean on periods; by default all data of an on period.
    pub size: Option<Amount>,
    /// Number of sources, per pair where there are several; 1 by default, up to a million.
    #[serde(default = "super::defaults::one")]
    pub sources: u64,
    /// Start of the sources; 0 s by default.
    #[serde(default = "super::defaults::at_once")]
    pub start: Time,
    /// End of arrivals; never by default.
    #[serde(default = "super::defaults::never", skip_serializing_if = "super::defaults::is_never")]
    pub stop: Time,
}

impl OnOff {
    /// Part of the time that a source is on.
    fn duty(&self) -> f64 {
        let (on, off) = (self.on.as_secs_f64(), self.off.as_secs_f64());
        on / (on + off)
    }

    /// Bytes a second of a source that is on.
    fn peak(&self, context: &TrafficContext) -> f64 {
        let own = self.rate.map_or(0.0, Rate::as_bytes_per_sec_f64);
        let sources = self.sources as f64 * context.pairs as f64;
        let of = |load: Ratio| load.get() * context.capacity.as_bytes_per_sec_f64();
        self.load.map_or(own, |load| of(load) / (sources * self.duty()))
    }

    /// Mean bytes of a flow.
    fn mean_size(&self, context: &TrafficContext) -> f64 {
        let piece = self.size.map(|size| size.bytes(context.payload).as_f64());
        piece.unwrap_or_else(|| self.peak(context) * self.on.as_secs_f64())
    }

    /// Flows a second, all sources and pairs together.
    fn per_second(&self, context: &TrafficContext) -> f64 {
        let sources = self.sources as f64 * context.pairs as f64;
        sources * self.peak(context) * self.duty() / self.mean_size(context)
    }

    fn check_flows(&self, context: &TrafficContext, faults: &mut Faults) {
        check_frequency(self.per_second(context), faults);
        check_size(self.mean_size(context), self.peak(context) * self.on.as_secs_f64(), faults);
        let what = "a time on must bring 1 byte on average";
        faults.need(self.mean_size(context) >= 1.0, "on", what);
    }
}

/// Checks the bytes of a flow or datagram where a time on brings this many on average: the times on before
/// it are all drawn.
pub(super) fn check_size(bytes: f64, brought: f64, faults: &mut Faults) {
    let what = "no more than what ten thousand times on bring";
    faults.need(bytes <= 1e4 * brought, "size", what);
}

impl Model for OnOff {
    const SOURCE: &'static str = "ns-2's Application/Traffic/Exponential and .../Pareto; \
         Willinger et al., SIGCOMM 1995, on the sum of heavy-tailed ones";

    fn check(&self, context: &TrafficContext, faults: &mut Faults) {
        let own = ("rate", "64 kbps");
        let chosen = check_choice(own, self.rate.is_some(), self.load, faults);
        let sound = faults.sound(|faults| {
            faults.need(self.on > Span::ZERO, "on", "a mean time on is above 0");
            check_shape(self.shape, faults);
            let some = SOURCES.contains(&self.sources);
            faults.need(some, "sources", "there must be 1 to a million sources");
            if let Some(size) = self.size {
                faults.inside("size", |faults| size.check(context.payload, faults));
            }
        });
        if chosen && sound {
            self.check_flows(context, faults);
        }
    }

    fn of_pair(&self, context: &TrafficContext) -> Self {
        Self { load: share(self.load, context), ..*self }
    }

    fn means(&self, context: &TrafficContext) -> Means {
        Means::new(self.per_second(context), self.mean_size(context))
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        None
    }

    fn arrivals(&self, context: &TrafficContext, streams: &Streams<'_>) -> Arrivals {
        let law = PeriodLaw { shape: self.shape.map(Ratio::get) };
        let production = Production {
            start: self.start,
            peak: self.peak(context),
            piece: self.size.map(|size| size.bytes(context.payload)),
        };
        let mut seeds = streams.named("on-off");
        let mut merge = Merge::new();
        for _ in 0..self.sources {
            let stream = Xoshiro256PlusPlus::from_rng(&mut seeds);
            merge.add(Switch::new(law, self.on, self.off, stream).source(production));
        }
        let flows = merge.filter_map(|(start, size)| Some(FlowArrival::sized(start, size?)));
        let stop = self.stop;
        Box::new(flows.take_while(move |flow| flow.start <= stop))
    }
}
