//! A host that lies to the router about its RTT.

use std::thread;

use sluice_laws::wire::WireRtt;
use sluice_units::Span;

use crate::middlebox::Middlebox;
use crate::network::{Path, V4, network_alone, wait};
use crate::router::RcpAtLink;

const PATH: Path = Path::new(100, 10);
/// The first of iperf3's ports, and the one that lies.
const PORT: u16 = 40_000;

/// Three flows beside one that states 16 s, at a router of paths of 20 ms: they have their shares of the link a second after they
/// began, and the queue is short. By `rcp_lies.rs` in sluice-laws R follows within 8 d0, and d0 is 12.5 ms; if the lie counted as
/// 10 s, it would take 18 s.
#[test]
fn a_host_that_states_an_absurd_rtt_harms_no_other() {
    let Some(mut network) = network_alone(PATH) else { return };
    let hosts = network.hosts();
    network.serve(true);
    let router = RcpAtLink::within(&network.r1, PATH, Span::from_millis(20));
    let lie = WireRtt::from_units(u32::MAX);
    let middlebox = Middlebox::lying(&network.s, "net", PORT, lie);
    let port = PORT.to_string();
    let arguments = ["-t", "2", "-O", "1", "-P", "4", "--cport", &port];
    let (report, counted) = thread::scope(|scope| {
        let report = scope.spawn(|| network.flows(V4, &arguments));
        wait(1_200);
        let counted = network.counted(|| wait(1_500));
        (report.join().unwrap(), counted)
    });
    assert!(middlebox.touched() > 100, "{} packets lied", middlebox.touched());
    let used = counted.throughput().as_bps_f64() / PATH.rate.as_bps_f64();
    let queue = counted.mean_queue().as_f64();
    let shares: Vec<f64> = report
        .streams
        .iter()
        .map(|stream| 4.0 * stream.received.as_bps_f64() / PATH.rate.as_bps_f64())
        .collect();
    println!("{used} used, queue {queue} B, shares {shares:.2?}, d0 {}", router.d0());
    assert!(router.d0() <= Span::from_millis(20), "{}", router.d0());
    assert!(used > 0.85, "{used}");
    assert!(queue < 0.1 * PATH.bdp(), "{queue} B");
    assert!(shares.iter().all(|&share| share > 0.8), "{shares:?}");
    let counts = hosts.counts();
    assert_eq!((counts.fell_back, counts.lossy), (0, 0), "{counts:?}");
    middlebox.end();
}
