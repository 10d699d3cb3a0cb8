//! Router laws and packets of other protocols, whose headers are all zero: they affect nothing but
//! the bytes and the queue that the link itself counts.

use sluice_laws::WireHeader;
use sluice_laws::hpcc;
use sluice_laws::protocol::LinkContext;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::{LinkSample, RouterPort};
use sluice_units::{Bytes, Rate, Span, Time};

const CAPACITY: Rate = Rate::from_bps(10_000_000);

/// A header that the law reads as a packet of one of its own flows, with an RTT.
fn own(name: ProtocolName) -> WireHeader {
    match name {
        ProtocolName::Hpcc => hpcc::header::request(),
        // It asks for 3 Mb/s.
        ProtocolName::XcpGuaranteed => WireHeader::new([30_000, 1 << 20, 1, 0]),
        _ => WireHeader::new([1 << 20, 1 << 25, 1 << 20, 0]),
    }
}

fn stations() -> Vec<(ProtocolName, Box<dyn RouterPort>)> {
    let parameters = Parameters::default();
    let link = LinkContext { capacity: CAPACITY, packet: Bytes::new(1000) };
    let at = |name: &ProtocolName| Some((*name, parameters.protocol(*name).router(&link)?));
    ProtocolName::ALL.iter().filter_map(at).collect()
}

/// Ten ticks with ten packets of the law's own in each interval, and `foreign` ones after each;
/// returns the rates that the law states and those that its packets are granted.
fn history(
    port: &mut dyn RouterPort,
    own: WireHeader,
    foreign: usize,
) -> (Vec<f64>, Vec<WireHeader>) {
    let (mut stated, mut granted) = (Vec::new(), Vec::new());
    let mut since = Time::ZERO;
    for _ in 0..10 {
        for _ in 0..10 {
            granted.push(port.pass(own, 1000));
            for _ in 0..foreign {
                let header = port.pass(WireHeader::default(), 1000);
                assert_eq!(
                    header,
                    WireHeader::default(),
                    "nothing was asked, so nothing is granted"
                );
            }
        }
        let (timer, now) = port.next();
        let queue = Bytes::new(3_000);
        let sample = LinkSample {
            queue,
            waiting: queue,
            min_queue: queue,
            arrived: Bytes::new(10_000),
            ..LinkSample::idle(since, now, CAPACITY)
        };
        since = now.max(since + Span::from_nanos(1));
        port.tick(timer, &sample);
        port.metrics(&mut |_, value| stated.push(value));
    }
    (stated, granted)
}

#[test]
fn a_packet_without_a_request_changes_nothing() {
    for ((name, mut alone), (_, mut mixed)) in stations().into_iter().zip(stations()) {
        let own = own(name);
        let alone = history(&mut *alone, own, 0);
        if name != ProtocolName::Xcp {
            assert!(alone.1.iter().any(|header| *header != own), "{name} changes its own headers");
        }
        assert_eq!(alone, history(&mut *mixed, own, 3), "{name}");
    }
}
