//! Traffic matrices: which hosts send to which, and how much.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use proptest::prelude::*;
use sluice_lab::scenario::Source;
use sluice_lab::{Plan, PlanOverrides};

const CABLE: &str = r#"{ capacity = "10 Gbps", delay = "3 us" }"#;

fn try_plan(topology: &str, pairs: &str) -> Result<Plan, String> {
    let text = format!(
        "schema = 1\nstop = \"1 s\"\n{topology}\n[[group]]\nname = \"g\"\n{pairs}\n\
         poisson = {{ load = 0.5, sizes = {{ fixed = \"10 kB\" }} }}\n"
    );
    let source = Source::parse("t.toml", &text, "t").map_err(|error| error.to_string())?;
    Plan::of(&source, PathBuf::new(), &PlanOverrides::default()).map_err(|error| error.to_string())
}

fn plan(topology: &str, pairs: &str) -> Plan {
    try_plan(topology, pairs).unwrap_or_else(|error| panic!("{error}"))
}

fn leaf_spine(leaves: usize, hosts: usize) -> String {
    format!(
        "[topology.leaf_spine]\nleaves = {leaves}\nspines = 2\nhosts = {hosts}\naccess = {CABLE}"
    )
}

/// Sources and destinations by name.
fn ends(plan: &Plan) -> Vec<(&str, &str)> {
    let name = |node: usize| plan.network.nodes[node].as_str();
    plan.config.groups.iter().map(|group| (name(group.from), name(group.to))).collect()
}

/// The number of a host.
fn number(host: &str) -> usize {
    host.trim_start_matches('h').parse().unwrap()
}

/// The mean rate that each source offers, in Mb/s.
fn offered(plan: &Plan) -> BTreeMap<&str, u64> {
    let mut offered = BTreeMap::<&str, f64>::new();
    for ((from, _), group) in ends(plan).into_iter().zip(&plan.groups) {
        *offered.entry(from).or_default() += group.mean_rate.unwrap().as_bps_f64();
    }
    offered.into_iter().map(|(from, rate)| (from, (rate / 1e6).round() as u64)).collect()
}

proptest! {
    #[test]
    fn a_permutation_has_each_host_once_on_each_side(
        leaves in 2_usize..6,
        hosts in 1_usize..6,
        seed: u32,
        across: bool,
    ) {
        let pairs = format!("pairs.permutation = {{ seed = {seed}, across_racks = {across} }}");
        let plan = plan(&leaf_spine(leaves, hosts), &pairs);
        let ends = ends(&plan);
        let all: BTreeSet<&str> = ends.iter().map(|(from, _)| *from).collect();
        prop_assert_eq!(ends.len(), leaves * hosts);
        prop_assert_eq!(all.len(), leaves * hosts);
        prop_assert_eq!(all, ends.iter().map(|(_, to)| *to).collect::<BTreeSet<_>>());
        for (from, to) in ends {
            prop_assert_ne!(from, to);
            prop_assert!(!across || number(from) / hosts != number(to) / hosts);
        }
    }
}

#[test]
fn a_permutation_depends_on_its_own_seed_only() {
    let topology = leaf_spine(4, 8);
    let pairs = |text: &str| ends(&plan(&topology, text)).join();
    let word = pairs("pairs = \"permutation\"");
    assert_eq!(word, pairs("pairs = { permutation = { seed = 1 } }"));
    assert_ne!(word, pairs("pairs.permutation.seed = 2"));
    let seeded = format!("seed = 7\n{topology}");
    assert_eq!(word, ends(&plan(&seeded, "pairs = \"permutation\"")).join());
}

/// Pairs as one text.
trait Join {
    fn join(&self) -> String;
}

impl Join for Vec<(&str, &str)> {
    fn join(&self) -> String {
        self.iter().map(|(from, to)| format!("{from}>{to}")).collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn all_to_all_has_every_pair_and_each_source_its_load() {
    let plan = plan(&leaf_spine(2, 3), "pairs = \"all_to_all\"");
    let ends = ends(&plan);
    assert_eq!(ends.iter().collect::<BTreeSet<_>>().len(), 6 * 5);
    assert!(ends.iter().all(|(from, to)| from != to));
    // Half of 10 Gb/s, over five destinations each.
    assert!(offered(&plan).values().all(|&rate| rate == 5_000), "{:?}", offered(&plan));
    assert_eq!(offered(&plan).len(), 6);
}

#[test]
fn random_destinations_are_never_the_source() {
    let plan = plan(&leaf_spine(2, 2), "pairs.random.destinations = 50");
    let ends = ends(&plan);
    assert_eq!(ends.len(), 200);
    assert!(ends.iter().all(|(from, to)| from != to));
    assert_eq!(ends.iter().collect::<BTreeSet<_>>().len(), 4 * 3, "all of them are drawn");
    assert!(offered(&plan).values().all(|&rate| rate == 5_000), "{:?}", offered(&plan));
}

#[test]
fn hot_spots_receive_their_share_of_the_pairs() {
    let pairs = "pairs.hot_spots = { hosts = 3, share = 0.6, destinations = 5 }";
    let plan = plan(&leaf_spine(4, 10), pairs);
    let ends = ends(&plan);
    let mut received = BTreeMap::<&str, usize>::new();
    ends.iter().for_each(|(_, to)| *received.entry(to).or_default() += 1);
    let mut counts: Vec<usize> = received.into_values().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(ends.len(), 200);
    assert_eq!(counts[..3].iter().sum::<usize>(), 120);
    assert!(counts[2] > 2 * counts[3], "{counts:?}");
    assert!(ends.iter().all(|(from, to)| from != to));
}

#[test]
fn sources_that_send_to_hot_spots_are_in_all_racks() {
    for seed in 1..5 {
        let pairs = format!("pairs.hot_spots = {{ hosts = 2, share = 0.5, seed = {seed} }}");
        let plan = plan(&leaf_spine(4, 10), &pairs);
        let mut sources = BTreeMap::<&str, Vec<usize>>::new();
        for (from, to) in ends(&plan) {
            sources.entry(to).or_default().push(number(from));
        }
        let mut sources: Vec<Vec<usize>> = sources.into_values().collect();
        sources.sort_by_key(|sources| std::cmp::Reverse(sources.len()));
        let of_hot = sources[..2].concat();
        let racks: BTreeSet<usize> = of_hot.iter().map(|source| source / 10).collect();
        assert_eq!((of_hot.len(), racks.len()), (20, 4), "{of_hot:?}");
    }
}

#[test]
fn hot_spots_may_be_named() {
    let pairs = "pairs.hot_spots = { hosts = \"h0..h3\", share = 1.0 }";
    let plan = plan(&leaf_spine(4, 4), pairs);
    let ends = ends(&plan);
    assert_eq!(ends.len(), 16);
    assert!(ends.iter().all(|(from, to)| number(to) < 4 && from != to), "{ends:?}");
    // All to one: that one sends to nobody.
    let pairs = "pairs.hot_spots = { hosts = \"h5\", share = 1.0 }";
    let incast = self::plan(&leaf_spine(4, 4), pairs);
    assert_eq!(self::ends(&incast).len(), 15);
    assert!(self::ends(&incast).iter().all(|(_, to)| *to == "h5"));
}

#[test]
fn a_share_of_the_pairs_stays_within_racks() {
    let pairs = "pairs.by_rack = { within = 0.25, destinations = 10 }";
    let plan = plan(&leaf_spine(3, 4), pairs);
    let ends = ends(&plan);
    let within = ends.iter().filter(|(from, to)| number(from) / 4 == number(to) / 4).count();
    assert_eq!((within, ends.len()), (30, 120));
    assert!(ends.iter().all(|(from, to)| from != to));
    assert_eq!(ends.iter().map(|(_, to)| to).collect::<BTreeSet<_>>().len(), 12);
}

#[test]
fn a_range_names_every_node_in_it() {
    let plan = plan(&leaf_spine(2, 8), "from = [\"h0\", \"h8..h10\"]\nto = \"h15\"");
    let expected = [("h0", "h15"), ("h8", "h15"), ("h9", "h15"), ("h10", "h15")];
    assert_eq!(ends(&plan), expected);
    let error = try_plan(&leaf_spine(2, 8), "from = \"h0\"\nto = \"h14..h17\"").unwrap_err();
    assert!(error.contains("unknown node `h16`"), "{error}");
}

#[test]
fn matrices_need_no_hosts_that_a_graph_does_not_have() {
    let link = |from, to| {
        format!(
            "[[topology.link]]\nfrom = \"{from}\"\nto = \"{to}\"\ncapacity = \"1 Gbps\"\ndelay = \"1 ms\"\n"
        )
    };
    let tree = [link("a", "m"), link("b", "m"), link("m", "n"), link("c", "n")].concat();
    let plan = plan(&tree, "pairs = \"all_to_all\"");
    assert_eq!(ends(&plan).join(), "a>b a>c b>a b>c c>a c>b");
    let ring = [link("a", "b"), link("b", "c"), link("c", "a")].concat();
    let error = try_plan(&ring, "pairs = \"permutation\"").unwrap_err();
    assert!(error.contains("the network has 0 hosts: 2 to 200000 are needed"), "{error}");
}

#[test]
fn a_scenario_with_a_matrix_is_written_as_it_was_read() {
    for pairs in ["\"permutation\"", "\"each\"", "\"all_to_all\"", "{ by_rack = { within = 0.5 } }"]
    {
        let topology = "[topology.dumbbell]\npairs = 2\ncapacity = \"1 Mbps\"\nrtt = \"8 ms\"";
        let plan = plan(topology, &format!("pairs = {pairs}"));
        let text = plan.scenario.to_toml().unwrap();
        let again = Source::parse("t.toml", &text, "t").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.scenario.group, plan.scenario.group, "{text}");
    }
}
