//! Processes that a test starts, and ends when it is over.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::UdpSocket;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_sluice-overlay");
/// Far longer than anything takes, even where tests share a core.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Rates are measured by one test at a time: processes of two would be late for each other.
pub fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process, killed when it is dropped. It also ends when the test does, however that ends: its input ends then.
pub struct Process {
    child: Child,
    lines: Receiver<String>,
}

impl Process {
    pub fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(PROGRAM)
            .arg("--while-input")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                _ = sender.send(line);
            }
        });
        Self { child, lines }
    }

    /// Waits for a line that has all of these parts.
    pub fn wait_for(&self, parts: &[&str]) -> String {
        let start = Instant::now();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) {
            if parts.iter().all(|part| line.contains(part)) {
                return line;
            }
        }
        panic!("no line with {parts:?}");
    }

    /// Waits for its end; returns its exit code and what it wrote to standard error.
    pub fn end(&mut self) -> (Option<i32>, String) {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                let mut text = String::new();
                self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
                return (status.code(), text);
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("it goes on");
    }

    pub fn kill(mut self) {
        self.child.kill().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// UDP ports that nobody has.
pub fn ports<const N: usize>() -> [u16; N] {
    let sockets = [(); N].map(|()| UdpSocket::bind("127.0.0.1:0").unwrap());
    sockets.map(|socket| socket.local_addr().unwrap().port())
}
