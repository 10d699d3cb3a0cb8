//! What every arrival model implements, and the types that it takes and gives.

use std::path::PathBuf;

use sluice_units::{Bytes, Faults, Rate, Span, Time};

use super::sizes::Sizes;
use crate::rng::Streams;

/// A flow about to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowArrival {
    /// When its SYN leaves.
    pub start: Time,
    /// Its data, without headers; `None` if it sends until `stop`.
    pub size: Option<Bytes>,
    /// When a flow without a size stops sending.
    pub stop: Time,
}

impl FlowArrival {
    pub(super) fn sized(start: Time, size: Bytes) -> Self {
        Self { start, size: Some(size), stop: Time::NEVER }
    }
}

/// A group's arrivals, in order of time.
pub(crate) type Arrivals = Box<dyn Iterator<Item = FlowArrival> + Send>;

/// The path of a model's flows, and its share of the traffic.
#[derive(Clone, Copy, Debug)]
pub struct TrafficContext {
    /// Data in a full packet.
    pub payload: Bytes,
    /// The rate that the group's data paths carry together (of a single path, its lowest capacity); a load
    /// is a fraction of it.
    pub capacity: Rate,
    /// A model may be shared by pairs of hosts, a group each. The number of this pair, from 0.
    pub pair: usize,
    /// Number of pairs; at least 1.
    pub pairs: usize,
}

/// Mean traffic of a model, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Means {
    /// Data per second, without headers.
    pub rate: Option<Rate>,
    /// Mean size of a flow in bytes.
    pub size: Option<f64>,
}

impl Means {
    pub(super) fn new(flows_per_second: f64, size: f64) -> Self {
        let rate = Rate::from_bps_f64(flows_per_second * size * 8.0);
        Self { rate: Some(rate), size: Some(size) }
    }

    /// The number of flows in `span`, and their mean size in bytes; 0 if unknown.
    pub(super) fn flows_in(self, span: Span) -> (f64, f64) {
        match (self.rate, self.size) {
            (Some(rate), Some(size)) if size > 0.0 => {
                (rate.as_bytes_per_sec_f64() / size * span.as_secs_f64(), size)
            }
            _ => (0.0, 0.0),
        }
    }
}

/// When flows arrive. Everything but `check` may assume that `check` found no fault.
pub(crate) trait Model: Sized {
    /// Where the model is from: a paper, a standard or a tool.
    const SOURCE: &'static str;
    /// Checks the parameters.
    fn check(&self, context: &TrafficContext, faults: &mut Faults);
    /// One pair's share, so that all pairs together bring the traffic asked for.
    fn of_pair(&self, context: &TrafficContext) -> Self;
    /// Mean traffic, all pairs together.
    fn means(&self, context: &TrafficContext) -> Means;
    /// The distribution of sizes, where the model has one.
    fn sizes(&mut self) -> Option<&mut Sizes>;
    /// The path of the file that the model names, if it names one.
    fn file(&mut self) -> Option<&mut PathBuf> {
        match self.sizes()? {
            Sizes::File(file) => Some(&mut file.path),
            _ => None,
        }
    }
    /// The arrivals of a group, drawn from its own random streams.
    fn arrivals(&self, context: &TrafficContext, streams: &Streams<'_>) -> Arrivals;
}
