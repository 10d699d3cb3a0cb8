//! Reads GraphML: nodes and edges, with what networks of the Topology Zoo state of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions};
use sluice_sim::limits;
use sluice_units::{Rate, shortened};

use super::coordinates::Coordinates;
use crate::scenario::file_text::text;
use crate::scenario::row_faults::RowFaults;

/// A graph.
#[derive(Default)]
pub(super) struct GraphmlFile {
    pub nodes: Vec<GraphmlNode>,
    pub edges: Vec<GraphmlEdge>,
}

/// A node.
pub(super) struct GraphmlNode {
    /// Its label or id, with `_` for what names cannot have; no other node has the same.
    pub name: String,
    /// Its `Latitude` and `Longitude`.
    pub at: Option<Coordinates>,
}

/// An edge.
pub(super) struct GraphmlEdge {
    /// Its line in the file.
    pub line: usize,
    /// The places of its nodes in the list of nodes.
    pub ends: (usize, usize),
    /// Whether it leads in both directions.
    pub both_ways: bool,
    /// Its `LinkSpeedRaw`.
    pub capacity: Option<Rate>,
}

/// More elements are taken for a mistake.
const MAX_ELEMENTS: u32 = 2_000_000;

/// Reads the file's graph.
pub(super) fn read(path: &Path) -> Result<GraphmlFile, RowFaults> {
    let file = path.display().to_string();
    let whole = |what: String| RowFaults::whole(&file, what);
    let text = text(path).map_err(whole)?;
    let options = ParsingOptions { nodes_limit: MAX_ELEMENTS, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(&text, options).map_err(|error| whole(error.to_string()))?;
    let root = document.root_element();
    let graphs: Vec<Node<'_, '_>> = children(root, "graph").collect();
    let &[graph] = &graphs[..] else {
        return Err(whole(format!(
            "{} elements `graph`: GraphML with one is needed",
            graphs.len()
        )));
    };
    let mut reader = Reader {
        keys: children(root, "key").filter_map(GraphmlKey::read).collect(),
        places: BTreeMap::new(),
        is_directed: graph.attribute("edgedefault") == Some("directed"),
    };
    let mut faults = RowFaults::none(&file);
    let read = reader.graph(graph, &mut faults);
    if faults.is_empty() { Ok(read) } else { Err(faults) }
}

/// What elements may have data of.
struct GraphmlKey<'t> {
    name: &'t str,
    /// The elements: `node`, `edge` or the like, or `all`.
    of: &'t str,
    /// The value of elements without data.
    default: Option<&'t str>,
}

impl<'t> GraphmlKey<'t> {
    /// The key and its id.
    fn read(key: Node<'t, '_>) -> Option<(&'t str, Self)> {
        let (id, name) = (key.attribute("id")?, key.attribute("attr.name")?);
        let default = children(key, "default").next().map(content);
        Some((id, Self { name, of: key.attribute("for").unwrap_or("all"), default }))
    }
}

struct Reader<'t> {
    /// Keys by their ids.
    keys: BTreeMap<&'t str, GraphmlKey<'t>>,
    /// Nodes by their ids.
    places: BTreeMap<&'t str, usize>,
    /// Whether edges lead in one direction unless they state otherwise.
    is_directed: bool,
}

impl<'t> Reader<'t> {
    fn graph(&mut self, graph: Node<'t, '_>, faults: &mut RowFaults) -> GraphmlFile {
        let mut read = GraphmlFile::default();
        let mut ids = Vec::new();
        for node in children(graph, "node") {
            match self.node(node) {
                Ok((id, node)) => {
                    self.places.insert(id, ids.len());
                    ids.push(id);
                    read.nodes.push(node);
                }
                Err(what) => faults.add(line(node), what),
            }
        }
        if !faults.is_empty() {
            // Edges would only repeat them.
            return read;
        }
        make_unique(&mut read.nodes, &ids);
        for edge in children(graph, "edge") {
            match self.edge(edge) {
                Ok(edge) => read.edges.push(edge),
                Err(what) => faults.add(line(edge), what),
            }
        }
        read
    }

    fn node(&self, node: Node<'t, '_>) -> Result<(&'t str, GraphmlNode), String> {
        let id = node.attribute("id").ok_or("a node without `id`")?;
        if self.places.contains_key(id) {
            return Err(format!("duplicate node `{}`", shortened(id)));
        }
        let degrees = |name: &str, most: f64| {
            let number = self.number(node, name)?;
            match number.filter(|number| number.abs() > most) {
                Some(number) => Err(format!("`{name}`: {number} is not within {most} degrees")),
                None => Ok(number),
            }
        };
        let at = degrees("Latitude", 90.0)?.zip(degrees("Longitude", 180.0)?);
        let at = at.map(|(latitude, longitude)| Coordinates { latitude, longitude });
        let label = self.data(node, "label").filter(|label| !label.is_empty());
        Ok((id, GraphmlNode { name: valid_name(label.unwrap_or(id)), at }))
    }

    fn edge(&self, edge: Node<'t, '_>) -> Result<GraphmlEdge, String> {
        let end = |name: &str| {
            let id = edge.attribute(name).ok_or_else(|| format!("an edge without `{name}`"))?;
            let place = self.places.get(id).copied();
            place.ok_or_else(|| format!("`{name}`: unknown node `{}`", shortened(id)))
        };
        let ends = (end("source")?, end("target")?);
        if ends.0 == ends.1 {
            return Err("an edge from a node to itself".into());
        }
        let both_ways = match edge.attribute("directed") {
            Some(directed) => directed == "false",
            None => !self.is_directed,
        };
        let capacity = self.number(edge, "LinkSpeedRaw")?.map(Rate::from_bps_f64);
        if let Some(wrong) = capacity.filter(|capacity| !limits::CAPACITY.contains(capacity)) {
            let (least, most) = (limits::CAPACITY.start(), limits::CAPACITY.end());
            return Err(format!("`LinkSpeedRaw`: must be {least} to {most}, not {wrong}"));
        }
        Ok(GraphmlEdge { line: line(edge), ends, both_ways, capacity })
    }

    /// The number that an element has under this name.
    fn number(&self, element: Node<'t, '_>, name: &str) -> Result<Option<f64>, String> {
        let Some(text) = self.data(element, name) else { return Ok(None) };
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        number.map(Some).ok_or_else(|| format!("`{name}`: `{}` is not a number", shortened(text)))
    }

    /// The text that an element has under this name, or the default of the name's key.
    fn data<'e: 't>(&self, element: Node<'e, '_>, name: &str) -> Option<&'t str> {
        let is_named = |data: &Node<'_, '_>| {
            let key = data.attribute("key").and_then(|key| self.keys.get(key));
            key.is_some_and(|key| key.name == name)
        };
        let default = || {
            let is_of = |of| of == "all" || of == element.tag_name().name();
            let mut keys = self.keys.values().filter(|key| key.name == name && is_of(key.of));
            keys.find_map(|key| key.default)
        };
        children(element, "data").find(is_named).map(content).or_else(default)
    }
}

/// The text in an element.
fn content<'e>(of: Node<'e, '_>) -> &'e str {
    of.text().unwrap_or_default().trim()
}

fn children<'e, 'i>(of: Node<'e, 'i>, name: &str) -> impl Iterator<Item = Node<'e, 'i>> {
    of.children().filter(move |child| child.tag_name().name() == name)
}

fn line(element: Node<'_, '_>) -> usize {
    element.document().text_pos_at(element.range().start).row as usize
}

/// The text with `_` for what a name cannot have.
fn valid_name(text: &str) -> String {
    let valid = |c: char| if c.is_ascii_alphanumeric() || "-.".contains(c) { c } else { '_' };
    let name: String = text.chars().take(48).map(valid).collect();
    name.trim_start_matches('.').to_owned()
}

/// Adds its id to every name that is not unique, and a number where another node has that name too.
fn make_unique(nodes: &mut [GraphmlNode], ids: &[&str]) {
    let mut counts = BTreeMap::<String, usize>::new();
    nodes.iter().for_each(|node| *counts.entry(node.name.clone()).or_default() += 1);
    let is_unique = |name: &str| counts[name] == 1 && !name.is_empty();
    let mut taken: BTreeSet<String> =
        counts.keys().filter(|name| is_unique(name)).cloned().collect();
    let mut numbers = BTreeMap::new();
    for (node, id) in nodes.iter_mut().zip(ids) {
        if is_unique(&node.name) {
            continue;
        }
        let stem = format!("{}-{}", node.name, valid_name(id));
        node.name.clone_from(&stem);
        // The last number that this stem was given.
        let number = numbers.entry(stem.clone()).or_insert(1);
        while !taken.insert(node.name.clone()) {
            *number += 1;
            node.name = format!("{stem}-{number}");
        }
    }
}
