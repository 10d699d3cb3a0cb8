//! Long-lived flows: each sends from its start until its stop.

use rand::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Span, Time};

use super::model::{Arrivals, FlowArrival, Means, Model, TrafficContext};
use super::pauses::Pauses;
use super::sizes::Sizes;
use crate::rng::Streams;

/// `count` flows, the first at `start`, each `spacing` after the one before; or at random times
/// `within` a span from `start`; or at the times of `starts`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Long {
    /// Number of flows, per pair where there are several; 1 by default.
    #[serde(default = "super::defaults::one")]
    pub count: u64,
    /// Start of the first flow; 0 s by default.
    #[serde(default = "super::defaults::at_once")]
    pub start: Time,
    /// Time between starts, round robin over pairs; 0 s by default.
    #[serde(default)]
    pub spacing: Span,
    /// Instead of `spacing`: each flow starts at a random time, uniform in this span from `start`.
    pub within: Option<Span>,
    /// Instead of `count`, `start` and `spacing`: the start of each flow, the same for each pair.
    pub starts: Option<Vec<Time>>,
    /// How their applications pause; by default they do not. Laws that measure delivery rates (BBR) do
    /// not know of pauses.
    pub pauses: Option<Pauses>,
    /// Stop of all flows; the end of the run by default.
    #[serde(default = "super::defaults::never", skip_serializing_if = "super::defaults::is_never")]
    pub stop: Time,
}

impl Default for Long {
    /// One flow, from the start of the run to its end.
    fn default() -> Self {
        let (start, spacing, stop) = (Time::ZERO, Span::ZERO, Time::NEVER);
        Self { count: 1, start, spacing, within: None, starts: None, pauses: None, stop }
    }
}

impl Long {
    /// When the first flow starts at the earliest.
    pub(crate) fn first(&self) -> Time {
        let listed = self.starts.as_ref().and_then(|starts| starts.iter().min());
        listed.copied().unwrap_or(self.start)
    }

    /// The number of flows that start before `end`, which is after [`Long::first`]; expected, if starts
    /// are random.
    pub(crate) fn started(&self, end: Time) -> f64 {
        if let Some(starts) = &self.starts {
            return starts.iter().filter(|&&start| start < end).count() as f64;
        }
        let span = end.since(self.start);
        if let Some(within) = self.within.filter(|&within| within > span) {
            return self.count as f64 * span.as_secs_f64() / within.as_secs_f64();
        }
        match self.spacing.as_nanos() {
            0 => self.count as f64,
            spacing => self.count.min(span.as_nanos().div_ceil(spacing)) as f64,
        }
    }

    fn check_starts(&self, starts: &[Time], faults: &mut Faults) {
        faults.need(!starts.is_empty(), "starts", "there must be at least 1 flow");
        let Self { pauses, stop, .. } = *self;
        let own = Self { starts: Some(starts.to_vec()), pauses, stop, ..Self::default() };
        let what =
            "gives the start of each flow; leave out `count`, `start`, `spacing` and `within`";
        faults.need(*self == own, "starts", what);
        let last = starts.iter().max().copied().unwrap_or_default();
        faults.need(self.stop > last, "stop", "a flow stops before it starts");
    }

    fn flow(&self, start: Time) -> FlowArrival {
        FlowArrival { start, size: None, stop: self.stop }
    }
}

impl Model for Long {
    const SOURCE: &'static str = "the usual bulk transfer, ns-2's FTP";

    fn check(&self, _setting: &TrafficContext, faults: &mut Faults) {
        if let Some(pauses) = &self.pauses {
            faults.inside("pauses", |faults| pauses.check(faults));
        }
        if let Some(starts) = &self.starts {
            return self.check_starts(starts, faults);
        }
        faults.need(self.count > 0, "count", "there must be at least 1 flow");
        let chosen = self.within.is_none() || self.spacing == Span::ZERO;
        faults.need(chosen, "within", "`within` and `spacing` are both set; give one");
        let last = self.start + self.within.unwrap_or_default();
        faults.need(self.stop > last, "stop", "the flows stop before they start");
    }

    fn of_pair(&self, context: &TrafficContext) -> Self {
        let start = self.start + self.spacing * context.pair as u64;
        Self { start, spacing: self.spacing * context.pairs as u64, ..self.clone() }
    }

    fn means(&self, _setting: &TrafficContext) -> Means {
        Means::default()
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        None
    }

    fn arrivals(&self, _setting: &TrafficContext, streams: &Streams<'_>) -> Arrivals {
        let own = self.clone();
        if let Some(starts) = &self.starts {
            let mut starts = starts.clone();
            starts.sort_unstable();
            return Box::new(starts.into_iter().map(move |start| own.flow(start)));
        }
        let Self { count, start, spacing, within, .. } = *self;
        let Some(within) = within else {
            return Box::new((0..count).map(move |i| own.flow(start + spacing * i)));
        };
        let mut draws = streams.named("starts");
        // In order of time, without a list of them: the least of n uniform numbers above x is
        // 1 - (1 - x) U^(1/n).
        let mut above = 1.0;
        Box::new((0..count).map(move |i| {
            above *= libm::pow(1.0 - draws.random::<f64>(), 1.0 / (count - i) as f64);
            let after = Span::from_secs_f64(within.as_secs_f64() * (1.0 - above));
            own.flow(start + after)
        }))
    }
}
