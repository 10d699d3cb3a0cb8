//! The ring: sites of a wide-area network, each joined to the next one.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::Span;

use super::cable::Cable;
use super::network::Network;
use super::shape::{COUNTS, MAX_LENGTH, Shape, check_size};
use crate::scenario::problem::Problems;

/// Sites in a ring, each a router with hosts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ring {
    /// Number of sites, 3 to 1,000, with a router each: `site0`, `site1`, ....
    pub sites: usize,
    /// Number of hosts at each site; 1 by default. `h0`, `h1`, ... are those of all sites, the first
    /// one's first.
    #[serde(default = "one")]
    pub hosts: usize,
    /// Links between sites.
    pub trunk: Cable,
    /// Delays of the links between sites: from the first to the second, and so on, the last one back to
    /// the first. `trunk.delay` for all of them by default.
    pub delays: Option<Vec<Span>>,
    /// Links between hosts and the router of their site.
    pub access: Cable,
}

impl Shape for Ring {
    const SOURCE: &'static str = "the rings of wide-area networks, such as SONET's and SDH's";

    fn lay(&self, field: &str, _folder: &Path, problems: &mut Problems) -> Network {
        let Self { sites, hosts, .. } = *self;
        let sound = problems.check(field, |faults| {
            faults.within("sites", &sites, &(3..=MAX_LENGTH));
            faults.within("hosts", &hosts, &COUNTS);
            if let Some(delays) = &self.delays {
                let what = format!("{} delays for {sites} links: list one each", delays.len());
                faults.need(delays.len() == sites, "delays", &what);
            }
        });
        if !sound || !check_size(sites * (1 + hosts), field, problems) {
            return Network::default();
        }
        self.trunk.check(&format!("{field}.trunk"), problems);
        self.access.check(&format!("{field}.access"), problems);
        let mut network = Network::default();
        let routers = network.add_nodes("site", 0..sites);
        for (i, site) in routers.enumerate() {
            let delay = self.delays.as_ref().map_or(self.trunk.delay, |delays| delays[i]);
            let trunk = Cable { delay, ..self.trunk.clone() };
            trunk.join(&mut network, site, (i + 1) % sites);
            self.access.add_rack(&mut network, hosts, site);
        }
        network
    }
}

fn one() -> usize {
    1
}
