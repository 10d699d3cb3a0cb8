//! Stored runs: reused, never mixed with those of other scenarios, never used if incomplete.

use std::path::Path;

use crate::common::{
    PROTOCOLS, Quiet, RUNS, SCENARIO, SYSTEMS, files, folder, path_of, plan, results,
};
use sluice_lab::{Damage, DamageKind, Options, PlanOverrides, run};

/// Modification time of a run's file.
fn written(path: &Path) -> std::time::SystemTime {
    path.metadata().unwrap().modified().unwrap()
}

#[test]
fn stored_runs_are_reused_unless_run_again() {
    let input = folder("reused");
    let (first, before) = results(&input, SCENARIO, 2, "out");
    assert_eq!((first.reused, first.others), (0, 0));
    let path = path_of(&first, "tcp-1", "flows.parquet");
    let made = written(&path);
    let (second, after) = results(&input, SCENARIO, 2, "out");
    assert_eq!((second.reused, second.others), (RUNS, 0));
    assert!(before == after, "a summary of stored runs differs from that of fresh ones");
    assert_eq!(written(&path), made);
    let options = Options { threads: 2, again: true, ..Options::default() };
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    let third = run(&plan, &input.join("out"), &options, &Quiet).unwrap();
    assert_eq!(third.reused, 0);
    assert!(written(&path) > made);
    assert!(before == files(&input.join("out")), "the same run again differs");
}

#[test]
fn another_scenario_s_runs_stay_and_do_not_count() {
    let input = folder("others");
    results(&input, SCENARIO, 2, "out");
    std::fs::write(input.join("out/notes.txt"), "a person's own").unwrap();
    let other = SCENARIO.replace("error = 0.001", "error = 0.002");
    let (report, found) = results(&input, &other, 2, "out");
    assert_eq!((report.reused, report.others), (0, RUNS));
    assert_eq!(report.summary.runs.len(), RUNS);
    assert!(found.contains_key("notes.txt"));
    // Now runs of both scenarios are stored.
    let (back, _) = results(&input, SCENARIO, 2, "out");
    assert_eq!((back.reused, back.others), (RUNS, RUNS));
}

#[test]
fn a_runs_key_contains_only_what_affects_it() {
    let input = folder("keys");
    results(&input, SCENARIO, 2, "out");
    let reused = |text: &str| results(&input, text, 2, "out").0.reused;
    // Only RCP's own runs change with it.
    assert_eq!(reused(&format!("{SCENARIO}\n[rcp]\nalpha = 0.3")), RUNS - 2);
    // Another name, fewer protocols or other seeds: the runs stay the same.
    assert_eq!(reused(&format!("name = \"other\"\n{SCENARIO}")), RUNS);
    assert_eq!(reused(&format!("protocols = [\"tcp\"]\n{SCENARIO}")), 6);
    assert_eq!(reused(&SCENARIO.replace("replications = 2", "seeds = [2, 9]")), SYSTEMS);
    // Flows without a comparison with the max-min ideal have other columns.
    assert_eq!(reused(&format!("ideals = [\"srpt\"]\n{SCENARIO}")), 0);
    // Files are identified by content.
    std::fs::write(input.join("flows.csv"), "start,size\n0.6,50000\n0.7,2\n").unwrap();
    assert_eq!(reused(SCENARIO), 0);
}

#[test]
fn half_a_run_does_not_count() {
    let input = folder("half");
    let (report, whole) = results(&input, SCENARIO, 2, "out");
    // As left by a kill: in the folder of the writer, with some files only.
    let run = path_of(&report, "tcp-1", "run.json").parent().unwrap().to_owned();
    std::fs::remove_file(run.join("run.json")).unwrap();
    let part = report.folder.join("1.part");
    std::fs::create_dir(&part).unwrap();
    std::fs::write(part.join("lock"), "").unwrap();
    std::fs::rename(&run, part.join(run.file_name().unwrap())).unwrap();
    let (report, again) = results(&input, SCENARIO, 2, "out");
    assert_eq!((report.reused, report.damaged), (RUNS - 1, vec![]));
    assert!(whole == again, "{:?}", again.keys());
}

#[test]
fn a_run_with_a_damaged_file_is_made_again_and_reported() {
    let input = folder("unfit");
    let (report, whole) = results(&input, SCENARIO, 2, "out");
    for file in ["flows.parquet", "links.parquet", "series.parquet", "run.json"] {
        let path = path_of(&report, "tcp-1", file);
        let bytes = std::fs::read(&path).unwrap();
        let mut altered = bytes.clone();
        // A digit of a number, in JSON; no header or footer, in Parquet.
        let at = if file == "run.json" { bytes.len() / 2 } else { 40 };
        let at = (at..).find(|&at| file != "run.json" || bytes[at].is_ascii_digit()).unwrap();
        altered[at] ^= 1;
        let damages = [
            (DamageKind::Missing, None),
            (DamageKind::Altered, Some(&bytes[..bytes.len() - 1])),
            (DamageKind::Altered, Some(&bytes[..0])),
            (DamageKind::Altered, Some(&altered[..])),
        ];
        for (kind, found) in damages {
            std::fs::remove_file(&path).unwrap();
            found.map_or(Ok(()), |found| std::fs::write(&path, found)).unwrap();
            let (again, files) = results(&input, SCENARIO, 2, "out");
            assert_eq!(again.reused, RUNS - 1, "{file}: {kind:?}");
            assert_eq!(again.damaged, [Damage { file: path.clone(), kind: kind.clone() }]);
            assert!(files == whole, "{file}: {kind:?}");
        }
    }
}

#[test]
fn a_run_under_another_runs_name_is_not_taken_for_it() {
    let input = folder("renamed");
    let (report, whole) = results(&input, SCENARIO, 2, "out");
    let run = |name| path_of(&report, name, "run.json").parent().unwrap().to_owned();
    std::fs::remove_dir_all(run("tcp-1")).unwrap();
    std::fs::rename(run("tcp-2"), run("tcp-1")).unwrap();
    let (again, files) = results(&input, SCENARIO, 2, "out");
    assert_eq!((again.reused, again.damaged.len()), (RUNS - 2, 1));
    assert!(files == whole);
}

#[test]
fn an_altered_comparison_is_made_again() {
    let input = folder("pair");
    let (report, whole) = results(&input, SCENARIO, 2, "out");
    let name = whole.keys().find(|name| name.starts_with("pairs/")).unwrap();
    let text = String::from_utf8(whole[name].clone()).unwrap();
    let at = text.rfind(|digit: char| digit.is_ascii_digit()).unwrap();
    let digit = if &text[at..=at] == "7" { "8" } else { "7" };
    let altered = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
    std::fs::write(report.folder.join(name), altered).unwrap();
    let (_, files) = results(&input, SCENARIO, 2, "out");
    assert!(files == whole, "an altered comparison is in the summary");
}

#[test]
fn without_ideals_there_are_none() {
    let input = folder("no-ideals");
    let (report, files) = results(&input, &format!("ideals = []\n{SCENARIO}"), 2, "out");
    assert!(report.summary.ideals.is_empty());
    assert_eq!(report.summary.runs.len(), PROTOCOLS * 2);
    assert!(!files.keys().any(|name| name.contains("max_min")));
    assert_eq!(report.summary.protocols[0].all.ideal_ratio.mean, None);
}
