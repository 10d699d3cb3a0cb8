//! How processes end, and what they say.

use std::net::UdpSocket;
use std::process::Command;
use std::sync::MutexGuard;

use crate::common::{PROGRAM, Process, alone, ports};

/// A source over two routers, with its processes from the source to the sink, once data are acknowledged.
fn path() -> (MutexGuard<'static, ()>, [u16; 3], [Process; 4]) {
    let alone = alone();
    let [first, second, sink] = ports();
    let port = |port: u16| format!("--port={port}");
    let link = |to: u16| format!("--link={to}:5ms:4Mbps");
    let sink_process = Process::start(&["sink", &port(sink)]);
    let second_process = Process::start(&["router", &port(second), &link(first)]);
    let first_process = Process::start(&["router", &port(first), &link(second)]);
    for process in [&sink_process, &second_process, &first_process] {
        process.wait_for(&["ready="]);
    }
    let route = format!("--route={first},{second},{sink}");
    let source = Process::start(&["source", "--flow=1", &route]);
    // A second or more at 1 Mb/s or more: beyond the first report.
    source.wait_for(&["flow=1", "acked="]);
    source.wait_for(&["flow=1", "acked="]);
    (alone, [first, second, sink], [source, first_process, second_process, sink_process])
}

#[test]
fn a_source_ends_when_its_first_router_does() {
    let (_alone, [first, ..], [mut source, router, _second, _sink]) = path();
    router.kill();
    let (code, text) = source.end();
    assert_eq!(code, Some(1));
    assert!(text.contains(&format!("no router listens on UDP port {first}")), "{text}");
}

#[test]
fn a_source_ends_when_a_later_router_does() {
    let (_alone, [first, second, sink], [mut source, _first, router, _sink]) = path();
    router.kill();
    let (code, text) = source.end();
    assert_eq!(code, Some(1));
    let route = format!(
        "no answer for 3 s: a router or the sink of the route {first},{second},{sink} is gone"
    );
    assert!(text.contains(&route), "{text}");
}

#[test]
fn a_source_ends_when_its_sink_does() {
    let (_alone, _, [mut source, _first, _second, sink]) = path();
    sink.kill();
    let (code, text) = source.end();
    assert_eq!(code, Some(1));
    assert!(text.contains("no answer for 3 s"), "{text}");
}

#[test]
fn a_source_waits_for_a_router_that_starts_later() {
    let _alone = alone();
    let [router, sink] = ports();
    let route = format!("--route={router},{sink}");
    let source =
        Process::start(&["source", "--flow=1", "--desired=1Mbps", "--patience=30s", &route]);
    // A second SYN was refused, too.
    source.wait_for(&["time=1.5", "acked=0"]);
    let sink = Process::start(&["sink", &format!("--port={sink}")]);
    let _router = Process::start(&["router", &format!("--port={router}")]);
    sink.wait_for(&["flow=1", "bytes="]);
}

#[test]
fn a_port_in_use_is_named() {
    let taken = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    for action in ["router", "sink"] {
        let (code, text) = Process::start(&[action, &format!("--port={port}")]).end();
        assert_eq!(code, Some(1));
        assert!(
            text.contains(&format!("UDP port {port} is in use; choose another with --port")),
            "{text}"
        );
    }
}

#[test]
fn malformed_datagrams_are_dropped_and_counted() {
    let [port, to] = ports();
    let router =
        Process::start(&["router", &format!("--port={port}"), &format!("--link={to}:1ms:4Mbps")]);
    router.wait_for(&["ready="]);
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    for bytes in [&[][..], &[0x51, 0xCE, 1, 1], &[7; 1_472], &[7; 9_000]] {
        socket.send_to(bytes, ("127.0.0.1", port)).unwrap();
    }
    router.wait_for(&["malformed=4"]);
}

#[test]
fn wrong_arguments_are_explained() {
    for (arguments, part) in [
        (&["router"][..], "--port"),
        (&["router", "--port=70000"], "70000"),
        (&["router", "--port=7001", "--link=7002:4Mbps"], "is not a duration"),
        (&["source", "--flow=1", "--route=7001"], "at least one router and of the sink"),
        (&["source", "--flow=1", &format!("--route={}", ["1"; 16].join(","))], "at most 15"),
        (&["demo", "--change=2Mbps@x"], "is not a point in time"),
        (&["demo", "--rates", "4Mbps", "80Mbps"], "a link has 8"),
        (&["demo", "--duration=2s"], "less than 3 s"),
        (&["demo", "--change=2Mbps@0s"], "less than 3 s"),
        (&["demo", "--duration=10s", "--change=2Mbps@10s"], "less than 3 s"),
        (&["demo", "--duration=10s", "--change=2Mbps@11s"], "less than 3 s"),
        (&["demo", "--delay=1s"], "at most 250 ms"),
    ] {
        let output = Command::new(PROGRAM).args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(part), "{arguments:?}: {text}");
    }
}
