//! A scenario that uses most features, and its results.

// Each test file uses a part of this.
#![allow(dead_code)]

mod web;

pub use web::{WEB, swept};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Row;
use parquet::schema::types::{Type, TypePtr};
use sluice_lab::scenario::Source;
use sluice_lab::{Monitor, Options, Plan, PlanOverrides, Report, run};
use sluice_laws::registry::ProtocolName;

pub const SCENARIO: &str = r#"
schema = 1
replications = 2
warm_up = "500 ms"
stop = "2 s"
limit = "20 s"

[topology.dumbbell]
pairs = 2
capacity = "20 Mbps"
rtt = ["20 ms", "60 ms"]
error = 0.001

[[group]]
name = "web"
pairs = "each"
poisson = { load = 0.6, sizes = { pareto = { mean = "30 packets", shape = 1.35 } } }

[[group]]
name = "list"
from = "s0"
to = "d1"
replay = "flows.csv"

[[group]]
name = "long"
from = "d0"
to = "s0"
long = { count = 2, spacing = "100 ms", stop = "1.5 s" }

[[metrics]]
link = ["left", "right"]
every = "50 ms"

[[metrics]]
flow = { group = "long", index = 1 }
every = "50 ms"
"#;

/// Number of protocols that any flow may have: `xcp_guaranteed` asks for a profile.
pub const PROTOCOLS: usize = ProtocolName::ALL.len() - 1;
/// Those plus two ideals.
pub const SYSTEMS: usize = PROTOCOLS + 2;
/// Each with two seeds.
pub const RUNS: usize = SYSTEMS * 2;

pub struct Quiet;

impl Monitor for Quiet {
    fn expect(&self, _: usize) -> usize {
        0
    }

    fn progress(&self, _: usize, fraction: f64) {
        assert!((0.0..=1.0).contains(&fraction), "{fraction}");
    }

    fn cancelled(&self) -> bool {
        false
    }
}

pub struct Cancelled;

impl Monitor for Cancelled {
    fn expect(&self, _: usize) -> usize {
        0
    }

    fn progress(&self, _: usize, _: f64) {}

    fn cancelled(&self) -> bool {
        true
    }
}

/// An empty folder for this test, with the flows that the scenario replays.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("flows.csv"), "start,size\n0.6,50000\n0.7,1\n").unwrap();
    folder
}

pub fn plan(folder: &Path, text: &str, overrides: &PlanOverrides) -> Plan {
    let source = Source::parse("test.toml", text, "test").unwrap();
    Plan::of(&source, folder.to_owned(), overrides).unwrap_or_else(|error| panic!("{error}"))
}

pub fn results(input: &Path, text: &str, threads: usize, out: &str) -> (Report, Files) {
    let plan = plan(input, text, &PlanOverrides::default());
    let out = input.join(out);
    let options = Options { threads, again: false, ..Options::default() };
    let report = run(&plan, &out, &options, &Quiet).unwrap();
    (report, files(&out))
}

pub type Files = BTreeMap<String, Vec<u8>>;

/// All files in a folder and its subfolders, by relative path.
pub fn files(folder: &Path) -> Files {
    let mut found = Files::new();
    collect(folder, "", &mut found);
    found
}

fn collect(folder: &Path, prefix: &str, found: &mut Files) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), found);
        } else {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
}

/// The path of a file of the run whose folder begins with this name.
pub fn path_of(report: &Report, run: &str, file: &str) -> PathBuf {
    let folder =
        &report.summary.runs.iter().find(|found| found.folder.starts_with(&format!("runs/{run}-")));
    report.folder.join(&folder.unwrap_or_else(|| panic!("no run {run}")).folder).join(file)
}

/// The rows of a Parquet file, without the columns for protocol and seed.
pub fn rows(path: &Path) -> Vec<Row> {
    let file = std::fs::File::open(path).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let schema = reader.metadata().file_metadata().schema().clone();
    let is_own = |field: &&TypePtr| !["protocol", "seed"].contains(&field.name());
    let own = schema.get_fields().iter().filter(is_own).cloned().collect();
    let own = Type::group_type_builder(schema.name()).with_fields(own).build().unwrap();
    reader.get_row_iter(Some(own)).unwrap().map(Result::unwrap).collect()
}
