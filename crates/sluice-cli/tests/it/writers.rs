//! Several processes in one folder of results, as when two terminals or jobs of a batch system run the
//! same scenario.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::common::{folder, scenario, sluice, text, wait_until};

/// All files in a folder and its subfolders, by path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, bytes)| (name.join(below), bytes)));
        } else {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}

const RUN: [&str; 4] = ["run", "small.toml", "--protocols", "tcp,rcp"];
const SWEEP: [&str; 6] =
    ["sweep", "small.toml", "--protocols", "tcp", "--vary", "group.web.poisson.load=0.2,0.5"];

fn start(folder: &Path, command: &[&str], out: &str, more: &[&str]) -> Child {
    let mut command_line = sluice(folder);
    command_line.args(command).args(["--threads", "2", "--out", out]).args(more);
    command_line.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn assert_success(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    error.to_owned()
}

/// What the folder is like when the writers start.
#[derive(Clone, Copy, Debug)]
enum Before {
    Empty,
    /// All runs are stored, and the writers repeat them.
    Complete,
    /// A file of a run is cut short.
    Damaged,
    /// A writer that started before is killed.
    Killed,
}

/// A race of 2 to 4 writers: every one succeeds, and the folder is as one alone would have left it.
fn race(folder: &Path, number: usize, command: &[&str], alone: &BTreeMap<PathBuf, Vec<u8>>) {
    let before = [Before::Empty, Before::Complete, Before::Damaged, Before::Killed][number % 4];
    let (out, writers) = (format!("race-{number}"), 2 + number % 3);
    if let Before::Complete | Before::Damaged = before {
        assert_success(start(folder, command, &out, &[]));
    }
    if let Before::Damaged = before {
        let mut runs = alone.keys().filter(|name| name.ends_with("flows.parquet"));
        let file = folder.join(&out).join(runs.next().unwrap());
        std::fs::File::options().write(true).open(file).unwrap().set_len(100).unwrap();
    }
    if let Before::Killed = before {
        let mut killed = start(folder, command, &out, &[]);
        std::thread::sleep(Duration::from_millis(2 + number as u64 % 50));
        killed.kill().unwrap();
        killed.wait().unwrap();
    }
    let more: &[&str] = if let Before::Complete = before { &["--again"] } else { &[] };
    let all: Vec<Child> = (0..writers).map(|_| start(folder, command, &out, more)).collect();
    all.into_iter().for_each(|child| drop(assert_success(child)));
    let found = files(&folder.join(&out));
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(alone), "race {number}: {before:?}, {writers} writers");
    assert!(found == *alone, "race {number}: {before:?}, {writers} writers: other bytes");
    std::fs::remove_dir_all(folder.join(out)).unwrap();
}

fn races(name: &str, count: usize) {
    let folder = folder(name);
    scenario(&folder, "1 s");
    let alone = [&RUN[..], &SWEEP].map(|command| {
        assert_success(start(&folder, command, command[0], &[]));
        files(&folder.join(command[0]))
    });
    for number in 0..count {
        if number % 5 == 4 {
            race(&folder, number, &SWEEP, &alone[1]);
        } else {
            race(&folder, number, &RUN, &alone[0]);
        }
    }
}

#[test]
fn writers_in_one_folder_all_succeed_and_leave_it_whole() {
    races("races", 20);
}

#[test]
#[ignore = "minutes: a thousand races"]
fn a_thousand_races_of_writers_lose_nothing() {
    races("races-long", 1000);
}

#[test]
fn what_a_killed_writer_left_is_removed_and_what_a_living_one_has_is_not() {
    let folder = folder("living");
    scenario(&folder, "1000 h");
    let out = folder.join("out");
    let options = ["--protocols", "tcp", "--force"];
    let forever = || start(&folder, &["run", "small.toml"], "out", &options);
    let end = |mut child: Child| child.kill().and_then(|()| child.wait()).unwrap();
    let first = forever();
    wait_until(|| has_run(&out.join("1.part")));
    end(first);
    std::fs::write(out.join("1.part/of-a-killed-writer"), "").unwrap();
    let mut living = forever();
    wait_until(|| has_run(&out.join("1.part")) && !out.join("1.part/of-a-killed-writer").exists());
    let short = || {
        start(&folder, &["run", "small.toml"], "out", &["--set", "stop=1s", "--protocols", "tcp"])
    };
    assert_success(short());
    assert_eq!(parts(&out), ["1.part"], "the living writer's");
    assert!(has_run(&out.join("1.part")) && living.try_wait().unwrap().is_none());
    end(living);
    assert_success(short());
    assert!(parts(&out).is_empty(), "{:?}", parts(&out));
}

/// The folders of writers.
fn parts(results: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(results).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".part")).collect()
}

/// Whether a writer has begun a run.
fn has_run(part: &Path) -> bool {
    let Ok(mut entries) = std::fs::read_dir(part) else { return false };
    entries.any(|entry| entry.is_ok_and(|entry| entry.path().is_dir()))
}

#[test]
fn a_damaged_run_is_made_again_and_said() {
    let folder = folder("said");
    scenario(&folder, "1 s");
    assert_success(start(&folder, &RUN, "out", &[]));
    let whole = files(&folder.join("out"));
    let name = whole.keys().find(|name| name.ends_with("links.parquet")).unwrap();
    for more in [&[][..], &["--json"], &["--quiet"]] {
        std::fs::remove_file(folder.join("out").join(name)).unwrap();
        let said = assert_success(start(&folder, &RUN, "out", more));
        let says = format!("Repeated a damaged run: out/{} is missing", name.display());
        assert!(said.contains(&says), "{says}: {said}");
        assert!(files(&folder.join("out")) == whole);
    }
}
