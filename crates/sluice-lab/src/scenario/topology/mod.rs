//! Networks, one file for each topology. A new one is a file beside this one, its `mod` line and a
//! line in `shapes!`.

mod dumbbell;
mod graph;
mod network;
mod shape;

pub use dumbbell::Dumbbell;
pub use graph::{Graph, GraphLink};
pub use network::Network;
pub use shape::{GroupHosts, Shape};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::problem::Problems;

macro_rules! shapes {
    ($($(#[doc = $title:literal])+ $variant:ident($type:ty) = $name:literal),+ $(,)?) => {
        /// The network: exactly one of these.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Topology {
            $($(#[doc = $title])+ #[serde(rename = $name)] $variant($type)),+
        }

        impl Topology {
            /// Every topology that scenarios may name, with its title and source.
            pub const SHAPES: &'static [(&'static str, &'static str, &'static str)] = &[$((
                $name,
                concat!($($title),+).trim_ascii(),
                <$type as Shape>::SOURCE,
            )),+];

            /// The nodes and links.
            pub fn lay(&self, problems: &mut Problems) -> Network {
                match self {
                    $(Self::$variant(shape) => shape.lay(concat!("topology.", $name), problems)),+
                }
            }

            /// Adds a pair of hosts for one group; `false` if the topology does not support it.
            pub fn add_hosts(
                &self,
                network: &mut Network,
                hosts: &GroupHosts<'_>,
                problems: &mut Problems,
            ) -> bool {
                match self {
                    $(Self::$variant(shape) => shape.add_hosts(network, hosts, problems)),+
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
