//! The control socket of a service: a request a line, an answer a line, both JSON.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::error::LiveError;
use crate::report::DaemonReport;

/// The longest request, and how long a client may take for all of it: others wait.
const REQUEST_BYTES: usize = 4_096;
const REQUEST_WITHIN: Duration = Duration::from_millis(250);

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum ControlRequest {
    /// The state.
    Status,
    /// To put everything back and end.
    Down,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlAnswer {
    /// The state.
    Status(DaemonReport),
    /// Everything is as it was.
    Down,
    /// What failed.
    Error(String),
}

/// What the thread of the socket and that of the service share.
pub struct DaemonControl {
    stop: Arc<AtomicBool>,
    /// Somebody waits for the end.
    is_awaited: AtomicBool,
    report: Mutex<DaemonReport>,
    end: Mutex<Option<ControlAnswer>>,
    ended: Condvar,
}

/// The socket, and the thread that answers there.
pub struct ControlServer {
    control: Arc<DaemonControl>,
    socket: PathBuf,
    thread: Option<JoinHandle<()>>,
}

impl DaemonControl {
    /// Set when the service should end.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Replaces the state.
    pub fn report(&self, report: DaemonReport) {
        *locked(&self.report) = report;
    }

    fn answer(&self, line: &str) -> ControlAnswer {
        match serde_json::from_str(line) {
            Ok(ControlRequest::Status) => ControlAnswer::Status(locked(&self.report).clone()),
            Ok(ControlRequest::Down) => {
                self.is_awaited.store(true, Ordering::SeqCst);
                self.stop.store(true, Ordering::SeqCst);
                let end = self.ended.wait_while(locked(&self.end), |end| end.is_none());
                let end = end.unwrap_or_else(PoisonError::into_inner);
                end.clone().unwrap_or(ControlAnswer::Down)
            }
            Err(error) => ControlAnswer::Error(format!(
                "unknown request: {error}; expected {{\"ask\":\"status\"}} or {{\"ask\":\"down\"}}"
            )),
        }
    }
}

/// A flag that SIGTERM, SIGINT and, unless it is ignored (nohup), SIGHUP set. No service reads its settings again, so that a
/// SIGHUP that did nothing would leave an operator with the old ones.
///
/// # Errors
/// If the signals cannot be handled.
pub fn stop_flag() -> Result<Arc<AtomicBool>, LiveError> {
    let stop = Arc::new(AtomicBool::new(false));
    let hangs_up = (!ignores_hangups()).then_some(SIGHUP);
    for signal in [SIGTERM, SIGINT].into_iter().chain(hangs_up) {
        signal_hook::flag::register(signal, Arc::clone(&stop))
            .map_err(LiveError::file("signals"))?;
    }
    Ok(stop)
}

fn ignores_hangups() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    ignored.is_some_and(|set| set >> (SIGHUP - 1) & 1 == 1)
}

impl ControlServer {
    /// Listens at a socket, in place of one that a killed process left: the caller has the service's lock.
    pub fn start(
        socket: &Path,
        stop: Arc<AtomicBool>,
        report: DaemonReport,
    ) -> Result<Self, LiveError> {
        let failed = |cause| LiveError::File(socket.display().to_string(), cause);
        let _ = fs::remove_file(socket);
        let listener = UnixListener::bind(socket).map_err(failed)?;
        fs::set_permissions(socket, fs::Permissions::from_mode(0o600)).map_err(failed)?;
        let control = Arc::new(DaemonControl {
            stop,
            is_awaited: AtomicBool::new(false),
            report: Mutex::new(report),
            end: Mutex::new(None),
            ended: Condvar::new(),
        });
        let answering = Arc::clone(&control);
        let thread = thread::Builder::new().name("control".into());
        let thread = thread.spawn(move || serve(&listener, &answering)).map_err(failed)?;
        Ok(Self { control, socket: socket.into(), thread: Some(thread) })
    }

    /// What it shares with the service.
    pub fn control(&self) -> &DaemonControl {
        &self.control
    }

    /// Removes the socket, and tells those who wait how the service ended.
    pub fn end(mut self, result: &Result<(), LiveError>) {
        let answer = match result {
            Ok(()) => ControlAnswer::Down,
            Err(error) => ControlAnswer::Error(error.to_string()),
        };
        let _ = fs::remove_file(&self.socket);
        *locked(&self.control.end) = Some(answer);
        self.control.ended.notify_all();
        if self.control.is_awaited.load(Ordering::SeqCst)
            && let Some(thread) = self.thread.take()
        {
            // A panic has been reported when it happened.
            let _ = thread.join();
        }
    }
}

/// Answers until the service has ended and somebody was told.
fn serve(listener: &UnixListener, control: &DaemonControl) {
    for client in listener.incoming().filter_map(Result::ok) {
        // A client that goes away is no matter of the service's.
        let _ = converse(&client, control);
        if locked(&control.end).is_some() {
            return;
        }
    }
}

fn converse(client: &UnixStream, control: &DaemonControl) -> std::io::Result<()> {
    client.set_write_timeout(Some(REQUEST_WITHIN))?;
    let request = request(client)?;
    let mut answer = serde_json::to_string(&control.answer(&String::from_utf8_lossy(&request)))?;
    answer.push('\n');
    let mut client = client;
    client.write_all(answer.as_bytes())
}

/// The bytes up to the end of the first line, or of what a client may send.
fn request(mut client: &UnixStream) -> std::io::Result<Vec<u8>> {
    let start = Instant::now();
    let (mut line, mut part) = (Vec::new(), [0; 512]);
    while !line.contains(&b'\n') && line.len() < REQUEST_BYTES {
        let left = REQUEST_WITHIN.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Err(std::io::ErrorKind::TimedOut.into());
        }
        client.set_read_timeout(Some(left))?;
        match client.read(&mut part)? {
            0 => break,
            length => line.extend(&part[..length]),
        }
    }
    Ok(line)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "control_tests.rs"]
mod tests;
