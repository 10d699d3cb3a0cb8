//! Senders and admission control together: what is reserved stays within G, and is freed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use proptest::prelude::*;
use sluice_units::{Bytes, Rate, Span, Time};

use super::header::GuaranteedHeader;
use super::host::GuaranteedSender;
use super::params::XcpGuaranteedParams;
use super::router::AdmissionControl;
use crate::host::{AckEvent, HostLaw, PacketKind, SendEvent, SenderContext};
use crate::protocol::Protocol as _;
use crate::router::{LawHeader as _, LinkRouter, LinkSample, RouterPort};
use crate::xcp::XcpParams;

const CAPACITY: Rate = Rate::from_bps(10_000_000);
const PACKET: Bytes = Bytes::new(1000);
const LIMIT: f64 = 0.8 * 10e6;

/// A flow over the link, with the times of its SYN and its end.
#[derive(Clone, Copy, Debug)]
struct Flow {
    start: Time,
    stop: Time,
    rtt: Span,
    profile: Rate,
    /// Without data, it only refreshes its reservation.
    idle: bool,
}

/// What happens to a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Asks,
    Answered { admitted: bool },
    Sends,
}

/// The link, the flows under way, and what has been admitted.
struct Link {
    port: LinkRouter<AdmissionControl>,
    ticked: Time,
    events: BinaryHeap<Reverse<(Time, usize, Event)>>,
    flows: Vec<(Flow, GuaranteedSender)>,
    admitted: Vec<bool>,
}

impl Link {
    fn new(flows: &[Flow]) -> Self {
        let params = XcpGuaranteedParams::default();
        let sender = |flow: &Flow| {
            let context = SenderContext::new(PACKET, Bytes::new(40));
            let context = SenderContext { profile: Some(flow.profile), ..context };
            (*flow, GuaranteedSender::new(&params, &context, XcpParams::default().host(&context)))
        };
        let asks = |(id, flow): (usize, &Flow)| Reverse((flow.start, id, Event::Asks));
        Self {
            port: LinkRouter::new(AdmissionControl::new(params), CAPACITY),
            ticked: Time::ZERO,
            events: flows.iter().enumerate().map(asks).collect(),
            flows: flows.iter().map(sender).collect(),
            admitted: vec![false; flows.len()],
        }
    }

    /// The next event; returns its time.
    fn step(&mut self) -> Option<Time> {
        let Reverse((now, id, event)) = self.events.pop()?;
        while self.port.next().1 <= now {
            self.tick();
        }
        match event {
            Event::Asks => {
                let admitted = self.pass(id, now, PacketKind::Syn).request;
                self.admitted[id] = admitted;
                let answered = Event::Answered { admitted };
                self.events.push(Reverse((now + self.flows[id].0.rtt, id, answered)));
            }
            Event::Answered { admitted } => {
                let (flow, sender) = &mut self.flows[id];
                let echo = i32::from(admitted);
                let header = GuaranteedHeader { echo, ..GuaranteedHeader::default() };
                let (kind, rtt) = (PacketKind::SynAck, Some(flow.rtt));
                let event = AckEvent::new(now, header.to_wire());
                sender.on_ack(&AckEvent { kind, rtt, srtt: rtt, min_rtt: rtt, ..event });
                if admitted {
                    self.events.push(Reverse((now, id, Event::Sends)));
                }
            }
            Event::Sends => {
                let (flow, sender) = &self.flows[id];
                let (flow, refresh) = (*flow, sender.probe_after().expect("it was admitted"));
                if now < flow.stop {
                    let (kind, gap) = match flow.idle {
                        true => (PacketKind::Probe, refresh),
                        false => (PacketKind::Data, flow.profile.time_for(PACKET)),
                    };
                    self.pass(id, now, kind);
                    self.events.push(Reverse((now + gap, id, Event::Sends)));
                }
            }
        }
        Some(now)
    }

    /// A flow's packet crosses the link.
    fn pass(&mut self, id: usize, now: Time, kind: PacketKind) -> GuaranteedHeader {
        let (flow, sender) = &mut self.flows[id];
        let bytes = if kind == PacketKind::Data { 1000 } else { 40 };
        let out = SendEvent { srtt: Some(flow.rtt), ..SendEvent::new(now, kind, bytes) };
        GuaranteedHeader::from_wire(self.port.pass(sender.header(&out), bytes))
    }

    fn tick(&mut self) {
        let (timer, now) = self.port.next();
        let sample = LinkSample::idle(self.ticked, now, CAPACITY);
        self.port.tick(timer, &sample);
        self.ticked = now;
    }

    /// The profiles of admitted flows that have not ended.
    fn committed(&self, now: Time) -> f64 {
        let runs = |(id, (flow, _)): (usize, &(Flow, GuaranteedSender))| {
            let runs = self.admitted[id] && now < flow.stop;
            if runs { flow.profile.as_bps_f64() } else { 0.0 }
        };
        self.flows.iter().enumerate().map(runs).sum()
    }
}

fn flow(longest: Span) -> impl Strategy<Value = Flow> {
    let times = (0_u64..20_000_000, 2_000_000_u64..15_000_000, 10_000..=longest.as_nanos() / 1000);
    (times, 200_000_u64..3_000_000, any::<bool>()).prop_map(|((start, lasts, rtt), bps, idle)| {
        let start = Time::ZERO + Span::from_micros(start);
        let stop = start + Span::from_micros(lasts);
        Flow { start, stop, rtt: Span::from_micros(rtt), profile: Rate::from_bps(bps), idle }
    })
}

/// The longest RTT of flows here: half of T_e, so that an idle flow is seen in each interval.
fn longest() -> Span {
    XcpGuaranteedParams::default().interval / 2
}

proptest! {
    /// By how much more than G may be reserved: R_g misses a flow admitted in the interval before for an RTT,
    /// and a packet of each flow; of both, four tenths enter the average.
    #[test]
    fn reservations_stay_within_g(flows in prop::collection::vec(flow(longest()), 1..40)) {
        let interval = XcpGuaranteedParams::default().interval.as_secs_f64();
        // A packet stands for as long as two are apart: an RTT at most, or for data the time of one.
        let late = longest().as_secs_f64() / interval;
        let max = LIMIT * (1.0 + 0.4 * 2.0 * late);
        let mut link = Link::new(&flows);
        while let Some(now) = link.step() {
            let committed = link.committed(now);
            prop_assert!(committed <= max, "{committed} of {LIMIT} at {now}");
        }
    }

    /// Flows that send data all the time, over RTTs of a tenth of T_e, exceed it by a twentieth at most.
    #[test]
    fn busy_flows_exceed_g_by_little(flows in prop::collection::vec(flow(longest() / 5), 1..40)) {
        let flows: Vec<_> = flows.into_iter().map(|flow| Flow { idle: false, ..flow }).collect();
        let mut link = Link::new(&flows);
        while let Some(now) = link.step() {
            prop_assert!(link.committed(now) <= 1.05 * LIMIT);
        }
    }

    /// Without a message that frees it, all of G can be reserved again 4 s after the last flow has ended:
    /// R_g falls to six tenths in each of 13 intervals.
    #[test]
    fn what_has_ended_is_freed(flows in prop::collection::vec(flow(longest()), 1..40)) {
        let over = flows.iter().map(|flow| flow.stop).max().unwrap_or_default();
        let all = Flow {
            start: over + Span::from_secs(4),
            stop: Time::NEVER,
            rtt: Span::from_millis(80),
            profile: Rate::from_bps_f64(0.99 * LIMIT),
            idle: true,
        };
        let mut link = Link::new(&[flows, vec![all]].concat());
        while link.step().is_some_and(|now| now < all.start) {}
        prop_assert_eq!(link.admitted.last(), Some(&true));
    }
}

/// 15 % each: the first five fit, and the sixth once one has ended.
#[test]
fn five_of_seven_are_admitted() {
    let at = |s| Time::ZERO + Span::from_secs(s);
    let flow = |n| Flow {
        start: at(n),
        stop: at(if n == 1 { 7 } else { 30 }),
        rtt: Span::from_millis(80),
        profile: Rate::from_bps(1_500_000),
        idle: n % 2 == 0,
    };
    let flows: Vec<Flow> = [1, 2, 3, 4, 5, 6, 12].map(flow).into();
    let mut link = Link::new(&flows);
    while link.step().is_some() {}
    assert_eq!(link.admitted, [true, true, true, true, true, false, true]);
}
