//! Fields of single links of a topology, `[[link]]`, from a file to routes and results.

use std::path::{Path, PathBuf};

use parquet::record::RowAccessor;
use sluice_lab::scenario::{Document, Source};
use sluice_lab::{Options, Plan, PlanOverrides, Report, Task, run};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule};
use sluice_sim::{LinkConfig, Police};
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use crate::common::{Quiet, files, folder, path_of, results, rows};

/// Two leaves of two hosts each, below two spines.
const LEAF_SPINE: &str = "[topology.leaf_spine]\nleaves = 2\nspines = 2\nhosts = 2\n\
                          access = { capacity = \"10 Gbps\", delay = \"10 us\" }\n\
                          uplink = { capacity = \"1 Gbps\", delay = \"10 us\" }\n";

/// Flows of TCP over this topology with these entries, from the first node to the second.
fn scenario(topology: &str, links: &[&str], [from, to]: [&str; 2], group: &str) -> String {
    let links: String = links.iter().map(|link| format!("[[link]]\n{link}\n")).collect();
    format!(
        "schema = 1\nstop = \"100 ms\"\nlimit = \"10 s\"\nprotocols = [\"tcp\"]\nideals = [\"max_min\"]\n{topology}{links}\
         [[group]]\nname = \"g\"\nfrom = \"{from}\"\nto = \"{to}\"\n{group}\n"
    )
}

const POISSON: &str = "poisson = { load = 0.4, sizes = { fixed = \"20 kB\" } }";

fn plan_in(folder: &Path, text: &str) -> Result<Plan, String> {
    let source = Source::parse("t.toml", text, "t").map_err(|error| error.to_string())?;
    Plan::of(&source, folder.into(), &PlanOverrides::default()).map_err(|error| error.to_string())
}

fn plan(topology: &str, links: &[&str], ends: [&str; 2]) -> Plan {
    let text = scenario(topology, links, ends, POISSON);
    plan_in(Path::new(""), &text).unwrap_or_else(|error| panic!("{error}"))
}

fn link<'a>(plan: &'a Plan, from: &str, to: &str) -> &'a LinkConfig {
    let node = |name| plan.network.node(name).unwrap();
    &plan.config.links[plan.network.link(node(from), node(to)).unwrap()]
}

/// The names of the links that the entries change, in order.
fn changed(topology: &str, links: &[&str], ends: [&str; 2]) -> Vec<String> {
    let (plain, with) = (plan(topology, &[], ends), plan(topology, links, ends));
    let pairs = plain.config.links.iter().zip(&with.config.links).enumerate();
    let differ = pairs.filter(|(_, (a, b))| format!("{a:?}") != format!("{b:?}"));
    let mut names: Vec<String> = differ.map(|(id, _)| plain.network.link_name(id)).collect();
    names.sort();
    names
}

#[test]
fn each_field_is_set_and_no_other() {
    type Change = fn(&mut LinkConfig);
    let fields: [(&str, Change); 8] = [
        ("capacity = \"250 Mbps\"", |link| link.capacity = Rate::from_bps(250_000_000)),
        ("delay = \"3 ms\"", |link| link.delay = Span::from_millis(3)),
        ("buffer = \"64 kB\"", |link| link.buffer = "64 kB".parse().unwrap()),
        ("error = 0.25", |link| link.error = Ratio::new(0.25)),
        ("router = false", |link| link.router = sluice_sim::LinkLaw::None.into()),
        ("queue = \"codel\"", |link| {
            link.queue = sluice_sim::queue::Discipline::Codel(Default::default());
        }),
        ("police = { failures = 3 }", |link| {
            link.police = Some(Police { failures: 3, ..Police::default() });
        }),
        ("schedule = { down = [[\"3 s\", \"4 s\"]] }", |link| {
            let course = CapacityCourse::Constant;
            let down = vec![(seconds(3), seconds(4))];
            link.schedule = Some(CapacitySchedule { down, ..CapacitySchedule::new(course) });
        }),
    ];
    let plain = plan(LEAF_SPINE, &[], ["h0", "h2"]);
    for (field, change) in fields {
        let entry = format!("from = \"leaf0\"\nto = \"spine1\"\n{field}");
        let found = plan(LEAF_SPINE, &[&entry], ["h0", "h2"]);
        let mut expected = link(&plain, "leaf0", "spine1").clone();
        change(&mut expected);
        assert_eq!(format!("{:?}", link(&found, "leaf0", "spine1")), format!("{expected:?}"));
        let changed = changed(LEAF_SPINE, &[&entry], ["h0", "h2"]);
        assert_eq!(changed, ["leaf0->spine1", "spine1->leaf0"], "{field}");
    }
}

fn seconds(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

#[test]
fn an_entry_holds_for_the_links_between_its_nodes() {
    let named =
        |nodes: &str| changed(LEAF_SPINE, &[&format!("{nodes}\ndelay = \"20 us\"")], ["h0", "h2"]);
    assert_eq!(
        named("from = \"leaf0\"\nto = \"spine0..spine1\"\nboth_ways = false"),
        ["leaf0->spine0", "leaf0->spine1"]
    );
    assert_eq!(
        named("from = [\"spine0\", \"h0\"]\nto = \"leaf0\""),
        ["h0->leaf0", "leaf0->h0", "leaf0->spine0", "spine0->leaf0"]
    );
    // Hosts of another rack have no link to this leaf.
    assert_eq!(
        named("from = \"h0..h3\"\nto = \"leaf1\"\nboth_ways = false"),
        ["h2->leaf1", "h3->leaf1"]
    );
    assert_eq!(named("from = \"leaf0..leaf1\"\nto = [\"spine0\", \"spine1\"]").len(), 8);
}

#[test]
fn any_topology_may_have_entries() {
    let cable = "{ capacity = \"1 Gbps\", delay = \"10 us\" }";
    let wan = format!("wan = {{ nodes = 3, link = {cable} }}");
    for (topology, links) in [
        ("[topology.dumbbell]\ncapacity = \"1 Gbps\"\nrtt = \"1 ms\"".into(), ["s0", "left"]),
        (format!("[topology.star]\nhosts = 2\naccess = {cable}"), ["hub", "h1"]),
        (format!("[topology.fat_tree]\nk = 4\naccess = {cable}"), ["agg0", "core1"]),
        (
            format!("[topology.ring]\nsites = 4\nhosts = 1\ntrunk = {cable}\naccess = {cable}"),
            ["site0", "site3"],
        ),
        (
            format!("[topology.tiers]\n{wan}\nlan = {{ nodes = 3, link = {cable} }}"),
            ["lan0", "lan2"],
        ),
        (
            format!("[topology.parking_lot]\nhops = 2\nhop = {cable}\naccess = {cable}"),
            ["r0", "r1"],
        ),
        (
            "[topology.graphml]\nfile = \"tests/samples/backbone.graphml\"".into(),
            ["Seattle", "Denver"],
        ),
        (
            "[[topology.link]]\nfrom = \"a\"\nto = \"b\"\ncapacity = \"1 Gbps\"\ndelay = \"1 ms\""
                .into(),
            ["b", "a"],
        ),
    ] {
        let [from, to] = links;
        let entry = format!("from = \"{from}\"\nto = \"{to}\"\ncapacity = \"12 Mbps\"");
        let mut expected = [format!("{from}->{to}"), format!("{to}->{from}")];
        expected.sort();
        assert_eq!(changed(&format!("{topology}\n"), &[&entry], links), expected, "{topology}");
    }
}

#[test]
fn hosts_of_a_group_of_their_own_have_links_too() {
    let text = "schema = 1\nstop = \"1 s\"\n[topology.dumbbell]\ncapacity = \"10 Mbps\"\nrtt = \"20 ms\"\n\
                [[link]]\nfrom = \"far-s\"\nto = \"left\"\nboth_ways = false\ncapacity = \"1 Mbps\"\n\
                [[group]]\nname = \"far\"\nrtt = \"80 ms\"\nlong = {}\n";
    let plan = plan_in(Path::new(""), text).unwrap();
    assert_eq!(link(&plan, "far-s", "left").capacity, Rate::from_bps(1_000_000));
    assert_eq!(link(&plan, "left", "far-s").capacity, Rate::from_bps(100_000_000));
    assert_eq!(plan.groups[0].capacity, Rate::from_bps(1_000_000));
}

#[test]
fn a_later_entry_holds_over_an_earlier_one() {
    let all = "from = \"leaf0..leaf1\"\nto = \"spine0..spine1\"\ncapacity = \"100 Mbps\"\nerror = 0.5\n\
               schedule = { down = [[\"1 s\", \"2 s\"]] }";
    let one = "from = \"leaf0\"\nto = \"spine0\"\nboth_ways = false\ncapacity = \"8 Mbps\"";
    let plan = plan(LEAF_SPINE, &[all, one], ["h0", "h2"]);
    let changed = link(&plan, "leaf0", "spine0");
    assert_eq!((changed.capacity, changed.error), (Rate::from_bps(8_000_000), Ratio::new(0.5)));
    // An outage of the entry before, at the capacity of the later one: two of three seconds at 8 Mb/s.
    assert_eq!(changed.bytes_between(seconds(0), seconds(3)), Bytes::new(2_000_000));
    let other = link(&plan, "spine0", "leaf0");
    assert_eq!(other.bytes_between(seconds(0), seconds(3)), Bytes::new(25_000_000));
}

/// The outages of the topology's own schedule are at the entry's capacity as well.
#[test]
fn a_schedule_of_the_topology_follows_the_capacity_of_an_entry() {
    let dumbbell = |schedule: &str| {
        format!(
            "[topology.dumbbell]\ncapacity = \"8 Mbps\"\nrtt = \"20 ms\"\nschedule = {schedule}\n"
        )
    };
    let faster = "from = \"left\"\nto = \"right\"\ncapacity = \"80 Mbps\"";
    let sent = |schedule: &str, links: &[&str]| {
        let plan = plan(&dumbbell(schedule), links, ["s0", "d0"]);
        link(&plan, "left", "right").bytes_between(seconds(0), seconds(2)).as_u64()
    };
    let down = "{ down = [[\"1 s\", \"5 s\"]] }";
    assert_eq!((sent(down, &[]), sent(down, &[faster])), (1_000_000, 10_000_000));
    // Steps are absolute: the capacity holds before the first.
    let steps = "{ steps = [[\"1 s\", \"16 Mbps\"]] }";
    assert_eq!((sent(steps, &[]), sent(steps, &[faster])), (3_000_000, 12_000_000));
}

/// Flows of the measured time, as (path, start in milliseconds, completion in seconds).
fn flows(report: &Report, system: &str) -> Vec<(String, f64, f64)> {
    let rows = rows(&path_of(report, system, "flows.parquet"));
    let flow = |row: &parquet::record::Row| {
        let completion = row.get_long(5).unwrap_or(0) as f64 / 1e9;
        (row.get_string(2).unwrap().clone(), row.get_long(3).unwrap() as f64 / 1e6, completion)
    };
    rows.iter().filter(|row| row.get_bool(13).unwrap()).map(flow).collect()
}

#[test]
fn flows_leave_an_uplink_that_fails() {
    let fails = "from = \"leaf0\"\nto = \"spine0\"\nschedule = { down = [[\"20 ms\", \"60 ms\"]] }";
    let text = scenario(LEAF_SPINE, &[fails], ["h0", "h2"], POISSON).replacen(
        "stop =",
        "reconvergence = \"5 ms\"\nstop =",
        1,
    );
    let (report, _) = results(&folder("failed-uplink"), &text, 1, "out");
    let flows = flows(&report, "tcp");
    let over = |spine: &str, during: bool| {
        let is_during = |start: f64| (25.0..65.0).contains(&start) == during;
        flows.iter().filter(|(path, start, _)| path.contains(spine) && is_during(*start)).count()
    };
    // At 0.4 of 2 Gb/s, 5 flows of 20 kB begin each millisecond.
    assert_eq!(over("spine0", true), 0);
    assert!(over("spine1", true) > 120 && over("spine0", false) > 80, "{flows:?}");
    // Without it, flows keep their path, and none ends before the link returns.
    let kept = text.replacen("reconvergence = \"5 ms\"\n", "", 1);
    let (report, _) = results(&folder("kept-uplink"), &kept, 1, "out");
    let flows = self::flows(&report, "tcp");
    let waited = |(path, start, _): &&(String, f64, f64)| {
        path.contains("spine0") && (25.0..40.0).contains(start)
    };
    let waited: Vec<_> = flows.iter().filter(waited).collect();
    assert!(waited.len() > 20 && waited.iter().all(|flow| flow.2 > 0.02), "{waited:?}");
}

/// 100 kB over an access link of 1 Mb/s with an outage of a second, 10 ms of propagation and three links
/// at their own rates: 800 ms and an outage, and packets at the others.
#[test]
fn a_slow_access_link_limits_flows() {
    let dumbbell = "[topology.dumbbell]\ncapacity = \"10 Mbps\"\nrtt = \"20 ms\"\n";
    let flow = "periodic = { every = \"10 s\", sizes = { fixed = \"100 kB\" } }";
    let completion = |fields: &str, name: &str| {
        let slow = format!("from = \"s0\"\nto = \"left\"\ncapacity = \"1 Mbps\"\n{fields}");
        let text = scenario(dumbbell, &[&slow], ["s0", "d0"], flow);
        let (report, _) = results(&folder(name), &text, 1, "out");
        (flows(&report, "max_min")[0].2, flows(&report, "tcp")[0].2, report)
    };
    let (ideal, tcp, report) = completion("", "slow-access");
    assert!((0.81..0.84).contains(&ideal), "{ideal}");
    assert!((ideal..1.2).contains(&tcp), "{tcp}");
    let slowest = &report.summary.protocols[0].bottleneck;
    assert_eq!((&*slowest.from, &*slowest.to, slowest.capacity), ("s0", "left", 1_000_000));
    let (late, _, _) =
        completion("schedule = { down = [[\"0.1 s\", \"1.1 s\"]] }", "failing-access");
    assert!((late - ideal - 1.0).abs() < 1e-6, "{late} {ideal}");
}

/// Flows are spread by the capacities of entries, and loads refer to them.
#[test]
fn weights_and_loads_follow_a_slower_link() {
    let slow = "from = \"leaf0\"\nto = \"spine0\"\nboth_ways = false\ncapacity = \"250 Mbps\"";
    let planned = |links: &[&str], routing: &str| {
        let group = format!("{POISSON}\nrouting = \"{routing}\"");
        let text = scenario(LEAF_SPINE, links, ["h0", "h2"], &group);
        let plan = plan_in(Path::new(""), &text).unwrap();
        let node = |name| plan.network.node(name).unwrap();
        let id = plan.network.link(node("leaf0"), node("spine0")).unwrap();
        let shares = plan.groups[0].paths.out.shares();
        let share = shares.iter().find(|(link, _)| *link == id).unwrap().1;
        (
            share,
            plan.groups[0].capacity.as_bps_f64(),
            plan.groups[0].mean_rate.unwrap().as_bps_f64(),
        )
    };
    let near = |found: (f64, f64, f64), expected: (f64, f64, f64)| {
        let parts = [(found.0, expected.0), (found.1, expected.1), (found.2, expected.2)];
        let close = parts.iter().all(|(found, expected)| (found / expected - 1.0).abs() < 1e-6);
        assert!(close, "{found:?} {expected:?}");
    };
    near(planned(&[], "wcmp"), (0.5, 2e9, 0.8e9));
    near(planned(&[slow], "wcmp"), (0.2, 1.25e9, 0.5e9));
    near(planned(&[slow], "ecmp"), (0.5, 0.5e9, 0.2e9));
    // A longer delay leaves one path of least delay.
    let long = "from = \"leaf0\"\nto = \"spine1\"\nboth_ways = false\ndelay = \"11 us\"";
    near(planned(&[long], "ecmp"), (1.0, 1e9, 0.4e9));
}

#[test]
fn warnings_refer_to_the_capacity_of_an_entry() {
    let warnings = |links: &[&str]| {
        let text = scenario(LEAF_SPINE, links, ["h0", "h2"], POISSON);
        let text = text.replace("load = 0.4", "rate = \"5000 /s\"");
        let warnings = plan_in(Path::new(""), &text).unwrap().warnings();
        warnings.into_iter().map(|warning| warning.text).collect::<Vec<_>>()
    };
    // 800 Mb/s, of which a half goes over each spine.
    assert_eq!(warnings(&[]), [""; 0]);
    let slow = "from = \"leaf0\"\nto = \"spine0\"\ncapacity = \"200 Mbps\"";
    assert!(warnings(&[slow])[0].contains("link leaf0->spine0 is 200 % of its capacity"));
}

/// An entry with a trace: the file is copied beside results, sent to other machines, and part of the key.
#[test]
fn a_trace_of_an_entry_is_a_file_of_the_scenario() {
    let input = folder("link-trace");
    std::fs::write(input.join("lte.up"), "1\n2\n3\n4\n5\n").unwrap();
    let trace = "from = \"leaf0\"\nto = \"spine0..spine1\"\nboth_ways = false\nrouter = false\n\
                 schedule = { mahimahi = \"lte.up\" }";
    let down = "from = \"leaf1\"\nto = \"spine0\"\nschedule = { down = [[\"20 ms\", \"30 ms\"]] }";
    let text = scenario(LEAF_SPINE, &[trace, down], ["h0", "h2"], "long = { count = 2 }");
    let (_, first) = results(&input, &text, 1, "first");
    let written = String::from_utf8(first["scenario.toml"].clone()).unwrap();
    let (report, second) = results(&input.join("first"), &written, 1, "second");
    assert_eq!(first.keys().collect::<Vec<_>>(), second.keys().collect::<Vec<_>>());
    assert!(first.iter().all(|(name, bytes)| second[name] == *bytes), "files differ");
    assert_eq!(first["input-0.up"], b"1\n2\n3\n4\n5\n");
    let plan = plan_in(&input, &text).unwrap();
    let task = Task::new(&plan, 1).unwrap();
    assert_eq!(
        task.inputs.keys().map(PathBuf::from).collect::<Vec<_>>(),
        [Path::new("input-0.up")]
    );
    // Another trace in the same file is another run.
    std::fs::write(input.join("lte.up"), "1\n2\n3\n4\n6\n").unwrap();
    let changed = plan_in(&input, &text).unwrap();
    let other = run(&changed, &input.join("other"), &Options::default(), &Quiet).unwrap();
    assert_ne!(other.summary.runs[0].key, report.summary.runs[0].key);
    assert!(files(&input.join("other"))["input-0.up"] != first["input-0.up"]);
}

#[test]
fn settings_and_sweeps_reach_entries() {
    let two = [
        "from = \"leaf0\"\nto = \"spine0\"\nerror = 0.1",
        "from = \"leaf0..leaf1\"\nto = \"spine1\"\nerror = 0.1",
    ];
    let text = scenario(LEAF_SPINE, &two, ["h0", "h2"], POISSON);
    let document = || Document::new("t.toml", text.as_str(), "t");
    let capacities = |path: &str, [from, to]: [&str; 2]| {
        let mut document = document();
        document.vary("--vary", path, "2 Gbps, 500 Mbps");
        let points = document.points().unwrap();
        let capacity = |source: &Source| {
            let plan = Plan::of(source, PathBuf::new(), &PlanOverrides::default()).unwrap();
            link(&plan, from, to).capacity.as_bps() / 1_000_000
        };
        points.iter().map(|(_, source)| capacity(source)).collect::<Vec<_>>()
    };
    for path in ["link[0].capacity", "link.0.capacity", "link.leaf0->spine0.capacity"] {
        assert_eq!(capacities(path, ["leaf0", "spine0"]), [2000, 500], "{path}");
    }
    // A range in its ends has dots, so it goes by its number.
    assert_eq!(capacities("link.1.capacity", ["leaf1", "spine1"]), [2000, 500]);
    let mut wrong = document();
    wrong.set("--set", "link.leaf0->spin0.capacity", "1 Gbps");
    let error = wrong.source().unwrap_err().to_string();
    assert!(
        error.contains("did you mean `leaf0->spine0`? expected one of `leaf0->spine0`, `1`"),
        "{error}"
    );
}
