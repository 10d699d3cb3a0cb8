//! Random networks in tiers, after the Tiers generator: a WAN, MANs and LANs.

use std::ops::{Range, RangeInclusive};
use std::path::Path;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::Span;

use super::cable::Cable;
use super::network::Network;
use super::plane::Plane;
use super::shape::{COUNTS, Shape, check_size};
use crate::scenario::problem::Problems;

/// A wide-area network, metropolitan networks around it, and local ones around those (around the WAN if
/// there are no MANs). WAN and MANs are minimum spanning trees of nodes at random places, with extra
/// links; a LAN is a star around its first node. Every node may be a host, and each network is a rack. The
/// network depends on these fields alone, not on the seeds of runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tiers {
    /// Seed of the places of nodes and networks; 1 by default.
    #[serde(default = "first_seed")]
    pub seed: u64,
    /// The wide-area network, of which there is one: nodes `wan0`, `wan1`, ....
    pub wan: Tier,
    /// The metropolitan networks: nodes `man0`, `man1`, ..., those of the first network first; none by
    /// default.
    pub man: Option<Tier>,
    /// The local networks: nodes `lan0`, `lan1`, ..., those of the first network first; none by default.
    pub lan: Option<Tier>,
}

/// The networks of one tier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tier {
    /// Number of networks: MANs, or LANs around each MAN (around the WAN if there are no MANs); 1 by
    /// default.
    #[serde(default = "one")]
    pub networks: usize,
    /// Number of nodes of each network.
    pub nodes: usize,
    /// Number of links of each network beyond its tree, each direction counted as one. Nodes in turn are
    /// joined to the nearest node that they have no link to, in both directions; an odd number leaves
    /// the last of these links without one back. 0 by default, and in a LAN.
    #[serde(default)]
    pub extra: usize,
    /// Number of nodes of the tier above that each network is joined to, by its first node: those nearest
    /// to the network's place; 1 by default.
    #[serde(default = "one")]
    pub uplinks: usize,
    /// Links inside a network and to the tier above.
    pub link: Cable,
    /// Delay over the diagonal of a WAN's or MAN's area; delays rise with distance from `link.delay` to
    /// this one, which is the default. LANs and links to the tier above have `link.delay`.
    pub max_delay: Option<Span>,
}

/// The numbers of nodes of a WAN or a MAN: the time to grow one is quadratic in it.
const NODES: RangeInclusive<usize> = 1..=1_000;

impl Shape for Tiers {
    const SOURCE: &'static str = "after Doar, A Better Model for Generating Test Networks (GLOBECOM \
                                  1996), and Calvert, Doar and Zegura, Modeling Internet Topology \
                                  (IEEE Communications Magazine, 1997)";

    fn lay(&self, field: &str, _folder: &Path, problems: &mut Problems) -> Network {
        if !self.check(field, problems) {
            return Network::default();
        }
        let rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut growth = Growth { network: Network::default(), rng };
        let mut above = vec![growth.mesh("wan", 0, &self.wan)];
        if let Some(man) = &self.man {
            let mans = (0..man.networks).map(|i| {
                let mesh = growth.mesh("man", i, man);
                growth.join_up(mesh.nodes.start, man, &above[0]);
                mesh
            });
            above = mans.collect();
        }
        if let Some(lan) = &self.lan {
            for i in 0..lan.networks * above.len() {
                let centre = growth.star("lan", i, lan);
                growth.join_up(centre, lan, &above[i / lan.networks]);
            }
        }
        growth.network
    }
}

impl Tiers {
    fn check(&self, field: &str, problems: &mut Problems) -> bool {
        let before = problems.0.len();
        let (man, lan) = (self.man.as_ref(), self.lan.as_ref());
        let wan = format!("{field}.wan");
        self.wan.check(&wan, &NODES, 1, problems);
        problems.check(&wan, |faults| {
            faults.need(self.wan.networks == 1, "networks", "there is one WAN");
        });
        if let Some(man) = man {
            man.check(&format!("{field}.man"), &NODES, self.wan.nodes, problems);
        }
        if let Some(lan) = lan {
            let above = man.unwrap_or(&self.wan);
            let field = format!("{field}.lan");
            lan.check(&field, &COUNTS, above.nodes, problems);
            let what = "a LAN is a star: it has no extra links";
            problems.check(&field, |faults| faults.need(lan.extra == 0, "extra", what));
        }
        let mans = man.map_or(0, Tier::joined);
        let lans = lan.map_or(0, Tier::joined);
        let lans = lans.saturating_mul(man.map_or(1, |man| man.networks));
        let joined = self.wan.joined().saturating_add(mans).saturating_add(lans);
        problems.0.len() == before && check_size(joined, field, problems)
    }
}

impl Tier {
    fn check(
        &self,
        field: &str,
        nodes: &RangeInclusive<usize>,
        above: usize,
        problems: &mut Problems,
    ) {
        self.link.check(&format!("{field}.link"), problems);
        problems.check(field, |faults| {
            faults.within("networks", &self.networks, &COUNTS);
            if faults.sound(|faults| faults.within("nodes", &self.nodes, nodes)) {
                let room = (self.nodes - 1) * self.nodes.saturating_sub(2);
                faults.within("extra", &self.extra, &(0..=room));
            }
            faults.within("uplinks", &self.uplinks, &(1..=above.max(1)));
            let delay = self.link.delay;
            let what = format!("must be at least `link.delay`, {delay}");
            faults.need(self.max_delay.unwrap_or(delay) >= delay, "max_delay", &what);
        });
    }

    /// The most pairs of nodes that its networks join.
    fn joined(&self) -> usize {
        let each = self.nodes.saturating_add(self.extra).saturating_add(self.uplinks);
        self.networks.saturating_mul(each)
    }

    /// The links over this distance, in diagonals of the area.
    fn over(&self, distance: f64) -> Cable {
        let more = self.max_delay.map_or(Span::ZERO, |max| max - self.link.delay);
        let delay = self.link.delay + Span::from_secs_f64(more.as_secs_f64() * distance);
        Cable { delay, ..self.link.clone() }
    }
}

/// A WAN or a MAN: its nodes and their places.
struct Mesh {
    nodes: Range<usize>,
    plane: Plane,
}

/// A network under construction.
struct Growth {
    network: Network,
    rng: Xoshiro256PlusPlus,
}

impl Growth {
    /// Adds network `number` of a tier: a tree, and extra links.
    fn mesh(&mut self, name: &str, number: usize, tier: &Tier) -> Mesh {
        let plane = Plane::random(tier.nodes, &mut self.rng);
        let mesh = Mesh { nodes: self.add_nodes(name, number, tier), plane };
        let Mesh { nodes, plane } = &mesh;
        for (a, b) in plane.tree() {
            let cable = tier.over(plane.distance(a, b));
            cable.join(&mut self.network, nodes.start + a, nodes.start + b);
        }
        self.add_extra(&mesh, tier);
        mesh
    }

    fn add_extra(&mut self, Mesh { nodes, plane }: &Mesh, tier: &Tier) {
        let network = &mut self.network;
        let mut left = tier.extra;
        let mut others: Vec<_> = (0..tier.nodes).map(|a| plane.others(a).into_iter()).collect();
        let mut turns = (0..tier.nodes).cycle();
        while let Some(a) = turns.next().filter(|_| left > 0) {
            let from = nodes.start + a;
            let is_free = |&b: &usize| network.link(from, nodes.start + b).is_none();
            let Some(b) = others[a].find(is_free) else { continue };
            let cable = tier.over(plane.distance(a, b));
            network.add_link(cable.link(from, nodes.start + b));
            if left > 1 {
                network.add_link(cable.link(nodes.start + b, from));
            }
            left = left.saturating_sub(2);
        }
    }

    /// Adds network `number` of a tier, a star; returns its centre.
    fn star(&mut self, name: &str, number: usize, tier: &Tier) -> usize {
        let nodes = self.add_nodes(name, number, tier);
        let centre = nodes.start;
        for node in nodes.skip(1) {
            tier.link.join(&mut self.network, centre, node);
        }
        centre
    }

    /// The nodes of network `number` of a tier.
    fn add_nodes(&mut self, name: &str, number: usize, tier: &Tier) -> Range<usize> {
        let first = number * tier.nodes;
        let nodes = self.network.add_nodes(name, first..first + tier.nodes);
        self.network.racks.push(nodes.clone().collect());
        nodes
    }

    /// Joins a network at a random place by this node to the nearest nodes of the tier above.
    fn join_up(&mut self, node: usize, tier: &Tier, Mesh { nodes, plane }: &Mesh) {
        let place = (self.rng.random(), self.rng.random());
        for &near in plane.nearest(place).iter().take(tier.uplinks) {
            tier.link.join(&mut self.network, node, nodes.start + near);
        }
    }
}

fn one() -> usize {
    1
}

fn first_seed() -> u64 {
    1
}
