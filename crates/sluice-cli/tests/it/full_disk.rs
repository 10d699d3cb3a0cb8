//! A disk that is full: the error names the file, and no unfinished file stays.
//!
//! A limit on the size of files stands for the disk: writing beyond it fails as on a full one, and needs
//! neither root nor a file system of its own.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};

use crate::common::{folder, scenario, sluice, text};

/// Runs a command in which no file may be longer than this number of KiB.
fn limited(folder: &Path, kib: u64, args: &[&str]) -> Output {
    // In sh, the unit is 512 bytes. Without the trap a signal would end the command.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", 2 * kib);
    let mut sh = Command::new("sh");
    sh.args(["-c", &script, env!("CARGO_BIN_EXE_sluice")]).args(args);
    sh.current_dir(folder).output().unwrap()
}

/// All files and folders whose names end in `.part`.
fn parts(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        if path.is_dir() {
            found.extend(parts(&path));
        }
        if name.ends_with(".part") {
            found.push(name);
        }
    }
    found
}

/// Checks that the command fails with an error about this file, and leaves nothing unfinished.
fn fails(folder: &Path, kib: u64, args: &[&str], file: &str) {
    let output = limited(folder, kib, args);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{file}: {error}");
    assert!(error.contains(file), "{file}: {error}");
    assert!(error.contains("too large") || error.contains("No space"), "{file}: {error}");
    assert_eq!(parts(folder), Vec::<String>::new(), "{file}");
}

#[test]
fn every_file_of_a_run_is_named_if_the_disk_is_full() {
    let folder = folder("full-run");
    scenario(&folder, "2 s");
    let run = |more: &[&'static str]| {
        let fixed = ["run", "small.toml", "--protocols", "tcp", "--set", "ideals=[]", "--quiet"];
        [&fixed[..], more].concat()
    };
    let many = ["--set", "stop=100s", "--set", "group.web.poisson.sizes.fixed=1packets"];
    let metrics = ["--set", r#"metrics=[{link=["left","right"],every="100us"}]"#];
    let trace = ["--set", r#"trace.packets=[["left","right"]]"#, "--set", "stop=30s"];
    fails(&folder, 100, &run(&many), "flows.parquet`");
    fails(&folder, 60, &run(&metrics), "series.parquet`");
    fails(&folder, 200, &run(&trace), "packets.pcapng`");
    fails(&folder, 20, &run(&["--set", "topology.dumbbell.pairs=50"]), "run.json`");
    // Nothing of these runs counts, and the same run succeeds once there is room.
    let output = sluice(&folder).args(run(&[])).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn files_beside_runs_are_named_if_the_disk_is_full() {
    let folder = folder("full-beside");
    scenario(&folder, "2 s");
    let run = ["run", "small.toml", "--protocols", "tcp,rcp", "--out", "out", "--quiet"];
    assert!(sluice(&folder).args(run).status().unwrap().success());
    // The runs are stored: what is written now is the summary.
    fails(&folder, 6, &run, "summary.json`");
    let sweep = ["sweep", "small.toml", "--protocols", "tcp", "--vary", "stop=1s,2s", "--quiet"];
    assert!(sluice(&folder).args(sweep).status().unwrap().success());
    fails(&folder, 8, &["report", "out", "--out", "page.html"], "page.html");
    let plot = ["plot", "results/small-sweep", "--x", "stop", "--y", "completion_mean"];
    fails(&folder, 1, &[&plot[..], &["--out", "figure.svg"]].concat(), "figure.svg");
    assert!(!folder.join("page.html").exists() && !folder.join("figure.svg").exists());
}
