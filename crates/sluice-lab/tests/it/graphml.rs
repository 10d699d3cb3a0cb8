//! Networks from GraphML files.

use std::path::{Path, PathBuf};

use sluice_lab::scenario::Source;
use sluice_lab::{Options, Plan, PlanOverrides, Task, run};
use sluice_units::{Rate, Span};

use crate::common::Quiet;

const SAMPLE: &str = "tests/samples/backbone.graphml";

/// A scenario over the file `network.graphml` in this folder.
fn try_plan(folder: &Path, fields: &str, [from, to]: [&str; 2]) -> Result<Plan, String> {
    let text = format!(
        "schema = 1\nstop = \"100 ms\"\nprotocols = [\"tcp\"]\nideals = []\n[topology.graphml]\n\
         file = \"network.graphml\"\n{fields}\n[[group]]\nname = \"g\"\nfrom = \"{from}\"\n\
         to = \"{to}\"\nperiodic = {{ every = \"10 ms\", sizes = {{ fixed = \"10 kB\" }} }}\n"
    );
    let source = Source::parse("t.toml", &text, "t").map_err(|error| error.to_string())?;
    Plan::of(&source, folder.into(), &PlanOverrides::default()).map_err(|error| error.to_string())
}

/// The plan over a network of this text, and the folder with it.
fn plan(network: &str, fields: &str, ends: [&str; 2]) -> (tempfile::TempDir, Plan) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("network.graphml"), network).unwrap();
    let plan = try_plan(folder.path(), fields, ends).unwrap_or_else(|error| panic!("{error}"));
    (folder, plan)
}

fn sample() -> String {
    std::fs::read_to_string(SAMPLE).unwrap()
}

/// A graph of these nodes and edges.
fn graph(direction: &str, inside: &str) -> String {
    format!(
        "<graphml><key id=\"d0\" for=\"node\" attr.name=\"label\"/>\
         <graph edgedefault=\"{direction}\">{inside}</graph></graphml>"
    )
}

#[test]
fn a_backbone_has_the_capacities_and_delays_of_its_file() {
    let (_folder, plan) = plan(&sample(), "", ["Seattle", "New_York"]);
    let network = &plan.network;
    assert_eq!((network.nodes.len(), network.links.len(), network.racks.len()), (11, 28, 11));
    let link = |from, to| {
        let [from, to] = [from, to].map(|name| network.node(name).unwrap());
        &network.links[network.link(from, to).unwrap()]
    };
    assert_eq!(link("Seattle", "Denver").capacity, Rate::from_bps(10_000_000_000));
    // Two circuits in parallel.
    assert_eq!(link("New_York", "Washington_DC").capacity, Rate::from_bps(12_500_000_000));
    assert_eq!(link("Washington_DC", "New_York").capacity, Rate::from_bps(12_500_000_000));
    // 328 km at 199,862 km/s.
    let delay = link("Washington_DC", "New_York").delay;
    assert!((1_620..1_660).contains(&(delay.as_nanos() / 1000)), "{delay}");
    // Seattle, Denver, Kansas City, Indianapolis, Chicago, New York: about 4,500 km each way.
    let rtt = plan.groups[0].paths.rtpd(&plan.config);
    assert!((Span::from_millis(44)..Span::from_millis(50)).contains(&rtt), "{rtt}");
    assert_eq!(plan.groups[0].paths.out.of_flow(0).len(), 5);
}

#[test]
fn defaults_stand_in_for_what_a_file_leaves_open() {
    let network =
        graph("undirected", "<node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/>");
    let (_folder, plan) = plan(&network, "capacity = \"1 Gbps\"\ndelay = \"7 ms\"", ["a", "b"]);
    assert_eq!(plan.groups[0].capacity, Rate::from_bps(1_000_000_000));
    assert_eq!(plan.groups[0].paths.rtpd(&plan.config), Span::from_millis(14));
}

#[test]
fn directed_edges_are_links_in_one_direction() {
    let inside = "<node id=\"a\"/><node id=\"b\"/><node id=\"c\"/><edge source=\"a\" target=\"b\"/>\
                  <edge source=\"b\" target=\"c\"/><edge source=\"c\" target=\"a\"/>\
                  <edge source=\"a\" target=\"c\" directed=\"false\"/>";
    let fields = "capacity = \"1 Gbps\"\ndelay = \"7 ms\"";
    let (_folder, plan) = plan(&graph("directed", inside), fields, ["b", "a"]);
    // `c` to `a` is there twice: as an edge of its own, and as the way back of another.
    assert_eq!(plan.network.links.len(), 4);
    assert_eq!(plan.groups[0].paths.out.of_flow(0).len(), 2);
    assert_eq!(plan.groups[0].paths.back.of_flow(0).len(), 1);
}

#[test]
fn labels_become_names_that_are_valid_and_unique() {
    let node = |id, label| format!("<node id=\"{id}\"><data key=\"d0\">{label}</data></node>");
    let labels = ["Zürich / 1", "Bern", "Bern", "", "..."];
    let nodes: String = labels.iter().enumerate().map(|(id, label)| node(id, label)).collect();
    let edges: String = (1..5).map(|id| format!("<edge source=\"0\" target=\"{id}\"/>")).collect();
    let fields = "capacity = \"1 Gbps\"\ndelay = \"7 ms\"";
    let network = graph("undirected", &(nodes + &edges));
    let (_folder, plan) = plan(&network, fields, ["Z_rich___1", "Bern-2"]);
    assert_eq!(plan.network.nodes, ["Z_rich___1", "Bern-1", "Bern-2", "3", "-4"]);
}

/// Names that a name with an id, or two ids, come to are made unique as well.
#[test]
fn names_that_would_collide_are_numbered() {
    let long = "x".repeat(60);
    let node = |(id, label): &(String, &str)| {
        format!("<node id=\"{id}\"><data key=\"d0\">{label}</data></node>")
    };
    let names = |nodes: &[(String, &str)]| {
        let ends = (1..nodes.len())
            .map(|to| format!("<edge source=\"{}\" target=\"{}\"/>", nodes[0].0, nodes[to].0));
        let network = nodes.iter().map(node).chain(ends).collect::<String>();
        let fields = "capacity = \"1 Gbps\"\ndelay = \"7 ms\"";
        let (_folder, plan) = plan(&graph("undirected", &network), fields, ["hub", "leaf"]);
        assert_eq!(plan.network.links.len(), 2 * (nodes.len() - 1));
        plan.network.nodes[2..].to_vec()
    };
    let with_ends = |more: &[(&str, &'static str)]| {
        let ends = [("0", "hub"), ("9", "leaf")];
        let all = ends.iter().chain(more);
        all.map(|&(id, label)| (id.to_owned(), label)).collect::<Vec<_>>()
    };
    let labels = with_ends(&[("1", "A"), ("2", "A"), ("3", "A-1")]);
    assert_eq!(names(&labels), ["A-1-2", "A-2", "A-1"]);
    let ids = with_ends(&[("a b", ""), ("a_b", "")]);
    assert_eq!(names(&ids), ["a_b-a_b", "a_b-a_b-2"]);
    let found = names(&with_ends(&[(&format!("{long}1"), ""), (&format!("{long}2"), "")]));
    assert_eq!(found[1], format!("{}-2", found[0]));
}

/// A key's default is the value of its elements without data.
#[test]
fn defaults_of_keys_are_values() {
    let network = "<graphml><key id=\"label\" for=\"edge\" attr.name=\"label\"><default>no</default></key>\
                   <key id=\"at\" for=\"node\" attr.name=\"Latitude\"><default>10</default></key>\
                   <key id=\"on\" for=\"node\" attr.name=\"Longitude\"><default>20</default></key>\
                   <key id=\"speed\" attr.name=\"LinkSpeedRaw\"><default>2000000000</default></key>\
                   <graph edgedefault=\"directed\">\
                   <node id=\"a\"/><node id=\"b\"><data key=\"at\">11</data></node>\
                   <edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"a\">\
                   <data key=\"speed\">1e9</data></edge></graph></graphml>";
    let (_folder, plan) = plan(network, "", ["a", "b"]);
    let capacities: Vec<u64> = plan.network.links.iter().map(|l| l.capacity.as_bps()).collect();
    assert_eq!(capacities, [2_000_000_000, 1_000_000_000]);
    // A degree of latitude is 111 km.
    assert!((550..562).contains(&(plan.network.links[0].delay.as_nanos() / 1000)));
}

#[test]
fn another_network_in_the_same_file_is_another_run() {
    let (folder, plan) = plan(&sample(), "", ["Seattle", "New_York"]);
    let results = tempfile::tempdir().unwrap();
    let finished = |plan: &Plan| {
        let report = run(plan, results.path(), &Options::default(), &Quiet).unwrap();
        report.summary.runs[0].folder.clone()
    };
    let first = finished(&plan);
    assert_eq!(finished(&plan), first);
    let slower = sample().replacen("10000000000.0", "1000000000.0", 1);
    std::fs::write(folder.path().join("network.graphml"), slower).unwrap();
    let changed = try_plan(folder.path(), "", ["Seattle", "New_York"]).unwrap();
    assert_ne!(finished(&changed), first);
}

#[test]
fn the_scenario_beside_results_has_its_network_beside_it() {
    let (_folder, plan) = plan(&sample(), "", ["Seattle", "New_York"]);
    let results = tempfile::tempdir().unwrap();
    run(&plan, results.path(), &Options::default(), &Quiet).unwrap();
    let copy = results.path().join("input-0.graphml");
    assert_eq!(std::fs::read_to_string(copy).unwrap(), sample());
    let again = Plan::read(&results.path().join("scenario.toml"), &PlanOverrides::default());
    assert_eq!(again.unwrap().network.nodes, plan.network.nodes);
    // Another machine gets it too.
    let task = Task::new(&plan, 1).unwrap();
    assert_eq!(
        task.inputs.keys().map(PathBuf::from).collect::<Vec<_>>(),
        [Path::new("input-0.graphml")]
    );
}
