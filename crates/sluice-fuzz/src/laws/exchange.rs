//! Sender, router and receiver of one protocol, the events that happen to them, and invariants that
//! are checked after each event.

use sluice_laws::WireHeader;
use sluice_laws::alpha_fair;
use sluice_laws::alpha_fair::price::Price;
use sluice_laws::conduct::Conduct;
use sluice_laws::host::{
    AckEvent, CongestionEvent, Echo, HostLaw, RtoEvent, SendEvent, SenderContext,
};
use sluice_laws::ledger::header::LedgerHeader;
use sluice_laws::protocol::LinkContext;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::{
    CompetingTraffic, FlowId, LawHeader as _, LinkSample, MAX_TIMERS, RouterPort,
};
use sluice_laws::wire::{ECHO, Offer};
use sluice_laws::xcp;
use sluice_sim::limits::LIMIT;
use sluice_units::{Rate, Ratio, Span, Time};

use super::operation::{Answer, Operation, Packet, Seen, Start, When};

pub struct Exchange {
    name: ProtocolName,
    /// The fraction of the capacity that one flow may be granted: RCP's gamma, NCP's alpha, in Ledger the most that S
    /// is.
    max: f64,
    now: Time,
    /// Packets of the sender found lost.
    lost: u64,
    sender: Box<dyn HostLaw>,
    echo: &'static dyn Echo,
    pending: WireHeader,
    port: Option<Box<dyn RouterPort>>,
    capacity: Rate,
    /// The traffic of the other class so far.
    competing: CompetingTraffic,
    /// When each timer last ticked.
    ticked: [Time; MAX_TIMERS],
    /// Names of the sender's and the router's metrics.
    probes: [Vec<&'static str>; 2],
}

impl Exchange {
    pub fn new(
        name: ProtocolName,
        parameters: &Parameters,
        weight: Ratio,
        conduct: Conduct,
        start: Start,
    ) -> Self {
        let protocol = parameters.protocol(name);
        let link = LinkContext { capacity: start.capacity, packet: start.packet };
        let context = SenderContext {
            weight,
            conduct,
            initial_window: protocol.transport(&parameters.transport).initial_window,
            hops: start.hops,
            line_rate: start.line_rate,
            base_rtt: start.base_rtt,
            ..SenderContext::new(start.packet, start.control)
        };
        let mut exchange = Self {
            name,
            max: match name {
                ProtocolName::Ncp => parameters.ncp.alpha.get(),
                ProtocolName::Ledger => 2.0,
                _ => parameters.rcp.gamma.get(),
            },
            now: Time::ZERO,
            lost: 0,
            sender: match protocol.best_effort().and_then(ProtocolName::named) {
                Some(other) => {
                    protocol.host_with(&context, parameters.protocol(other).host(&context))
                }
                None => protocol.host(&context),
            },
            echo: protocol.echo(),
            pending: WireHeader::default(),
            port: match start.weight {
                Some(weight) => protocol.weighing_router(&link, weight),
                None => protocol.router(&link),
            },
            competing: CompetingTraffic::default(),
            capacity: start.capacity,
            ticked: [Time::ZERO; MAX_TIMERS],
            probes: Default::default(),
        };
        exchange.probes = exchange.finite_probes();
        exchange
    }

    pub fn run(&mut self, operations: &[Operation]) {
        self.check();
        for operation in operations {
            self.apply(operation);
            self.check();
        }
    }

    fn apply(&mut self, operation: &Operation) {
        match *operation {
            Operation::Pass(span) => self.now = within_a_run(self.now + span),
            Operation::Ack { answer, header } => self.acked(answer, header),
            Operation::Lost { in_flight } => {
                self.sender.on_congestion(&CongestionEvent::new(self.now, in_flight));
            }
            Operation::MarkedLost(packets) => {
                self.lost += u64::from(packets);
                self.sender.on_packets_lost(self.lost);
            }
            Operation::Sampled(sample) => self.sender.on_rate_sample(&sample),
            Operation::Reported { hops, reading } => {
                self.sender.on_telemetry(&vec![reading; hops as usize]);
            }
            Operation::Recovered => self.sender.on_recovered(),
            Operation::Rerouted { hops } => self.sender.on_new_path(hops),
            Operation::Rto { in_flight, first } => {
                self.sender.on_rto(&RtoEvent { now: self.now, in_flight, first });
            }
            Operation::Send(packet) => drop(self.send(packet)),
            Operation::RoundTrip { packet, answer } => {
                let mut header = self.send(packet);
                self.arrive(&header, packet.bytes);
                self.stamp(&mut header, packet.bytes);
                self.echo.on_data(&mut self.pending, &header);
                let back = self.answered();
                self.acked(answer, back);
            }
            Operation::Heard(header) => self.echo.on_data(&mut self.pending, &header),
            Operation::Answered => drop(self.answered()),
            Operation::Arrive { header, bytes } => self.arrive(&header, bytes),
            Operation::Stamp { mut header, bytes } => self.stamp(&mut header, bytes),
            Operation::Tick { when, seen } => self.tick(when, seen),
        }
    }

    fn send(&mut self, packet: Packet) -> WireHeader {
        self.sender.header(&SendEvent {
            srtt: packet.srtt,
            in_flight: packet.in_flight,
            backlogged: packet.backlogged,
            left: packet.left.map_or(u64::MAX, u64::from),
            ..SendEvent::new(self.now, packet.kind, packet.bytes)
        })
    }

    fn acked(&mut self, answer: Answer, header: WireHeader) {
        self.sender.on_ack(&AckEvent {
            kind: answer.kind,
            rtt: answer.rtt,
            srtt: answer.srtt,
            min_rtt: answer.min_rtt,
            acked: answer.acked,
            delivered: answer.acked,
            marked: answer.marked,
            in_flight: answer.in_flight,
            used: answer.used,
            recovering: answer.recovering,
            ..AckEvent::new(self.now, header)
        });
    }

    fn answered(&mut self) -> WireHeader {
        self.echo.ack_header(&mut self.pending)
    }

    fn arrive(&mut self, header: &WireHeader, bytes: u32) {
        if let Some(port) = &mut self.port {
            if port.counts_flows() {
                // Each packet size is a flow.
                port.on_flow(FlowId::new(bytes.into()));
            }
            port.arrive(header, bytes);
        }
    }

    fn stamp(&mut self, header: &mut WireHeader, bytes: u32) {
        let asked = *header;
        if let Some(port) = &mut self.port {
            port.stamp(header, bytes);
            self.check_stamp(&asked, header);
        }
    }

    fn tick(&mut self, when: When, seen: Seen) {
        let Some(port) = &mut self.port else { return };
        let (timer, next) = port.next();
        if next == Time::NEVER {
            return;
        }
        let since = self.ticked[timer];
        let now = match when {
            When::Asked => next,
            When::After(span) => within_a_run(since + span),
        };
        self.capacity = seen.capacity.unwrap_or(self.capacity);
        self.competing = added(&self.competing, &seen.competing, self.capacity);
        port.on_competing(&self.competing);
        port.tick(
            timer,
            &LinkSample {
                now,
                since,
                capacity: self.capacity,
                queue: seen.queue,
                waiting: seen.waiting,
                min_queue: seen.min_queue,
                arrived: seen.arrived,
                dropped: seen.dropped,
                drained: seen.drained,
            },
        );
        if let Some(weight) = port.class_weight() {
            assert!(xcp::friendly::WEIGHTS.contains(&weight), "a weight of {weight:?}");
        }
        self.ticked[timer] = now;
        self.now = self.now.max(now);
        let (next_timer, next) = port.next();
        assert!(next_timer != timer || next > now, "timer {timer} ticks again at {next:?}");
    }

    /// A router lowers the requested rate (raises a price); Ledger's also multiplies the stretch. The rest of the header stays.
    fn check_stamp(&self, asked: &WireHeader, stamped: &WireHeader) {
        match self.name {
            ProtocolName::Rcp | ProtocolName::Ncp => self.check_rate_stamp(asked, stamped),
            ProtocolName::Ledger => {
                let but_stretch = |wire: &WireHeader| {
                    let [rate, x, flow, reverse] = wire.get();
                    WireHeader::new([rate, x, flow & !0x7F, reverse])
                };
                self.check_rate_stamp(&but_stretch(asked), &but_stretch(stamped));
                let header = LedgerHeader::from_wire(*asked);
                if header.rate == Offer::NONE || header.flow.is_syn() {
                    assert_eq!(stamped.get()[1..], asked.get()[1..], "no x to stretch");
                }
            }
            ProtocolName::Xcp | ProtocolName::NcpIncrements => check_xcp_stamp(asked, stamped),
            ProtocolName::AlphaFair => check_price_stamp(asked, stamped),
            _ => {}
        }
    }

    /// Headers of RCP, NCP and Ledger begin with the rate.
    fn check_rate_stamp(&self, asked: &WireHeader, stamped: &WireHeader) {
        let ([asked, asked_rest @ ..], [stamped, stamped_rest @ ..]) = (asked.get(), stamped.get());
        assert!(stamped <= asked, "{stamped:?} exceeds {asked:?}");
        // RCP's third word is unused.
        let unused = usize::from(self.name == ProtocolName::Rcp);
        assert_eq!(stamped_rest[..2 - unused], asked_rest[..2 - unused]);
        assert_eq!(stamped_rest[ECHO - 1], asked_rest[ECHO - 1]);
        let Some(rate) = Offer::from_units(stamped).rate() else {
            assert_eq!(asked, Offer::NONE.units(), "a grant is never nothing");
            return;
        };
        // No header can grant less than its least rate.
        let max = Rate::from_bps_f64(self.max * self.capacity.as_bps_f64()).max(Offer::MIN_RATE);
        assert!(rate <= max, "{rate:?} is more than the link has");
    }

    fn check(&self) {
        self.check_control();
        assert_eq!(self.finite_probes(), self.probes, "probes changed their names or order");
    }

    fn check_control(&self) {
        let control = self.sender.control();
        match control.rate {
            Some(rate) => assert_ne!(rate, Rate::ZERO, "a pace of zero sends nothing, ever"),
            None => assert!(control.window >= 1, "a window of zero sends nothing, ever"),
        }
        assert_ne!(control.probe, Some(Span::ZERO), "probes without end at one instant");
    }

    /// The names of the sender's and the router's metrics, each with a finite value.
    fn finite_probes(&self) -> [Vec<&'static str>; 2] {
        let mut names: [Vec<&'static str>; 2] = Default::default();
        let [sender, router] = &mut names;
        self.sender.metrics(&mut |name, value| note(sender, name, value));
        if let Some(port) = &self.port {
            port.metrics(&mut |name, value| note(router, name, value));
        }
        names
    }
}

/// Counts that grow by these, at a link of this capacity; those of packets have an end.
fn added(all: &CompetingTraffic, new: &CompetingTraffic, capacity: Rate) -> CompetingTraffic {
    CompetingTraffic {
        packets: all.packets.saturating_add(new.packets),
        bytes: all.bytes.wrapping_add(new.bytes),
        squares: all.squares.wrapping_add(new.squares),
        lost: all.lost.saturating_add(new.lost),
        waiting: new.waiting,
        capacity,
    }
}

/// That instant, if a run reaches it, or the end of the longest run.
fn within_a_run(at: Time) -> Time {
    at.min(*LIMIT.end())
}

fn check_xcp_stamp(asked: &WireHeader, stamped: &WireHeader) {
    let asked = xcp::header::XcpHeader::from_wire(*asked);
    let stamped = xcp::header::XcpHeader::from_wire(*stamped);
    // A SYN that asks whether the path supports XCP counts links.
    let counts = i32::from(xcp::path_check::asks(&asked));
    let most = asked.delta.saturating_add(counts);
    assert!(stamped.delta <= most, "{stamped:?} exceeds {asked:?}");
    let rest = |header: xcp::header::XcpHeader| (header.x, header.rtt, header.reverse);
    assert_eq!(rest(stamped), rest(asked));
}

fn check_price_stamp(asked: &WireHeader, stamped: &WireHeader) {
    let asked = alpha_fair::header::AlphaFairHeader::from_wire(*asked);
    let stamped = alpha_fair::header::AlphaFairHeader::from_wire(*stamped);
    let raised = stamped.price > asked.price || asked.price.units() == u32::MAX;
    assert!(raised || asked.price == Price::NONE, "{stamped:?} costs no more than {asked:?}");
    assert_eq!(stamped.price == Price::NONE, asked.price == Price::NONE);
    assert_eq!((stamped.rtt, stamped.reverse), (asked.rtt, asked.reverse));
}

fn note(names: &mut Vec<&'static str>, name: &'static str, value: f64) {
    assert!(value.is_finite(), "{name} is {value}");
    names.push(name);
}
