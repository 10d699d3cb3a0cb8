//! Lists of flows: how they may be written, where their flows go, and errors in them.

use sluice_lab::traffic::{Listed, Traffic};
use sluice_lab::{Plan, PlanOverrides};
use sluice_units::Time;

use crate::common::{folder, path_of, results, rows};

const NETWORK: &str = r#"
schema = 1
protocols = ["tcp"]
stop = "2 s"
limit = "10 s"

[topology.dumbbell]
pairs = 2
capacity = "20 Mbps"
rtt = "20 ms"

[[group]]
name = "list"
replay = "flows.csv"
"#;

fn read(name: &str, scenario: &str, flows: &str) -> Result<Plan, String> {
    let folder = folder(&format!("replayed-{name}"));
    std::fs::write(folder.join("flows.csv"), flows).unwrap();
    std::fs::write(folder.join("test.toml"), scenario).unwrap();
    Plan::read(&folder.join("test.toml"), &PlanOverrides::default())
        .map_err(|error| error.to_string())
}

/// The flows of the scenario's only group.
fn listed(name: &str, flows: &str) -> Vec<(u64, u64)> {
    let scenario = format!("{NETWORK}from = \"s0\"\nto = \"d0\"\n");
    let plan = read(name, &scenario, flows).unwrap_or_else(|error| panic!("{error}"));
    let Traffic::List(flows) = &plan.config.groups[0].traffic else { panic!("no list") };
    let pair =
        |flow: &Listed| (flow.start.since(Time::ZERO).as_nanos() / 1_000_000, flow.size.as_u64());
    flows.iter().map(pair).collect()
}

#[test]
fn lists_of_flows_may_be_written_in_several_ways() {
    let same = [
        ("plain", "start,size\n0.25,1500\n1,2000000\n"),
        ("units", "start,size\n250 ms,1.5 kB\n1 s,2 MB\n"),
        ("header", "start (ms),size (kB)\n250,1.5\n1 s,2e3\n"),
        ("quoted", "\u{feff}\"start\",\"size\"\r\n\"250 ms\",\"1500\"\r\n\r\n\"1\",\"2 MB\"\r\n"),
        ("columns", "size,group,start\n1500,list,0.25\n2000000,list,1"),
    ];
    for (name, text) in same {
        assert_eq!(listed(name, text), [(250, 1500), (1000, 2_000_000)], "{name}");
    }
}

#[test]
fn rows_name_the_nodes_of_their_flows() {
    let folder = folder("replayed-nodes");
    let flows = "start,size,from,to\n0.1,70 kB,s1,d0\n0.2,30 kB,s0,d1\n0.3,20 kB,s1,d0\n";
    std::fs::write(folder.join("flows.csv"), flows).unwrap();
    let (report, _) = results(&folder, NETWORK, 1, "out");
    let mut ran: Vec<(String, u64)> = rows(&path_of(&report, "tcp", "flows.parquet"))
        .iter()
        .map(|row| {
            let field = |name| row.get_column_iter().find(|(column, _)| *column == name).unwrap().1;
            let size = field("size_bytes").to_string().parse().unwrap();
            (field("path").to_string().replace('"', ""), size)
        })
        .collect();
    ran.sort();
    let expected =
        [("s0>left>right>d1", 30_000), ("s1>left>right>d0", 20_000), ("s1>left>right>d0", 70_000)];
    assert_eq!(ran, expected.map(|(path, size)| (path.to_owned(), size)));
}

#[test]
fn nodes_of_the_group_are_defaults_of_rows() {
    let scenario = format!("{NETWORK}from = \"s0\"\nto = \"d0\"\n");
    let flows = "start,size,to\n0.1,70 kB,\n0.2,30 kB,d1\n";
    let plan = read("defaults", &scenario, flows).unwrap();
    let ends: Vec<(&str, &str)> = plan
        .config
        .groups
        .iter()
        .map(|group| {
            (plan.network.nodes[group.from].as_str(), plan.network.nodes[group.to].as_str())
        })
        .collect();
    assert_eq!(ends, [("s0", "d0"), ("s0", "d1")]);
}

#[test]
fn thousands_of_wrong_rows_are_one_short_error() {
    let scenario = format!("{NETWORK}from = \"s0\"\nto = \"d0\"\n");
    // Another group that takes its flows from the same file.
    let again = format!("{scenario}\n{}", &scenario[scenario.find("[[group]]").unwrap()..])
        .replacen("list", "first", 1);
    let rows = "0.1,many,list\n".repeat(10_000);
    let flows = format!("start,size,group\n{rows}");
    let error = read("wrong-rows", &again, &flows).unwrap_err();
    assert_eq!(error.matches("error:").count(), 1, "{error}");
    assert!(error.contains("flows.csv: 10000 errors"), "{error}");
    assert!(error.contains("line 2: ") && error.contains("and 9997 more"), "{error}");
    assert!(error.len() < 1000, "{} bytes", error.len());
}

#[test]
fn a_long_cell_is_shortened_in_errors() {
    let scenario = format!("{NETWORK}from = \"s0\"\nto = \"d0\"\n");
    let long = "x".repeat(160_000);
    let wrong = [
        format!("start,size\n0.1,{long}\n"),
        format!("start,size,{long}\n0.1,1,2\n"),
        format!("start,size,group\n0.1,1,{long}\n0.1,1,list\n"),
        format!("start,size,to\n0.1,1,{long}\n"),
        format!("start,size\n{}\n", "1,".repeat(80_000)),
    ];
    for flows in wrong {
        let error = read("long-cell", &scenario, &flows).unwrap_err();
        assert!(error.len() < 1000, "{} bytes: {}", error.len(), &error[..300]);
    }
}

#[test]
fn errors_in_a_scenario_are_short_however_long_it_is() {
    let long = "x".repeat(160_000);
    let misspelt: String = (0..2_000).map(|i| format!("x{i} = 1\n")).collect();
    let wrong = [
        format!("from = \"{long}\"\nto = \"d0\"\n"),
        format!("from = \"s0\"\nto = \"d0\"\nname_of = \"{long}\"\n"),
        format!("from = \"s0\"\nto = \"d0\"\n{long} = 1\n"),
        format!("from = [{}]\nto = \"d0\"\n", "\"s0\", ".repeat(2_000)),
        format!("from = \"s0\"\nto = \"d0\"\nweight = \"{long}\"\n"),
        format!("from = [{}]\nto = \"d0\"\n", "\"x\", ".repeat(2_000)),
        format!("from = \"s0\"\nto = \"d0\"\n[rcp]\n{}", misspelt),
    ];
    for fields in wrong {
        let error = read("long-line", &format!("{NETWORK}{fields}"), "start,size\n").unwrap_err();
        assert!(error.len() < 12_000, "{} bytes: {}", error.len(), &error[..300]);
    }
}

#[test]
fn a_cumulative_distribution_takes_units_too() {
    let text = NETWORK.replace(
        "replay = \"flows.csv\"",
        "from = \"s0\"\nto = \"d0\"\npoisson = { load = 0.5, sizes = { file = \"flows.csv\" } }",
    );
    let plan = read("points", &text, "size,cumulative\n1 kB,0\n3 kB,1\n").unwrap();
    assert_eq!(plan.groups[0].mean_size, Some(2000.0));
}
