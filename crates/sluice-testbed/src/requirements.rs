//! What a machine has to have.

use std::env;
use std::fs::OpenOptions;

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

fn is_in_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
