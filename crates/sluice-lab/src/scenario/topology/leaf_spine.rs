//! Leaf and spine: racks of hosts, each leaf switch joined to every spine switch.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cable::Cable;
use super::network::Network;
use super::shape::{COUNTS, Shape, check_size};
use crate::scenario::problem::Problems;

/// All paths between two racks have equal delays. A rack is oversubscribed by the
/// capacity of its hosts over that of its uplinks: `hosts` times `access.capacity` over `spines` times
/// `uplink.capacity`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeafSpine {
    /// Number of leaf switches, `leaf0`, `leaf1`, ..., one for each rack.
    pub leaves: usize,
    /// Number of spine switches, `spine0`, `spine1`, ....
    pub spines: usize,
    /// Number of hosts in each rack; `h0`, `h1`, ... are those of all racks, the first one's first.
    pub hosts: usize,
    /// Links between hosts and leaves.
    pub access: Cable,
    /// Links between leaves and spines; those of `access` by default.
    pub uplink: Option<Cable>,
}

impl Shape for LeafSpine {
    const SOURCE: &'static str = "the folded Clos network of data centres: Alizadeh et al., CONGA \
                                  (SIGCOMM 2014), figure 1";

    fn lay(&self, field: &str, _folder: &Path, problems: &mut Problems) -> Network {
        let Self { leaves, spines, hosts, .. } = *self;
        let sound = problems.check(field, |faults| {
            faults.within("leaves", &leaves, &COUNTS);
            faults.within("spines", &spines, &COUNTS);
            faults.within("hosts", &hosts, &COUNTS);
        });
        if !sound || !check_size(leaves * hosts + leaves * spines, field, problems) {
            return Network::default();
        }
        self.access.check(&format!("{field}.access"), problems);
        if let Some(uplink) = &self.uplink {
            uplink.check(&format!("{field}.uplink"), problems);
        }
        let uplink = self.uplink.as_ref().unwrap_or(&self.access);
        let mut network = Network::default();
        let leaf_nodes = network.add_nodes("leaf", 0..leaves);
        let spine_nodes = network.add_nodes("spine", 0..spines);
        for leaf in leaf_nodes {
            self.access.add_rack(&mut network, hosts, leaf);
            for spine in spine_nodes.clone() {
                uplink.join(&mut network, leaf, spine);
            }
        }
        network
    }
}
