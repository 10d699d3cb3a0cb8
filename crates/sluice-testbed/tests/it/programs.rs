//! Programs and cgroups.

use std::fs;

use sluice_testbed::{Cgroup, IPERF3_PORT, Namespace, Program, iperf3_client, iperf3_server};
use sluice_units::Span;

use crate::bed::alone;

#[test]
fn a_program_runs_in_its_namespace_and_cgroup() {
    let Some(_alone) = alone() else { return };
    let (namespace, cgroup) = (Namespace::new().unwrap(), Cgroup::new("program").unwrap());
    let program =
        Program::new("sh").args(["-c", "readlink /proc/self/ns/net; cat /proc/self/cgroup"]);
    let output = program.cgroup(Some(&cgroup)).output(&namespace).unwrap();
    let inside = namespace.enter(|| fs::read_link("/proc/thread-self/ns/net").unwrap());
    assert_eq!(output.lines().next(), inside.to_str());
    let name = cgroup.path().file_name().unwrap().to_str().unwrap();
    assert!(output.lines().any(|line| line.starts_with("0::") && line.ends_with(name)), "{output}");
}

#[test]
fn errors_of_a_program_have_its_message() {
    let Some(_alone) = alone() else { return };
    let namespace = Namespace::new().unwrap();
    let failing = Program::new("sh").args(["-c", "echo no such luck >&2; exit 3"]);
    let error = failing.output(&namespace).unwrap_err().to_string();
    assert!(error.contains("no such luck") && error.contains("exit status: 3"), "{error}");
    let error = Program::new("absent-program").output(&namespace).unwrap_err().to_string();
    assert!(error.contains("absent-program"), "{error}");
}

#[test]
fn a_program_that_goes_on_is_not_waited_for() {
    let Some(_alone) = alone() else { return };
    let namespace = Namespace::new().unwrap();
    let mut sleeper = Program::new("sleep").arg("60").start(&namespace).unwrap();
    let error = sleeper.wait(Span::from_millis(20)).unwrap_err();
    assert_eq!(error.to_string(), "`sleep` has not ended within 20 ms");
    assert_eq!(sleeper.status().unwrap(), None);
}

#[test]
fn a_program_survives_the_thread_that_started_it() {
    let Some(_alone) = alone() else { return };
    let namespace = Namespace::new().unwrap();
    let mut sleeper = std::thread::scope(|scope| {
        scope.spawn(|| Program::new("sleep").arg("60").start(&namespace).unwrap()).join().unwrap()
    });
    assert!(sleeper.wait(Span::from_millis(100)).is_err());
}

#[test]
fn errors_of_iperf3_have_its_message() {
    let Some(_alone) = alone() else { return };
    let namespace = Namespace::new().unwrap();
    let error = iperf3_client(&namespace, None, &["-c", "127.0.0.1"]).unwrap_err().to_string();
    assert!(error.contains("iperf3 -c 127.0.0.1") && error.contains("refused"), "{error}");
    let _server = iperf3_server(&namespace, None, IPERF3_PORT).unwrap();
    let report = iperf3_client(&namespace, None, &["-c", "127.0.0.1", "-n", "1M"]).unwrap();
    assert_eq!(report.streams.len(), 1);
}
