//! Requests to services.

use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use super::control::{ControlAnswer, ControlRequest};
use super::lock::DaemonLock;
use super::log::ServiceLog;
use crate::error::LiveError;
use crate::report::DaemonReport;
use crate::run_dir::{DaemonName, RunDir};

/// How long a service may take to answer: with its state, and that it has ended.
const SAYS_WITHIN: Duration = Duration::from_secs(1);
const ENDS_WITHIN: Duration = Duration::from_secs(10);

/// Sends a request to a service.
pub fn ask(
    dir: &RunDir,
    name: &DaemonName,
    request: ControlRequest,
) -> Result<ControlAnswer, LiveError> {
    let socket = dir.socket(name);
    let within = match request {
        ControlRequest::Status => SAYS_WITHIN,
        ControlRequest::Down => ENDS_WITHIN,
    };
    let conversed = || -> std::io::Result<ControlAnswer> {
        let stream = UnixStream::connect(&socket)?;
        stream.set_read_timeout(Some(within))?;
        stream.set_write_timeout(Some(within))?;
        (&stream).write_all((serde_json::to_string(&request)? + "\n").as_bytes())?;
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    };
    conversed().map_err(|cause| match cause.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            LiveError::other(format!("{name}: no answer within {} s", within.as_secs()))
        }
        _ => LiveError::File(socket.display().to_string(), cause),
    })
}

/// The state of all services of a run directory, in order; an error for each that does not answer or was killed.
pub fn reports(dir: &RunDir) -> Result<Vec<Result<DaemonReport, LiveError>>, LiveError> {
    Ok(dir.names()?.iter().map(|name| report(dir, name)).collect())
}

fn report(dir: &RunDir, name: &DaemonName) -> Result<DaemonReport, LiveError> {
    if !DaemonLock::is_held(dir, name) {
        let (up, down) = (name.up_command(), name.down_command());
        let log = ServiceLog::read(dir, name);
        let why = log.reason().map_or("was killed".into(), |why| format!("ended: {why}"));
        return Err(LiveError::other(format!(
            "{name}: its process {why}; `{up}` replaces it, `{down}` removes what it left"
        )));
    }
    match ask(dir, name, ControlRequest::Status) {
        Ok(ControlAnswer::Status(report)) => Ok(report),
        Ok(ControlAnswer::Error(what)) => Err(LiveError::other(format!("{name}: {what}"))),
        Ok(ControlAnswer::Down) => Err(LiveError::other(format!("{name}: it is going down"))),
        Err(LiveError::File(_, cause)) if cause.kind() == ErrorKind::NotFound => {
            Err(LiveError::other(format!("{name}: it is starting or ending")))
        }
        Err(error) => Err(error),
    }
}
