//! Services in the background.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::client::ask;
use super::control::{ControlAnswer, ControlRequest};
use super::end::clean;
use super::lock::DaemonLock;
use super::log::ServiceLog;
use super::privilege;
use crate::error::LiveError;
use crate::report::DaemonReport;
use crate::run_dir::{DaemonName, RunDir};

/// How long a service may take to load its programs.
const STARTS_WITHIN: Duration = Duration::from_secs(30);

/// How long it may take to end if it does not come up.
const STOPS_WITHIN: Duration = Duration::from_secs(5);

/// Starts this program again with these arguments, in the background, and waits until it answers as the service of this
/// name. It has to call [`run_router`](crate::run_router) or [`run_host`](crate::run_host).
///
/// # Errors
/// What the process printed, if it ended; its error or else that it is late, if it does not come up in time.
pub fn start_in_background(
    dir: &RunDir,
    name: &DaemonName,
    arguments: &[OsString],
) -> Result<DaemonReport, LiveError> {
    start_within(STARTS_WITHIN, dir, name, arguments)
}

fn start_within(
    limit: Duration,
    dir: &RunDir,
    name: &DaemonName,
    arguments: &[OsString],
) -> Result<DaemonReport, LiveError> {
    privilege::need()?;
    dir.create()?;
    if DaemonLock::is_held(dir, name) {
        // What runs there has its log.
        return Err(DaemonLock::taken(dir, name));
    }
    let log = dir.log(name);
    let mut child = spawn(&log, dir, arguments)?;
    let start = Instant::now();
    loop {
        if let Ok(ControlAnswer::Status(report)) = ask(dir, name, ControlRequest::Status)
            && report.process() == child.id()
        {
            return Ok(report);
        }
        let ended = child.try_wait().map_err(LiveError::file("the service's process"))?;
        if ended.is_some() {
            let log = ServiceLog::read(dir, name);
            let said = log.text().unwrap_or("the service's process ended without a word");
            return Err(failed(dir, name, said));
        }
        if start.elapsed() > limit {
            stop(&mut child);
            let late = format!("the service is not up after {} s", limit.as_secs());
            return Err(failed(dir, name, ServiceLog::read(dir, name).error().unwrap_or(&late)));
        }
        sleep(Duration::from_millis(5));
    }
}

/// Makes this process the leader of a session of its own, without a terminal, in the root folder: it keeps no file system
/// from being unmounted.
///
/// # Errors
/// If it is the leader of a process group.
pub fn leave_terminal() -> std::io::Result<()> {
    rustix::process::setsid()?;
    std::env::set_current_dir("/")
}

fn spawn(log: &Path, dir: &RunDir, arguments: &[OsString]) -> Result<Child, LiveError> {
    let open = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(log);
    let output = open.map_err(LiveError::file(log.display()))?;
    let program = std::env::current_exe().map_err(LiveError::file("/proc/self/exe"))?;
    let mut command = Command::new(program);
    command.args(arguments).env("SLUICE_RUN", dir.path());
    // A service manager that started this process is not the one to hear of that.
    command.env_remove("NOTIFY_SOCKET");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(output);
    // It ends neither with this terminal nor at its Ctrl-C, since it becomes the leader of a session.
    command.spawn().map_err(LiveError::file("the service's process"))
}

/// Ends the process as `down` would, or kills it if that takes too long.
fn stop(child: &mut Child) {
    let asked = Instant::now();
    let _ = kill_process(Pid::from_child(child), Signal::TERM);
    while asked.elapsed() < STOPS_WITHIN {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Puts back what the process could not that did not come up for this reason.
fn failed(dir: &RunDir, name: &DaemonName, why: &str) -> LiveError {
    let _ = clean(dir, name);
    LiveError::other(why)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::netns::network_namespace;

    /// What the next test starts: it never answers, and prints a warning that is not the reason, and what a library might.
    #[test]
    #[ignore = "a service of another test"]
    fn sleeper() {
        // Past the harness, which keeps what tests print.
        std::io::stderr().write_all(b"warning: it is night\nlibnight: dark\n").unwrap();
        sleep(Duration::from_secs(10));
    }

    #[test]
    fn a_service_that_does_not_come_up_in_time_is_ended() {
        if privilege::need().is_err() {
            return;
        }
        let path = std::env::temp_dir().join(format!("sluice-late-{}", std::process::id()));
        let (dir, name) =
            (RunDir::at(&path), DaemonName::router("none", network_namespace().unwrap()));
        let sleeper = ["--exact", "--ignored", "--quiet", "daemon::start::tests::sleeper"];
        let begun = Instant::now();
        let limit = Duration::from_secs(1);
        let failed = start_within(limit, &dir, &name, &sleeper.map(OsString::from)).unwrap_err();
        assert_eq!(failed.to_string(), "the service is not up after 1 s");
        assert!(begun.elapsed() < limit + STOPS_WITHIN, "{:?}", begun.elapsed());
        assert!(!path.exists());
    }
}
