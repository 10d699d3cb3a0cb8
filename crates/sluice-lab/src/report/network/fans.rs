//! Switches by stress, and the hosts of each in a fan on its free side.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::{PI, TAU};

use super::graph::Neighbours;
use super::place::Place;
use super::stress;

/// The largest angle of a fan, in radians.
const ARC: f64 = 2.4;
/// How much a link lengthens with the fans at its ends.
const STRETCH: f64 = 0.8;
/// The distance of a host from its switch, where the length of a link between switches is 1.
const RADIUS: f64 = 0.8;
/// The distance of hosts of one fan.
const SPACING: f64 = 0.28;
/// The maximum angle between hosts of one fan, in radians.
const STEP: f64 = 0.4;
/// The angle between a fan and the nearest link to a switch, in radians.
const MARGIN: f64 = 0.5;
/// Lengths of ways are whole numbers of this part.
const PARTS: f64 = 1000.0;

/// Where nodes are; `hosts` has the switch of each host.
pub fn places(neighbours: &Neighbours, hosts: &[Option<usize>]) -> Vec<Place> {
    let mut racks = vec![Vec::new(); hosts.len()];
    for (host, switch) in hosts.iter().enumerate() {
        switch.iter().for_each(|&switch| racks[switch].push(host));
    }
    let switches: Vec<usize> = (0..hosts.len()).filter(|&node| hosts[node].is_none()).collect();
    let found = stress::places(&distances(neighbours, &switches, &racks));
    let mut places = vec![[0.0; 2]; hosts.len()];
    switches.iter().zip(found).for_each(|(&switch, place)| places[switch] = place);
    for &switch in switches.iter().filter(|&&switch| !racks[switch].is_empty()) {
        let others = neighbours[switch].iter().filter(|&&node| hosts[node].is_none());
        let angles: Vec<f64> = others.map(|&node| angle(places[switch], places[node])).collect();
        let fan = fan(&angles, racks[switch].len());
        for (&host, offset) in racks[switch].iter().zip(fan) {
            places[host] = [0, 1].map(|axis| places[switch][axis] + offset[axis]);
        }
    }
    places
}

/// The length of the shortest way between any two switches. Wide fans lengthen links.
fn distances(neighbours: &Neighbours, switches: &[usize], racks: &[Vec<usize>]) -> Vec<Vec<f64>> {
    let beyond = |node: usize| radius(racks[node].len(), ARC) - RADIUS;
    let length = |a: usize, b: usize| ((1.0 + STRETCH * (beyond(a) + beyond(b))) * PARTS) as u64;
    let from = |&start: &usize| {
        let mut found = vec![None; neighbours.len()];
        let mut next = BinaryHeap::from([Reverse((0, start))]);
        while let Some(Reverse((distance, node))) = next.pop() {
            if found[node].is_some() {
                continue;
            }
            found[node] = Some(distance);
            let around = neighbours[node].iter().filter(|&&other| found[other].is_none());
            next.extend(around.map(|&other| Reverse((distance + length(node, other), other))));
        }
        // Parts of a network without a way between them are drawn beside each other.
        let farthest = found.iter().flatten().max().map_or(0, |farthest| farthest + 1000);
        let of = |&other: &usize| found[other].unwrap_or(farthest) as f64 / PARTS;
        switches.iter().map(of).collect()
    };
    switches.iter().map(from).collect()
}

/// The radius at which this number of hosts fit into an arc.
fn radius(hosts: usize, arc: f64) -> f64 {
    (hosts.saturating_sub(1) as f64 * SPACING / arc).max(RADIUS)
}

/// Where hosts are around a switch whose links to others have these angles.
fn fan(angles: &[f64], hosts: usize) -> Vec<Place> {
    let at = |radius: f64, angle: f64| stress::unit(angle).map(|part| part * radius);
    let Some((begin, gap)) = widest_gap(angles) else {
        let (step, radius) = (TAU / hosts as f64, radius(hosts, TAU));
        return (0..hosts).map(|host| at(radius, PI + host as f64 * step)).collect();
    };
    let arc = (gap - 2.0 * MARGIN).clamp(gap / 4.0, ARC);
    let step = (arc / (hosts as f64 - 1.0).max(1.0)).min(STEP);
    let radius = radius(hosts, step * (hosts as f64 - 1.0).max(1.0));
    let first = begin + (gap - step * (hosts as f64 - 1.0)) / 2.0;
    let mut places: Vec<Place> =
        (0..hosts).map(|host| at(radius, first + host as f64 * step)).collect();
    // From top to bottom on either side.
    if places[0][1] > places[hosts - 1][1] + 1e-6 {
        places.reverse();
    }
    places
}

/// Where the widest gap between angles begins, and its width; `None` without angles.
fn widest_gap(angles: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = angles.to_vec();
    sorted.sort_by(f64::total_cmp);
    let first = sorted.first()? + TAU;
    let ends = sorted.iter().skip(1).copied().chain([first]);
    let gaps = sorted.iter().zip(ends).map(|(&begin, end)| (begin, end - begin));
    // Of equal ones the first, whatever was rounded.
    gaps.reduce(|best, gap| if gap.1 > best.1 + 1e-6 { gap } else { best })
}

fn angle(from: Place, to: Place) -> f64 {
    libm::atan2(to[1] - from[1], to[0] - from[0])
}
