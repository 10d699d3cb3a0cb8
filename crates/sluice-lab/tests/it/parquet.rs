//! Contents of the Parquet files: names, types and values.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{SCENARIO, folder, path_of, results, rows};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Row, RowAccessor};

/// Indices of columns in `flows.parquet`.
const GROUP: usize = 0;
const INDEX: usize = 1;
const PATH: usize = 2;
const START: usize = 3;
const SIZE: usize = 4;
const COMPLETION: usize = 5;
const ALONE: usize = 6;
const SLOWDOWN: usize = 7;
const IDEAL: usize = 8;
const RATIO: usize = 9;
const MEASURED: usize = 13;
const ACKNOWLEDGED: usize = 20;

fn columns(path: &std::path::Path) -> String {
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr();
    let column = |column: &parquet::schema::types::ColumnDescPtr| {
        let may = if column.self_type().is_optional() { "?" } else { "" };
        format!("{} {}{may}", column.name(), column.physical_type())
    };
    schema.columns().iter().map(column).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_columns_are_those_of_the_manual() {
    let (report, _) = results(&folder("columns"), SCENARIO, 2, "out");
    let file = |name: &str| columns(&path_of(&report, "tcp", name));
    assert_eq!(
        file("flows.parquet"),
        "protocol BYTE_ARRAY, seed INT64, group BYTE_ARRAY, index INT64, path BYTE_ARRAY, start_ns INT64, size_bytes INT64?, \
         completion_ns INT64?, alone_ns INT64?, slowdown DOUBLE?, ideal_ns INT64?, \
         ideal_ratio DOUBLE?, retransmissions INT64, resent_measured INT64, \
         delivered_bytes INT64, measured BOOLEAN, kind BYTE_ARRAY, datagrams_sent INT64?, \
         datagrams_delivered INT64?, datagrams_lost INT64?, delay_mean_ns INT64?, delay_p99_ns INT64?, \
         acknowledged_ns INT64?, status BYTE_ARRAY?"
    );
    assert_eq!(
        file("links.parquet"),
        "protocol BYTE_ARRAY, seed INT64, from BYTE_ARRAY, to BYTE_ARRAY, capacity_bps INT64, delay_ns INT64, router BOOLEAN, utilization DOUBLE, \
         sent_bytes INT64, mean_queue_bytes INT64, p99_queue_bytes INT64, max_queue_bytes INT64, \
         drops INT64, early_drops INT64, marks INT64, errors INT64, \
         tests INT64?, failed_tests INT64?, convicted_flows INT64?, policed_drops INT64?, tracked_flows INT64?, \
         macro_flows INT64?, ingress_drops INT64?, ingress_wait_ns INT64?"
    );
    assert_eq!(
        file("series.parquet"),
        "protocol BYTE_ARRAY, seed INT64, link BYTE_ARRAY?, group BYTE_ARRAY?, index INT64?, time_ns INT64, quantity BYTE_ARRAY, \
         value DOUBLE"
    );
}

#[test]
fn every_row_of_every_table_names_its_run() {
    let text =
        format!("{SCENARIO}\n[trace]\nflows = [\"long\"]\npackets = [[\"left\", \"right\"]]\n");
    let (report, _) = results(&folder("labels"), &text, 2, "out");
    for run in &report.summary.runs {
        let folder = report.folder.join(&run.folder);
        let mut tables = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "parquet") {
                tables += 1;
                for row in all_columns(&path) {
                    assert_eq!(row.get_string(0).unwrap(), run.protocol.as_str());
                    assert_eq!(row.get_long(1).unwrap(), run.seed as i64);
                }
            }
        }
        assert!(tables >= 3, "{tables} tables of {}", run.folder);
    }
}

fn all_columns(path: &std::path::Path) -> Vec<Row> {
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_file_names_its_run() {
    let (report, _) = results(&folder("about"), SCENARIO, 2, "out");
    let run = report.summary.runs.last().unwrap();
    let path = report.folder.join(&run.folder).join("flows.parquet");
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let about = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let about: BTreeMap<&str, &str> =
        about.iter().map(|pair| (&*pair.key, pair.value.as_deref().unwrap())).collect();
    assert_eq!(about["sluice.protocol"], run.protocol.as_str());
    assert_eq!(about["sluice.seed"], run.seed.to_string());
    assert_eq!((about["sluice.key"], about["sluice.schema"]), (&*run.key, "1"));
}

fn name(flow: &Row) -> (String, i64) {
    (flow.get_string(GROUP).unwrap().clone(), flow.get_long(INDEX).unwrap())
}

#[test]
fn a_flow_is_compared_with_itself_alone_and_under_max_min() {
    let (report, _) = results(&folder("joined"), SCENARIO, 2, "out");
    let flows = |run: &str| rows(&path_of(&report, run, "flows.parquet"));
    let ideal: BTreeMap<_, _> = flows("max_min-2")
        .iter()
        .filter_map(|flow| Some((name(flow), flow.get_long(COMPLETION).ok()?)))
        .collect();
    for run in ["tcp-2", "rcp-2", "srpt-2"] {
        let mut compared = 0;
        for flow in flows(run) {
            let (completion, alone) = (flow.get_long(COMPLETION), flow.get_long(ALONE));
            assert_eq!(flow.get_long(IDEAL).ok(), ideal.get(&name(&flow)).copied());
            if let (Ok(completion), Ok(ideal)) = (completion, flow.get_long(IDEAL)) {
                compared += 1;
                assert!(flow.get_long(ACKNOWLEDGED).unwrap() > completion);
                let completion = completion as f64;
                assert_eq!(flow.get_double(RATIO).unwrap(), completion / ideal as f64);
                assert_eq!(flow.get_double(SLOWDOWN).unwrap(), completion / alone.unwrap() as f64);
            } else {
                assert!(flow.get_double(RATIO).is_err());
            }
        }
        assert!(compared > 30, "{run}: {compared}");
    }
    assert!(flows("max_min-2").iter().all(|flow| flow.get_long(IDEAL).is_err()));
}

#[test]
fn paths_and_missing_values() {
    let (report, _) = results(&folder("paths"), SCENARIO, 2, "out");
    let flows = rows(&path_of(&report, "xcp-1", "flows.parquet"));
    let of = |group: &str| -> Vec<&Row> {
        flows.iter().filter(|flow| flow.get_string(GROUP).unwrap() == group).collect()
    };
    let [list, _] = of("list")[..] else { panic!("two flows are listed") };
    assert_eq!(list.get_string(PATH).unwrap(), "s0>left>right>d1");
    let listed: BTreeSet<i64> =
        of("list").iter().map(|flow| flow.get_long(SIZE).unwrap()).collect();
    assert_eq!(listed, [1, 50_000].into());
    let [long, _] = of("long")[..] else { panic!("two flows are long") };
    assert_eq!(long.get_string(PATH).unwrap(), "d0>right>left>s0");
    assert!(long.get_long(SIZE).is_err() && long.get_long(COMPLETION).is_err());
}

#[test]
fn protocols_get_the_same_flows() {
    let (report, _) = results(&folder("same-flows"), SCENARIO, 2, "out");
    let arrivals = |run: &str| -> BTreeSet<(String, i64, i64, i64)> {
        rows(&path_of(&report, run, "flows.parquet"))
            .iter()
            .filter(|flow| flow.get_bool(MEASURED).unwrap())
            .filter_map(|flow| {
                let (group, index) = name(flow);
                Some((group, index, flow.get_long(START).unwrap(), flow.get_long(SIZE).ok()?))
            })
            .collect()
    };
    assert!(arrivals("rcp-1").len() > 20);
    for other in ["xcp-1", "tcp-1", "ncp-1", "max_min-1", "srpt-1"] {
        assert_eq!(arrivals("rcp-1"), arrivals(other), "{other}");
    }
}

#[test]
fn series_are_in_the_long_format() {
    let (report, _) = results(&folder("series"), SCENARIO, 2, "out");
    let series = rows(&path_of(&report, "rcp-1", "series.parquet"));
    let queue: Vec<i64> = series
        .iter()
        .filter(|row| row.get_string(0).is_ok_and(|link| link == "left>right"))
        .filter(|row| row.get_string(4).unwrap() == "queue_bytes")
        .map(|row| row.get_long(3).unwrap())
        .collect();
    // Every 50 ms, at least until the stop at 2 s.
    assert!(queue.len() >= 40 && queue[39] == 2_000_000_000, "{queue:?}");
    let of_flow = |row: &&Row| row.get_string(1).is_ok_and(|group| group == "long");
    assert!(series.iter().filter(of_flow).all(|row| row.get_long(2).unwrap() == 1));
    assert!(series.iter().filter(of_flow).count() > 40);
}

#[test]
fn a_group_is_sampled_with_all_its_pairs() {
    let metrics = "\n[[metrics]]\ngroup = \"web\"\nevery = \"100 ms\"\n";
    let (report, _) = results(&folder("group-metrics"), &format!("{SCENARIO}{metrics}"), 2, "out");
    let path = path_of(&report, "tcp", "series.parquet");
    let mut bits = 0.0;
    let mut quantities = BTreeSet::new();
    for row in rows(&path) {
        // Link, group, index, time, quantity, value.
        let quantity = row.get_string(4).unwrap();
        if row.get_string(0).is_err() && row.get_long(2).is_err() {
            assert_eq!(row.get_string(1).unwrap(), "web");
            quantities.insert(quantity.clone());
            let value = row.get_double(5).unwrap();
            if quantity == "throughput_bps" {
                bits += value * 0.1;
            } else if quantity == "jain" {
                assert!(value > 0.0 && value <= 1.0, "{value}");
            }
        }
    }
    assert_eq!(quantities.len(), 3, "{quantities:?}");
    // All flows of both pairs finish, those of the warm-up, too.
    let flows = rows(&path_of(&report, "tcp", "flows.parquet"));
    let of_web = flows.iter().filter(|row| row.get_string(GROUP).unwrap().starts_with("web"));
    let received: f64 = of_web.map(|row| row.get_long(SIZE).unwrap() as f64 * 8.0).sum();
    assert!((bits / received - 1.0).abs() < 0.01, "{bits} of {received}");
}
