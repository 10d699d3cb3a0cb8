//! Servers that are waited for.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{Namespace, Program, Running, TestbedError};

/// How long a server may take to listen.
const LISTENS_WITHIN: Duration = Duration::from_secs(5);

/// Starts a server in a namespace, and waits until it listens on this port of TCP.
///
/// # Errors
/// If it ends, or does not listen within 5 s.
pub fn start_server(
    program: &Program,
    namespace: &Namespace,
    port: u16,
) -> Result<Running, TestbedError> {
    let mut server = program.start(namespace)?;
    let start = Instant::now();
    while !namespace.enter(|| is_listening(port)) {
        let is_ended = server.status()?.is_some();
        if is_ended || start.elapsed() > LISTENS_WITHIN {
            let what = if is_ended { "has ended" } else { "does not listen" };
            let said = format!("{} {}", server.stdout().trim(), server.stderr().trim());
            return Err(TestbedError::new(format!("the server on port {port} {what}: {said}")));
        }
        sleep(Duration::from_millis(2));
    }
    Ok(server)
}

/// Whether a TCP socket listens on a port in the namespace of this thread.
fn is_listening(port: u16) -> bool {
    let wanted = format!(":{port:04X}");
    ["tcp", "tcp6"].iter().any(|table| {
        let table = fs::read_to_string(format!("/proc/thread-self/net/{table}"));
        table.unwrap_or_default().lines().any(|line| {
            let mut words = line.split_whitespace().skip(1);
            // Local address, remote address, state; 0A is LISTEN.
            words.next().is_some_and(|local| local.ends_with(&wanted)) && words.nth(1) == Some("0A")
        })
    })
}
