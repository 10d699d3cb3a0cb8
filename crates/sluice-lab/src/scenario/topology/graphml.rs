//! A network from a GraphML file, such as those of the Topology Zoo.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_sim::queue::Discipline;
use sluice_sim::{LinkConfig, LinkLaws};
use sluice_units::{BufferSize, Rate, Ratio, Span};

use super::graph::one_bdp;
use super::graphml_file::{self, GraphmlEdge, GraphmlFile};
use super::network::Network;
use super::shape::{Shape, check_link};
use crate::scenario::problem::Problems;
use crate::scenario::row_faults::RowFaults;

/// The nodes and edges of a GraphML file. Each node may be a host, and is a rack of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Graphml {
    /// The file, relative to the scenario file. Nodes have the names of their labels, or of their ids
    /// without a label, with `_` for everything but letters, digits, `-` and `.`; where several nodes
    /// have one name, `-` and the id follow, and a number where that is not unique either. Data that an
    /// element lacks are the `<default>` of their `<key>`. An edge is a link in each direction unless it is directed.
    /// Parallel edges are one link with the sum of their capacities.
    pub file: PathBuf,
    /// Capacity of edges without `LinkSpeedRaw`; by default, every edge must have it.
    pub capacity: Option<Rate>,
    /// Propagation delay of edges of which a node has no `Latitude` and `Longitude`; by default, every
    /// node must have them. With them, the delay is that of light in a fibre (two thirds of its speed in
    /// vacuum) along the great circle.
    pub delay: Option<Span>,
    /// Buffer of each link; one bandwidth-delay product by default.
    #[serde(default = "one_bdp")]
    pub buffer: BufferSize,
    /// Queue discipline of each link: its name, or a table with its parameters (see `sluice list
    /// queue`); `"drop_tail"` by default.
    #[serde(default)]
    pub queue: Discipline,
    /// Probability that a packet is lost in transit on each link, in [0, 1); 0 by default.
    #[serde(default)]
    pub error: Ratio,
    /// Router law of each link: `true` for that of the protocol compared (the default), `false` for none,
    /// or that of a protocol in every run, as `"rcp"`.
    /// A list has a law for each class of traffic, where `queue` is `cbwfq`, `priority` or `tcp_friendly`.
    #[serde(default)]
    pub router: LinkLaws,
}

impl Shape for Graphml {
    const SOURCE: &'static str = "Brandes et al., GraphML (2002); Knight et al., The Internet Topology \
                                  Zoo (IEEE JSAC, 2011)";

    fn lay(&self, field: &str, folder: &Path, problems: &mut Problems) -> Network {
        let path = folder.join(&self.file);
        let file_field = format!("{field}.file");
        let file = match graphml_file::read(&path) {
            Ok(file) => file,
            Err(faults) => {
                faults.report(&file_field, problems);
                return Network::default();
            }
        };
        let mut network = Network::default();
        for node in &file.nodes {
            let node = network.add_node(&node.name);
            network.racks.push(vec![node]);
        }
        let mut faults = RowFaults::none(&path.display().to_string());
        for edge in &file.edges {
            match self.link(edge, &file) {
                Ok(link) => add(&mut network, link, edge.both_ways),
                Err(what) => faults.add(edge.line, what),
            }
        }
        faults.report(&file_field, problems);
        let before = problems.0.len();
        for link in &network.links {
            check_link(link.capacity, self.error, &self.queue, self.router, field, problems);
            if problems.0.len() > before {
                // Other links would only repeat it.
                break;
            }
        }
        network
    }

    fn files(&mut self) -> Vec<&mut PathBuf> {
        vec![&mut self.file]
    }
}

impl Graphml {
    /// The link of an edge, from its source to its target.
    fn link(&self, edge: &GraphmlEdge, file: &GraphmlFile) -> Result<LinkConfig, String> {
        let (from, to) = edge.ends;
        let (source, target) = (&file.nodes[from], &file.nodes[to]);
        let capacity = edge.capacity.or(self.capacity).ok_or_else(|| {
            let (from, to) = (&source.name, &target.name);
            format!("`{from}` to `{to}`: no `LinkSpeedRaw`; set `capacity` as its default")
        })?;
        let delay = source.at.zip(target.at).map(|(from, to)| from.delay(to));
        let delay = delay.or(self.delay).ok_or_else(|| {
            let lacks = if source.at.is_none() { source } else { target };
            let name = &lacks.name;
            format!("`{name}` has no `Latitude` and `Longitude`; set `delay` as a default")
        })?;
        let Self { buffer, queue, error, router, .. } = *self;
        Ok(LinkConfig {
            delay,
            buffer,
            queue,
            error,
            router,
            ..LinkConfig::new(from, to, capacity)
        })
    }
}

/// Adds the link, and one back, or their capacities to those that are there.
fn add(network: &mut Network, link: LinkConfig, both_ways: bool) {
    let back = LinkConfig { from: link.to, to: link.from, ..link.clone() };
    for link in std::iter::once(link).chain(both_ways.then_some(back)) {
        match network.link(link.from, link.to) {
            Some(there) => {
                let bundle = &mut network.links[there];
                let sum = bundle.capacity.as_bps().saturating_add(link.capacity.as_bps());
                bundle.capacity = Rate::from_bps(sum);
            }
            None => _ = network.add_link(link),
        }
    }
}
