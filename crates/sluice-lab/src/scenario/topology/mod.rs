//! What packets travel on: one file a shape. A new shape is a file beside this one and a line in
//! `shapes!`.

mod dumbbell;
mod graph;

pub use dumbbell::Dumbbell;
pub use graph::{Graph, GraphLink};

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_sim::LinkConfig;
use sluice_sim::queue::Discipline;
use sluice_units::{Fault, Rate, Ratio, Span};

use super::Problems;

/// Nodes and links with their names.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The name of each node.
    pub nodes: Vec<String>,
    /// Directed links; at most one from a node to another.
    pub links: Vec<LinkConfig>,
    /// The hosts of each pair, if the shape has pairs: left and right.
    pub pairs: Vec<(usize, usize)>,
    by_name: BTreeMap<String, usize>,
    by_ends: BTreeMap<(usize, usize), usize>,
}

impl Network {
    /// The node of that name.
    pub fn node(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The link from one node to another.
    pub fn link(&self, from: usize, to: usize) -> Option<usize> {
        self.by_ends.get(&(from, to)).copied()
    }

    /// A link by its ends' names: `left->right`.
    pub fn link_name(&self, link: usize) -> String {
        let LinkConfig { from, to, .. } = &self.links[link];
        format!("{}->{}", self.nodes[*from], self.nodes[*to])
    }

    /// The node of that name, new if there is none yet.
    fn add_node(&mut self, name: &str) -> usize {
        *self.by_name.entry(name.into()).or_insert_with(|| {
            self.nodes.push(name.into());
            self.nodes.len() - 1
        })
    }

    /// Adds the link unless there is one between the same ends; tells whether it did.
    fn add_link(&mut self, link: LinkConfig) -> bool {
        let ends = (link.from, link.to);
        let new = !self.by_ends.contains_key(&ends);
        if new {
            self.by_ends.insert(ends, self.links.len());
            self.links.push(link);
        }
        new
    }
}

/// A shape that networks come in.
pub trait Shape {
    /// Where it is from.
    const SOURCE: &'static str;

    /// Lays out nodes and links; what cannot be goes to `problems`, fields named from `field` down.
    fn lay(&self, field: &str, problems: &mut Problems) -> Network;

    /// Adds hosts of a group's own, left and right, so far from each other; `false` if the shape
    /// has no place for them.
    fn add_own(&self, _network: &mut Network, _own: &Own<'_>, _problems: &mut Problems) -> bool {
        false
    }
}

/// A group that has hosts of its own.
#[derive(Clone, Copy, Debug)]
pub struct Own<'a> {
    /// Its name.
    pub name: &'a str,
    /// Round-trip propagation delay between its hosts.
    pub rtt: Span,
    /// The field that says so.
    pub field: &'a str,
}

impl Own<'_> {
    /// The names of its hosts, left and right.
    pub fn hosts(&self) -> (String, String) {
        (format!("{}-s", self.name), format!("{}-d", self.name))
    }
}

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

/// What a link may carry.
const CAPACITIES: RangeInclusive<Rate> =
    Rate::from_bps(1_000)..=Rate::from_bps(100_000_000_000_000);

/// Checks what any link must be.
fn check_link(
    capacity: Rate,
    error: Ratio,
    queue: &Discipline,
    field: &str,
    problems: &mut Problems,
) {
    if !CAPACITIES.contains(&capacity) {
        problems.field(format!("{field}.capacity"), "a capacity is 1 kbps to 100 Tbps");
    }
    if error < Ratio::default() || error >= Ratio::new(1.0) {
        problems.field(format!("{field}.error"), "a probability of loss lies in [0, 1)");
    }
    for Fault { field: inside, what } in queue.faults(capacity) {
        problems.field(format!("{field}.queue.{inside}"), what);
    }
}

/// Names go into file names and CSV cells as they are.
pub(crate) fn check_name(name: &str, field: &str, problems: &mut Problems) {
    let good = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    if name.is_empty() || name.starts_with('.') || name.len() > 64 || !name.chars().all(good) {
        let what = format!("`{name}` cannot be a name");
        let help = "letters, digits, `_`, `-` and `.`, not first; 1 to 64 of them";
        problems.field_help(field, what, help);
    }
}
