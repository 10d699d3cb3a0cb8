//! TCP of the kernel through a link with a rate.

use std::fs;
use std::time::Duration;

use sluice_testbed::{IPERF3_PORT, iperf3_client, iperf3_server};
use sluice_units::{Bytes, Rate, Span};

use crate::bed::{B, Bed, delay, way};

/// Processor time of the threads of links.
fn busy() -> Duration {
    let tasks = fs::read_dir("/proc/self/task").unwrap().flatten().map(|task| task.path());
    let relays = tasks.filter(|task| {
        fs::read_to_string(task.join("comm")).is_ok_and(|name| name.trim() == "sluice-link")
    });
    relays
        .map(|task| fs::read_to_string(task.join("schedstat")).unwrap_or_default())
        .map(|stat| stat.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0))
        .map(Duration::from_nanos)
        .sum()
}

#[test]
fn a_flow_fills_a_link_and_does_not_exceed_it() {
    let one_way = Span::from_millis(10);
    // Two bandwidth-delay products.
    let Some(bed) = Bed::new(way(100, one_way, 500_000), delay(one_way)) else { return };
    let _server = iperf3_server(&bed.b, None, IPERF3_PORT).unwrap();
    let before = bed.link.forward().counters();
    let report = iperf3_client(&bed.a, None, &["-c", B, "-t", "3", "-P", "2"]).unwrap();
    let counted = bed.link.forward().counters().since(&before);
    println!("100 Mb/s: {} received, {counted:?}", report.received);
    assert_eq!(report.streams.len(), 2);
    assert!(counted.throughput() <= Rate::from_bps(100_000_000), "{counted:?}");
    // Of 1514 bytes on the wire, 1448 are payload: 95.6 Mb/s. What waits when the sender ends is received
    // after the time by which iperf3 divides.
    let range = Rate::from_bps(85_000_000)..Rate::from_bps(100_000_000);
    assert!(range.contains(&report.received), "{report:?}");
    // Some packets carry no payload, and a receiver does not read all that waits at the end.
    let part = report.received_bytes.as_f64() / counted.sent.as_f64() * 1_514.0 / 1_448.0;
    assert!((0.96..1.001).contains(&part), "{part}, {report:?}, {counted:?}");
    assert!(counted.max_queue <= Bytes::new(500_000), "{counted:?}");
    assert!(counted.mean_queue() > Bytes::ZERO && counted.mean_queue() < counted.max_queue);
}

#[test]
fn a_gigabit_passes() {
    let one_way = Span::from_millis(5);
    let Some(bed) = Bed::new(way(1_000, one_way, 2_500_000), delay(one_way)) else { return };
    let _server = iperf3_server(&bed.b, None, IPERF3_PORT).unwrap();
    let (before, busy_before) = (bed.link.forward().counters(), busy());
    let report = iperf3_client(&bed.a, None, &["-c", B, "-t", "3", "-O", "1"]).unwrap();
    let counted = bed.link.forward().counters().since(&before);
    let busy = (busy() - busy_before).as_secs_f64() / counted.elapsed.as_secs_f64();
    println!("1 Gb/s: {} received, {:.0} % of a core, {counted:?}", report.received, 100.0 * busy);
    assert!(report.received > Rate::from_bps(700_000_000), "{report:?}");
    assert!(counted.throughput() <= Rate::from_bps(1_000_000_000), "{counted:?}");
}
