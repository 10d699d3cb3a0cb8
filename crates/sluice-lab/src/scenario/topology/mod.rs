//! What packets travel on: one file a shape. A new shape is a file beside this one, its `mod` line
//! and a line in `shapes!`.

mod dumbbell;
mod graph;
mod network;
mod shape;

pub use dumbbell::Dumbbell;
pub use graph::{Graph, GraphLink};
pub use network::Network;
pub use shape::{Own, Shape};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::problem::Problems;

macro_rules! shapes {
    ($($(#[doc = $title:literal])+ $variant:ident($type:ty) = $name:literal),+ $(,)?) => {
        /// The shape of the network: exactly one of these.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Topology {
            $($(#[doc = $title])+ #[serde(rename = $name)] $variant($type)),+
        }

        impl Topology {
            /// Every shape that scenarios may name, with a line of help and its source.
            pub const SHAPES: &'static [(&'static str, &'static str, &'static str)] = &[$((
                $name,
                concat!($($title),+).trim_ascii(),
                <$type as Shape>::SOURCE,
            )),+];

            /// Lays out nodes and links; what cannot be goes to `problems`.
            pub fn lay(&self, problems: &mut Problems) -> Network {
                match self {
                    $(Self::$variant(shape) => shape.lay(concat!("topology.", $name), problems)),+
                }
            }

            /// Adds hosts of a group's own; `false` if the shape has no place for them.
            pub fn add_own(
                &self,
                network: &mut Network,
                own: &Own<'_>,
                problems: &mut Problems,
            ) -> bool {
                match self {
                    $(Self::$variant(shape) => shape.add_own(network, own, problems)),+
                }
            }
        }
    };
}

shapes! {
    /// Pairs of hosts that share a bottleneck: `[topology.dumbbell]`.
    Dumbbell(Dumbbell) = "dumbbell",
    /// Any graph, link by link: `[[topology.link]]`.
    Graph(Graph) = "link",
}
