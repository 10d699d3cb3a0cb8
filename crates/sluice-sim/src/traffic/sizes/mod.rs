//! Flow sizes: one file per distribution. A new one is a file beside this one with a type and its
//! `Distribution`, its `mod` and `pub use`, and a line in `distributions!`.

mod distribution;
mod empirical;
mod exponential;
mod file;
mod fixed;
mod hyper_exponential;
mod pareto;
mod points;
mod uniform;
mod workload;

pub use empirical::{CdfPoint, Empirical};
pub use exponential::Exponential;
pub use file::File;
pub use fixed::Fixed;
pub use hyper_exponential::HyperExponential;
pub use pareto::Pareto;
pub use points::Points;
pub use uniform::Uniform;
pub use workload::Workload;

pub(crate) use distribution::at_least_one;

use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults};

use crate::limits::MEAN_SIZE;
use crate::model_info::ModelInfo;
use distribution::{Distribution, Draws};

macro_rules! distributions {
    ($($(#[doc = $title:literal])+ $name:ident: $Type:ident),+ $(,)?) => {
        /// A distribution of flow sizes: exactly one of these. Every draw is at least one byte.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Sizes {
            $($(#[doc = $title])+ $Type($Type)),+
        }

        impl Sizes {
            /// Every distribution that scenarios may name.
            pub const MODELS: &'static [ModelInfo] = &[$(ModelInfo {
                name: stringify!($name),
                title: concat!($($title),+).trim_ascii(),
                source: <$Type as Distribution>::SOURCE,
            }),+];

            fn check_own(&self, payload: Bytes, faults: &mut Faults) -> bool {
                match self {
                    $(Self::$Type(model) => faults.inside(
                        concat!("sizes.", stringify!($name)),
                        |faults| model.check(payload, faults),
                    )),+
                }
            }

            /// The mean in bytes of sound sizes, as a load is computed from it, where a full
            /// packet carries `payload`.
            pub fn mean(&self, payload: Bytes) -> f64 {
                match self { $(Self::$Type(model) => model.mean(payload)),+ }
            }

            pub(super) fn draw(&self, payload: Bytes, stream: Xoshiro256PlusPlus) -> Draws {
                match self { $(Self::$Type(model) => model.draw(payload, stream)),+ }
            }
        }
    };
}

distributions! {
    /// One size for all flows.
    fixed: Fixed,
    /// Exponential with this mean.
    exponential: Exponential,
    /// A random choice of exponential distributions: more variable than one.
    hyper_exponential: HyperExponential,
    /// Uniform between two sizes.
    uniform: Uniform,
    /// Pareto with this mean and shape.
    pareto: Pareto,
    /// A published measurement, by name.
    workload: Workload,
    /// A cumulative distribution by points (size, fraction of flows up to it), linear between them.
    points: Points,
    /// The same from a CSV file with the columns `size` (bytes) and `cumulative`; its path starts
    /// from the scenario file.
    file: File,
}

impl Sizes {
    /// Checks the field `sizes`. Whether there is no fault.
    pub(super) fn check(&self, payload: Bytes, faults: &mut Faults) -> bool {
        self.check_own(payload, faults) && {
            // A mean is a sum, whose rounding may miss the smallest size.
            let fits = MEAN_SIZE.contains(&(self.mean(payload) + 1e-9));
            faults.need(fits, "sizes", "the mean flow size must be 1 B to 1 EB");
            fits
        }
    }
}
