//! How a page fares with ten million flows, and many links: `docs/performance.md` has what this prints.

use std::path::Path;
use std::time::Instant;

use parquet::data_type::ByteArray;
use sluice_laws::registry::ProtocolName;

use crate::results::columns::{Cell, Column, ColumnType, Rows};
use crate::results::{RunId, RunLabel, SUMMARY};
use crate::scenario::SCHEMA;
use crate::{
    BinSummary, GroupSummary, LinkSummary, ProtocolSummary, Quantiles, RunSummary, Summary, System,
};

const COLUMNS: [Column; 6] = [
    ("group", ColumnType::Text, false),
    ("index", ColumnType::Int, false),
    ("size_bytes", ColumnType::Int, true),
    ("completion_ns", ColumnType::Int, true),
    ("alone_ns", ColumnType::Int, true),
    ("measured", ColumnType::Bool, false),
];
const LINK: [Column; 8] = [
    ("from", ColumnType::Text, false),
    ("to", ColumnType::Text, false),
    ("capacity_bps", ColumnType::Int, false),
    ("utilization", ColumnType::Float, false),
    ("mean_queue_bytes", ColumnType::Int, false),
    ("p99_queue_bytes", ColumnType::Int, false),
    ("drops", ColumnType::Int, false),
    ("marks", ColumnType::Int, false),
];
const SERIES: [Column; 6] = [
    ("link", ColumnType::Text, true),
    ("group", ColumnType::Text, true),
    ("index", ColumnType::Int, true),
    ("time_ns", ColumnType::Int, false),
    ("quantity", ColumnType::Text, false),
    ("value", ColumnType::Float, false),
];

/// Numbers without a pattern, the same every time: SplitMix64.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn write_run(folder: &Path, run: &RunSummary, flows: u64, links: usize, slow: f64) {
    std::fs::create_dir_all(folder).unwrap();
    let id = RunId { system: run.protocol, seed: run.seed, key: run.key.clone() };
    let label = RunLabel::of(&id, &[]);
    let text = |text: &str| Cell::Text(ByteArray::from(text));
    let mut rows = Rows::create(&folder.join("flows.parquet"), &COLUMNS, &label).unwrap();
    let (mut draws, web) = (Draws(1), text("web"));
    for index in 0..flows {
        // Pareto sizes of shape 1.2 from 100 B, on a path of 10 Gb/s and 40 ms.
        let size = (100.0 * (1.0 - draws.next()).powf(-1.0 / 1.2)).min(1e12);
        let alone = 4e7 + size * 0.8;
        let took = alone * (1.0 + slow * draws.next() * size.ln());
        let (size, alone, took) = (size as u64, alone as u64, took as u64);
        let (size, alone, took) = (Cell::Int(size), Cell::Int(alone), Cell::Int(took));
        rows.push([web.clone(), Cell::Int(index), size, took, alone, Cell::Bool(true)]).unwrap();
    }
    rows.finish().unwrap();
    let mut rows = Rows::create(&folder.join("links.parquet"), &LINK, &label).unwrap();
    let (bps, used) = (Cell::Int(10_000_000_000), Cell::Float(0.9));
    let queue = Cell::Int(1_000);
    for link in 0..links {
        let to = text(&format!("b{link}"));
        let queues = [(); 4].map(|()| queue.clone());
        let [mean, p99, drops, marks] = queues;
        rows.push([text("a"), to, bps.clone(), used.clone(), mean, p99, drops, marks]).unwrap();
    }
    rows.finish().unwrap();
    let mut rows = Rows::create(&folder.join("series.parquet"), &SERIES, &label).unwrap();
    for time in 0..flows / 10 {
        let value = Cell::Float(1e6 * draws.next());
        let time = Cell::Int(time * 1_000_000);
        let name = text("queue_bytes");
        rows.push([text("a>b"), Cell::None, Cell::None, time, name, value]).unwrap();
    }
    rows.finish().unwrap();
}

fn write_results(folder: &Path, flows: u64, links: usize) {
    let names = [ProtocolName::Rcp, ProtocolName::Xcp, ProtocolName::Tcp];
    let summary = Summary {
        schema: SCHEMA,
        name: "many flows".into(),
        build: String::new(),
        confidence: 0.95,
        measured: [0.0, 1.0],
        bottleneck_capacity: 10_000_000_000,
        links_left_out: 0,
        protocols: names.map(|name| of_protocol(name, flows)).into(),
        ideals: Vec::new(),
        analytic: None,
        pairs: Vec::new(),
        ratios: Vec::new(),
        warnings: Vec::new(),
        runs: names.map(|name| of_run(name, flows)).into(),
        interrupted: Vec::new(),
        files: Vec::new(),
    };
    for (number, run) in summary.runs.iter().enumerate() {
        write_run(&folder.join(&run.folder), run, flows, links, 0.1 + number as f64 / 10.0);
    }
    std::fs::write(folder.join(SUMMARY), serde_json::to_string(&summary).unwrap()).unwrap();
    std::fs::write(folder.join("scenario.toml"), "# drawn, not simulated\n").unwrap();
}

fn of_protocol(name: ProtocolName, flows: u64) -> ProtocolSummary {
    let nothing = Quantiles::default();
    let (completion, slowdown, ideal_ratio) = (nothing, nothing, nothing);
    let (from, to) = ("a".into(), "b".into());
    let (utilization, mean_queue, p99_queue, offered) = (0.9, 1e3, 1e3, 9e9);
    let (capacity, drops, marks, errors) = (10_000_000_000, 0.0, 0.0, 0.0);
    let bottleneck = LinkSummary {
        from,
        to,
        capacity,
        utilization,
        mean_queue,
        p99_queue,
        drops,
        marks,
        errors,
        bdp: 0.0,
        offered,
        unresponsive: 0.0,
    };
    let web = GroupSummary {
        name: "web".into(),
        flows,
        throughput: offered,
        offered,
        completion: None,
        slowdown: None,
        streams: None,
        statuses: None,
    };
    ProtocolSummary {
        protocol: System::Protocol(name),
        runs: 1,
        repeats: 0,
        unfinished: 0,
        retransmissions: 0,
        drops: 0,
        ingress_drops: None,
        capped_statements: None,
        errors: 0,
        offered,
        all: BinSummary { from: 0, to: None, flows, completion, slowdown, ideal_ratio },
        by_size: Vec::new(),
        estimate: None,
        links: vec![bottleneck.clone()],
        bottleneck,
        groups: vec![web],
        long: None,
        streams: None,
    }
}

fn of_run(name: ProtocolName, flows: u64) -> RunSummary {
    RunSummary {
        protocol: System::Protocol(name),
        seed: 1,
        key: String::new(),
        folder: format!("runs/{name}"),
        end: 1.0,
        measured: flows,
        unfinished: 0,
        offered: 9_000_000_000,
    }
}

/// Seconds that a page takes, and its size.
fn measure(folder: &Path, flows: u64, links: usize) -> (f64, u64) {
    write_results(folder, flows, links);
    let begin = Instant::now();
    let page = super::draw(folder, None).unwrap();
    (begin.elapsed().as_secs_f64(), std::fs::metadata(page).unwrap().len())
}

#[test]
fn a_page_does_not_grow_with_flows() {
    let folder = tempfile::tempdir().unwrap();
    let [few, many] =
        [20_000, 200_000].map(|flows| measure(&folder.path().join(flows.to_string()), flows, 1).1);
    // Larger counts have more digits, and the tail reaches larger sizes.
    assert!(many < 600_000 && many.abs_diff(few) < few / 4, "{few} {many}");
}

#[test]
fn a_page_does_not_grow_with_links() {
    let folder = tempfile::tempdir().unwrap();
    let [some, many] =
        [400, 20_000].map(|links| measure(&folder.path().join(links.to_string()), 1, links).1);
    assert!(many < some && some < 400_000, "{some} {many}");
}

/// `cargo test --release -p sluice-lab --lib -- --ignored --nocapture ten_million`
#[test]
#[ignore = "long, writes a gigabyte: make test-long"]
fn ten_million_flows_under_each_of_three_protocols() {
    let folder = tempfile::tempdir().unwrap();
    let (seconds, size) = measure(folder.path(), 10_000_000, 1);
    println!("30,000,000 rows of flows: {seconds:.1} s, a page of {size} bytes");
    assert!(size < 1_000_000, "{size}");
}
