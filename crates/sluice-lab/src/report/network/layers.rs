//! Trees and Clos networks in layers: hosts at the bottom, each switch above those that are nearer to
//! a host (Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
//! structures", 1981; nodes of a layer in the order of the mean of their neighbours).

use std::collections::{BTreeSet, VecDeque};

use super::graph::Neighbours;
use super::place::Place;

/// The distance of layers as a part of the width.
const DISTANCE: f64 = 0.14;

/// Where nodes are; `None` if the network has no layers: links within one, no hosts, or a mere path.
pub fn places(neighbours: &Neighbours, hosts: &[Option<usize>]) -> Option<Vec<Place>> {
    let depths = depths(neighbours, hosts)?;
    let is_layered = |(node, around): (usize, &BTreeSet<usize>)| {
        around.iter().all(|&other| depths[other] != depths[node])
    };
    let branches = neighbours.iter().any(|around| around.len() > 2);
    if !branches || !neighbours.iter().enumerate().all(is_layered) {
        return None;
    }
    let layers = ordered(neighbours, &depths);
    let mut places = vec![[0.0; 2]; neighbours.len()];
    for (height, layer) in layers.iter().rev().enumerate() {
        for (slot, &node) in layer.iter().enumerate() {
            places[node] = [middle(slot, layer.len()), height as f64 * DISTANCE];
        }
    }
    Some(places)
}

/// The number of links from each node to the nearest host; `None` if some node has no way to one.
fn depths(neighbours: &Neighbours, hosts: &[Option<usize>]) -> Option<Vec<usize>> {
    let mut depths: Vec<Option<usize>> = hosts.iter().map(|host| host.map(|_| 0)).collect();
    let mut next: VecDeque<usize> =
        (0..hosts.len()).filter(|&node| hosts[node].is_some()).collect();
    while let Some(node) = next.pop_front() {
        for &other in &neighbours[node] {
            if depths[other].is_none() {
                depths[other] = depths[node].map(|depth| depth + 1);
                next.push_back(other);
            }
        }
    }
    depths.into_iter().collect()
}

/// The nodes of each layer from left to right, hosts first. From the top down, each follows the first
/// of its neighbours above, which keeps the switches of a pod together; from the bottom up, the mean
/// of those below, which puts each in the middle of them.
fn ordered(neighbours: &Neighbours, depths: &[usize]) -> Vec<Vec<usize>> {
    let mut layers = vec![Vec::new(); depths.iter().max().map_or(0, |deepest| deepest + 1)];
    depths.iter().enumerate().for_each(|(node, &depth)| layers[depth].push(node));
    let first = |places: &[f64]| places.iter().copied().fold(1.0, f64::min);
    let mean = |places: &[f64]| places.iter().sum::<f64>() / places.len().max(1) as f64;
    for layer in (1..layers.len()).rev() {
        order(&mut layers, layer - 1, layer, neighbours, first);
    }
    for layer in 1..layers.len() {
        order(&mut layers, layer, layer - 1, neighbours, mean);
    }
    layers
}

/// Orders a layer by the places of its neighbours in a fixed one; ties stay as they are.
fn order(
    layers: &mut [Vec<usize>],
    layer: usize,
    fixed: usize,
    neighbours: &Neighbours,
    by: impl Fn(&[f64]) -> f64,
) {
    let mut places = vec![None; neighbours.len()];
    for (slot, &node) in layers[fixed].iter().enumerate() {
        places[node] = Some(middle(slot, layers[fixed].len()));
    }
    let place = |node: &usize| {
        let found: Vec<f64> = neighbours[*node].iter().filter_map(|&other| places[other]).collect();
        // Rounded, so that equal means are equal whatever their sums.
        (by(&found) * 1e9) as i64
    };
    layers[layer].sort_by_key(place);
}

/// The middle of a slot of `count` equal ones.
fn middle(slot: usize, count: usize) -> f64 {
    (slot as f64 + 0.5) / count as f64
}
