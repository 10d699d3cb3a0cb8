//! Long-lived flows: each sends from its start until its stop.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Span, Time};

use super::model::{Arrivals, FlowArrival, Means, Model, TrafficContext};
use super::sizes::Sizes;
use crate::rng::Streams;

/// `count` flows, the first at `start`, each `spacing` after the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// Stop of all flows; the end of the run by default.
    #[serde(default = "super::defaults::never", skip_serializing_if = "super::defaults::is_never")]
    pub stop: Time,
}

impl Model for Long {
    const SOURCE: &'static str = "the usual bulk transfer, ns-2's FTP";

    fn check(&self, _setting: &TrafficContext, faults: &mut Faults) {
        faults.need(self.count > 0, "count", "there must be at least 1 flow");
        faults.need(self.stop > self.start, "stop", "the flows stop before they start");
    }

    fn of_pair(&self, context: &TrafficContext) -> Self {
        let start = self.start + self.spacing * context.pair as u64;
        Self { start, spacing: self.spacing * context.pairs as u64, ..*self }
    }

    fn means(&self, _setting: &TrafficContext) -> Means {
        Means::default()
    }

    fn sizes(&mut self) -> Option<&mut Sizes> {
        None
    }

    fn arrivals(&self, _setting: &TrafficContext, _streams: &Streams<'_>) -> Arrivals {
        let Self { count, start, spacing, stop } = *self;
        Box::new((0..count).map(move |i| FlowArrival {
            start: start + spacing * i,
            size: None,
            stop,
        }))
    }
}
