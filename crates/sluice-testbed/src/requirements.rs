//! What a machine has to have.

use std::env;
use std::fs::OpenOptions;
use std::io::{Write as _, stderr};

use crate::Namespace;
use crate::cgroup::hierarchy;

/// Programs, and the Debian packages that have them.
const PROGRAMS: &[(&str, &str)] = &[
    ("ip", "iproute2"),
    ("setpriv", "util-linux"),
    ("unshare", "util-linux"),
    ("iperf3", "iperf3"),
    ("nginx", "nginx-light"),
    ("curl", "curl"),
];

/// What this machine lacks for a testbed, each as a phrase for people; empty if nothing.
pub fn requirements() -> Vec<String> {
    let mut missing: Vec<String> = PROGRAMS
        .iter()
        .filter(|(program, _)| !is_in_path(program))
        .map(|(program, package)| format!("the program `{program}` (Debian's package: {package})"))
        .collect();
    if !rustix::process::geteuid().is_root() {
        missing.push("root".into());
    } else if missing.is_empty() {
        missing.extend(Namespace::new().err().map(|error| format!("network namespaces: {error}")));
    }
    let tun = OpenOptions::new().read(true).write(true).open("/dev/net/tun");
    missing.extend(tun.err().map(|error| format!("TAP devices: /dev/net/tun: {error}")));
    missing.extend(hierarchy().err().map(|error| error.to_string()));
    missing
}

/// Whether tests can run, for which nothing is missing. Otherwise says so on stderr, with the name of what is not tested.
///
/// # Panics
/// If something is missing and `SLUICE_LINUX=must` says that nothing may be.
pub fn can_test(name: &str, missing: &[String]) -> bool {
    if missing.is_empty() {
        return true;
    }
    skip_test(name, &format!("this machine lacks {}", missing.join("; ")));
    false
}

/// Says on stderr that a test of what has this name is skipped, and why.
///
/// # Panics
/// If `SLUICE_LINUX=must` says that none may be.
pub fn skip_test(name: &str, why: &str) {
    assert!(env::var("SLUICE_LINUX").as_deref() != Ok("must"), "{why}");
    // Not by `eprintln`, which the test harness would keep to itself.
    let _ = stderr().write_all(format!("SKIPPED: {name}: {why}\n").as_bytes());
}

fn is_in_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
