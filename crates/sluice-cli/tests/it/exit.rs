//! Exit codes: each that `--help` lists, and no others.

use std::path::Path;

use crate::common::{folder, scenario, sluice, text};

/// Checks that each of these commands exits with `code`.
fn exit(folder: &Path, code: i32, commands: &[&[&str]]) {
    for args in commands {
        let status = sluice(folder).args(*args).output().unwrap().status;
        assert_eq!(status.code(), Some(code), "{args:?}");
    }
}

#[test]
fn help_lists_every_exit_code() {
    let help = sluice(&folder("exit-help")).arg("--help").output().unwrap();
    let help = text(&help.stdout);
    let listed = help.split_once("Exit status:\n").unwrap().1;
    let codes: Vec<&str> =
        listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(codes, ["0", "1", "2", "130"], "{help}");
}

#[test]
fn success_is_0() {
    let folder = folder("exit-0");
    scenario(&folder, "1 s");
    let commands: &[&[&str]] = &[
        &["run", "small.toml", "--quiet"],
        &["estimate", "small.toml"],
        &["list"],
        &["explain", "rcp"],
        &["--help"],
        &["--version"],
    ];
    exit(&folder, 0, commands);
}

#[test]
fn a_file_that_cannot_be_read_or_written_is_1() {
    let folder = folder("exit-1");
    scenario(&folder, "1 s");
    std::fs::write(folder.join("file"), "").unwrap();
    let commands: &[&[&str]] = &[
        &["run", "none.toml"],
        &["run", "missing/websearch"],
        &["compare", "none.toml", "rcp", "tcp"],
        &["sweep", "none.toml", "--vary", "load=1"],
        &["estimate", "none.toml"],
        &["run", "small.toml", "--out", "file/results"],
        &["export", "none.parquet"],
        &["report", "none"],
        &["new", "none/scenario.toml"],
    ];
    exit(&folder, 1, commands);
}

#[test]
fn an_invalid_scenario_or_command_line_is_2() {
    let folder = folder("exit-2");
    scenario(&folder, "1 s");
    std::fs::write(folder.join("wrong.toml"), "schema = 1").unwrap();
    let commands: &[&[&str]] = &[
        &[],
        &["rnu"],
        &["run", "wrong.toml"],
        &["run", "small.toml", "--protocols", "rpc"],
        &["run", "small.toml", "--set", "stop=soon"],
        &["run", "websaerch"],
        &["compare", "small.toml", "rcp"],
        &["sweep", "small.toml"],
        &["estimate", "wrong.toml"],
        &["list", "foo"],
        &["explain", "foo"],
        &["new", "small.toml"],
        &["new", "--from", "foo"],
        &["reproduce", "all"],
    ];
    exit(&folder, 2, commands);
}
