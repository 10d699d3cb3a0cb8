//! Output that cannot be written is an error; a reader that closes it early is none.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;

use crate::common::{folder, scenario, sluice, text};

/// Commands that print, each to be run where `small.toml` is and results are in `out`.
const COMMANDS: &[&[&str]] = &[
    &["list"],
    &["list", "--json"],
    &["explain", "rcp"],
    &["explain", "rcp", "--json"],
    &["schema"],
    &["completions", "bash"],
    &["run", "small.toml", "--protocols", "tcp", "--out", "out"],
    &["run", "small.toml", "--protocols", "tcp", "--out", "out", "--json"],
    &["compare", "small.toml", "tcp", "rcp", "--out", "out"],
    &["sweep", "small.toml", "--protocols", "tcp", "--vary", "stop=1s,2s", "--out", "swept"],
    &[
        "sweep",
        "small.toml",
        "--protocols",
        "tcp",
        "--vary",
        "stop=1s,2s",
        "--out",
        "swept",
        "--json",
    ],
    &["estimate", "small.toml", "tcp"],
    &["estimate", "small.toml", "tcp", "--vary", "stop=1s,2s", "--json"],
    &["report", "out"],
    &["--help"],
    &["--version"],
    &["run", "--help"],
];

fn prepared(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    scenario(&folder, "1 s");
    let run = ["run", "small.toml", "--protocols", "tcp,rcp", "--out", "out", "--quiet"];
    assert!(sluice(&folder).args(run).status().unwrap().success());
    folder
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_an_error() {
    let folder = prepared("lost");
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let flows = flows(&folder);
    let more: [&[&str]; 2] = [&["new", "mine.toml"], &["export", &flows]];
    for args in COMMANDS.iter().chain(&more) {
        let output = sluice(&folder).args(*args).stdout(full()).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {error}");
        assert!(error.contains("No space left on device"), "{args:?}: {error}");
    }
    // Nothing is printed, so nothing is lost.
    let quiet = ["run", "small.toml", "--protocols", "tcp", "--out", "out", "--quiet"];
    assert!(sluice(&folder).args(quiet).stdout(full()).status().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn messages_that_are_lost_are_no_error() {
    let folder = prepared("messages");
    let full = File::options().write(true).open("/dev/full").unwrap();
    let run = ["run", "small.toml", "--protocols", "tcp", "--out", "out"];
    let output = sluice(&folder).args(run).stderr(full).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("completion time, mean"));
}

#[test]
fn a_reader_that_closes_early_is_no_error() {
    let folder = prepared("closed");
    let flows = flows(&folder);
    for args in COMMANDS.iter().chain(&[&["export", &flows][..]]) {
        let mut child = sluice(&folder);
        let mut child =
            child.args(*args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    }
}

/// The path of a run's flows.
fn flows(folder: &Path) -> String {
    let mut runs = std::fs::read_dir(folder.join("out/runs")).unwrap();
    runs.next().unwrap().unwrap().path().join("flows.parquet").to_str().unwrap().to_owned()
}
