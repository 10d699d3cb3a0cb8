//! `tables/`: all runs of a summary or a sweep as one table, and no others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use parquet::basic::Type as Physical;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Row, RowAccessor};
use sluice_lab::scenario::Document;
use sluice_lab::{
    DamageKind, Options, PlanOverrides, Report, Task, keep, plan_sweep, point_folder, run, sweep,
};

use crate::common::{Quiet, SCENARIO, WEB, folder, plan, results};

/// The tables of a kind in a folder of results, in order of their names.
fn tables(results: &Path, kind: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(results.join("tables").join(kind)).unwrap();
    let mut all: Vec<PathBuf> = all.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

fn reader(path: &Path) -> SerializedFileReader<std::fs::File> {
    SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap()
}

/// The names and types of a table's columns.
fn columns(path: &Path) -> Vec<(String, Physical)> {
    let schema = reader(path).metadata().file_metadata().schema_descr().columns().to_vec();
    schema.iter().map(|column| (column.name().to_owned(), column.physical_type())).collect()
}

fn first_row(path: &Path) -> Row {
    reader(path).get_row_iter(None).unwrap().next().unwrap().unwrap()
}

/// Sweeps [`WEB`], over its `load` for instance.
fn swept(input: &Path, over: &[(&str, &str)]) -> Vec<Report> {
    let text = WEB.replace("load = 0.5", "load = \"$load\"") + "[variables]\nload = 0.5\n";
    let mut document = Document::new("test.toml", text, "test");
    document.set("--set", "replications", "1");
    over.iter().for_each(|(field, values)| document.vary("--vary", field, values));
    let points = plan_sweep(&document, Path::new(""), &PlanOverrides::default()).unwrap();
    sweep(&points, &input.join("out"), &Options::default(), &Quiet).unwrap()
}

#[test]
fn tables_are_those_of_the_summary_s_runs() {
    let input = folder("tables");
    for text in [SCENARIO.to_owned(), SCENARIO.replace("error = 0.001", "error = 0.002")] {
        let (report, _) = results(&input, &text, 2, "out");
        let runs = report.summary.runs.iter();
        let wanted: BTreeSet<Vec<u8>> = runs
            .map(|run| {
                std::fs::read(report.folder.join(&run.folder).join("flows.parquet")).unwrap()
            })
            .collect();
        let found = tables(&report.folder, "flows");
        assert_eq!(found.len(), report.summary.runs.len());
        let found: BTreeSet<Vec<u8>> =
            found.iter().map(|path| std::fs::read(path).unwrap()).collect();
        assert!(found == wanted);
    }
    // Those of the first scenario are there still.
    let (report, _) = results(&input, SCENARIO, 2, "out");
    assert_eq!(report.reused, report.summary.runs.len());
}

#[test]
fn a_kind_without_files_has_no_folder() {
    let input = folder("tables-traces");
    let traced = format!("{SCENARIO}\n[trace]\nflows = [\"long\"]\n");
    let (report, _) = results(&input, &traced, 2, "out");
    assert!(!tables(&report.folder, "trace-flows").is_empty());
    let own = report.folder.join("tables/flows/notes.txt");
    std::fs::write(&own, "a person's own").unwrap();
    let (report, _) = results(&input, SCENARIO, 2, "out");
    assert!(!report.folder.join("tables/trace-flows").exists());
    assert!(own.exists());
}

#[test]
fn a_sweep_s_table_has_its_points_and_no_others() {
    let input = folder("tables-sweep");
    swept(&input, &[("load", "0.2, 0.3, 0.4")]);
    let out = input.join("out");
    for (values, loads) in [("0.3, 0.6", &[0.3, 0.6][..]), ("0.2, 0.3, 0.4", &[0.2, 0.3, 0.4])] {
        let reports = swept(&input, &[("load", values)]);
        let found = tables(&out, "links");
        let runs: usize = reports.iter().map(|report| report.summary.runs.len()).sum();
        assert_eq!(found.len(), runs);
        let read: Vec<f64> =
            found.iter().map(|path| first_row(path).get_double(2).unwrap()).collect();
        let wanted: Vec<f64> = loads.iter().flat_map(|&load| [load; 4]).collect();
        assert_eq!(read, wanted, "rcp, tcp and two ideals at each load");
    }
    // Going back to the first axis made nothing again.
    let reports = swept(&input, &[("load", "0.2, 0.3, 0.4")]);
    assert!(reports.iter().all(|report| report.reused == report.summary.runs.len()));
}

#[test]
fn columns_have_one_type_at_all_points() {
    let input = folder("tables-types");
    let buffer = "topology.dumbbell.buffer";
    let over = [
        ("load", "0.2, 0.4"),
        (buffer, "100 kB, 1 bdp"),
        ("topology.dumbbell.capacity", "20 Mbps"),
    ];
    swept(&input, &over);
    for kind in ["flows", "links", "series"] {
        let all = tables(&input.join("out"), kind);
        let first = columns(&all[0]);
        let of_point = [
            ("protocol", Physical::BYTE_ARRAY),
            ("seed", Physical::INT64),
            ("load", Physical::DOUBLE),
            (buffer, Physical::BYTE_ARRAY),
            ("topology.dumbbell.capacity", Physical::DOUBLE),
        ];
        assert_eq!(first[..5], of_point.map(|(name, kind)| (name.to_owned(), kind)));
        assert!(all.iter().all(|path| columns(path) == first));
    }
    let row = first_row(&tables(&input.join("out"), "links")[0]);
    assert_eq!(row.get_string(3).unwrap(), "100 kB");
    assert_eq!(row.get_double(4).unwrap(), 2e7);
    let path = &tables(&input.join("out"), "links")[0];
    let metadata = reader(path).metadata().file_metadata().key_value_metadata().cloned().unwrap();
    let unit = metadata.iter().find(|pair| pair.key == "sluice.unit.topology.dumbbell.capacity");
    assert_eq!(unit.unwrap().value.as_deref(), Some("bit/s"));
}

#[test]
fn a_swept_field_never_hides_another_column() {
    let input = folder("tables-names");
    let text = SCENARIO.replace("\"20 Mbps\"", "\"$From\"");
    let text = format!("{text}\n[variables]\nFrom = \"20 Mbps\"\n");
    let mut document = Document::new("test.toml", text, "test");
    document.vary("--vary", "From", "20 Mbps");
    document.vary("--vary", "seed", "7");
    let points = plan_sweep(&document, &input, &PlanOverrides::default()).unwrap();
    sweep(&points, &input.join("out"), &Options::default(), &Quiet).unwrap();
    let names = |kind| -> Vec<String> {
        columns(&tables(&input.join("out"), kind)[0]).into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names("links")[..5], ["protocol", "seed", "point.From", "point.seed", "from"]);
    assert_eq!(names("flows")[..5], ["protocol", "seed", "From", "point.seed", "group"]);
}

#[test]
fn runs_of_a_point_made_elsewhere_are_those_made_here() {
    let input = folder("tables-tasks");
    let document = || {
        let mut document = Document::new("test.toml", SCENARIO, "test");
        document.vary("--vary", "group.web.poisson.load", "0.2, 0.4");
        document
    };
    let points = plan_sweep(&document(), &input, &PlanOverrides::default()).unwrap();
    let out = input.join("out");
    for (index, (_, plan)) in points.iter().enumerate() {
        for seed in [1, 2] {
            for files in Task::new(plan, seed).unwrap().run(&Quiet).unwrap().unwrap() {
                keep(&point_folder(&out, index), &files).unwrap();
            }
        }
    }
    let reports = sweep(&points, &out, &Options::default(), &Quiet).unwrap();
    assert!(reports.iter().all(|report| report.reused == report.summary.runs.len()));
}

#[test]
fn a_damaged_run_is_replaced_in_its_table() {
    let input = folder("tables-damaged");
    let (report, _) = results(&input, SCENARIO, 2, "out");
    let table = report.folder.join("tables/flows/tcp-1.parquet");
    let whole = std::fs::read(&table).unwrap();
    std::fs::write(&table, b"altered").unwrap();
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    let again = run(&plan, &report.folder, &Options::default(), &Quiet).unwrap();
    // On a file system with links, they are one file.
    assert!(again.damaged.iter().all(|damage| damage.kind == DamageKind::Altered));
    assert_eq!(std::fs::read(&table).unwrap(), whole);
}
