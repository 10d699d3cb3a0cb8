//! The parking lot: a chain of links, with traffic over all of them and across each.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_sim::limits;
use sluice_units::Rate;

use super::cable::Cable;
use super::network::Network;
use super::shape::{COUNTS, MAX_LENGTH, Shape, check_size};
use crate::scenario::problem::Problems;

/// Routers in a chain, with through traffic over all hops and cross traffic from the router of each hop
/// to the next one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParkingLot {
    /// Number of hops, 1 to 1,000: links between the routers `r0`, `r1`, ..., in each direction. Through
    /// traffic goes from host `s`, at the first router, to host `d`, at the last one.
    pub hops: usize,
    /// Number of pairs of hosts with cross traffic at each hop, `x0` to `y0`, `x1` to `y1`, ..., those of
    /// the first hop first; 1 by default, 0 for none. `pairs = "each"` are these pairs, and a load is
    /// one of each hop.
    #[serde(default = "one")]
    pub cross: usize,
    /// Links between routers.
    pub hop: Cable,
    /// Capacities of the links between routers, from the first hop to the last; `hop.capacity` for all of
    /// them by default.
    pub capacities: Option<Vec<Rate>>,
    /// Links between hosts and routers.
    pub access: Cable,
}

impl Shape for ParkingLot {
    const SOURCE: &'static str = "the chain of bottlenecks of Katabi's thesis, figure 5-2, and of \
                                  draft-irtf-iccrg-tcpeval-01, section 4.6";

    fn lay(&self, field: &str, _folder: &Path, problems: &mut Problems) -> Network {
        let Self { hops, cross, .. } = *self;
        let sound = problems.check(field, |faults| {
            faults.within("hops", &hops, &(1..=MAX_LENGTH));
            faults.within("cross", &cross, &(0..=*COUNTS.end()));
            if let Some(capacities) = &self.capacities {
                let what =
                    format!("{} capacities for {hops} hops: list one each", capacities.len());
                faults.need(capacities.len() == hops, "capacities", &what);
            }
        });
        if !sound || !check_size(hops * (1 + 2 * cross) + 2, field, problems) {
            return Network::default();
        }
        self.hop.check(&format!("{field}.hop"), problems);
        self.access.check(&format!("{field}.access"), problems);
        problems.check(field, |faults| {
            for capacity in self.capacities.iter().flatten() {
                faults.within("capacities", capacity, &limits::CAPACITY);
            }
        });
        let mut network = Network::default();
        let routers = network.add_nodes("r", 0..hops + 1);
        network.racks = vec![Vec::new(); hops + 1];
        for hop in 0..hops {
            let capacity = self.capacities.as_ref().map_or(self.hop.capacity, |all| all[hop]);
            let link = Cable { capacity, ..self.hop.clone() };
            link.join(&mut network, routers.start + hop, routers.start + hop + 1);
        }
        self.add_host(&mut network, "s", 0);
        self.add_host(&mut network, "d", hops);
        for hop in 0..hops {
            let pairs = (hop * cross..(hop + 1) * cross).map(|pair| {
                let from = self.add_host(&mut network, &format!("x{pair}"), hop);
                (from, self.add_host(&mut network, &format!("y{pair}"), hop + 1))
            });
            let pairs = pairs.collect();
            network.pairs.push(pairs);
        }
        network
    }
}

impl ParkingLot {
    /// Adds a host at router `at`, which is that node: routers come first.
    fn add_host(&self, network: &mut Network, name: &str, at: usize) -> usize {
        let host = network.add_node(name);
        self.access.attach(network, host, at);
        network.racks[at].push(host);
        host
    }
}

fn one() -> usize {
    1
}
