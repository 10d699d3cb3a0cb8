//! One long flow alone uses its whole link, however small the bandwidth-delay product: "R_e = C/N
//! and q_e = 0" (PS section 2.3). A packet in transmission is not queued: if it counted, a full
//! link would have a queue of half a packet, and R would settle where alpha (C - y) = beta q / d0.

use crate::common::spy::Spy;
use crate::shown::{CONTROL, PACKET, config, flow, group, pipe, results};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::{QueueCounts, Sampled};
use sluice_laws::{ncp, rcp, xcp};
use sluice_sim::LinkLaw;
use sluice_sim::traffic::{Long, Traffic};
use sluice_units::{Bytes, Rate, Span, Time};

/// Capacity in bits a second, RTT, and the BDP in packets of 1000 bytes.
const LINKS: [(u64, Span, u64); 6] = [
    (10_000_000, Span::from_micros(1_600), 2),
    (10_000_000, Span::from_millis(4), 5),
    (10_000_000, Span::from_millis(10), 12),
    (10_000_000, Span::from_millis(16), 20),
    (10_000_000_000, Span::from_micros(10), 12),
    (1_000_000, Span::from_secs(3), 375),
];

/// Fraction of the link that the flow's data use in equilibrium: after 1000 RTTs and 200 ms (the
/// initial d0), for the same time again.
fn used(parameters: &Parameters, name: ProtocolName, (bps, rtt, _): (u64, Span, u64)) -> f64 {
    let long = Long {
        count: 1,
        start: Time::ZERO,
        spacing: Span::ZERO,
        stop: Time::NEVER,
        ..Long::default()
    };
    let settled = rtt * 1_000 + Span::from_millis(200);
    let mut config = config(pipe(bps, rtt / 2), vec![group(Traffic::Long(long))], settled * 2);
    config.warm_up = Time::ZERO + settled;
    results(&config, parameters.protocol(name)).1.links[0].utilization
}

#[test]
fn a_bdp_is_as_many_packets_as_the_table_says() {
    for (bps, rtt, packets) in LINKS {
        assert_eq!(Rate::from_bps(bps).bytes_in(rtt).as_u64() / PACKET, packets);
    }
}

/// C within 1%, or within alpha / B where a d0 has few packets, B: an interval counts whole packets,
/// one more than B at times, and R, which is C at most, falls by up to alpha / B for it.
#[test]
fn one_flow_of_rcp_fills_its_link() {
    for link in LINKS {
        let used = used(&Parameters::default(), ProtocolName::Rcp, link);
        let min = (1.0 - 0.1 / link.2 as f64).min(0.99);
        assert!(used >= min, "{link:?}: {used} is below {min}");
    }
}

/// The other interpretation, by hand. While the link sends for a fraction u of the time, a packet
/// of L bits is half sent on average: q = u L / 2. R settles where alpha (1 - u) C = beta q / d0,
/// so u = 1 / (1 + beta L / (2 alpha C d0)): with a BDP of 12.5 packets and beta / alpha = 10, 1 /
/// 1.4. d0 includes the transmission of a packet and of its acknowledgement, 8.3% more: 1 / 1.369.
#[test]
fn one_flow_of_rcp_whose_packet_in_transmission_counts_leaves_a_quarter_idle() {
    let rcp = rcp::RcpParams { queue_counts: QueueCounts::Unsent, ..rcp::RcpParams::default() };
    let parameters = Parameters { rcp, ..Parameters::default() };
    let used = used(&parameters, ProtocolName::Rcp, LINKS[2]);
    assert!((used - 1.0 / 1.369).abs() < 0.03, "{used}");
}

/// NCP fills alpha of its link, 0.95. If the packet in transmission counts, q = u L / 2 as above,
/// and u = alpha / (1 + beta L / (2 C d0)): with a d0 of 13.5 packets 0.929. Both lose a little
/// because N is counted in whole packets.
#[test]
fn one_flow_of_ncp_fills_alpha_of_its_link() {
    let with = |queue_counts| {
        let ncp = ncp::NcpParams { queue_counts, ..ncp::NcpParams::default() };
        used(&Parameters { ncp, ..Parameters::default() }, ProtocolName::Ncp, LINKS[2])
    };
    let (waiting, unsent) = (with(QueueCounts::Waiting), with(QueueCounts::Unsent));
    assert!((0.934..=0.951).contains(&waiting), "{waiting} is not near 0.95");
    assert!((0.914..=0.930).contains(&unsent), "{unsent} is not near 0.929");
    assert_eq!(used(&Parameters::default(), ProtocolName::Ncp, LINKS[2]), waiting);
}

/// XCP counts it by default, which leaves part of a link idle: beta Q / d is subtracted for a
/// minimum queue that contains only the packet in transmission.
#[test]
fn one_flow_of_xcp_fills_its_link_if_only_waiting_packets_count() {
    for link in &LINKS[..5] {
        let waiting =
            xcp::XcpParams { queue_counts: QueueCounts::Waiting, ..xcp::XcpParams::default() };
        let waiting =
            used(&Parameters { xcp: waiting, ..Parameters::default() }, ProtocolName::Xcp, *link);
        let unsent = used(&Parameters::default(), ProtocolName::Xcp, *link);
        // The packet that a fraction of the window adds in some rounds waits now and then.
        assert!(waiting > 0.99 && waiting > unsent, "{link:?}: {waiting}, {unsent}");
    }
}

/// A burst of 20 packets of 1000 bytes into an idle link of 80 Mb/s, 100 us each; a law that ticks
/// every 30 us, so that ticks fall within packets, and the burst lasts for 66 ticks. After 250 us a
/// SYN of 40 bytes arrives, when two and a half packets have been sent.
#[test]
fn the_waiting_bytes_are_exact_in_the_middle_of_a_packet() {
    const BURST: Time = Time::from_nanos(2_008_000);
    const SYN: Span = Span::from_micros(250);
    for (stamped, min) in [
        (Sampled::Arrival, QueueCounts::Unsent),
        (Sampled::Departure, QueueCounts::Unsent),
        (Sampled::Arrival, QueueCounts::Waiting),
        (Sampled::Departure, QueueCounts::Waiting),
        (Sampled::Arrival, QueueCounts::Least),
    ] {
        let every = Span::from_micros(30);
        let spy = Spy { every, stamped, min, ..Spy::default() };
        let syn = BURST + SYN;
        let traffic = Traffic::List(vec![flow(Time::ZERO, 20), flow(syn, 1)]);
        let links = pipe(80_000_000, Span::from_millis(1));
        let mut config = config(links, vec![group(traffic)], Span::from_millis(4));
        config.links[1].router = LinkLaw::None.into();
        results(&config, &spy);
        let seen = spy.seen.lock().expect("nobody panicked");
        let mut checked = 0;
        for view in seen.iter().map(|(_, view)| view).filter(|view| view.now >= BURST) {
            let since = view.now.since(BURST).as_nanos();
            let syn = if view.now >= syn { CONTROL } else { 0 };
            let waiting = (19 - since / 100_000) * PACKET + syn;
            let queue = 20 * PACKET + syn - since / 100;
            let found = match min {
                _ if view.since < BURST => 0,
                QueueCounts::Unsent => queue,
                _ if syn > 0 && view.since < BURST + SYN => 17 * PACKET,
                QueueCounts::Waiting | QueueCounts::Least => waiting,
            };
            let seen = [view.waiting, view.queue, view.min_queue].map(Bytes::as_u64);
            assert_eq!(seen, [waiting, queue, found], "{stamped:?}, {min:?}, {since} ns");
            checked += 1;
        }
        assert!(checked > 60);
    }
}
