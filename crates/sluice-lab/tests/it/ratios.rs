//! Mean completion times relative to ideals and to the first protocol, from runs.

use parquet::record::RowAccessor;
use sluice_lab::{CompletionRatios, PlanOverrides, Report, System, ideal::Ideal, table};

use crate::common::{folder, path_of, plan, results, rows};

/// Data of 1000 bytes a packet. A round trip of 1 s: an ideal serves flows at once, TCP needs one for each
/// doubling of its window.
const SCENARIO: &str = r#"
schema = 1
protocols = ["tcp", "rcp"]
ideals = ["max_min", "srpt"]
packet = "1040 B"
header = "40 B"
warm_up = "500 ms"
stop = "3 s"
limit = "6 s"
topology.dumbbell = { capacity = "100 Mbps", rtt = "1 s" }
[[group]]
name = "list"
from = "s0"
to = "d0"
replay = "flows.csv"
"#;
/// In the warm-up, then measured: 5 and 2000 packets.
const FLOWS: &str = "start,size\n0.1,9000\n1.0,5000\n2.0,2000000\n";

fn report(name: &str) -> Report {
    let folder = folder(name);
    std::fs::write(folder.join("flows.csv"), FLOWS).unwrap();
    results(&folder, SCENARIO, 2, "out").0
}

fn of<'a>(report: &'a Report, protocol: &str, reference: &str) -> &'a CompletionRatios {
    let is_it = |found: &&CompletionRatios| {
        (found.protocol.as_str(), found.reference.as_str()) == (protocol, reference)
    };
    report.summary.ratios.iter().find(is_it).unwrap()
}

/// Index and completion time of each flow of a run, in seconds.
fn times(report: &Report, run: &str) -> Vec<(u64, Option<f64>)> {
    let found = rows(&path_of(report, run, "flows.parquet"));
    let time = |row: &parquet::record::Row| {
        let index = row.get_long(1).unwrap() as u64;
        (index, row.get_long(5).ok().map(|nanos| nanos as f64 / 1e9))
    };
    let mut times: Vec<_> = found.iter().map(time).collect();
    times.sort_by_key(|&(index, _)| index);
    times
}

#[test]
fn ratios_are_those_of_stored_flows() {
    let report = report("ratios");
    let name = |one: &CompletionRatios| (one.protocol.to_string(), one.reference.to_string());
    let couples: Vec<_> = report.summary.ratios.iter().map(name).collect();
    let of_ideals = [("tcp", "max_min"), ("rcp", "max_min"), ("tcp", "srpt"), ("rcp", "srpt")];
    let expected = [&of_ideals[..], &[("rcp", "tcp")]].concat();
    assert_eq!(couples, expected.iter().map(|&(a, b)| (a.into(), b.into())).collect::<Vec<_>>());

    let (tcp, ideal) = (times(&report, "tcp"), times(&report, "max_min"));
    assert_eq!(tcp[2].1, None, "2000 packets take TCP more than the 4 s to the limit");
    let found = of(&report, "tcp", "max_min");
    let [short, long] = &found.by_class[..] else { panic!("{found:?}") };
    let over = |first: f64, second: f64| first / second;
    assert_eq!((short.from, short.flows, short.unfinished), (1, 1, 0));
    assert!((short.ratio - over(tcp[1].1.unwrap(), ideal[1].1.unwrap())).abs() < 1e-12);
    assert_eq!((long.from, long.flows, long.unfinished), (300, 1, 1));
    assert!((long.ratio - over(4.0, ideal[2].1.unwrap())).abs() < 1e-12, "from 2 s to 6 s");
    let all = over(tcp[1].1.unwrap() + 4.0, ideal[1].1.unwrap() + ideal[2].1.unwrap());
    assert!((found.all.ratio - all).abs() < 1e-12, "the flow of the warm-up is not in it");
    assert_eq!((found.all.flows, found.all.unfinished), (2, 1));

    let relative = of(&report, "rcp", "tcp");
    assert_eq!((relative.all.flows, relative.all.left_out), (1, 1), "unfinished under TCP");
    assert_eq!(relative.by_class.len(), 1);
}

#[test]
fn tables_show_ratios_below_completion_times() {
    let report = report("ratios-table");
    let shown = table::render(&report.summary, table::Style::Plain);
    let at = shown.find("relative to max_min: mean completion time").expect("a block");
    let lines: Vec<Vec<&str>> =
        shown[at..].lines().take(8).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[1], ["packets", "all", "1-29", "300-2999"]);
    assert_eq!(lines[2], ["flows", "2", "1", "1"]);
    let tcp = of(&report, "tcp", "max_min");
    let ratios = [tcp.all.ratio, tcp.by_class[0].ratio, tcp.by_class[1].ratio];
    assert_eq!(lines[3][0], "tcp");
    assert_eq!(lines[3][1..], ratios.map(|ratio| format!("{ratio:.2}")));
    assert_eq!(lines[6], ["tcp", "1", "-", "1"], "unfinished: {shown}");
    assert!(shown.lines().all(|line| line.len() <= 100), "{shown}");
    assert!(!shown.contains("relative to tcp"), "that is for `--against`: {shown}");
}

#[test]
fn a_protocol_against_an_ideal_has_its_queue_beside_it() {
    let mut report = report("ratios-against");
    let link = &mut report.summary.protocols[1].bottleneck;
    // 100 Mb/s over 1 s.
    assert_eq!(link.bdp, 12_500_000.0);
    (link.p99_queue, link.drops) = (6_250_000.0, 7.0);
    let shown = table::against(&report.summary, System::Ideal(Ideal::Srpt));
    assert!(
        shown.contains("relative to srpt") && !shown.contains("relative to max_min"),
        "{shown}"
    );
    assert!(shown.lines().all(|line| line.len() <= 100), "{shown}");
    let row: Vec<&str> =
        shown.lines().find(|line| line.starts_with("  rcp")).unwrap().split_whitespace().collect();
    assert_eq!(row[4..], ["7", "0.50", "BDP"]);
}

#[test]
fn an_ideal_is_added_once() {
    let folder = folder("ratios-plan");
    std::fs::write(folder.join("flows.csv"), FLOWS).unwrap();
    let ideals = |ideal| {
        let overrides = PlanOverrides { ideal: Some(ideal), ..PlanOverrides::default() };
        plan(&folder, SCENARIO, &overrides).scenario.ideals
    };
    assert_eq!(ideals(Ideal::Srpt), [Ideal::MaxMin, Ideal::Srpt]);
    assert_eq!(ideals(Ideal::Fcfs), [Ideal::MaxMin, Ideal::Srpt, Ideal::Fcfs]);
}
