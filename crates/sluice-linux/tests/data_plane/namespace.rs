//! Network namespaces for devices of tests.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::fd::AsFd as _;
use std::process::{Command, Stdio};
use std::thread;

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::bed::skip;

/// Runs a test in a thread of its own in a fresh network namespace, which goes with its devices at the end. Children of
/// that thread are there, too.
pub fn with(test: impl FnOnce() + Send) {
    // Holds the namespace until the thread is in it.
    let holder = Command::new("unshare")
        .args(["-n", "sh", "-c", "echo; read _"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut holder = match holder {
        Ok(holder) => holder,
        Err(why) => return skip(&format!("`unshare` does not run: {why}")),
    };
    let mut ready = String::new();
    let output = holder.stdout.take().expect("it is piped");
    BufReader::new(output).read_line(&mut ready).unwrap();
    let namespace = File::open(format!("/proc/{}/ns/net", holder.id()));
    let ran = thread::scope(|threads| {
        let test = || {
            if ready.is_empty() {
                return skip("network namespaces take root");
            }
            let namespace = namespace.unwrap();
            let network = Some(LinkNameSpaceType::Network);
            move_into_link_name_space(namespace.as_fd(), network).unwrap();
            test();
        };
        threads.spawn(test).join()
    });
    drop(holder.stdin.take());
    holder.wait().unwrap();
    if let Err(panic) = ran {
        std::panic::resume_unwind(panic);
    }
}

/// Runs commands where this thread is, each of which must succeed. Returns what they print.
pub fn sh(commands: &str) -> String {
    let ran = Command::new("sh").args(["-e", "-c", commands]).output().unwrap();
    assert!(ran.status.success(), "{commands}\n{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}
