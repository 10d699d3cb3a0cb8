//! Signals that end a run.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::common::{folder, scenario, sluice, text, wait_until};

/// Starts a run without end in the test's folder, and waits until it has written something.
fn start(folder: &Path, command: &mut Command) -> Child {
    scenario(folder, "1000 h");
    // Its results would fill most disks.
    let command = command.arg("--force").stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let run = || entry(&folder.join("results/small/1.part"), "max_min-1");
    wait_until(|| run().is_some_and(|run| run.join("flows.parquet").exists()));
    child
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// What begins with `name` in a folder.
fn entry(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut entries = std::fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path());
    entries.find(|path| path.file_name().unwrap().to_string_lossy().starts_with(name))
}

#[test]
fn signals_end_the_runs_in_order_with_exit_code_130() {
    let mut signals = vec!["-INT", "-TERM"];
    if cfg!(target_os = "linux") {
        signals.push("-HUP");
    }
    for signal in signals {
        let folder = folder(&format!("interrupt{signal}"));
        let mut command = sluice(&folder);
        if signal == "-HUP" {
            // The tests may themselves run under nohup.
            command = Command::new("env");
            command.arg("--default-signal=HUP").arg(env!("CARGO_BIN_EXE_sluice"));
            command.current_dir(&folder);
        }
        let child = start(&folder, command.args(["run", "small.toml"]));
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("Interrupted: "), "{}", text(&output.stderr));
        let results = folder.join("results/small");
        let partial = entry(&results.join("runs"), "max_min-1").unwrap();
        assert!(partial.to_string_lossy().ends_with(".partial"), "{}", partial.display());
        assert!(partial.join("flows.parquet").exists() && !partial.join("run.json").exists());
        assert_eq!(entry(&results, "1.part"), None);
        assert!(results.join("summary.json").exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let folder = folder("nohup");
    let mut command = Command::new("nohup");
    command.current_dir(&folder).arg(env!("CARGO_BIN_EXE_sluice")).args(["run", "small.toml"]);
    let mut child = start(&folder, command.stdin(Stdio::null()));
    send("-HUP", &child);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "ended by SIGHUP");
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_killed_run_leaves_nothing_under_a_run_s_name() {
    let folder = folder("killed");
    let mut child = start(&folder, sluice(&folder).args(["run", "small.toml", "--quiet"]));
    child.kill().unwrap();
    child.wait().unwrap();
    let results = folder.join("results/small");
    assert_eq!(std::fs::read_dir(results.join("runs")).unwrap().count(), 0);
    assert!(!results.join("summary.json").exists());
}
