//! RCP in a closed loop with a fluid link: many long flows converge to the rate of processor
//! sharing, C / N ("Processor Sharing Flows in the Internet", section 2.3, figure 2).

use sluice_laws::WireHeader;
use sluice_laws::host::{AckEvent, PacketKind, SendEvent, SenderContext};
use sluice_laws::protocol::{LinkContext, Protocol};
use sluice_laws::rcp::RcpParams;
use sluice_laws::router::{LinkSample, RouterPort};
use sluice_units::{Bytes, Rate, Span, Time};

const PACKET: Bytes = Bytes::new(1_000);
const CONTROL: Bytes = Bytes::new(40);
const RTT: Span = Span::from_millis(100);

/// A link whose flows share one sender, and get a rate one RTT after it was granted.
struct Loop {
    port: Box<dyn RouterPort>,
    capacity: Rate,
    /// The queue in bytes.
    queue: f64,
    /// Headers of the ACKs of the last RTT, oldest first.
    answers: std::collections::VecDeque<(Time, WireHeader)>,
    sender: Box<dyn sluice_laws::host::HostLaw>,
    now: Time,
}

impl Loop {
    fn new(params: &RcpParams, capacity: Rate) -> Self {
        let link = LinkContext { capacity, packet: PACKET };
        Self {
            port: params.router(&link).expect("RCP has a router law"),
            capacity,
            queue: 0.0,
            answers: std::collections::VecDeque::new(),
            sender: params.host(&SenderContext::new(PACKET, CONTROL)),
            now: Time::ZERO,
        }
    }

    /// Runs `flows` flows for `span`.
    fn run(&mut self, params: &RcpParams, flows: u64, span: Span) {
        let end = self.now + span;
        while self.now < end {
            self.interval(params, flows);
        }
    }

    fn interval(&mut self, params: &RcpParams, flows: u64) {
        let (timer, next) = self.port.next();
        let seconds = next.since(self.now).as_secs_f64();
        let offered = self.sender.control().rate.map_or(0.0, Rate::as_bytes_per_sec_f64);
        let arrived = offered * flows as f64 * seconds;
        let served = self.capacity.as_bytes_per_sec_f64() * seconds;
        self.queue = (self.queue + arrived - served).max(0.0);
        self.ask(params);
        let sample = LinkSample {
            queue: Bytes::new(self.queue as u64),
            waiting: Bytes::new(self.queue as u64),
            arrived: Bytes::new(arrived as u64),
            ..LinkSample::idle(self.now, next, self.capacity)
        };
        self.port.tick(timer, &sample);
        self.now = next;
        self.hear();
    }

    /// One packet passes the link and the receiver.
    fn ask(&mut self, params: &RcpParams) {
        let srtt = Some(RTT);
        let kind = PacketKind::Data;
        let bytes = 1_000;
        let out = SendEvent { srtt, in_flight: 1, ..SendEvent::new(self.now, kind, bytes) };
        let mut header = self.sender.header(&out);
        self.port.arrive(&header, bytes);
        self.port.stamp(&mut header, bytes);
        let mut pending = WireHeader::default();
        params.echo().on_data(&mut pending, &header);
        self.answers.push_back((self.now, params.echo().ack_header(&mut pending)));
    }

    /// ACKs that are an RTT old reach the senders.
    fn hear(&mut self) {
        while self.answers.front().is_some_and(|(sent, _)| self.now.since(*sent) >= RTT) {
            let Some((_, header)) = self.answers.pop_front() else { return };
            self.sender.on_ack(&AckEvent {
                rtt: Some(RTT),
                srtt: Some(RTT),
                min_rtt: Some(RTT),
                acked: 1,
                in_flight: 1,
                used: 1,
                ..AckEvent::new(self.now, header)
            });
        }
    }

    fn probed(&self, name: &str) -> f64 {
        let mut found = f64::NAN;
        self.port.metrics(&mut |probe, value| {
            if probe == name {
                found = value;
            }
        });
        found
    }

    fn assert_settled(&self, flows: u64) {
        let n = self.probed("N");
        assert!((n / flows as f64 - 1.0).abs() < 0.01, "C / R is {n}, not {flows}");
        let bdp = self.capacity.bytes_in(RTT).as_f64();
        assert!(self.queue < 0.01 * bdp, "a queue of {} remains", self.queue);
    }
}

#[test]
fn long_flows_settle_at_their_share_with_an_empty_queue() {
    let params = RcpParams::default();
    for mbps in [10, 2_400, 400_000] {
        for flows in [2, 20, 100] {
            let mut network = Loop::new(&params, Rate::from_bps(mbps * 1_000_000));
            network.run(&params, flows, Span::from_secs(120));
            network.assert_settled(flows);
        }
    }
}

#[test]
fn figure_2_twenty_flows_then_forty_then_twenty() {
    let params = RcpParams::default();
    let mut network = Loop::new(&params, Rate::from_bps(150_000_000));
    for (flows, seconds) in [(20, 40), (40, 60), (20, 60)] {
        network.run(&params, flows, Span::from_secs(seconds));
        network.assert_settled(flows);
    }
}

#[test]
fn a_single_flow_fills_the_link() {
    let params = RcpParams::default();
    let mut network = Loop::new(&params, Rate::from_bps(100_000_000));
    network.run(&params, 1, Span::from_secs(120));
    network.assert_settled(1);
}
