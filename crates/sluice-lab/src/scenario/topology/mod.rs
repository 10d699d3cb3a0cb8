//! Networks, one file for each topology. A new one is a file beside this one, its `mod` line and a
//! line in `shapes!`.

mod cable;
mod coordinates;
mod dumbbell;
mod fat_tree;
mod graph;
mod graphml;
mod graphml_file;
mod leaf_spine;
mod mahimahi;
mod network;
mod parking_lot;
mod plane;
mod ring;
mod schedule;
mod shape;
mod star;
mod tiers;

pub use cable::Cable;
pub use dumbbell::Dumbbell;
pub use fat_tree::FatTree;
pub use graph::{Graph, GraphLink};
pub use graphml::Graphml;
pub use leaf_spine::LeafSpine;
pub use network::Network;
pub use parking_lot::ParkingLot;
pub use ring::Ring;
pub use schedule::LinkSchedule;
pub use shape::{GroupHosts, Shape};
pub use star::Star;
pub use tiers::{Tier, Tiers};

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::problem::Problems;

macro_rules! shapes {
    ($($(#[doc = $title:literal])+ $variant:ident($type:ty) = $name:literal),+ $(,)?) => {
        /// The network: exactly one of these.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[expect(clippy::large_enum_variant, reason = "a scenario has one")]
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

            /// The nodes and links; paths of files start from `folder`.
            pub fn lay(&self, folder: &Path, problems: &mut Problems) -> Network {
                match self {
                    $(Self::$variant(shape) => {
                        shape.lay(concat!("topology.", $name), folder, problems)
                    }),+
                }
            }

            /// The paths of the files that it reads.
            pub(crate) fn files(&mut self) -> Vec<&mut PathBuf> {
                match self {
                    $(Self::$variant(shape) => shape.files()),+
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
    /// Racks under leaf switches, each joined to every spine switch: `[topology.leaf_spine]`.
    LeafSpine(LeafSpine) = "leaf_spine",
    /// Pods of edge and aggregation switches under a core: `[topology.fat_tree]`.
    FatTree(FatTree) = "fat_tree",
    /// Hosts around one switch: `[topology.star]`.
    Star(Star) = "star",
    /// A chain of links with through and cross traffic: `[topology.parking_lot]`.
    ParkingLot(ParkingLot) = "parking_lot",
    /// Sites of a wide-area network, each joined to the next one: `[topology.ring]`.
    Ring(Ring) = "ring",
    /// Random networks of a WAN, MANs and LANs: `[topology.tiers]`.
    Tiers(Tiers) = "tiers",
    /// The network of a GraphML file, such as one of the Topology Zoo: `[topology.graphml]`.
    Graphml(Graphml) = "graphml",
    /// Any graph, link by link: `[[topology.link]]`.
    Graph(Graph) = "link",
}
