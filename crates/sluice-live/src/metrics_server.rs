//! `/metrics` over HTTP on the loopback interface.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::daemon::reports;
use crate::error::LiveError;
use crate::metrics::metrics_text;
use crate::run_dir::RunDir;

/// The longest request, and how long a client may take for all of its connection.
const REQUEST_BYTES: usize = 8 << 10;
const WITHIN: Duration = Duration::from_secs(2);
/// How soon it sees that it should stop.
const POLLS_EVERY: Duration = Duration::from_millis(50);

/// Serves the metrics of the services of a run directory until `stop` is set. Clients are served one after the other.
/// Calls `ready` with the address once it listens.
///
/// # Errors
/// If the address is not of the loopback interface, since whoever reaches it may read, or cannot be listened at.
pub fn serve_metrics(
    address: SocketAddr,
    dir: &RunDir,
    stop: &AtomicBool,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), LiveError> {
    if !address.ip().is_loopback() {
        return Err(LiveError::Setting(sluice_units::Fault {
            field: "listen".into(),
            what: format!(
                "must be an address of the loopback interface, such as 127.0.0.1:9469, not {address}"
            ),
        }));
    }
    let failed = |cause| LiveError::File(address.to_string(), cause);
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    ready(listener.local_addr().map_err(failed)?);
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            // A client that goes away is no matter of the server's.
            Ok((client, _)) => drop(answer(client, dir)),
            Err(_) => std::thread::sleep(POLLS_EVERY),
        }
    }
    Ok(())
}

fn answer(mut client: TcpStream, dir: &RunDir) -> std::io::Result<()> {
    client.set_nonblocking(false)?;
    client.set_write_timeout(Some(WITHIN))?;
    let Some(request) = request(&mut client)? else { return Ok(()) };
    let (status, kind, body) = response(&request, || {
        let found = reports(dir)?;
        // Of a service that does not answer there are no metrics, which is what alerts look for.
        let found: Vec<_> = found.into_iter().filter_map(Result::ok).collect();
        Ok(metrics_text(&found))
    });
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    client.write_all(head.as_bytes())?;
    client.write_all(body.as_bytes())
}

/// The first line of a request, once its head is complete; `None` if it is too long, too slow or cut short.
fn request(client: &mut TcpStream) -> std::io::Result<Option<String>> {
    let start = Instant::now();
    let mut head = Vec::new();
    let mut part = [0; 1_024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let left = WITHIN.saturating_sub(start.elapsed());
        if left.is_zero() || head.len() > REQUEST_BYTES {
            return Ok(None);
        }
        client.set_read_timeout(Some(left))?;
        match client.read(&mut part)? {
            0 => return Ok(None),
            length => head.extend(&part[..length]),
        }
    }
    let head = String::from_utf8_lossy(&head);
    Ok(head.lines().next().map(str::to_owned))
}

fn response(
    request: &str,
    metrics: impl FnOnce() -> Result<String, LiveError>,
) -> (&'static str, &'static str, String) {
    const PLAIN: &str = "text/plain; charset=utf-8";
    let words: Vec<&str> = request.split(' ').collect();
    match words[..] {
        ["GET", path, _] if path.split('?').next() == Some("/metrics") => match metrics() {
            Ok(text) => ("200 OK", "text/plain; version=0.0.4; charset=utf-8", text),
            Err(error) => ("500 Internal Server Error", PLAIN, format!("{error}\n")),
        },
        ["GET", ..] => ("404 Not Found", PLAIN, "see /metrics\n".into()),
        _ => ("405 Method Not Allowed", PLAIN, "GET /metrics\n".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(request: &str) -> &'static str {
        response(request, || Ok(String::new())).0
    }

    #[test]
    fn only_metrics_are_served() {
        assert_eq!(status("GET /metrics HTTP/1.1"), "200 OK");
        assert_eq!(status("GET /metrics?x=1 HTTP/1.1"), "200 OK");
        assert_eq!(status("GET / HTTP/1.1"), "404 Not Found");
        assert_eq!(status("POST /metrics HTTP/1.1"), "405 Method Not Allowed");
        assert_eq!(status(""), "405 Method Not Allowed");
    }

    #[test]
    fn only_the_loopback_interface_is_listened_at() {
        let stop = AtomicBool::new(true);
        let dir = RunDir::at("/nowhere");
        let all = "0.0.0.0:0".parse().unwrap();
        let error = serve_metrics(all, &dir, &stop, |_| ()).unwrap_err();
        assert!(error.to_string().starts_with("listen: must be an address of the loopback"));
        serve_metrics("127.0.0.1:0".parse().unwrap(), &dir, &stop, |_| ()).unwrap();
    }
}
