//! The network of the runs as a drawing: places of nodes, and what each direction of each link did.
//!
//! Trees and Clos networks, such as leaf-spine and fat-tree, are drawn in layers (`layers`), all
//! others by stress (`stress`) with hosts in fans around their switches (`fans`).

pub mod data;
mod fans;
mod graph;
mod layers;
mod place;
mod stress;

use data::{DrawnLink, DrawnNode, NetworkDrawing, ReportNetwork};
use graph::{DirectedEdge, LinkGraph};
use place::{Place, framed};

use super::data::LinkUse;
use super::digits::digits;
use super::links::MeasuredLink;

/// The maximum number of pairs of joined nodes in a drawing, which bounds the size of a page.
const MAX_PAIRS: usize = 400;

/// The least utilization of each class of colours and widths in a drawing: finer where links are busy.
const CLASSES: [f64; 6] = [0.0, 0.1, 0.3, 0.5, 0.7, 0.9];

/// The network of these links.
pub fn network(links: &[MeasuredLink]) -> ReportNetwork {
    let whole = LinkGraph::of(links);
    let (nodes, joined) = (whole.nodes.len(), whole.pairs());
    let drawn = if joined <= MAX_PAIRS { whole } else { whole.with_hosts_folded() };
    let fits = drawn.pairs() <= MAX_PAIRS && !drawn.links.is_empty();
    ReportNetwork { nodes, links: links.len(), drawing: fits.then(|| draw(&drawn, links)) }
}

fn draw(graph: &LinkGraph, links: &[MeasuredLink]) -> NetworkDrawing {
    let neighbours = graph.neighbours();
    let hosts = graph::hosts(&neighbours);
    let places =
        layers::places(&neighbours, &hosts).unwrap_or_else(|| fans::places(&neighbours, &hosts));
    let (places, height) = framed(&places);
    let node = |(number, place): (usize, &Place)| DrawnNode {
        name: graph.nodes[number].name.clone(),
        hosts: graph.nodes[number].hosts,
        is_host: hosts[number].is_some(),
        x: digits(place[0], 4),
        y: digits(place[1], 4),
    };
    let link = |link: &DirectedEdge| {
        let members: Vec<&MeasuredLink> = link.members.iter().map(|&one| &links[one]).collect();
        drawn_link(link, &members)
    };
    NetworkDrawing {
        height: digits(height, 4),
        nodes: places.iter().enumerate().map(node).collect(),
        links: graph.links.iter().map(link).collect(),
        classes: CLASSES,
    }
}

/// A direction of a link, or the busiest of several under each system.
fn drawn_link(link: &DirectedEdge, members: &[&MeasuredLink]) -> DrawnLink {
    let busiest = |system: usize| {
        let used = members.iter().filter_map(|member| Some((member, member.systems[system]?)));
        let busiest = used.max_by(|(_, a), (_, b)| a.utilization.total_cmp(&b.utilization));
        busiest.map(|(member, used)| columns(member, used))
    };
    DrawnLink {
        from: link.from,
        to: link.to,
        of: members.len(),
        systems: (0..members[0].systems.len()).map(busiest).collect(),
    }
}

fn columns(link: &MeasuredLink, used: LinkUse) -> [Option<f64>; 7] {
    let LinkUse { utilization, mean_queue, p99_queue, drops, marks } = used;
    let [utilization, mean_queue, p99_queue, drops, marks] =
        [utilization, mean_queue, p99_queue, drops, marks].map(|value| Some(digits(value, 4)));
    [Some(link.capacity), link.delay, utilization, mean_queue, p99_queue, drops, marks]
}

#[cfg(test)]
mod tests;
