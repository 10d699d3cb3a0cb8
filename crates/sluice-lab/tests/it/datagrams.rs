//! Streams of datagrams from a scenario to its results.

use std::path::PathBuf;

use crate::common::{Quiet, files, path_of, rows};
use parquet::record::RowAccessor;
use sluice_lab::scenario::Source;
use sluice_lab::{Options, Plan, PlanOverrides, Report, run, table};

const SCENARIO: &str = r#"
schema = 1
protocols = ["tcp", "rcp"]
ideals = ["max_min"]
stop = "10 s"
topology.dumbbell = { capacity = "10 Mbps", rtt = "20 ms", buffer = "50 packets" }

[[group]]
name = "voice"
pairs = "each"
udp = { rate = "3 Mbps", size = "1000 B", count = 2 }

[[group]]
name = "trace"
pairs = "each"
direction = "reverse"
udp = { replay = "datagrams.csv", start = "1 s" }

[[group]]
name = "bulk"
pairs = "each"
long = {}
"#;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("datagrams.csv"), "time (ms),size\n0,100 B\n20,200\n10,300\n")
        .unwrap();
    folder
}

fn results(name: &str, text: &str) -> Report {
    let folder = folder(name);
    let source = Source::parse("test.toml", text, "test").unwrap_or_else(|e| panic!("{e}"));
    let plan = Plan::of(&source, folder.clone(), &PlanOverrides::default());
    let plan = plan.unwrap_or_else(|error| panic!("{error}"));
    run(&plan, &folder.join("out"), &Options::default(), &Quiet).unwrap()
}

/// A row for each stream, which is no flow in any other result; 3 Mb/s are 3,750 datagrams in 10 s.
#[test]
fn streams_are_rows_and_groups_of_their_own() {
    let report = results("datagrams", SCENARIO);
    let rows = rows(&path_of(&report, "tcp-1", "flows.parquet"));
    let kinds: Vec<&str> = rows.iter().map(|row| row.get_string(14).unwrap().as_str()).collect();
    assert_eq!(kinds, ["long", "udp", "udp", "udp"]);
    let counts = |row: usize| [15, 16, 17].map(|column| rows[row].get_long(column).unwrap());
    let [sent, delivered, lost] = counts(1);
    assert_eq!(sent, 3_750);
    assert!((sent - delivered - lost) < 60, "{delivered} {lost}");
    assert_eq!(counts(3), [3, 3, 0]);
    assert_eq!(rows[3].get_long(12).unwrap(), 600, "bytes of the file");

    let summary = &report.summary;
    for system in &summary.protocols {
        let all = system.streams.expect("there are streams");
        assert_eq!((all.streams, all.sent), (3, 7_503.0));
        assert_eq!(system.long.expect("a long flow").flows, 1, "streams are not fair or unfair");
        assert_eq!((system.unfinished, system.all.flows), (0, 0));
        let [voice, trace, bulk] = &system.groups[..] else { panic!("three groups") };
        assert!(voice.throughput > 5.5e6 && bulk.throughput > 1e6, "{voice:?} {bulk:?}");
        assert!((voice.streams.unwrap().offered / 6e6 - 1.0).abs() < 1e-6);
        assert_eq!(trace.streams.unwrap().loss, Some(0.0));
        assert!(bulk.streams.is_none());
        assert!((system.bottleneck.unresponsive / 6e6 - 1.0).abs() < 1e-6);
    }
    let ideal = &summary.ideals[0];
    assert!((ideal.groups[0].throughput / 6e6 - 1.0).abs() < 0.01, "streams come first");
    assert!((ideal.groups[2].throughput / 4e6 - 1.0).abs() < 0.01, "and flows get the rest");

    let text = table::render(summary, table::Style::Plain);
    for line in
        ["datagram streams 6.00 Mb/s (60.0 %)", "load of datagram streams", "datagrams lost"]
    {
        assert!(text.contains(line), "{line}:\n{text}");
    }
}

/// The scenario beside the results has the file of datagrams with it.
#[test]
fn a_scenario_with_streams_can_be_written_and_run_again() {
    let report = results("datagrams-again", SCENARIO);
    let again = Plan::read(&report.folder.join("scenario.toml"), &PlanOverrides::default());
    let again = again.unwrap_or_else(|error| panic!("{error}"));
    let second = folder("datagrams-second");
    run(&again, &second, &Options::default(), &Quiet).unwrap();
    std::fs::remove_file(second.join("datagrams.csv")).unwrap();
    assert!(files(&report.folder) == files(&second), "files differ");
}

/// 6 Mb/s and 0.5 of 10 Mb/s are more than the link carries; streams alone are no reason to warn, since
/// no completion time depends on them.
#[test]
fn overload_by_streams_is_a_warning_where_flows_have_completion_times() {
    let codes = |text: &str| -> Vec<String> {
        results("datagrams-overload", text).summary.warnings.into_iter().map(|w| w.code).collect()
    };
    let sized = "poisson = { load = 0.5, sizes.fixed = \"10 packets\" }";
    let overload = "overload".to_owned();
    assert!(codes(&SCENARIO.replace("long = {}", sized)).contains(&overload));
    let stream = "udp = { load = 0.5, size = \"1 kB\" }";
    assert!(!codes(&SCENARIO.replace("long = {}", stream)).contains(&overload));
}

/// Captures have UDP in IPv4, and tables name the kind.
#[test]
fn datagrams_are_traced() {
    let report = results(
        "datagrams-traced",
        &format!("{SCENARIO}\n[trace]\npackets = [[\"left\", \"right\"]]\n"),
    );
    let rows = rows(&path_of(&report, "tcp-1", "trace-packets.parquet"));
    let is = |row: &&parquet::record::Row| row.get_string(5).unwrap() == "datagram";
    let delivered = |row: &&parquet::record::Row| row.get_string(2).unwrap() == "deliver";
    assert!(rows.iter().filter(is).filter(delivered).count() > 7_000);
}
