//! Runs the command in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Runs `sluice` in the test's own folder.
pub fn sluice(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

pub fn scenario(folder: &Path, stop: &str) {
    let text = format!(
        r#"
        schema = 1
        stop = "{stop}"
        [topology.dumbbell]
        capacity = "10 Mbps"
        rtt = "20 ms"
        [[group]]
        name = "web"
        from = "s0"
        to = "d0"
        poisson = {{ load = 0.5, sizes = {{ fixed = "20 packets" }} }}
        "#
    );
    std::fs::write(folder.join("small.toml"), text).unwrap();
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

pub fn assert_refused(output: &Output, says: &str) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(says), "{error}");
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
}

/// The folder of a protocol's run.
pub fn run_folder(results: &Path, protocol: &str) -> Option<PathBuf> {
    let runs = std::fs::read_dir(results.join("runs")).ok()?;
    let is_its = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(protocol))
    };
    runs.map(|entry| entry.unwrap().path()).find(is_its)
}

/// Waits until a process has come to something; fails after a minute.
pub fn wait_until(is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "it took more than a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
}
