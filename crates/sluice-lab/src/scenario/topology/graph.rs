//! Any graph, given as a list of links, which name its nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_sim::queue::Discipline;
use sluice_sim::{LinkConfig, LinkLaws};
use sluice_units::{BufferSize, Rate, Ratio, Span};

use super::network::Network;
use super::schedule::LinkSchedule;
use super::shape::{Shape, check_link};
use crate::scenario::name::check_name;
use crate::scenario::problem::Problems;

/// The links of a graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Graph(pub Vec<GraphLink>);

/// A link between two named nodes: `[[topology.link]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphLink {
    /// Node at its start.
    pub from: String,
    /// Node at its end.
    pub to: String,
    /// Whether there is an equal link in the other direction; `true` by default.
    #[serde(default = "yes")]
    pub both_ways: bool,
    /// Capacity, in each direction.
    pub capacity: Rate,
    /// How the capacity varies, in each direction: `{ steps = [["5 s", "1 Mbps"]] }`, `{ ramps = ... }`,
    /// `{ mahimahi = "trace.up" }`, `{ down = [["3 s", "4 s"]] }`; constant by default.
    pub schedule: Option<LinkSchedule>,
    /// Propagation delay, in each direction.
    pub delay: Span,
    /// Buffer; one bandwidth-delay product by default.
    #[serde(default = "one_bdp")]
    pub buffer: BufferSize,
    /// Queue discipline: its name, or a table with its parameters (see `sluice list queue`);
    /// `"drop_tail"` by default.
    #[serde(default)]
    pub queue: Discipline,
    /// Probability that a packet is lost in transit, in [0, 1); 0 by default.
    #[serde(default)]
    pub error: Ratio,
    /// Router law here: `true` for that of the protocol compared (the default), `false` for none, or
    /// that of a protocol in every run, as `"rcp"`.
    /// A list has a law for each class of traffic, where `queue` is `cbwfq`, `priority` or `tcp_friendly`.
    #[serde(default)]
    pub router: LinkLaws,
}

impl Shape for Graph {
    const SOURCE: &'static str = "user-defined";

    fn lay(&self, field: &str, folder: &Path, problems: &mut Problems) -> Network {
        let mut network = Network::default();
        for (i, link) in self.0.iter().enumerate() {
            let field = format!("{field}[{i}]");
            check_name(&link.from, &format!("{field}.from"), problems);
            check_name(&link.to, &format!("{field}.to"), problems);
            check_link(link.capacity, link.error, &link.queue, link.router, &field, problems);
            let (from, to) = (network.add_node(&link.from), network.add_node(&link.to));
            if from == to {
                problems.field(&field, "`from` and `to` must be different nodes");
                continue;
            }
            let schedule = link.schedule.as_ref().and_then(|schedule| {
                schedule.lay(link.capacity, &format!("{field}.schedule"), folder, problems)
            });
            let there = LinkConfig { schedule, ..link.between(from, to) };
            let back = LinkConfig { from: to, to: from, ..there.clone() };
            let back = !link.both_ways || network.add_link(back);
            if !(network.add_link(there) && back) {
                let what = format!("duplicate link between `{}` and `{}`", link.from, link.to);
                problems.field(&field, what);
            }
        }
        network.racks = racks(&network);
        network
    }

    fn files(&mut self) -> Vec<&mut PathBuf> {
        let schedules = self.0.iter_mut().filter_map(|link| link.schedule.as_mut());
        schedules.filter_map(|schedule| schedule.mahimahi.as_mut()).collect()
    }
}

/// Hosts are nodes with a single neighbour, which is their rack.
fn racks(network: &Network) -> Vec<Vec<usize>> {
    let mut neighbours = vec![BTreeSet::new(); network.nodes.len()];
    for LinkConfig { from, to, .. } in &network.links {
        neighbours[*from].insert(*to);
        neighbours[*to].insert(*from);
    }
    let mut racks = BTreeMap::<usize, Vec<usize>>::new();
    for (node, neighbours) in neighbours.iter().enumerate() {
        if let (1, Some(&around)) = (neighbours.len(), neighbours.first()) {
            racks.entry(around).or_default().push(node);
        }
    }
    racks.into_values().collect()
}

impl GraphLink {
    fn between(&self, from: usize, to: usize) -> LinkConfig {
        let Self { capacity, delay, buffer, queue, error, router, .. } = *self;
        LinkConfig { delay, buffer, queue, error, router, ..LinkConfig::new(from, to, capacity) }
    }
}

fn yes() -> bool {
    true
}

pub(super) fn one_bdp() -> BufferSize {
    BufferSize::Bdp(Ratio::new(1.0))
}
