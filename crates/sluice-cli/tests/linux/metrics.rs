//! `sluice metrics`.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::bed::{Bed, bed};

/// What the server answers, head and body.
fn get(bed: &Bed, address: &str, request: &str) -> (String, String) {
    let answer = bed.r.enter(|| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    });
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.into(), body.into())
}

/// The samples of a text in Prometheus's format; fails at what is none.
fn samples(text: &str) -> HashMap<String, f64> {
    let mut types = HashMap::new();
    let mut samples = HashMap::new();
    for line in text.lines() {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        match words[..] {
            ["#", "HELP", _, _] => {}
            ["#", "TYPE", name, kind] => assert_eq!(types.insert(name, kind), None, "{line}"),
            _ => {
                let (sample, value) = line.rsplit_once(' ').unwrap();
                let name = sample.split('{').next().unwrap();
                let kind = types[name];
                assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
                assert!(samples.insert(sample.into(), value.parse().unwrap()).is_none(), "{line}");
            }
        }
    }
    samples
}

#[test]
fn metrics_of_all_services_are_served_on_the_loopback_interface() {
    let Some(bed) = bed() else { return };
    let refused = bed.sluice(&bed.r, &["metrics", "--listen", "0.0.0.0:9469"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(
        refused.err.starts_with("error: --listen: must be an address of the loopback interface")
    );
    bed.router_up();
    bed.host_up();
    let server = bed.metrics(&[], "127.0.0.1:0");
    let said = server.stderr();
    let address = said.trim().strip_prefix("Metrics are at http://").unwrap();
    let address = address.strip_suffix("/metrics").unwrap();
    let (head, body) = get(&bed, address, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
    assert!(head.contains("Content-Type: text/plain; version=0.0.4"), "{head}");
    let samples = samples(&body);
    let value = |name: &str| {
        let mut found = samples.iter().filter(|(sample, _)| sample.starts_with(name));
        *found.next().unwrap_or_else(|| panic!("{name} in {body}")).1
    };
    assert_eq!(value("sluice_router_capacity_bits_per_second{device=\"out\",netns="), 100e6);
    assert!(value("sluice_router_updates_total{device=\"out\"") >= 1.0);
    assert_eq!(value("sluice_host_fell_back_total{cgroup="), 0.0);
    assert_eq!(value("sluice_host_watched_listeners{cgroup="), 0.0);
    assert_eq!(value("sluice_host_left_listeners{cgroup="), 0.0);
    let (head, _) = get(&bed, address, "GET /other HTTP/1.1\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
    bed.ok(&bed.s, &["down"]);
    let (_, body) = get(&bed, address, "GET /metrics HTTP/1.1\r\n\r\n");
    assert_eq!(body, "");
}
