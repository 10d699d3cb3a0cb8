//! NCP's laws in a closed loop. Every flow has the RTT d0; in each d0 it sends its window, evenly
//! spread, the queue holds the excess, and the ACKs return at the end.

use sluice_laws::WireHeader;
use sluice_laws::host::{AckEvent, HostLaw, PacketKind, SendEvent, SenderContext};
use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_laws::protocol::{LinkContext, Protocol};
use sluice_laws::router::{LinkSample, RouterPort};
use sluice_laws::wire::Offer;
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

const PACKET: u32 = 1_000;
const RTT: Span = Span::from_millis(100);

/// Parameters of full utilization, with a queue drained as fast as in the paper's text.
fn full() -> NcpParams {
    NcpParams { alpha: Ratio::new(1.0), initial_rtt: RTT, ..NcpParams::default() }
}

/// The capacity of a link in packets per RTT.
fn capacity(packets: u64) -> Rate {
    Rate::from_bps(packets * u64::from(PACKET) * 80)
}

struct Flow {
    sender: Box<dyn HostLaw>,
    /// Packets that its rate permits.
    credit: f64,
}

struct Loop {
    params: NcpParams,
    port: Box<dyn RouterPort>,
    capacity: Rate,
    flows: Vec<Flow>,
    now: Time,
    queue: u64,
    max_queue: u64,
    /// Packets that arrived in the last round.
    arrived: u64,
}

impl Loop {
    fn new(params: NcpParams, capacity: Rate) -> Self {
        let link = LinkContext { capacity, packet: Bytes::new(u64::from(PACKET)) };
        Self {
            params,
            port: params.router(&link).expect("NCP has a router law"),
            capacity,
            flows: Vec::new(),
            now: Time::ZERO,
            queue: 0,
            max_queue: 0,
            arrived: 0,
        }
    }

    /// Adds a flow that starts at the router's current grant.
    fn join(&mut self) {
        let mut syn = WireHeader::new([Offer::UNLIMITED.units(), 0, 0, 0]);
        self.port.stamp(&mut syn, 40);
        let [rate, ..] = syn.get();
        self.join_at(Offer::from_units(rate));
    }

    /// A flow with this grant.
    fn join_at(&mut self, rate: Offer) {
        let context = SenderContext::new(Bytes::new(u64::from(PACKET)), Bytes::new(40));
        let mut sender = self.params.host(&context);
        let header = WireHeader::new([0, 0, 0, rate.units()]);
        sender.on_ack(&answer(self.now, PacketKind::SynAck, header));
        self.flows.push(Flow { sender, credit: 0.0 });
    }

    /// One RTT, after which the senders get the router's feedback.
    fn round(&mut self) {
        for (flow, header) in self.interval() {
            self.flows[flow].sender.on_ack(&answer(self.now, PacketKind::Ack, header));
        }
    }

    /// One RTT, after which the router ticks; returns the ACKs' headers from before the tick, with
    /// their flows.
    fn interval(&mut self) -> Vec<(usize, WireHeader)> {
        let mut answers = Vec::new();
        for flow in 0..self.flows.len() {
            for _ in 0..self.due(flow) {
                answers.push((flow, self.send(flow)));
            }
        }
        let since = self.now;
        self.now += RTT;
        self.arrived = answers.len() as u64;
        let bytes = self.arrived * u64::from(PACKET);
        let served = self.capacity.bytes_in(RTT).as_u64();
        self.queue = (self.queue + bytes).saturating_sub(served);
        self.max_queue = self.max_queue.max(self.queue);
        let sample = LinkSample {
            queue: Bytes::new(self.queue),
            waiting: Bytes::new(self.queue),
            arrived: Bytes::new(bytes),
            ..LinkSample::idle(since, self.now, self.capacity)
        };
        self.port.tick(0, &sample);
        answers
    }

    /// Number of packets that a flow sends in this RTT.
    fn due(&mut self, flow: usize) -> u64 {
        let Flow { sender, credit } = &mut self.flows[flow];
        let control = sender.control();
        let Some(rate) = control.rate else { return u64::from(control.window) };
        *credit += rate.as_bytes_per_sec_f64() * RTT.as_secs_f64() / f64::from(PACKET);
        let whole = (*credit + 1e-9).floor();
        *credit -= whole;
        whole as u64
    }

    /// One packet passes the router and the receiver.
    fn send(&mut self, flow: usize) -> WireHeader {
        let (kind, srtt) = (PacketKind::Data, Some(RTT));
        let out = SendEvent { srtt, in_flight: 1, ..SendEvent::new(self.now, kind, PACKET) };
        let mut header = self.flows[flow].sender.header(&out);
        self.port.arrive(&header, PACKET);
        self.port.stamp(&mut header, PACKET);
        let mut pending = WireHeader::default();
        self.params.echo().on_data(&mut pending, &header);
        self.params.echo().ack_header(&mut pending)
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

    /// R as a fraction of the capacity.
    fn share(&self) -> f64 {
        self.probed("R") / self.capacity.as_bps_f64()
    }
}

fn answer(now: Time, kind: PacketKind, header: WireHeader) -> AckEvent {
    AckEvent {
        kind,
        rtt: Some(RTT),
        srtt: Some(RTT),
        min_rtt: Some(RTT),
        acked: 1,
        in_flight: 1,
        used: 1,
        ..AckEvent::new(now, header)
    }
}

fn packets(packets: u64) -> Offer {
    Offer::granting(capacity(packets))
}

/// Section 2.1: three flows that begin with a window of 1, one with 60, on a link of 80 packets an
/// RTT: "each flow sets (resets) its window size to 80/4 = 20 packets per RTT", so that 50 packets
/// take 2.5 RTTs. (XCP's part of the example divides 20 by 4 and gets 4; it is 5.)
#[test]
fn the_example_of_section_2_1_gives_each_flow_20_packets() {
    for paced in [true, false] {
        let mut link = Loop::new(NcpParams { paced, ..full() }, capacity(80));
        link.join_at(packets(60));
        (0..3).for_each(|_| link.join_at(packets(1)));
        // No sender has feedback yet from an interval with all flows.
        drop(link.interval());
        assert_eq!(link.arrived, 63, "83 in the paper");
        assert!((link.share() - 0.25).abs() < 1e-6, "R is {} C", link.share());
        link.round();
        // A grant is rounded down, so 20 packets are 19.999.
        let windows = [0, 1, 2, 3].map(|flow| link.due(flow));
        assert!(windows.iter().all(|window| (19..=20).contains(window)), "{windows:?}");
    }
}

/// Section 2.2's examples: 40 flows per second at an RTT of 0.1 s are 4 flows, and 200 are 20.
/// RCP's link that offers C/200 uses a fiftieth of its capacity, and one that offers C/4 gets "5
/// times more packets than it can handle". NCP counts the flows in one interval.
#[test]
fn the_examples_of_section_2_2_are_counted_in_one_interval() {
    for (flows, granted, load) in [(4, 200, 0.02), (20, 4, 5.0)] {
        let mut link = Loop::new(full(), capacity(2_000));
        (0..flows).for_each(|_| link.join_at(packets(2_000 / granted)));
        link.round();
        assert!((link.arrived as f64 / 2_000.0 - load).abs() < 1e-9, "{}", link.arrived);
        assert!((link.probed("N") / flows as f64 - 1.0).abs() < 1e-3, "{}", link.probed("N"));
        // The overload's queue is subtracted; the minimum is a hundredth of a packet.
        let left = 1.0 - 0.6 * link.queue as f64 / 2_000_000.0;
        let wanted = (left / flows as f64).max(0.01 / 2_000.0);
        assert!((link.share() / wanted - 1.0).abs() < 1e-3, "R is {} C", link.share());
    }
}

/// Long flows converge to alpha C / N; new flows, granted the rate that was right without them, are
/// counted within an interval, and their queue drains in a few more.
#[test]
fn long_flows_settle_in_a_few_intervals_and_so_do_newcomers() {
    for counted in [FlowCount::Eq8, FlowCount::Eq5] {
        let params = NcpParams { counted, initial_rtt: RTT, ..NcpParams::default() };
        let mut link = Loop::new(params, capacity(20_000));
        let mut flows = 0;
        for newcomers in [1, 1, 8, 10, 80] {
            (0..newcomers).for_each(|_| link.join());
            flows += newcomers;
            (0..20).for_each(|_| link.round());
            let n = 0.95 / link.share();
            assert!((n / f64::from(flows) - 1.0).abs() < 0.01, "{flows} flows are {n}");
            assert_eq!(link.queue, 0);
            assert!((link.arrived as f64 / 19_000.0 - 1.0).abs() < 0.01, "{}", link.arrived);
        }
    }
}

/// A doubling of the flows queues (2 alpha - 1) C d0 per RTT, for the RTT until they are counted
/// and the RTT until they get the new rate.
#[test]
fn newcomers_queue_for_no_more_than_two_rtts() {
    let mut link =
        Loop::new(NcpParams { initial_rtt: RTT, ..NcpParams::default() }, capacity(5_000));
    (0..10).for_each(|_| link.join());
    (0..20).for_each(|_| link.round());
    link.max_queue = 0;
    (0..10).for_each(|_| link.join());
    (0..20).for_each(|_| link.round());
    let packets = link.max_queue as f64 / f64::from(PACKET);
    assert!((packets / 9_000.0 - 1.0).abs() < 0.01, "{packets}");
}
