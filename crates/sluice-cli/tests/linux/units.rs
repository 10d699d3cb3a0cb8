//! Services as systemd runs them: `packaging/systemd`.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;

use sluice_testbed::Program;
use sluice_units::Span;

use crate::bed::{Bed, bed, bed_without_host};

/// The capabilities that a unit grants, for setpriv.
fn capabilities(unit: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/systemd");
    let text = fs::read_to_string(format!("{folder}/{unit}")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("CapabilityBoundingSet=")).unwrap();
    let names = line.split_whitespace().map(|name| name.trim_start_matches("CAP_").to_lowercase());
    names.fold("--bounding-set=-all".into(), |all, name| format!("{all},+{name}"))
}

/// Runs a service with the capabilities of its unit until it says that it is ready, then ends it as systemd does.
fn run(bed: &Bed, unit: &str, arguments: &[&str]) {
    let path = bed.run.with_extension("notify");
    let _ = fs::remove_file(&path);
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(std::time::Duration::from_secs(10))).unwrap();
    let set = capabilities(unit);
    let variable = format!("NOTIFY_SOCKET={}", path.display());
    let before = [&variable, "setpriv", &set, "--"];
    let at = if unit.contains("host") { &bed.s } else { &bed.r };
    let mut service = bed.start(at, &before, arguments);
    let mut text = [0; 20];
    let length =
        socket.recv(&mut text).unwrap_or_else(|error| panic!("{error}: {}", service.stderr()));
    assert_eq!(&text[..length], b"READY=1");
    assert_eq!(bed.status().len(), 1);
    // `env` and `setpriv` became the service.
    let process = service.id().to_string();
    Program::new("kill").args(["-TERM", &process]).output(at).unwrap();
    let status = service.wait(Span::from_secs(5)).unwrap();
    assert_eq!(status.code(), Some(0), "{}", service.stderr());
    fs::remove_file(&path).unwrap();
}

#[test]
fn metrics_are_served_without_any_capability() {
    let Some(bed) = bed_without_host() else { return };
    bed.router_up();
    let before = ["setpriv", &capabilities("sluice-metrics.service"), "--"];
    let _server = bed.metrics(&before, "127.0.0.1:9469");
    let body = bed.r.enter(|| {
        let mut stream = TcpStream::connect("127.0.0.1:9469").unwrap();
        stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
        let mut body = String::new();
        stream.read_to_string(&mut body).unwrap();
        body
    });
    assert!(body.contains("sluice_router_flows{device=\"out\""), "{body}");
    bed.ok(&bed.r, &["down"]);
}

#[test]
fn the_capabilities_of_units_suffice_and_sigterm_puts_all_back() {
    let Some(bed) = bed() else { return };
    let before = bed.dump();
    let router = ["router", "up", "--dev", "out", "--rate", "100mbit", "--foreground"];
    run(&bed, "sluice-router@.service", &router);
    bed.host_up();
    bed.ok(&bed.s, &["down"]);
    let cgroup = bed.apps.path().to_string_lossy();
    run(&bed, "sluice-host.service", &["host", "up", "--cgroup", &cgroup, "--foreground"]);
    let _ = fs::remove_dir(&bed.run);
    assert_eq!(bed.dump(), before);
}
