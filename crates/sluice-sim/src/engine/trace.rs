//! Tells what happens to packets at traced links and to traced senders.
//!
//! A link tells of a packet as it takes it: of its departure too, ahead of the clock. Elements that
//! run ahead tell earlier still. So events wait here until the clock has passed them, then leave in
//! order. Nothing is asked of packets elsewhere: a traced link has something to settle before each
//! packet ([`crate::link::Link::trace`]), and a traced sender's law is one that notes what the law
//! inside it does.

use std::sync::mpsc;

use sluice_laws::WireHeader;
use sluice_laws::host::{AckEvent, CongestionEvent, HostLaw, RateSample, RtoEvent, SendEvent};
use sluice_units::{Bytes, Rate, Span, Time};

use super::Engine;
use crate::Observer;
use crate::config::Config;
use crate::link::{Fate, Marked, Verdict};
use crate::packet::{Ecn, FlowKey, Packet};
use crate::trace::{PacketAction, PacketEvent, SenderEvent, TracedPacket};

/// Events that wait for the clock.
pub(super) struct TraceBuffer {
    /// Whether packets are traced.
    packets_wanted: bool,
    packets: Vec<PacketEvent>,
    senders: Vec<SenderEvent>,
    heard: mpsc::Receiver<SenderEvent>,
    /// What each group's senders are noted by.
    pens: Vec<Option<TraceSender>>,
    /// Flows by slot, then generation: packets may outlive their flow. Empty unless packets are
    /// traced.
    names: Vec<Vec<FlowName>>,
}

#[derive(Clone, Copy)]
struct FlowName {
    group: usize,
    index: u64,
    size: Option<Bytes>,
}

impl TraceBuffer {
    pub(super) fn new(config: &Config) -> Self {
        let (say, heard) = mpsc::channel();
        let mut pens = vec![None; config.groups.len()];
        for &group in &config.trace.groups {
            pens[group] = Some(TraceSender { say: say.clone(), group });
        }
        Self {
            packets_wanted: !config.trace.links.is_empty(),
            packets: Vec::new(),
            senders: Vec::new(),
            heard,
            pens,
            names: Vec::new(),
        }
    }

    /// What notes the senders of a group, if they are traced.
    pub(super) fn pen(&self, group: usize) -> Option<TraceSender> {
        self.pens[group].clone()
    }

    /// A flow begins.
    pub(super) fn name(&mut self, key: FlowKey, group: usize, index: u64, size: Option<Bytes>) {
        if self.packets_wanted {
            let slot = key.slot as usize;
            if self.names.len() <= slot {
                self.names.resize(slot + 1, Vec::new());
            }
            // A slot's generations count up from 0.
            self.names[slot].push(FlowName { group, index, size });
        }
    }
}

impl Engine<'_> {
    /// Takes a packet over a link, its present step, which is traced and settled up to `now`.
    #[cold]
    #[inline(never)]
    pub(super) fn carry_traced(
        &mut self,
        packet: &Packet,
        mut words: WireHeader,
        step: u32,
        now: u64,
    ) {
        let packet = &Packet { words, step, ..*packet };
        let id = self.net.plan.steps[step as usize].id as usize;
        let verdict = self.net.links[id].accept(now, packet, &mut words);
        let (at, fate, marked) = match verdict {
            Verdict::Passes(at) => (at, Fate::Passes, false),
            Verdict::Held(at) => (at, Fate::Held, false),
            Verdict::Lost(at) => (at, Fate::Lost, false),
            Verdict::Marked(Marked { at, fate }) => (at, fate, true),
            Verdict::Dropped => {
                self.note(now, id, PacketAction::Dropped, packet);
                return self.lose(packet, now);
            }
        };
        self.note(now, id, PacketAction::Enqueued, packet);
        let ecn = if marked { packet.ecn.with(Ecn::EXPERIENCED) } else { packet.ecn };
        let next = Packet { at, words, ecn, step: packet.step + 1, ..*packet };
        if marked {
            self.note(now, id, PacketAction::Marked, &next);
        }
        if fate != Fate::Held {
            self.note_departure(id, &next, fate == Fate::Lost);
        }
        self.leave(next, id, fate, now);
    }

    /// A packet leaves link `id`, and is lost on the wire or reaches the end of the link at its `at`.
    #[cold]
    pub(super) fn note_departure(&mut self, id: usize, packet: &Packet, lost: bool) {
        self.note(packet.at - self.net.links[id].delay(), id, PacketAction::Dequeued, packet);
        self.note(
            packet.at,
            id,
            if lost { PacketAction::Lost } else { PacketAction::Delivered },
            packet,
        );
    }

    fn note(&mut self, time: u64, link: usize, what: PacketAction, packet: &Packet) {
        let FlowKey { slot, generation } = packet.flow;
        let FlowName { group, index, size } = self.tape.names[slot as usize][generation as usize];
        let packet = TracedPacket {
            group,
            index,
            size,
            kind: packet.kind,
            seq: packet.seq,
            bytes: Bytes::new(u64::from(packet.bytes)),
            ecn: packet.ecn,
            words: packet.words,
            sacks: self.sacks.peek(packet.sacks),
        };
        self.tape.packets.push(PacketEvent { time: Time::from_nanos(time), link, what, packet });
    }

    /// Tells all that happened before `now`, which the clock has come to.
    pub(super) fn emit_trace(&mut self, now: u64, watch: &mut dyn Observer) {
        for place in 0..self.config.trace.links.len() {
            // What departed by now is told of only once it has.
            self.settle(self.config.trace.links[place], now.min(self.net.end));
        }
        let TraceBuffer { packets, senders, heard, .. } = &mut self.tape;
        packets.sort_by_key(|event| (event.time, event.link, rank(event.what)));
        let past = packets.partition_point(|event| event.time.as_nanos() < now);
        packets.drain(..past).for_each(|event| watch.packet(&event));
        senders.extend(heard.try_iter());
        senders.sort_by_key(|event| (event.time, event.group, event.index));
        let past = senders.partition_point(|event| event.time.as_nanos() < now);
        senders.drain(..past).for_each(|event| watch.sender(&event));
    }
}

/// At one instant of one link: what leaves, what is at its end (with no delay the same packet),
/// what arrives.
fn rank(what: PacketAction) -> u8 {
    match what {
        PacketAction::Dequeued => 0,
        PacketAction::Delivered | PacketAction::Lost => 1,
        PacketAction::Enqueued | PacketAction::Marked | PacketAction::Dropped => 2,
    }
}

/// Notes the senders of a group.
#[derive(Clone)]
pub(super) struct TraceSender {
    say: mpsc::Sender<SenderEvent>,
    group: usize,
}

/// A host law that notes what the law inside it comes to.
pub(super) struct TracedLaw {
    law: Box<dyn HostLaw>,
    pen: TraceSender,
    index: u64,
    acked: u64,
    /// The window and the pace that were noted last.
    noted: (Option<f64>, Option<Rate>),
}

impl TracedLaw {
    pub(super) fn new(law: Box<dyn HostLaw>, pen: TraceSender, index: u64) -> Self {
        Self { noted: (cwnd(&*law), law.rate()), law, pen, index, acked: 0 }
    }

    fn note(&mut self, time: Time) {
        let (cwnd, rate) = (cwnd(&*self.law), self.law.rate());
        self.noted = (cwnd, rate);
        let Self { pen, index, acked, .. } = self;
        let event =
            SenderEvent { time, group: pen.group, index: *index, cwnd, rate, acked: *acked };
        // It hears as long as the run lasts.
        _ = pen.say.send(event);
    }
}

impl HostLaw for TracedLaw {
    fn on_ack(&mut self, event: &AckEvent) {
        self.acked += u64::from(event.acked);
        self.law.on_ack(event);
        self.note(event.now);
    }

    fn on_congestion(&mut self, event: &CongestionEvent) {
        self.law.on_congestion(event);
    }

    fn on_recovered(&mut self) {
        self.law.on_recovered();
    }

    fn on_rto(&mut self, event: &RtoEvent) {
        self.law.on_rto(event);
    }

    fn window(&self) -> u32 {
        self.law.window()
    }

    fn rate(&self) -> Option<Rate> {
        self.law.rate()
    }

    fn probe_after(&self) -> Option<Span> {
        self.law.probe_after()
    }

    fn needs_rate_samples(&self) -> bool {
        self.law.needs_rate_samples()
    }

    fn on_rate_sample(&mut self, sample: &RateSample) {
        self.law.on_rate_sample(sample);
    }

    /// Something leaves after whatever else changes a law: a time-out, or that it stood idle.
    fn header(&mut self, out: &SendEvent) -> WireHeader {
        let words = self.law.header(out);
        if (cwnd(&*self.law), self.law.rate()) != self.noted {
            self.note(out.now);
        }
        words
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.law.metrics(out);
    }
}

/// A law's window with its fraction.
fn cwnd(law: &dyn HostLaw) -> Option<f64> {
    let mut found = None;
    law.metrics(&mut |name, value| {
        if name == "cwnd" {
            found = Some(value);
        }
    });
    found
}
