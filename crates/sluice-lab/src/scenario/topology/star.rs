//! The star: hosts around one switch.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cable::Cable;
use super::network::Network;
use super::shape::{COUNTS, Shape, check_size};
use crate::scenario::problem::Problems;

/// Hosts, each joined to one switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Star {
    /// Number of hosts, `h0`, `h1`, ..., around the switch `hub`.
    pub hosts: usize,
    /// Links between hosts and the switch.
    pub access: Cable,
}

impl Shape for Star {
    const SOURCE: &'static str = "the rack of DCTCP (SIGCOMM 2010), section 4";

    fn lay(&self, field: &str, _folder: &Path, problems: &mut Problems) -> Network {
        let sound = problems.check(field, |faults| faults.within("hosts", &self.hosts, &COUNTS));
        if !sound || !check_size(self.hosts, field, problems) {
            return Network::default();
        }
        self.access.check(&format!("{field}.access"), problems);
        let mut network = Network::default();
        let hub = network.add_node("hub");
        self.access.add_rack(&mut network, self.hosts, hub);
        network
    }
}
