//! Networks by name: their nodes and links, the paths between hosts, and what is oversubscribed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use sluice_lab::scenario::Source;
use sluice_lab::scenario::topology::Network;
use sluice_lab::{GroupPlan, Plan, PlanOverrides};
use sluice_units::{BufferSize, Rate, Span};

const CABLE: &str = r#"{ capacity = "10 Gbps", delay = "3 us" }"#;

/// A scenario over this topology with one flow from the first of these nodes to the second.
fn plan(topology: &str, [from, to]: [&str; 2]) -> Plan {
    let text = format!(
        "schema = 1\nprotocols = [\"tcp\"]\nstop = \"1 s\"\n{topology}\n[[group]]\nname = \"g\"\nfrom = \"{from}\"\n\
         to = \"{to}\"\nlong = {{}}\n"
    );
    let source = Source::parse("t.toml", &text, "t").unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan::of(&source, PathBuf::new(), &PlanOverrides::default());
    plan.unwrap_or_else(|error| panic!("{error}"))
}

/// The numbers of nodes by their names without digits.
fn kinds(network: &Network) -> BTreeMap<&str, usize> {
    let mut kinds = BTreeMap::new();
    for node in &network.nodes {
        *kinds.entry(node.trim_end_matches(|c: char| c.is_ascii_digit())).or_default() += 1;
    }
    kinds
}

/// Capacity of the links from nodes of one kind to those of another, in Gb/s.
fn capacity(network: &Network, from: &str, to: &str) -> u64 {
    let is = |node: usize, kind: &str| {
        network.nodes[node].trim_end_matches(|c: char| c.is_ascii_digit()) == kind
    };
    let links = network.links.iter().filter(|link| is(link.from, from) && is(link.to, to));
    links.map(|link| link.capacity.as_bps()).sum::<u64>() / 1_000_000_000
}

/// The number of shortest paths between two nodes, and their links.
fn shortest(network: &Network, [from, to]: [&str; 2]) -> (usize, usize) {
    let (from, to) = (network.node(from).unwrap(), network.node(to).unwrap());
    let mut paths = BTreeMap::from([(from, 1)]);
    let mut seen = BTreeSet::from([from]);
    for links in 0.. {
        if let Some(&count) = paths.get(&to) {
            return (count, links);
        }
        let mut next = BTreeMap::<usize, usize>::new();
        for link in &network.links {
            if let Some(count) = paths.get(&link.from).filter(|_| !seen.contains(&link.to)) {
                *next.entry(link.to).or_default() += count;
            }
        }
        assert!(!next.is_empty(), "no path");
        seen.extend(next.keys());
        paths = next;
    }
    unreachable!()
}

/// The nodes that the data of a group pass.
fn path(plan: &Plan, group: &GroupPlan) -> String {
    let links =
        group.paths.out.of_flow(0).into_owned().into_iter().map(|link| &plan.config.links[link]);
    let first = plan.config.links[group.paths.out.of_flow(0)[0]].from;
    let nodes = std::iter::once(first).chain(links.map(|link| link.to));
    nodes.map(|node| plan.network.nodes[node].as_str()).collect::<Vec<_>>().join(">")
}

fn assert_connected(network: &Network) {
    let mut joined = vec![Vec::new(); network.nodes.len()];
    network.links.iter().for_each(|link| joined[link.from].push(link.to));
    let mut seen = BTreeSet::from([0]);
    let mut left = vec![0];
    while let Some(node) = left.pop() {
        left.extend(joined[node].iter().copied().filter(|&next| seen.insert(next)));
    }
    assert_eq!(seen.len(), network.nodes.len());
}

#[test]
fn a_leaf_spine_has_as_many_equal_paths_as_spines() {
    let topology = format!(
        "[topology.leaf_spine]\nleaves = 3\nspines = 4\nhosts = 8\naccess = {CABLE}\n\
         uplink = {{ capacity = \"5 Gbps\", delay = \"2 us\", buffer = \"500 kB\" }}"
    );
    let plan = plan(&topology, ["h7", "h8"]);
    let network = &plan.network;
    assert_eq!(kinds(network), BTreeMap::from([("h", 24), ("leaf", 3), ("spine", 4)]));
    assert_eq!(network.links.len(), 2 * (24 + 12));
    // 80 Gb/s of hosts over 20 Gb/s of uplinks in each rack: 4 to 1.
    assert_eq!(capacity(network, "h", "leaf"), 4 * capacity(network, "leaf", "spine"));
    assert_eq!(shortest(network, ["h0", "h7"]), (1, 2));
    assert_eq!(shortest(network, ["h7", "h8"]), (4, 4));
    assert_eq!(plan.groups[0].paths.rtpd(&plan.config), Span::from_micros(2 * (3 + 2 + 2 + 3)));
    assert_connected(network);
}

#[test]
fn a_host_queues_without_limit_and_a_switch_in_its_buffer() {
    let topology = "[topology.star]\nhosts = 3\n\
                    access = { capacity = \"1 Gbps\", delay = \"1 us\", buffer = \"64 kB\", \
                    queue = \"red\" }";
    let plan = plan(topology, ["h0", "h2"]);
    let node = |name| plan.network.node(name).unwrap();
    let buffer = |from, to| {
        let link = &plan.config.links[plan.network.link(node(from), node(to)).unwrap()];
        (link.buffer, link.queue == sluice_sim::queue::Discipline::default())
    };
    assert_eq!(buffer("h0", "hub"), (BufferSize::Unlimited, true));
    assert_eq!(buffer("hub", "h0"), ("64 kB".parse().unwrap(), false));
    assert_eq!(kinds(&plan.network), BTreeMap::from([("h", 3), ("hub", 1)]));
    assert_eq!(shortest(&plan.network, ["h0", "h2"]), (1, 2));
}

#[test]
fn a_fat_tree_of_k_ports_has_its_published_size() {
    for k in [2, 4, 8, 16] {
        let topology = format!("[topology.fat_tree]\nk = {k}\naccess = {CABLE}");
        let plan = plan(&topology, ["h0", &format!("h{}", k * k * k / 4 - 1)]);
        let network = &plan.network;
        let half = k / 2;
        let expected = [("agg", k * half), ("core", half * half), ("edge", k * half)];
        let expected = expected.into_iter().chain([("h", k * half * half)]);
        assert_eq!(kinds(network), expected.collect::<BTreeMap<_, _>>());
        assert_eq!(network.links.len(), 2 * 3 * k * half * half);
        let ends = ["h0", &format!("h{}", k * k * k / 4 - 1)];
        assert_eq!(shortest(network, ends), (half * half, 6));
        let tiers = [("h", "edge"), ("edge", "agg"), ("agg", "core"), ("core", "agg")];
        let first = capacity(network, "h", "edge");
        assert!(tiers.iter().all(|(from, to)| capacity(network, from, to) == first));
        assert_eq!(plan.groups[0].paths.rtpd(&plan.config), Span::from_micros(2 * 6 * 3));
        assert_connected(network);
    }
}

#[test]
fn paths_in_a_fat_tree_stay_as_low_as_they_can() {
    let topology = format!("[topology.fat_tree]\nk = 4\naccess = {CABLE}");
    let network = plan(&topology, ["h0", "h1"]).network;
    assert_eq!(shortest(&network, ["h0", "h1"]), (1, 2));
    assert_eq!(shortest(&network, ["h0", "h2"]), (2, 4));
    assert_eq!(shortest(&network, ["h3", "h4"]), (4, 6));
}

#[test]
fn a_fat_tree_may_have_any_number_of_pods_and_be_oversubscribed() {
    // UNISON's benchmark: 48 pods of 16 hosts, all links alike.
    let topology = format!("[topology.fat_tree]\nk = 8\npods = 48\naccess = {CABLE}");
    let network = plan(&topology, ["h0", "h767"]).network;
    let expected = [("agg", 192), ("core", 16), ("edge", 192), ("h", 768)];
    assert_eq!(kinds(&network), BTreeMap::from(expected));
    assert_eq!(network.links.len(), 2 * 3 * 768);
    assert_eq!(shortest(&network, ["h15", "h16"]), (16, 6));
    // Edge switches and pods, each 2 to 1.
    let topology = format!("[topology.fat_tree]\nk = 8\nhosts = 8\ncores = 2\naccess = {CABLE}");
    let network = plan(&topology, ["h0", "h255"]).network;
    assert_eq!(capacity(&network, "h", "edge"), 2 * capacity(&network, "edge", "agg"));
    assert_eq!(capacity(&network, "edge", "agg"), 2 * capacity(&network, "agg", "core"));
    assert_connected(&network);
}

#[test]
fn a_parking_lot_has_through_and_cross_traffic() {
    let topology = format!(
        "[topology.parking_lot]\nhops = 9\ncross = 2\n\
         hop = {{ capacity = \"100 Mbps\", delay = \"10 ms\" }}\naccess = {CABLE}\n\
         [[group]]\nname = \"cross\"\npairs = \"each\"\npoisson = {{ load = 0.4, sizes = {{ fixed = \
         \"30 kB\" }} }}\n"
    );
    let plan = plan(&topology, ["s", "d"]);
    let expected = [("d", 1), ("r", 10), ("s", 1), ("x", 18), ("y", 18)];
    assert_eq!(kinds(&plan.network), BTreeMap::from(expected));
    let through = plan.groups.last().unwrap();
    assert_eq!(path(&plan, through), "s>r0>r1>r2>r3>r4>r5>r6>r7>r8>r9>d");
    assert_eq!(through.paths.rtpd(&plan.config), Span::from_micros(2 * (90_000 + 6)));
    assert_eq!(path(&plan, &plan.groups[5]), "x5>r2>r3>y5");
    // The load is one of each hop, which two pairs share.
    let rates: Vec<u64> =
        plan.groups[..18].iter().map(|group| group.mean_rate.unwrap().as_bps()).collect();
    assert!(rates.iter().all(|rate| rate.abs_diff(20_000_000) <= 1), "{rates:?}");
    assert_connected(&plan.network);
}

#[test]
fn a_ring_leads_the_shorter_way_around() {
    let topology = format!(
        "[topology.ring]\nsites = 4\nhosts = 2\ntrunk = {{ capacity = \"40 Gbps\", delay = \"1 ms\" }}\n\
         delays = [\"1 ms\", \"2 ms\", \"3 ms\", \"9 ms\"]\naccess = {CABLE}"
    );
    let plan = plan(&topology, ["h0", "h7"]);
    assert_eq!(kinds(&plan.network), BTreeMap::from([("h", 8), ("site", 4)]));
    assert_eq!(plan.network.links.len(), 2 * (8 + 4));
    // 6 ms over three links, rather than 9 ms over one.
    assert_eq!(path(&plan, &plan.groups[0]), "h0>site0>site1>site2>site3>h7");
    assert_eq!(plan.groups[0].paths.rtpd(&plan.config), Span::from_micros(2 * (6_000 + 6)));
    assert_eq!(shortest(&plan.network, ["h0", "h7"]), (1, 3));
}

/// The setting for the network of Katabi's thesis, figure 5-15: 50 nodes and 153 simplex links, a WAN
/// and three LANs, links of 10 and 100 Mb/s, delays of 2 ms to 45 ms.
const THESIS: &str = r#"
    [topology.tiers]
    wan = { nodes = 20, extra = 55, link = { capacity = "100 Mbps", delay = "2 ms", buffer = "150 packets" }, max_delay = "45 ms" }
    lan = { networks = 3, nodes = 10, link = { capacity = "10 Mbps", delay = "2 ms", buffer = "150 packets" } }
"#;

#[test]
fn tiers_give_the_network_of_the_xcp_thesis() {
    let plan = plan(THESIS, ["lan0", "lan29"]);
    let network = &plan.network;
    assert_eq!(kinds(network), BTreeMap::from([("lan", 30), ("wan", 20)]));
    assert_eq!((network.nodes.len(), network.links.len()), (50, 153));
    // 153 is odd: one link has none back.
    let lone = network.links.iter().filter(|link| network.link(link.to, link.from).is_none());
    assert_eq!(lone.count(), 1);
    let delays: Vec<Span> = network.links.iter().map(|link| link.delay).collect();
    let range = Span::from_millis(2)..=Span::from_millis(45);
    assert!(delays.iter().all(|delay| range.contains(delay)));
    let wan: BTreeSet<Span> = delays.iter().copied().filter(|&d| d > *range.start()).collect();
    assert!(wan.len() > 30, "delays follow distances: {wan:?}");
    let fast = network.links.iter().filter(|link| link.capacity == Rate::from_bps(100_000_000));
    assert_eq!(fast.count(), 2 * 19 + 55);
    assert_connected(network);
}

#[test]
fn tiers_of_one_seed_are_one_network() {
    let links = |topology: &str| {
        let plan = plan(topology, ["lan0", "lan29"]);
        let ends = plan.config.links.iter().map(|link| (link.from, link.to, link.delay));
        ends.collect::<Vec<_>>()
    };
    let other = THESIS.replace("[topology.tiers]", "[topology.tiers]\nseed = 2");
    assert_eq!(links(THESIS), links(THESIS));
    assert_ne!(links(THESIS), links(&other));
    assert_eq!(links(&other).len(), 153);
}

#[test]
fn a_network_of_three_tiers_is_connected_whatever_its_seed() {
    for seed in 0..20 {
        let topology = format!(
            "[topology.tiers]\nseed = {seed}\nwan = {{ nodes = 12, extra = 9, link = {CABLE} }}\n\
             man = {{ networks = 4, nodes = 5, extra = 2, uplinks = 2, link = {CABLE} }}\n\
             lan = {{ networks = 3, nodes = 6, link = {CABLE} }}"
        );
        let network = plan(&topology, ["lan0", "lan71"]).network;
        assert_eq!(kinds(&network), BTreeMap::from([("lan", 72), ("man", 20), ("wan", 12)]));
        let wan = 2 * 11 + 9;
        let man = 4 * (2 * 4 + 2 + 2 * 2);
        let lan = 12 * (2 * 5 + 2);
        assert_eq!(network.links.len(), wan + man + lan);
        assert_connected(&network);
        let racks: Vec<usize> = network.racks.iter().map(Vec::len).collect();
        assert_eq!(racks, [vec![12], vec![5; 4], vec![6; 12]].concat());
    }
}

#[test]
fn every_topology_names_the_hosts_of_its_racks() {
    let cases = [
        (
            format!("[topology.leaf_spine]\nleaves = 2\nspines = 1\nhosts = 2\naccess = {CABLE}"),
            "h0 h1|h2 h3",
        ),
        (format!("[topology.fat_tree]\nk = 2\naccess = {CABLE}"), "h0|h1"),
        (format!("[topology.star]\nhosts = 2\naccess = {CABLE}"), "h0 h1"),
        (format!("[topology.ring]\nsites = 3\ntrunk = {CABLE}\naccess = {CABLE}"), "h0|h1|h2"),
        (
            format!("[topology.parking_lot]\nhops = 2\nhop = {CABLE}\naccess = {CABLE}"),
            "s x0|y0 x1|d y1",
        ),
        (
            "[topology.dumbbell]\npairs = 2\ncapacity = \"1 Mbps\"\nrtt = \"8 ms\"".into(),
            "s0 s1|d0 d1",
        ),
    ];
    for (topology, expected) in cases {
        let hosts: Vec<&str> = expected.split([' ', '|']).collect();
        let network = plan(&topology, [hosts[0], hosts[1]]).network;
        let name = |&node: &usize| network.nodes[node].as_str();
        let rack = |rack: &Vec<usize>| rack.iter().map(name).collect::<Vec<_>>().join(" ");
        assert_eq!(network.racks.iter().map(rack).collect::<Vec<_>>().join("|"), expected);
    }
}
