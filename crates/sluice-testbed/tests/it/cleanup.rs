//! Nothing outlives its guard, nor a process that is killed.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sluice_testbed::{Cgroup, Link, Namespace, Program};
use sluice_units::Span;

use crate::bed::{Bed, alone, delay};

/// Waits for something that the kernel does after a process has ended.
#[track_caller]
fn eventually(holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(5), "not within 5 s");
        sleep(Duration::from_millis(5));
    }
}

fn is_running(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

/// The number of threads of links.
fn threads() -> usize {
    let tasks = fs::read_dir("/proc/self/task").unwrap().flatten();
    let names = tasks.filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| name.trim() == "sluice-link").count()
}

#[test]
fn a_dropped_link_takes_its_devices_and_threads_along() {
    let Some(bed) = Bed::new(delay(Span::ZERO), delay(Span::ZERO)) else { return };
    assert_eq!(threads(), 2);
    let Bed { a, b, link, .. } = bed;
    drop(link);
    assert_eq!(threads(), 0);
    for host in [&a, &b] {
        let links = host.ip(&["-o", "link"]).unwrap();
        assert_eq!(links.lines().count(), 1, "only `lo`: {links}");
    }
    // Their names are free again.
    Link::new(&a, "to-b", &b, "to-a", delay(Span::ZERO), delay(Span::ZERO)).unwrap();
}

#[test]
fn the_thread_of_a_deleted_device_ends() {
    let Some(bed) = Bed::new(delay(Span::ZERO), delay(Span::ZERO)) else { return };
    bed.a.ip(&["link", "delete", "to-b"]).unwrap();
    eventually(|| threads() == 1);
    drop(bed);
    assert_eq!(threads(), 0);
}

#[test]
fn a_name_that_is_taken_leaves_nothing_behind() {
    let Some(bed) = Bed::new(delay(Span::ZERO), delay(Span::ZERO)) else { return };
    let again = Link::new(&bed.a, "new", &bed.b, "to-a", delay(Span::ZERO), delay(Span::ZERO));
    let error = again.err().unwrap().to_string();
    assert!(error.contains("`to-a`"), "{error}");
    assert!(!bed.a.ip(&["-o", "link"]).unwrap().contains("new"));
    let long = "a-name-of-16-bytes";
    let again = Link::new(&bed.a, long, &bed.b, "new", delay(Span::ZERO), delay(Span::ZERO));
    let error = again.err().unwrap().to_string();
    assert!(error.contains("1 to 15 bytes"), "{error}");
}

#[test]
fn a_dropped_cgroup_takes_its_processes_along() {
    let Some(_alone) = alone() else { return };
    let (namespace, cgroup) = (Namespace::new().unwrap(), Cgroup::new("dropped").unwrap());
    let program = Program::new("sh").args(["-c", "sleep 60 & echo $!; wait"]);
    let running = program.cgroup(Some(&cgroup)).start(&namespace).unwrap();
    eventually(|| running.stdout().ends_with('\n'));
    let grandchild: u32 = running.stdout().trim().parse().unwrap();
    let inner = cgroup.path().join("inner/most");
    fs::create_dir_all(&inner).unwrap();
    fs::write(inner.join("cgroup.procs"), grandchild.to_string()).unwrap();
    assert!(is_running(grandchild) && is_running(running.id()));
    let path = cgroup.path().to_owned();
    drop(cgroup);
    assert!(!path.exists());
    eventually(|| !is_running(grandchild) && !is_running(running.id()));
}

/// The process of the next test: prints a cgroup and a program's number, and waits for its end.
#[test]
#[ignore = "a part of a_killed_process_leaves_nothing_that_runs"]
fn hold_everything() {
    if env::var_os("SLUICE_HOLD").is_none() {
        return;
    }
    let (namespace, cgroup) = (Namespace::new().unwrap(), Cgroup::new("held").unwrap());
    let sleeper = Program::new("sleep").arg("60").cgroup(Some(&cgroup)).start(&namespace).unwrap();
    fs::create_dir_all(cgroup.path().join("inner/most")).unwrap();
    println!("held {} {}", sleeper.id(), cgroup.path().display());
    sleep(Duration::from_secs(60));
}

#[test]
fn a_killed_process_leaves_nothing_that_runs() {
    let Some(_alone) = alone() else { return };
    let mut holder = Command::new(env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "cleanup::hold_everything"])
        .env("SLUICE_HOLD", "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    let line = lines.map(Result::unwrap).find(|line| line.contains("held ")).unwrap();
    let (_, held) = line.split_once("held ").unwrap();
    let (sleeper, cgroup) = held.split_once(' ').unwrap();
    let sleeper: u32 = sleeper.parse().unwrap();
    eventually(|| is_running(sleeper));
    holder.kill().unwrap();
    holder.wait().unwrap();
    eventually(|| !is_running(sleeper));
    // The next one removes it.
    eventually(|| {
        let next = Cgroup::new("next").unwrap();
        next.path().exists() && !Path::new(cgroup).exists()
    });
}
