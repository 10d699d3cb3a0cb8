//! Several paths of least delay, from a file to tables and warnings.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{folder, path_of, plan, results, rows};
use parquet::record::{Row, RowAccessor};
use sluice_lab::PlanOverrides;

/// Two hosts on each of two leaves, below three spines; `group` ends each of two groups, and `more` the
/// file.
fn scenario(group: &str, more: &str) -> String {
    let link = |from: &str, to: &str, capacity: &str| {
        format!(
            "[[topology.link]]\nfrom = \"{from}\"\nto = \"{to}\"\ncapacity = \"{capacity}\"\n\
             delay = \"10 us\"\n"
        )
    };
    let spines = (0..3).flat_map(|spine| {
        (0..2).map(move |leaf| link(&format!("leaf{leaf}"), &format!("spine{spine}"), "1 Gbps"))
    });
    let hosts =
        (0..4).map(|host| link(&format!("h{host}"), &format!("leaf{}", host / 2), "1 Gbps"));
    let groups = (0..2).map(|host| {
        format!(
            "[[group]]\nname = \"g{host}\"\nfrom = \"h{host}\"\nto = \"h{}\"\n\
             poisson = {{ load = 0.4, sizes = {{ fixed = \"20 kB\" }} }}\n{group}\n",
            host + 2
        )
    });
    format!(
        "schema = 1\nstop = \"100 ms\"\nprotocols = [\"tcp\"]\nideals = [\"max_min\"]\n{}{more}",
        spines.chain(hosts).chain(groups).collect::<String>()
    )
}

/// Bytes of measured flows by path, of one system.
fn by_path(text: &str, name: &str, system: &str) -> BTreeMap<String, u64> {
    let (report, _) = results(&folder(name), text, 1, "out");
    let mut found = BTreeMap::new();
    for row in rows(&path_of(&report, system, "flows.parquet")) {
        if !row.get_bool(13).unwrap() {
            // Those that arrive later run on for as long as measured ones take.
            continue;
        }
        let path = row.get_string(2).unwrap().clone();
        *found.entry(path).or_insert(0) += row.get_long(4).unwrap() as u64;
    }
    found
}

fn warnings(text: &str) -> Vec<String> {
    let plan = plan(&folder("warned-of-paths"), text, &PlanOverrides::default());
    plan.warnings().into_iter().map(|warning| warning.text).collect()
}

#[test]
fn flows_name_the_paths_that_they_take() {
    let (tcp, ideal) =
        (by_path(&scenario("", ""), "ecmp", "tcp"), by_path(&scenario("", ""), "ecmp", "max_min"));
    assert_eq!(tcp, ideal, "an ideal has the same flows on the same paths");
    let all: BTreeSet<String> = (0..2)
        .flat_map(|host| {
            (0..3).map(move |spine| format!("h{host}>leaf0>spine{spine}>leaf1>h{}", host + 2))
        })
        .collect();
    assert_eq!(tcp.keys().cloned().collect::<BTreeSet<_>>(), all);
    let (least, most) = (tcp.values().min().unwrap(), tcp.values().max().unwrap());
    // Some 80 flows on each: within four standard deviations of each other.
    assert!(most - least < 20_000 * 60, "{tcp:?}");
    assert_eq!(warnings(&scenario("", "")), [""; 0]);
}

#[test]
fn a_single_path_is_taken_by_all_and_leaves_others_idle() {
    let single = scenario("routing = \"single\"", "");
    let found = by_path(&single, "single", "tcp");
    let paths = ["h0>leaf0>spine0>leaf1>h2", "h1>leaf0>spine0>leaf1>h3"];
    assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), paths);
    assert_eq!(
        warnings(&single),
        ["paths of least delay lie idle: no data cross link leaf0->spine1, which `routing = \
          \"single\"` of group `g0` and another group leaves out; without it, flows spread over all of \
          them"]
    );
}

/// Paths that are given lie idle only if no group has them.
#[test]
fn idle_paths_are_reported_and_used_ones_are_not() {
    let given =
        |spine: u64| format!("path = [\"h0\", \"leaf0\", \"spine{spine}\", \"leaf1\", \"h2\"]\n");
    let groups = |spines: &[u64]| {
        let group = |&spine: &u64| {
            format!(
                "[[group]]\nname = \"to-{spine}\"\nfrom = \"h0\"\nto = \"h2\"\nlong = {{}}\n{}",
                given(spine)
            )
        };
        let text = scenario("", "");
        let begin = text.find("[[group]]").unwrap();
        format!("{}{}", &text[..begin], spines.iter().map(group).collect::<String>())
    };
    let found = warnings(&groups(&[0, 2]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("link leaf0->spine1, which `path` of group `to-0` and"), "{found:?}");
    assert_eq!(warnings(&groups(&[0, 1, 2])), [""; 0]);
}

/// A path that is longer than the least one is a choice, not an oversight.
#[test]
fn a_detour_leaves_no_path_idle() {
    let detour = ["h0", "leaf0", "spine0", "leaf1", "spine1", "leaf2", "h4"];
    let nodes = detour.map(|node| format!("\"{node}\"")).join(", ");
    let link = |from: &str, to: &str| {
        format!(
            "[[topology.link]]\nfrom = \"{from}\"\nto = \"{to}\"\ncapacity = \"1 Gbps\"\n\
             delay = \"10 us\"\n"
        )
    };
    let links = [("leaf2", "spine1"), ("leaf2", "h4")].map(|(from, to)| link(from, to)).concat();
    let text = scenario("", "");
    let text = &text[..text.find("[[group]]").unwrap()];
    for given in [format!("path = [{nodes}]"), format!("paths = [{{ path = [{nodes}] }}]")] {
        let group = format!(
            "[[group]]\nname = \"long-way\"\nfrom = \"h0\"\nto = \"h4\"\nlong = {{}}\n{given}\n"
        );
        assert_eq!(warnings(&format!("{text}{links}{group}")), [""; 0]);
    }
}

/// The load offered to a link is that of the flows whose paths it is on.
#[test]
fn links_have_the_loads_of_their_flows() {
    // Hosts are so fast that the links of spines limit flows.
    let fast_hosts = |text: String| {
        let host =
            |leaf: u64, rate: &str| format!("to = \"leaf{leaf}\"\ncapacity = \"{rate} Gbps\"");
        let text = text.replace(&host(0, "1"), &host(0, "10"));
        text.replace(&host(1, "1"), &host(1, "10")).replace("load = 0.4", "load = 0.3")
    };
    for routing in ["", "routing = \"spray\""] {
        let name = format!("offered-{}", routing.len());
        let text = fast_hosts(scenario(routing, ""));
        let mut offered = BTreeMap::<[String; 2], f64>::new();
        for (path, size) in by_path(&text, &name, "tcp") {
            let nodes = path.split('>').map(|at| at.trim_matches(['(', ')']).split('|'));
            let levels: Vec<Vec<&str>> = nodes.map(Iterator::collect).collect();
            for hop in levels.windows(2) {
                let ends = hop[0].iter().flat_map(|from| hop[1].iter().map(move |to| [from, to]));
                let share = size as f64 / (hop[0].len() * hop[1].len()) as f64;
                for ends in ends {
                    *offered.entry(ends.map(ToString::to_string)).or_default() += share;
                }
            }
        }
        let (report, _) = results(&folder(&name), &text, 1, "out");
        let links = &report.summary.protocols[0].links;
        assert!(links.iter().any(|link| link.to.starts_with("spine")), "{links:?}");
        for link in links {
            let bytes = offered.get(&[link.from.clone(), link.to.clone()]).copied();
            // In 100 ms.
            let expected = bytes.unwrap_or(0.0) * 8.0 / 0.1;
            assert!((link.offered - expected).abs() < 1_000.0, "{expected}: {link:?}");
        }
    }
}

/// The load that is requested of a link is its part of what groups send.
#[test]
fn several_paths_carry_more() {
    let loads = |routing: &str| {
        warnings(&scenario(routing, "").replace("load = 0.4", "rate = \"5000 /s\""))
    };
    assert_eq!(loads(""), [""; 0]);
    assert!(loads("routing = \"single\"")[0].contains("link leaf0->spine0 is 160 %"));
}

/// Of a sprayed flow, the nodes at each place of its paths are named.
#[test]
fn sprayed_flows_name_all_of_their_paths() {
    let sprayed = scenario("routing = \"spray\"", "");
    let found = by_path(&sprayed, "spray", "tcp");
    let paths =
        (0..2).map(|host| format!("h{host}>leaf0>(spine0|spine1|spine2)>leaf1>h{}", host + 2));
    assert_eq!(found.keys().cloned().collect::<Vec<_>>(), paths.collect::<Vec<_>>());
    assert_eq!(warnings(&sprayed), [""; 0]);
}

/// Three quarters of the flows take the path of weight 3.
#[test]
fn weights_divide_flows_among_paths() {
    let path = |spine: u64, weight: u64| {
        format!(
            "{{ path = [\"h0\", \"leaf0\", \"spine{spine}\", \"leaf1\", \"h2\"], weight = {weight} }}"
        )
    };
    let text = scenario("", "");
    let end = text.find("[[group]]\nname = \"g1\"").unwrap();
    let weighted = format!("{}paths = [{}, {}]\n", &text[..end], path(0, 3), path(2, 1));
    let found = by_path(&weighted, "weighted", "tcp");
    let bytes = |spine: u64| found[&format!("h0>leaf0>spine{spine}>leaf1>h2")] as f64;
    assert_eq!(found.len(), 2);
    // Of 250 flows, within four standard deviations.
    let part = bytes(0) / (bytes(0) + bytes(2));
    assert!((part - 0.75).abs() < 0.11, "{part}");
    assert!(warnings(&weighted)[0].contains("`paths` of group `g0` leaves out"));
}

/// Measured flows of one system: group, path and start in milliseconds.
fn paths_and_starts(text: &str, name: &str, system: &str) -> Vec<(String, String, f64)> {
    let (report, _) = results(&folder(name), text, 1, "out");
    let rows = rows(&path_of(&report, system, "flows.parquet"));
    let measured = rows.iter().filter(|row| row.get_bool(13).unwrap());
    let flow = |row: &Row| {
        let text = |column| row.get_string(column).unwrap().clone();
        (text(0), text(2), row.get_long(3).unwrap() as f64 / 1e6)
    };
    measured.map(flow).collect()
}

/// Routes avoid a link that is down, from the given time after its failure until that after its return; an
/// ideal keeps all paths, which a warning says.
#[test]
fn flows_that_start_in_an_outage_avoid_the_link() {
    let link = "from = \"leaf0\"\nto = \"spine0\"\n";
    let down = format!("{link}schedule = {{ down = [[\"20 ms\", \"60 ms\"]] }}\n");
    let text = scenario("", "").replacen(link, &down, 1);
    let noticed = text.replacen("stop =", "reconvergence = \"5 ms\"\nstop =", 1);
    let over_spine0 = |text, system| {
        let flows = paths_and_starts(text, "outage", system);
        let during = flows.iter().filter(|(_, _, start)| (25.0..65.0).contains(start));
        let (during, all) = (during.filter(|(_, path, _)| path.contains("spine0")).count(), &flows);
        (during, all.iter().filter(|(_, path, _)| path.contains("spine0")).count() - during)
    };
    let (during, otherwise) = over_spine0(&noticed, "tcp");
    assert!(during == 0 && otherwise > 20, "{during} {otherwise}");
    for (text, system) in [(&noticed, "max_min"), (&text, "tcp")] {
        let (during, otherwise) = over_spine0(text, system);
        assert!(during > 20 && otherwise > 20, "{during} {otherwise}");
    }
    let expected = "routes of group `g0` and another group change in mid-flow: flows under ideals, and alone, \
                    keep the paths that they have before any change, so protocols may be faster";
    assert_eq!(warnings(&noticed), [expected]);
    assert_eq!(warnings(&noticed.replace("[\"max_min\"]", "[]")), [""; 0]);
    assert_eq!(warnings(&text), [""; 0]);
}

/// The flows of a group with stated changes are named by the path of their start, and one path used later
/// does not lie idle.
#[test]
fn stated_changes_of_paths_are_those_of_their_group() {
    let path =
        |spine: u64| format!("path = [\"h0\", \"leaf0\", \"spine{spine}\", \"leaf1\", \"h2\"]");
    let changes =
        format!("reroute = [{{ at = \"50 ms\", {} }}, {{ at = \"70 ms\", {} }}]", path(1), path(2));
    let text = scenario("", "").replacen(
        "name = \"g0\"\n",
        &format!("name = \"g0\"\n{}\n{changes}\n", path(0)),
        1,
    );
    let flows = paths_and_starts(&text, "stated", "tcp");
    assert!(flows.iter().filter(|(group, ..)| group == "g0").count() > 100);
    for (group, path, start) in flows {
        let spine = usize::from(start >= 50.0) + usize::from(start >= 70.0);
        let expected = format!("h0>leaf0>spine{spine}>leaf1>h2");
        assert!(group != "g0" || path == expected, "{path} from {start} ms");
    }
    let alone = &text[..text.find("[[group]]\nname = \"g1\"").unwrap()];
    let found = warnings(alone);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("routes of group `g0` change in mid-flow"), "{found:?}");
}
