//! The processes of a demonstration.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, UdpSocket};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::OverlayError;

/// How long processes may take to start, on a busy machine.
const STARTING: Duration = Duration::from_secs(20);

/// Processes that end with this one, however it ends: they are killed when this is dropped, and end by themselves
/// when their standard input does, which the kernel closes.
pub struct Children {
    children: Vec<(String, Child)>,
    lines: Receiver<ChildReport>,
    sender: Sender<ChildReport>,
}

/// A line of `key=value` fields.
#[derive(Clone, Debug)]
pub struct ChildReport {
    /// When it was read. The clocks of processes begin one after another.
    pub seen: Instant,
    fields: HashMap<String, String>,
}

impl ChildReport {
    fn read(line: &str) -> Self {
        let fields = line.split_whitespace().filter_map(|field| field.split_once('='));
        let fields = fields.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        Self { seen: Instant::now(), fields }
    }

    /// A field that is a number.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.fields.get(key)?.parse().ok()
    }

    /// Whether it has this field with this number.
    pub fn is(&self, key: &str, number: impl Into<f64>) -> bool {
        self.number(key) == Some(number.into())
    }
}

impl Default for Children {
    fn default() -> Self {
        let (sender, lines) = channel();
        Self { children: Vec::new(), lines, sender }
    }
}

impl Children {
    /// Starts a process.
    pub fn start(
        &mut self,
        name: &str,
        program: &Path,
        arguments: &[String],
    ) -> Result<(), OverlayError> {
        let mut command = Command::new(program);
        command.arg("--while-input").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let failed = |what: &str| OverlayError::Child(format!("{name} cannot be started: {what}"));
        let mut child = command.spawn().map_err(|cause| failed(&cause.to_string()))?;
        let output = child.stdout.take().ok_or_else(|| failed("it has no output"))?;
        let sender = self.sender.clone();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                _ = sender.send(ChildReport::read(&line));
            }
        });
        self.children.push((name.to_owned(), child));
        Ok(())
    }

    /// Waits until these ports are ready; returns when the first was.
    pub fn ready(&mut self, ports: &[u16]) -> Result<Instant, OverlayError> {
        let mut seen = Vec::new();
        let mut missing = ports.to_vec();
        let start = Instant::now();
        while !missing.is_empty() {
            if start.elapsed() > STARTING {
                let what = format!("no process is ready at UDP ports {missing:?}");
                return Err(OverlayError::Child(what));
            }
            seen.extend(self.reports(Duration::from_millis(20))?);
            missing.retain(|&port| !seen.iter().any(|report| report.is("ready", port)));
        }
        let first = ports.first().copied().unwrap_or(0);
        let is_first = |report: &&ChildReport| report.is("ready", first);
        Ok(seen.iter().find(is_first).map_or(start, |report| report.seen))
    }

    /// The reports that come until `patience` is over. A process that has ended is an error, which its message to
    /// standard error explains.
    pub fn reports(&mut self, patience: Duration) -> Result<Vec<ChildReport>, OverlayError> {
        thread::sleep(patience);
        for (name, child) in &mut self.children {
            if let Ok(Some(status)) = child.try_wait() {
                return Err(OverlayError::Child(format!("{name} ended before its time: {status}")));
            }
        }
        Ok(self.lines.try_iter().collect())
    }
}

impl Drop for Children {
    /// The last first: sources would find that routers are gone.
    fn drop(&mut self) {
        self.children.iter_mut().rev().for_each(|(_, child)| end(child));
    }
}

fn end(child: &mut Child) {
    // It may have ended already.
    _ = child.kill();
    _ = child.wait();
}

/// UDP ports that nobody has now.
pub fn free_ports<const N: usize>() -> Result<[u16; N], OverlayError> {
    let mut ports = [0; N];
    // Together, or the same would be given twice.
    let mut sockets = Vec::new();
    for port in &mut ports {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).map_err(OverlayError::Socket)?;
        *port = socket.local_addr().map_err(OverlayError::Socket)?.port();
        sockets.push(socket);
    }
    Ok(ports)
}
