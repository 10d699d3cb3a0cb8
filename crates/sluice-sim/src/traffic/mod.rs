//! When flows arrive and how much they send: one file per arrival model, one per distribution of
//! sizes.
//!
//! A model's type is its table in a scenario file: its fields are the file's keys, its doc
//! comments their manual. A new model is a file beside this one with a type and its `Model`, its
//! `mod` and `pub use`, and a line in `traffic_models!`.

mod amount;
mod cbr;
mod defaults;
mod flash_crowd;
mod incast;
mod list;
mod long;
mod merge;
mod model;
mod on_off;
mod pauses;
mod period_law;
mod periodic;
mod poisson;
pub mod sizes;
mod ticks;
mod udp;
mod volume;
mod web;

pub use amount::{Amount, PerSecond};
pub use cbr::Cbr;
pub use flash_crowd::FlashCrowd;
pub use incast::Incast;
pub use list::Listed;
pub use long::Long;
pub(crate) use model::Arrivals;
pub use model::{FlowArrival, Means, TrafficContext};
pub use on_off::OnOff;
pub use pauses::Pauses;
pub(crate) use pauses::PausingApplication;
pub use periodic::Periodic;
pub use poisson::Poisson;
pub use sizes::Sizes;
pub(crate) use udp::Emissions;
pub use udp::{Datagram, DatagramFile, Phase, Udp};
pub use web::Web;

pub use crate::model_info::ModelInfo;

use std::path::PathBuf;

use sluice_units::{Fault, Faults, Time};

use crate::rng::Streams;
use model::Model;

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
            /// Flows at equal intervals.
            periodic: Periodic,
            /// Data at a constant rate, as a train of flows.
            cbr: Cbr,
            /// Sources with random on and off periods.
            on_off: OnOff,
            /// Users who request pages of several objects, with think times.
            web: Web,
            /// Many senders that reply at the same instant, periodically.
            incast: Incast,
            /// Random arrivals whose rate rises and falls.
            flash_crowd: FlashCrowd,
            /// Streams of datagrams that no congestion slows down.
            udp: Udp,
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
            /// The path of the file that it names, if it names one.
            pub fn file_mut(&mut self) -> Option<&mut PathBuf> {
                Model::file(self)
            }
        })+

        impl Traffic {
            /// Every model that scenarios may name.
            pub const MODELS: &'static [ModelInfo] = &[$(ModelInfo {
                name: stringify!($name),
                title: concat!($($title),+).trim_ascii(),
                source: <$Model as Model>::SOURCE,
            }),+];

            /// Checks the parameters.
            pub(crate) fn check(&self, context: &TrafficContext, faults: &mut Faults) {
                match self {
                    $(Self::$Model(model) => model.check(context, faults),)+
                    Self::List(_) => {}
                }
            }

            fn of_pair(&self, context: &TrafficContext) -> Self {
                match self {
                    $(Self::$Model(model) => Self::$Model(model.of_pair(context)),)+
                    Self::List(flows) => Self::List(flows.clone()),
                }
            }

            /// Mean traffic of a valid model, all pairs together.
            pub fn means(&self, context: &TrafficContext) -> Means {
                match self {
                    $(Self::$Model(model) => model.means(context),)+
                    Self::List(_) => Means::default(),
                }
            }

            /// The number of flows that a group with this model is expected to start before `end`, and their
            /// mean size in bytes; 0 if the model has no means.
            pub(crate) fn expected(&self, context: &TrafficContext, end: Time) -> (f64, f64) {
                match self {
                    $(Self::$Model(model) => {
                        let stop = model.stop.min(end);
                        // Until then: a mean may depend on it.
                        let model = $Model { stop, ..Clone::clone(model) };
                        model.means(context).flows_in(stop.since(model.start))
                    })+
                    Self::List(_) => (0.0, 0.0),
                }
            }

            /// The distribution of sizes, where the model has one.
            pub fn sizes_mut(&mut self) -> Option<&mut Sizes> {
                match self {
                    $(Self::$Model(model) => model.sizes(),)+
                    Self::List(_) => None,
                }
            }

            /// The arrivals of a valid model, drawn from a group's own random streams.
            pub(crate) fn arrivals(&self, context: &TrafficContext, streams: &Streams<'_>) -> Arrivals {
                match self {
                    $(Self::$Model(model) => model.arrivals(context, streams),)+
                    Self::List(flows) => list::arrivals(flows),
                }
            }
        }
    };
}

traffic_models!(models);

impl Traffic {
    /// Whether none of its flows has a size: they send until they are stopped.
    pub fn is_endless(&self) -> bool {
        matches!(self, Self::Long(_) | Self::Udp(_))
    }

    /// Its streams of datagrams, if it consists of them.
    pub fn udp(&self) -> Option<&Udp> {
        match self {
            Self::Udp(udp) => Some(udp),
            _ => None,
        }
    }

    /// How the applications of its flows pause, if they do.
    pub(crate) fn pauses(&self) -> Option<Pauses> {
        match self {
            Self::Long(long) => long.pauses,
            _ => None,
        }
    }

    /// One pair's share of the traffic.
    ///
    /// # Errors
    ///
    /// All faults of the model.
    pub fn resolve(&self, context: &TrafficContext) -> Result<Self, Vec<Fault>> {
        let faults = Faults::of(|faults| self.check(context, faults));
        if faults.is_empty() { Ok(self.of_pair(context)) } else { Err(faults) }
    }
}
