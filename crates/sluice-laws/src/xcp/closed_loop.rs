//! Senders and one router of XCP, or of a law with its hosts, without an engine: in each round every sender sends its window, evenly
//! spread over the RTT, the queue holds what does not fit, and acknowledgements return at once.

use sluice_units::{Bytes, Rate, Span, Time};

use super::XcpParams;
use crate::WireHeader;
use crate::host::{AckEvent, HostLaw, PacketKind, SendEvent, SenderContext};
use crate::protocol::{LinkContext, Protocol};
use crate::router::{LinkSample, RouterPort};

const PACKET: u32 = 1000;
/// 1000 packets an RTT.
const CAPACITY: Rate = Rate::from_bps(100_000_000);
const PROPAGATION: Span = Span::from_millis(80);
pub(crate) const PACKETS_PER_RTT: f64 = 1000.0;

pub(crate) struct Loop {
    port: Box<dyn RouterPort>,
    senders: Vec<Box<dyn HostLaw>>,
    now: Time,
    queue: u64,
    max_queue: u64,
}

impl Loop {
    pub(crate) fn new(params: &dyn Protocol) -> Self {
        let link = LinkContext { capacity: CAPACITY, packet: Bytes::new(u64::from(PACKET)) };
        Self {
            port: params.router(&link).expect("a router law"),
            senders: Vec::new(),
            now: Time::ZERO,
            queue: 0,
            max_queue: 0,
        }
    }

    /// A flow that begins with so many packets.
    pub(crate) fn join(&mut self, params: &dyn Protocol, initial_window: u32) {
        let plain = SenderContext::new(Bytes::new(u64::from(PACKET)), Bytes::new(40));
        let context = SenderContext { initial_window, ..plain };
        let mut sender = params.host(&context);
        sender.on_ack(&self.answer(PacketKind::SynAck, WireHeader::default(), 0));
        self.senders.push(sender);
    }

    fn rtt(&self) -> Span {
        PROPAGATION + CAPACITY.time_for(Bytes::new(self.queue))
    }

    pub(crate) fn windows(&self) -> Vec<f64> {
        self.senders.iter().map(|sender| f64::from(sender.control().window)).collect()
    }

    pub(crate) fn round(&mut self) {
        let rtt = self.rtt();
        let mut answers = self.send_all(rtt);
        let since = self.now;
        self.now += rtt;
        let sent = answers.len() as u64 * u64::from(PACKET);
        let room = CAPACITY.bytes_in(rtt).as_u64();
        self.queue = (self.queue + sent).saturating_sub(room);
        self.max_queue = self.max_queue.max(self.queue);
        let sample = LinkSample {
            queue: Bytes::new(self.queue),
            waiting: Bytes::new(self.queue),
            min_queue: Bytes::new(self.queue),
            arrived: Bytes::new(sent),
            ..LinkSample::idle(since, self.now, CAPACITY)
        };
        self.port.tick(1, &sample);
        self.port.tick(0, &sample);
        for (sender, header) in answers.drain(..) {
            let window = self.senders[sender].control().window;
            let event = self.answer(PacketKind::Ack, header, window);
            self.senders[sender].on_ack(&event);
        }
    }

    /// Every sender's window through the router, in the order of departure.
    fn send_all(&mut self, rtt: Span) -> Vec<(usize, WireHeader)> {
        let mut order = Vec::new();
        for (sender, window) in self.windows().into_iter().enumerate() {
            order.extend((0..window as u32).map(|n| ((f64::from(n) + 0.5) / window, sender)));
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        order.into_iter().map(|(_, sender)| (sender, self.send(sender, rtt))).collect()
    }

    /// Sends one packet; returns the header of its acknowledgement.
    fn send(&mut self, sender: usize, rtt: Span) -> WireHeader {
        let out = SendEvent {
            srtt: Some(rtt),
            in_flight: 1,
            ..SendEvent::new(self.now, PacketKind::Data, PACKET)
        };
        let mut header = self.senders[sender].header(&out);
        self.port.arrive(&header, PACKET);
        self.port.stamp(&mut header, PACKET);
        let echo = XcpParams::default().echo();
        let mut pending = WireHeader::default();
        echo.on_data(&mut pending, &header);
        echo.ack_header(&mut pending)
    }

    fn answer(&self, kind: PacketKind, header: WireHeader, window: u32) -> AckEvent {
        let rtt = Some(self.rtt());
        AckEvent {
            kind,
            rtt,
            srtt: rtt,
            min_rtt: Some(PROPAGATION),
            acked: 1,
            in_flight: window,
            used: window,
            ..AckEvent::new(self.now, header)
        }
    }
}

#[test]
fn one_flow_fills_the_link_in_some_ten_rtts_without_a_standing_queue() {
    let mut one = Loop::new(&XcpParams::default());
    one.join(&XcpParams::default(), 1);
    for _ in 0..15 {
        one.round();
    }
    let reached = one.windows()[0] / PACKETS_PER_RTT;
    assert!((0.95..1.05).contains(&reached), "{reached} of the link after 15 RTTs");
    for _ in 0..50 {
        one.round();
    }
    let reached = one.windows()[0] / PACKETS_PER_RTT;
    assert!((0.99..1.01).contains(&reached), "{reached} of the link after 65 RTTs");
    assert!(one.queue <= 10_000, "{} bytes stand in the queue", one.queue);
}

#[test]
fn flows_that_join_one_by_one_come_to_equal_shares() {
    let params = XcpParams::default();
    let mut five = Loop::new(&params);
    for flows in 1..=5_u32 {
        five.join(&params, 1);
        // A tenth of the traffic is shuffled an RTT, so that a newcomer lacks 0.9^n of its share:
        // 0.5% after 50 RTTs.
        for _ in 0..60 {
            five.round();
        }
        let share = PACKETS_PER_RTT / f64::from(flows);
        for window in five.windows() {
            let off = (window / share - 1.0).abs();
            assert!(off < 0.03, "{flows} flows: {:?} packets, fair is {share}", five.windows());
        }
    }
    assert!(five.max_queue < 200_000, "a queue of {} bytes", five.max_queue);
}

#[test]
fn a_hundred_newcomers_at_once_share_fairly_and_the_queue_drains() {
    let params = XcpParams::default();
    let mut many = Loop::new(&params);
    for flows in [10, 90] {
        (0..flows).for_each(|_| many.join(&params, 1));
        for _ in 0..100 {
            many.round();
        }
    }
    let (sum, squares) = many.windows().iter().fold((0.0, 0.0), |(s, q), w| (s + w, q + w * w));
    let jain = sum * sum / (100.0 * squares);
    assert!(jain > 0.99, "Jain's index {jain}");
    assert!((0.9..1.05).contains(&(sum / PACKETS_PER_RTT)), "{sum} packets");
    assert!(many.queue < 50_000, "{} bytes stand in the queue", many.queue);
}

#[test]
fn a_desired_rate_is_reached_one_rtt_after_the_first_grant() {
    let mut free = Loop::new(&XcpParams::default());
    let ten_megabits = Rate::from_bps(10_000_000);
    free.join(&XcpParams { desired_rate: Some(ten_megabits), ..XcpParams::default() }, 1);
    // The router's first decision needs one packet to apportion by; then comes the request's RTT.
    free.round();
    free.round();
    assert_eq!(free.windows(), [100.0]);
    for _ in 0..20 {
        free.round();
        assert_eq!(free.windows(), [100.0]);
    }
}
