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
    }
}

/// A direction of a link, or the busiest of several under each system.
fn drawn_link(link: &DirectedEdge, members: &[&MeasuredLink]) -> DrawnLink {
    let busiest = |system: usize| {
        let found = members.iter().filter_map(|member| member.systems[system]);
        found.max_by(|a, b| a.utilization.total_cmp(&b.utilization)).map(columns)
    };
    DrawnLink {
        from: link.from,
        to: link.to,
        of: members.len(),
        capacity: members[0].capacity,
        delay: members[0].delay,
        systems: (0..members[0].systems.len()).map(busiest).collect(),
    }
}

fn columns(found: LinkUse) -> [f64; 5] {
    let LinkUse { utilization, mean_queue, p99_queue, drops, marks } = found;
    [utilization, mean_queue, p99_queue, drops, marks].map(|value| digits(value, 4))
}

#[cfg(test)]
mod tests;
