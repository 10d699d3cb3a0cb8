//! When flows arrive and how much they send: one file per arrival model, one per distribution of
//! sizes.
//!
//! A model's type is its table in a scenario file: its fields are the file's keys, its doc
//! comments their manual. A new model is a file beside this one with a type and its `Model`, its
//! `mod` and `pub use`, and a line in `traffic_models!`.

mod amount;
mod cbr;
mod faults;
mod flash_crowd;
mod incast;
mod list;
mod long;
mod merge;
mod on_off;
mod periodic;
mod poisson;
pub mod sizes;
mod ticks;
mod volume;
mod web;

pub use amount::{Amount, PerSecond};
pub use cbr::Cbr;
pub use faults::Fault;
pub(crate) use faults::Faults;
pub use flash_crowd::FlashCrowd;
pub use incast::Incast;
pub use list::Listed;
pub use long::Long;
pub use on_off::OnOff;
pub use periodic::Periodic;
pub use poisson::Poisson;
pub use sizes::Sizes;
pub use web::Web;

use sluice_units::{Bytes, Rate, Time};

use crate::config::Config;
use crate::rng::Streams;
use crate::route::Paths;

/// A flow about to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowArrival {
    /// When its SYN leaves.
    pub start: Time,
    /// How much data it has; `None` if it sends until `stop`.
    pub size: Option<Bytes>,
    /// When a flow without a size stops sending.
    pub stop: Time,
}

impl FlowArrival {
    fn sized(start: Time, size: Bytes) -> Self {
        Self { start, size: Some(size), stop: Time::NEVER }
    }
}

/// A model at work: yields arrivals in order of time.
pub(crate) type Arrivals = Box<dyn Iterator<Item = FlowArrival> + Send>;

/// What a model needs to know of where its flows go.
#[derive(Clone, Copy, Debug)]
pub struct TrafficContext {
    /// How much data a full packet carries.
    pub payload: Bytes,
    /// The least capacity on the path there: what a load is a part of.
    pub capacity: Rate,
    /// A model may be shared by pairs of hosts, a group each. Which of them this is, from 0 ...
    pub pair: usize,
    /// ... and how many there are; at least 1.
    pub pairs: usize,
}

impl TrafficContext {
    /// That of a group by itself.
    pub(crate) fn alone(config: &Config, paths: &Paths) -> Self {
        let capacities = paths.out.iter().map(|&link| config.links[link].capacity);
        let capacity = capacities.min().unwrap_or(Rate::MAX);
        Self { payload: config.packet - config.header, capacity, pair: 0, pairs: 1 }
    }
}

/// What a model brings on average, as far as that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Means {
    /// Data a second.
    pub rate: Option<Rate>,
    /// Mean size of a flow in bytes.
    pub size: Option<f64>,
}

impl Means {
    fn new(flows_a_second: f64, size: f64) -> Self {
        let rate = Rate::from_bps_f64(flows_a_second * size * 8.0);
        Self { rate: Some(rate), size: Some(size) }
    }
}

/// What a person is told of a model.
#[derive(Clone, Copy, Debug)]
pub struct ModelInfo {
    /// Its name in scenarios.
    pub name: &'static str,
    /// One line.
    pub title: &'static str,
    /// Where it is from.
    pub source: &'static str,
}

/// When flows arrive. Everything but `check` may count on `check` having found nothing.
pub(crate) trait Model: Sized {
    /// Where the model is from.
    const SOURCE: &'static str;
    /// Finds what is wrong with the parameters.
    fn check(&self, setting: &TrafficContext, faults: &mut Faults);
    /// What one of the pairs brings, so that together they bring what is asked.
    fn of_pair(&self, setting: &TrafficContext) -> Self;
    /// What comes on average.
    fn means(&self, setting: &TrafficContext) -> Means;
    /// The distribution of sizes, if there is one to choose.
    fn sizes(&mut self) -> Option<&mut Sizes>;
    /// Puts the model to work with a group's own random streams; for a group by itself.
    fn arrivals(&self, setting: &TrafficContext, streams: &Streams<'_>) -> Arrivals;
}

/// Calls a macro with the list of arrival models: for each a line of help, its name in scenarios
/// (and its file beside this one), and its type. The only such list.
#[macro_export]
macro_rules! traffic_models {
    ($called:ident) => {
        $called! {
            /// Flows that send until they are stopped.
            long: Long,
            /// Flows that arrive at random, independently of each other.
            poisson: Poisson,
            /// Flows at even distances.
            periodic: Periodic,
            /// Data at a constant rate, as a train of flows.
            cbr: Cbr,
            /// Sources that are on and off in turn for random times.
            on_off: OnOff,
            /// Users who open pages of several objects and read them.
            web: Web,
            /// Many senders that answer at the same instant, again and again.
            incast: Incast,
            /// Random arrivals whose rate rises and falls.
            flash_crowd: FlashCrowd,
        }
    };
}

macro_rules! models {
    ($($(#[doc = $title:literal])+ $name:ident: $Model:ident),+ $(,)?) => {
        /// An arrival model with its parameters.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Traffic {
            $($(#[doc = $title])+ $Model($Model),)+
            /// A list of flows, replayed as it stands.
            List(Vec<Listed>),
        }

        $(impl From<$Model> for Traffic {
            fn from(model: $Model) -> Self {
                Self::$Model(model)
            }
        })+

        $(impl $Model {
            /// The distribution of its sizes, if there is one to choose.
            pub fn sizes_mut(&mut self) -> Option<&mut Sizes> {
                Model::sizes(self)
            }
        })+

        impl Traffic {
            /// Every model that scenarios may name.
            pub const MODELS: &'static [ModelInfo] = &[$(ModelInfo {
                name: stringify!($name),
                title: concat!($($title),+).trim_ascii(),
                source: <$Model as Model>::SOURCE,
            }),+];

            /// Finds what is wrong with the parameters.
            pub(crate) fn check(&self, setting: &TrafficContext, faults: &mut Faults) {
                match self {
                    $(Self::$Model(model) => model.check(setting, faults),)+
                    Self::List(_) => {}
                }
            }

            fn of_pair(&self, setting: &TrafficContext) -> Self {
                match self {
                    $(Self::$Model(model) => Self::$Model(model.of_pair(setting)),)+
                    Self::List(flows) => Self::List(flows.clone()),
                }
            }

            /// What a sound model brings on average in this setting, all pairs together.
            pub fn means(&self, setting: &TrafficContext) -> Means {
                match self {
                    $(Self::$Model(model) => model.means(setting),)+
                    Self::List(_) => Means::default(),
                }
            }

            /// The distribution of sizes, if there is one to choose.
            pub fn sizes_mut(&mut self) -> Option<&mut Sizes> {
                match self {
                    $(Self::$Model(model) => model.sizes(),)+
                    Self::List(_) => None,
                }
            }

            /// Puts a sound model to work with a group's own random streams.
            pub(crate) fn arrivals(&self, setting: &TrafficContext, streams: &Streams<'_>) -> Arrivals {
                match self {
                    $(Self::$Model(model) => model.arrivals(setting, streams),)+
                    Self::List(flows) => list::arrivals(flows),
                }
            }
        }
    };
}

traffic_models!(models);

impl Traffic {
    /// The traffic of one of the pairs that share a model, or all that is wrong with the model.
    pub fn resolve(&self, setting: &TrafficContext) -> Result<Self, Vec<Fault>> {
        let mut faults = Faults::default();
        self.check(setting, &mut faults);
        if faults.is_empty() { Ok(self.of_pair(setting)) } else { Err(faults.into_found()) }
    }
}

// Defaults of fields, and how they are told from what was written.

fn one() -> u64 {
    1
}

fn at_once() -> Time {
    Time::ZERO
}

fn never() -> Time {
    Time::NEVER
}

fn is_never(time: &Time) -> bool {
    *time == Time::NEVER
}
