//! What links report in packets, by hand.

use std::sync::{Arc, Mutex};

use crate::common::run_to_end;
use crate::shown::{config, group, link};
use sluice_laws::WireHeader;
use sluice_laws::host::{
    AckEvent, CongestionEvent, Echo, HostLaw, NoHeader, PacketKind, RtoEvent, SendEvent,
    SenderContext,
};
use sluice_laws::hpcc::{HpccParams, header};
use sluice_laws::protocol::{LinkContext, Protocol, ProtocolInfo};
use sluice_laws::router::RouterPort;
use sluice_laws::telemetry::HopReading;
use sluice_sim::traffic::{Listed, Traffic};
use sluice_sim::{Config, LinkLaw};
use sluice_units::{BufferSize, Bytes, Faults, Rate, Span, Time};

/// A run's readings, in the order in which they return, an entry for each acknowledgement.
type Log = Arc<Mutex<Vec<Vec<HopReading>>>>;

/// Four packets a window; asks for telemetry and records it.
struct Recorded(Log);

struct Sender(Log);

impl Protocol for Recorded {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo { name: "recorded", title: "", source: "", equations: &[] }
    }

    fn check(&self, _: &mut Faults) {}

    fn host(&self, _: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(Sender(self.0.clone()))
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn collects_telemetry(&self) -> bool {
        true
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        HpccParams::default().router(link)
    }
}

impl HostLaw for Sender {
    fn on_ack(&mut self, _: &AckEvent) {}

    fn on_telemetry(&mut self, hops: &[HopReading]) {
        self.0.lock().unwrap().push(hops.to_vec());
    }

    fn on_congestion(&mut self, _: &CongestionEvent) {}

    fn on_rto(&mut self, _: &RtoEvent) {}

    fn window(&self) -> u32 {
        4
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        if out.kind == PacketKind::Data { header::request() } else { WireHeader::default() }
    }

    fn metrics(&self, _: &mut dyn FnMut(&'static str, f64)) {}
}

/// A flow of this number of packets of 1000 bytes from node 0 over links of 80, 8 and 16 Mb/s, 1 ms each, and back.
/// The SYN of 40 bytes leaves at 0.
fn three_links(packets: u64) -> Config {
    let delay = Span::from_millis(1);
    let mut links = Vec::new();
    for (node, mbps) in [80, 8, 16].into_iter().enumerate() {
        links.push(link(node, node + 1, mbps * 1_000_000, delay));
        links.push(link(node + 1, node, mbps * 1_000_000, delay));
    }
    let flow = Listed { start: Time::ZERO, size: Bytes::new(1000 * packets) };
    let mut flow = group(Traffic::List(vec![flow]));
    flow.to = 3;
    let mut config = config(links, vec![flow], Span::from_secs(2));
    config.nodes = 4;
    config.header = Bytes::ZERO;
    config
}

fn readings(config: &Config) -> Vec<Vec<HopReading>> {
    let log = Log::default();
    run_to_end(config, &Recorded(log.clone()));
    std::mem::take(&mut *log.lock().unwrap())
}

fn reading(link: u32, mbps: u64, micros: u64, sent: u64, queue: u64) -> HopReading {
    HopReading {
        link,
        capacity: Rate::from_bps(mbps * 1_000_000),
        at: Time::ZERO + Span::from_micros(micros),
        sent,
        queue: Bytes::new(queue),
    }
}

/// The SYN takes 4, 40 and 20 us at the links, and so does its answer: data begin at 6128 us. Four packets leave the
/// first link every 100 us, and find the second one busy for 1000 us each; the last one waits for nothing.
#[test]
fn each_link_reports_capacity_time_bytes_and_queue_as_a_packet_leaves() {
    let found = readings(&three_links(4));
    let by_hand: Vec<Vec<HopReading>> = (0..4)
        .map(|packet| {
            let sent = 40 + 1000 * (packet + 1);
            vec![
                reading(0, 80, 6_228 + 100 * packet, sent, 3000 - 1000 * packet),
                reading(2, 8, 8_228 + 1000 * packet, sent, 3000 - 1000 * packet),
                reading(4, 16, 9_728 + 1000 * packet, sent, 0),
            ]
        })
        .collect();
    assert_eq!(found, by_hand);
}

/// Links without the law report nothing, nor do those on the way back.
#[test]
fn a_link_without_the_law_is_not_among_them() {
    let mut config = three_links(8);
    config.links[2].router = LinkLaw::None.into();
    let found = readings(&config);
    assert_eq!(found.len(), 8);
    for hops in found {
        assert_eq!(hops.iter().map(|hop| hop.link).collect::<Vec<_>>(), [0, 4]);
    }
}

/// A path of 20 links: `nHop` ends at 15.
#[test]
fn no_more_links_report_than_the_header_counts() {
    let mut config = three_links(2);
    let both = |node| {
        let link = |from, to| link(from, to, 8_000_000, Span::from_millis(1));
        [link(node, node + 1), link(node + 1, node)]
    };
    (config.nodes, config.links) = (21, (0..20).flat_map(both).collect());
    config.groups[0].to = 20;
    for hops in readings(&config) {
        assert!(hops.iter().map(|hop| hop.link).eq((0..30).step_by(2)), "{hops:?}");
    }
}

/// Losses on the way there, of packets with readings, and on the way back, of acknowledgements with readings and
/// blocks, by which losses are found without time-outs: each acknowledgement has the readings of its packet.
#[test]
fn lost_packets_lose_their_readings() {
    let mut config = three_links(200);
    config.links[4].losses = vec![3, 10, 11, 40];
    config.links[5].losses = vec![5, 12, 13];
    config.links[2].buffer = BufferSize::Packets(2);
    let log = Log::default();
    let result = run_to_end(&config, &Recorded(log.clone()));
    let [flow] = &result.records[..] else { panic!("{:?}", result.records) };
    // A time-out takes a second.
    assert!(flow.completion.is_some_and(|took| took < Span::from_millis(500)), "{flow:?}");
    let found = log.lock().unwrap();
    assert!(found.len() >= 200 - 3, "{}", found.len());
    for pair in found.windows(2) {
        assert!(pair[1].len() == 3 && pair[0][2].at < pair[1][2].at, "{pair:?}");
        assert!(pair[0][2].sent < pair[1][2].sent, "{pair:?}");
    }
}
