//! The ready scenarios are valid and match their descriptions.

use std::path::{Path, PathBuf};

use sluice_lab::{Plan, PlanOverrides};
use sluice_units::{Rate, Span};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

fn plan(name: &str) -> Plan {
    let path = folder().join(format!("{name}.toml"));
    Plan::read(&path, &PlanOverrides::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_ready_scenario_can_be_planned() {
    let mut seen = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let plan = plan(path.file_stem().unwrap().to_str().unwrap());
            assert_eq!(plan.scenario.name, path.file_stem().unwrap().to_str().unwrap());
            seen += 1;
        }
    }
    assert!(seen >= 6, "{seen}");
}

#[test]
fn the_155_mbps_dumbbell_is_the_one_agreed_on() {
    let plan = plan("dumbbell-xcp-155");
    assert_eq!(plan.config.links.len(), 202);
    assert_eq!(plan.groups.len(), 100);
    assert_eq!(plan.config.links[0].capacity, Rate::from_bps(155_000_000));
    assert!(
        plan.config.links[2..].iter().all(|link| link.capacity == Rate::from_bps(1_000_000_000))
    );
    assert_eq!(plan.groups[0].paths.rtpd(&plan.config), Span::from_millis(60));
    assert_eq!(plan.groups[49].paths.rtpd(&plan.config), Span::from_millis(100));
    assert_eq!(plan.config.groups[50].from, plan.config.groups[0].to);
}

#[test]
fn the_parking_lot_of_the_xcp_thesis_has_nine_links_of_which_the_fifth_is_slow() {
    let plan = plan("xcp-5.8");
    let capacity = |hop: usize| {
        let [from, to] = [hop - 1, hop].map(|i| plan.network.node(&format!("r{i}")).unwrap());
        plan.config.links[plan.network.link(from, to).unwrap()].capacity.as_bps() / 1_000_000
    };
    let capacities: Vec<u64> = (1..=9).map(capacity).collect();
    assert_eq!(capacities, [100, 100, 100, 100, 50, 100, 100, 100, 100]);
    // Through traffic in both directions, and cross traffic at each link.
    assert_eq!(plan.groups.len(), 2 + 9);
    assert_eq!(plan.groups[0].paths.out.of_flow(0).len(), 1 + 9 + 1);
    assert_eq!(plan.groups[0].capacity, Rate::from_bps(50_000_000));
}

#[test]
fn a_load_is_a_fraction_of_the_lowest_capacity_on_the_path() {
    let plan = plan("ps7-rcp");
    // PS 3.2: 0.9 x 2.4 Gb/s / (25 x 8000 b) = 10,800 flows a second.
    assert_eq!(plan.groups[0].mean_rate, Some(Rate::from_bps(2_160_000_000)));
    assert_eq!(plan.groups[0].mean_size, Some(25_000.0));
}

#[test]
fn pairs_share_the_load_of_their_group() {
    let plan = plan("websearch");
    let total: u64 = plan.groups.iter().map(|group| group.mean_rate.unwrap().as_bps()).sum();
    assert!(total.abs_diff(7_000_000_000) <= 10, "{total}");
}

#[test]
fn a_group_may_have_hosts_of_its_own_or_many_ends() {
    let text = r#"
        schema = 1
        stop = "1 s"
        [topology.dumbbell]
        pairs = 3
        capacity = "10 Mbps"
        rtt = "80 ms"
        [[group]]
        name = "far"
        rtt = "600 ms"
        direction = "reverse"
        long = {}
        [[group]]
        name = "mesh"
        from = ["s0", "s1"]
        to = ["d1", "d2"]
        long = {}
    "#;
    let source = sluice_lab::scenario::Source::parse("f.toml", text, "f").unwrap();
    let plan = Plan::of(&source, PathBuf::new(), &PlanOverrides::default()).unwrap();
    assert_eq!(plan.groups[0].paths.rtpd(&plan.config), Span::from_millis(600));
    let name = |node: usize| plan.network.nodes[node].as_str();
    let ends: Vec<(&str, &str, &str)> = plan
        .config
        .groups
        .iter()
        .map(|group| (group.name.as_str(), name(group.from), name(group.to)))
        .collect();
    let expected = [
        ("far", "far-d", "far-s"),
        ("mesh.0", "s0", "d1"),
        ("mesh.1", "s0", "d2"),
        ("mesh.2", "s1", "d1"),
        ("mesh.3", "s1", "d2"),
    ];
    assert_eq!(ends, expected);
}
