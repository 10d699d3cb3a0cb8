use std::sync::atomic::AtomicBool;
use std::thread::sleep;

use sluice_linux::HostCounts;

use super::*;
use crate::daemon::client::ask;
use crate::report::HostReport;
use crate::run_dir::{DaemonName, RunDir};

fn report(up_s: u64) -> DaemonReport {
    DaemonReport::Host(HostReport {
        cgroup: "/".into(),
        devices: Vec::new(),
        namespace: 1,
        process: 1,
        up_s,
        listeners_watched: 0,
        listeners_left: 0,
        warnings: Vec::new(),
        counts: HostCounts::default(),
    })
}

/// A server in a run directory of its own.
fn with_server(name: &str, test: impl FnOnce(&RunDir, &DaemonName, ControlServer)) {
    let path = std::env::temp_dir().join(format!("sluice-{name}-{}", std::process::id()));
    let (dir, daemon) = (RunDir::at(&path), DaemonName::host(1));
    dir.create().unwrap();
    // As a killed process leaves it.
    fs::write(dir.socket(&daemon), "").unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let server = ControlServer::start(&dir.socket(&daemon), stop, report(0)).unwrap();
    test(&dir, &daemon, server);
    dir.remove_if_empty();
    assert!(!path.exists());
}

/// The answer to any bytes.
fn answer(dir: &RunDir, name: &DaemonName, bytes: &[u8]) -> String {
    let mut stream = UnixStream::connect(dir.socket(name)).unwrap();
    // It may stop reading before all is sent.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

#[test]
fn the_state_is_the_last_that_was_reported() {
    with_server("state", |dir, name, server| {
        assert_eq!(
            ask(dir, name, ControlRequest::Status).unwrap(),
            ControlAnswer::Status(report(0))
        );
        server.control().report(report(5));
        assert_eq!(
            ask(dir, name, ControlRequest::Status).unwrap(),
            ControlAnswer::Status(report(5))
        );
        let mode = fs::metadata(dir.socket(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        server.end(&Ok(()));
    });
}

#[test]
fn whoever_asks_for_the_end_hears_how_it_was() {
    let failed = || Err(LiveError::other("no"));
    for (result, expected) in
        [(Ok(()), ControlAnswer::Down), (failed(), ControlAnswer::Error("no".into()))]
    {
        with_server("end", |dir, name, server| {
            thread::scope(|scope| {
                let answer = scope.spawn(|| ask(dir, name, ControlRequest::Down).unwrap());
                while !server.control().stop().load(Ordering::SeqCst) {
                    sleep(Duration::from_millis(1));
                }
                server.end(&result);
                assert_eq!(answer.join().unwrap(), expected);
            });
        });
    }
}

#[test]
fn no_bytes_and_no_silence_keep_others_from_an_answer() {
    with_server("bytes", |dir, name, server| {
        for line in [&b"\n"[..], b"{}\n", b"{\"ask\":\"up\"}\n"] {
            let answer = answer(dir, name, line);
            assert!(answer.starts_with("{\"error\":\"unknown request: "), "{answer}");
        }
        // There may be none, since the service does not read to the end.
        answer(dir, name, &[0xFF; 9_000]);
        let _silent = UnixStream::connect(dir.socket(name)).unwrap();
        ask(dir, name, ControlRequest::Status).unwrap();
        assert!(!server.control().stop().load(Ordering::SeqCst));
        server.end(&Ok(()));
    });
}
