//! Drawings of networks by shape.

use std::collections::BTreeSet;

use super::*;

/// Both directions of a link; the first is used by this much.
fn joined(a: &str, b: &str, utilization: f64) -> [MeasuredLink; 2] {
    let link = |from: &str, to: &str, utilization| MeasuredLink {
        from: from.into(),
        to: to.into(),
        capacity: 1e9,
        delay: Some(1e-3),
        systems: vec![Some(LinkUse { utilization, ..LinkUse::default() }), None],
    };
    [link(a, b, utilization), link(b, a, 0.0)]
}

fn drawing(links: &[MeasuredLink]) -> NetworkDrawing {
    network(links).drawing.unwrap()
}

fn place(drawing: &NetworkDrawing, name: &str) -> Place {
    let node = drawing.nodes.iter().find(|node| node.name == name).unwrap();
    [node.x, node.y]
}

/// Racks of hosts under leaves, each joined to every spine.
fn leaf_spine(spines: usize, leaves: usize, hosts: usize) -> Vec<MeasuredLink> {
    let mut links = Vec::new();
    for leaf in 0..leaves {
        let name = format!("leaf{leaf}");
        for host in 0..hosts {
            let used = host as f64 / hosts as f64;
            links.extend(joined(&format!("h{}", leaf * hosts + host), &name, used));
        }
        (0..spines).for_each(|spine| links.extend(joined(&name, &format!("spine{spine}"), 0.5)));
    }
    links
}

fn ring(sites: usize) -> Vec<MeasuredLink> {
    let name = |site: usize| format!("s{}", site % sites);
    (0..sites).flat_map(|site| joined(&name(site), &name(site + 1), 0.5)).collect()
}

#[test]
fn a_clos_network_is_drawn_in_layers_without_needless_crossings() {
    let found = drawing(&leaf_spine(2, 4, 3));
    let heights = ["spine0", "leaf0", "h0"].map(|name| place(&found, name)[1]);
    assert!(heights[0] == 0.0 && heights[0] < heights[1] && heights[1] < heights[2]);
    for host in 0..12 {
        let (host, leaf) = (format!("h{host}"), format!("leaf{}", host / 3));
        assert!((place(&found, &host)[0] - place(&found, &leaf)[0]).abs() < 0.12, "{host}");
    }
}

#[test]
fn the_switches_of_a_pod_stay_together() {
    let mut links = Vec::new();
    for (pod, port) in (0..4).flat_map(|pod| [(pod, 0), (pod, 1)]) {
        let (edge, agg) = (format!("edge{pod}{port}"), format!("agg{pod}{port}"));
        (0..2).for_each(|i| links.extend(joined(&format!("h{pod}{port}{i}"), &edge, 0.1)));
        (0..2).for_each(|i| links.extend(joined(&edge, &format!("agg{pod}{i}"), 0.1)));
        (0..2).for_each(|i| links.extend(joined(&agg, &format!("core{}", 2 * port + i), 0.1)));
    }
    let found = drawing(&links);
    for (layer, each) in [("agg", 2), ("edge", 2), ("h", 4)] {
        let mut nodes: Vec<_> =
            found.nodes.iter().filter(|node| node.name.starts_with(layer)).collect();
        nodes.sort_by(|a, b| a.x.total_cmp(&b.x));
        for (slot, node) in nodes.iter().enumerate() {
            let pod = node.name[layer.len()..].chars().next();
            assert_eq!(pod, char::from_digit(slot as u32 / each, 10), "{}", node.name);
        }
    }
}

#[test]
fn a_dumbbell_has_its_hosts_on_either_side() {
    let mut links: Vec<MeasuredLink> = joined("left", "right", 0.9).into();
    for pair in 0..3 {
        links.extend(joined(&format!("s{pair}"), "left", 0.3));
        links.extend(joined("right", &format!("d{pair}"), 0.3));
    }
    let found = drawing(&links);
    let [left, right] = ["left", "right"].map(|name| place(&found, name));
    assert!((left[1] - right[1]).abs() < 1e-3, "{left:?} {right:?}");
    assert!(place(&found, "s0")[1] < place(&found, "s2")[1], "the first one is not at the top");
    assert!(place(&found, "d0")[1] < place(&found, "d2")[1], "the first one is not at the top");
    for pair in 0..3 {
        assert!(place(&found, &format!("s{pair}"))[0] < left[0]);
        assert!(place(&found, &format!("d{pair}"))[0] > right[0]);
    }
}

#[test]
fn a_ring_is_round_and_a_path_straight() {
    let found = drawing(&ring(12));
    let middle = [0.5, found.height / 2.0];
    let radii = found.nodes.iter().map(|node| libm::hypot(node.x - middle[0], node.y - middle[1]));
    assert!(
        radii.clone().all(|radius| (radius / 0.5 - 1.0).abs() < 0.1),
        "{:?}",
        radii.collect::<Vec<_>>()
    );
    let path: Vec<_> =
        (0..8).flat_map(|hop| joined(&format!("r{hop}"), &format!("r{}", hop + 1), 0.5)).collect();
    let found = drawing(&path);
    assert!(found.height < 1e-3, "{}", found.height);
    assert!(found.nodes.windows(2).all(|pair| pair[0].x < pair[1].x));
}

#[test]
fn nodes_never_coincide() {
    let mut star_of_stars = Vec::new();
    for hub in 0..5 {
        star_of_stars.extend(joined("core", &format!("hub{hub}"), 0.1));
        star_of_stars.extend(joined(&format!("hub{hub}"), &format!("hub{}", (hub + 1) % 5), 0.1));
        (0..20).for_each(|host| {
            star_of_stars.extend(joined(&format!("hub{hub}"), &format!("h{hub}-{host}"), 0.1));
        });
    }
    let apart: Vec<_> =
        [joined("a", "b", 0.1), joined("c", "d", 0.1)].into_iter().flatten().collect();
    for links in [star_of_stars, apart, leaf_spine(3, 5, 1), ring(3), joined("a", "b", 1.0).into()]
    {
        let places: BTreeSet<_> = drawing(&links)
            .nodes
            .iter()
            .map(|node| [node.x, node.y].map(|part| (part * 1000.0) as i64))
            .collect();
        let nodes = network(&links).nodes;
        assert_eq!(places.len(), nodes, "{:?}", links[0]);
    }
}

#[test]
fn hosts_of_a_large_network_are_one_node_a_switch_with_the_busiest_link() {
    let mut links = leaf_spine(4, 20, 40);
    for link in links.iter_mut().filter(|link| link.from == "h39") {
        (link.capacity, link.delay) = (4e8, Some(2e-3));
    }
    let found = network(&links);
    assert_eq!((found.nodes, found.links), (824, 2 * 880));
    let drawing = found.drawing.unwrap();
    assert_eq!(drawing.nodes.len(), 4 + 20 + 20);
    let racks: Vec<_> = drawing.nodes.iter().filter(|node| node.hosts == 40).collect();
    assert!(racks.len() == 20 && racks.iter().all(|rack| rack.name == "40 hosts" && rack.is_host));
    let up = drawing.links.iter().find(|link| link.of == 40).unwrap();
    assert_eq!(up.systems[0].unwrap()[..3], [4e8, 2e-3, 0.975].map(Some), "all of the busiest");
    assert!(up.systems[1].is_none(), "no run");
}

#[test]
fn a_network_that_is_larger_still_has_no_drawing() {
    let found = network(&leaf_spine(30, 20, 2));
    assert_eq!((found.nodes, found.links), (90, 2 * 640));
    assert!(found.drawing.is_none());
}
