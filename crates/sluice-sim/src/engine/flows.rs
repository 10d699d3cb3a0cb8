//! Flows in the engine: they start, their ends take turns, they finish.

use std::iter::Peekable;

use sluice_laws::WireHeader;
use sluice_laws::host::{PacketKind, SenderContext};
use sluice_laws::protocol::Protocol;
use sluice_laws::tcp::Repair;
use sluice_laws::transport::Transport;
use sluice_units::{Bytes, Ratio, Span, Time};

use super::Engine;
use super::trace::{TraceSender, TracedLaw};
use crate::Observer;
use crate::alone::Alone;
use crate::config::{Config, FlowMetrics};
use crate::host::{
    Flow, FlowSampler, Lateness, Owner, Receiver, Reply, Role, Sender, Timer, TimerId, Transfer,
};
use crate::outcome::{FlowRecord, Series, Subject};
use crate::packet::{FlowKey, Packet};
use crate::traffic::{Arrivals, FlowArrival};
use crate::wheel::Actor;

pub(super) struct GroupState<'a> {
    pub(super) protocol: &'a dyn Protocol,
    /// The protocol's, with what it inherits.
    pub(super) transport: Transport,
    pub(super) weight: Ratio,
    /// Names the lateness of its flows' timers.
    pub(super) late: u64,
    /// What notes its senders, if they are traced.
    pub(super) noted: Option<TraceSender>,
    pub(super) arrivals: Peekable<Arrivals>,
    /// Flows started.
    pub(super) started: u64,
    pub(super) from: usize,
    pub(super) to: usize,
    /// Where its paths begin among the plan's steps.
    pub(super) out: u32,
    pub(super) back: u32,
    pub(super) empty: Alone,
    /// The timer of its next arrival, at the host its flows come from.
    pub(super) timer: TimerId,
}

/// What counts in [warm-up, stop): the flows that arrive then, and packets sent again.
#[derive(Default)]
pub(super) struct Measured {
    pub(super) started: u64,
    pub(super) finished: u64,
    pub(super) bytes: u64,
    /// When the last of those that finished did.
    pub(super) last: u64,
    /// Data packets that flows of any kind sent again in that time.
    pub(super) resent: u64,
}

impl Measured {
    pub(super) fn all_finished(&self) -> bool {
        self.started == self.finished
    }

    pub(super) fn finish(&mut self, record: &FlowRecord, ended: u64) {
        if record.measured && record.size.is_some() && record.completion.is_some() {
            self.finished += 1;
            self.last = self.last.max(ended);
        }
    }
}

impl Engine<'_> {
    /// A packet reaches the host it is for.
    #[inline(always)]
    pub(super) fn reach_host(&mut self, host: usize, packet: &Packet, words: WireHeader, now: u64) {
        if self.net.wheel.due(self.host_actor(host)) <= now {
            self.wake_host(host, now);
        }
        self.net.totals.delivered += 1;
        let set = if packet.is_forward() {
            self.receiver_hears(packet, words, now)
        } else {
            self.sender_hears(packet, words, now)
        };
        if set {
            self.rearm(host);
        }
    }

    /// A host's first timer is due.
    #[inline(never)]
    pub(super) fn wake_host(&mut self, host: usize, now: u64) {
        self.fire_timers(host, now);
        self.rearm(host);
    }

    fn rearm(&mut self, host: usize) {
        self.net.wheel.reschedule(self.host_actor(host), self.hosts[host].due());
    }

    #[inline]
    fn host_actor(&self, host: usize) -> Actor {
        (self.net.wires.meetings.len() + host) as Actor
    }

    /// Fires a host's timers up to `now`, each at its own time.
    fn fire_timers(&mut self, host: usize, now: u64) {
        while let Some((time, owner)) = self.hosts[host].pop(now) {
            match owner {
                Owner::Group(group) => self.start_flows(group as usize, time),
                Owner::Flow(key, Role::Sender) => self.sender_timer(key, time),
                Owner::Flow(key, Role::Receiver) => self.receiver_timer(key, time),
                Owner::Flow(key, Role::Sampler) => self.sample_flow(key, time),
            }
        }
    }

    /// Sets the timer for a group's next arrival.
    pub(super) fn await_arrival(&mut self, group: usize) {
        let state = &mut self.groups[group];
        if let Some(next) = state.arrivals.peek() {
            self.hosts[state.from].set(state.timer, next.start.as_nanos());
        }
    }

    fn start_flows(&mut self, group: usize, now: u64) {
        while let Some(arrival) =
            self.groups[group].arrivals.next_if(|next| next.start.as_nanos() <= now)
        {
            self.start_flow(group, &arrival, now);
        }
        self.await_arrival(group);
    }

    fn start_flow(&mut self, group: usize, arrival: &FlowArrival, now: u64) {
        let index = self.groups[group].started;
        self.groups[group].started += 1;
        if self.measures(now)
            && let Some(size) = arrival.size
        {
            self.measured.started += 1;
            self.measured.bytes += size.as_u64();
        }
        let Self { flows, hosts, .. } = self;
        let key = flows.insert(|key| {
            let state = &self.groups[group];
            let order = flow_order(group, index);
            let mut timer = |host: usize, role| {
                Timer::idle(hosts[host].register(order, Owner::Flow(key, role)))
            };
            let (receiver_timer, sender_timer) =
                (timer(state.to, Role::Receiver), timer(state.from, Role::Sender));
            let (sender, receiver) = ends(self.config, state, arrival, index);
            Flow {
                receiver,
                generation: key.generation,
                out: state.out,
                back: state.back,
                from: state.from as u32,
                to: state.to as u32,
                receiver_timer,
                closed: false,
                heard: now,
                last: now,
                sender_timer,
                sender,
                group: group as u32,
                index,
                start: now,
                size: arrival.size.map(Bytes::as_u64),
                lost: 0,
                sampler: None,
            }
        });
        self.tape.name(key, group, index, arrival.size);
        self.await_sample(key, group, index, now);
        self.sender_goes_on(key, now);
    }

    #[inline]
    fn measures(&self, start: u64) -> bool {
        (self.config.warm_up.as_nanos()..self.config.stop.as_nanos()).contains(&start)
    }

    fn sender_timer(&mut self, key: FlowKey, now: u64) {
        let Some(flow) = self.flows.get(key) else { return };
        flow.sender_timer.due = u64::MAX;
        flow.sender.timer(now);
        self.sender_goes_on(key, now);
    }

    /// An answer reaches a sender; whether it may have set a timer.
    #[inline(always)]
    fn sender_hears(&mut self, packet: &Packet, words: WireHeader, now: u64) -> bool {
        let key = packet.flow;
        if packet.sacks != 0 {
            self.sender_hears_of_gaps(packet, words, now);
            return true;
        }
        let Some(mut flow) = self.flows.get(key) else { return false };
        if !flow.sender.hear(now, packet, words, &[]) {
            self.sender_goes_on(key, now);
            return true;
        }
        // What follows is what `sender_goes_on` would do, and all that most answers need.
        while let Some(out) = flow.sender.send_new(now) {
            let packet = out.packet(key, flow.out, now);
            if let Some((packet, at)) = self.net.launch(packet, now) {
                self.carry(&packet, packet.words, at);
                let Some(same) = self.flows.get(key) else { return true };
                flow = same;
            }
        }
        let wake = flow.sender.wake();
        let sooner = wake < flow.sender_timer.due;
        if sooner {
            self.await_sender(key, wake, now);
        }
        sooner
    }

    #[inline(never)]
    fn sender_hears_of_gaps(&mut self, packet: &Packet, words: WireHeader, now: u64) {
        let Some(blocks) = self.sacks.take(packet.sacks) else { return };
        let known = blocks.iter().position(|block| block.start == block.end).unwrap_or(3);
        let Some(flow) = self.flows.get(packet.flow) else { return };
        flow.sender.hear(now, packet, words, &blocks[..known]);
        self.sender_goes_on(packet.flow, now);
    }

    /// After something has happened to a sender it sends what it may, sets its timer, and is
    /// noticed if it has finished.
    #[inline(never)]
    fn sender_goes_on(&mut self, key: FlowKey, now: u64) {
        let Some(mut flow) = self.flows.get(key) else { return };
        while let Some(out) = flow.sender.send(now) {
            let packet = out.packet(key, flow.out, now);
            if let Some((packet, at)) = self.net.launch(packet, now) {
                self.carry(&packet, packet.words, at);
                let Some(same) = self.flows.get(key) else { return };
                flow = same;
            }
        }
        if flow.sender.is_closed() {
            return self.close(key, now);
        }
        let wake = flow.sender.wake().min(flow.sender.wake_paced());
        if wake < flow.sender_timer.due {
            self.await_sender(key, wake, now);
        }
    }

    /// Sets a sender's timer.
    #[cold]
    fn await_sender(&mut self, key: FlowKey, wake: u64, now: u64) {
        let Some(flow) = self.flows.get(key) else { return };
        flow.sender_timer.due = wake;
        self.hosts[flow.from as usize].set(flow.sender_timer.id, wake.max(now));
    }

    #[cold]
    fn close(&mut self, key: FlowKey, now: u64) {
        let Some(flow) = self.flows.get(key) else { return };
        // Acknowledgements that come after the end wake the sender once more.
        if !std::mem::replace(&mut flow.closed, true) {
            flow.last = flow.last.max(now);
            self.retire_if_done(key);
        }
    }

    /// Puts a flow on record and frees what it holds, if nothing of it is left.
    #[inline]
    pub(super) fn retire_if_done(&mut self, key: FlowKey) {
        let Some(flow) = self.flows.get(key) else { return };
        if flow.is_over() {
            self.record(key);
            self.forget(key);
        }
    }

    fn forget(&mut self, key: FlowKey) {
        let Some(flow) = self.flows.get(key) else { return };
        self.hosts[flow.from as usize].release(flow.sender_timer.id);
        self.hosts[flow.to as usize].release(flow.receiver_timer.id);
        if let Some(sampler) = flow.sampler {
            self.hosts[flow.from as usize].release(sampler.timer);
        }
        self.flows.remove(key);
    }

    fn receiver_timer(&mut self, key: FlowKey, now: u64) {
        let Some(flow) = self.flows.get(key) else { return };
        flow.receiver_timer.due = u64::MAX;
        let reply = flow.receiver.timer(now);
        if reply.is_some() {
            flow.heard = now;
        }
        self.receiver_goes_on(key, reply, now);
    }

    /// A packet reaches a receiver; whether a timer may have been set or given up.
    #[inline(always)]
    fn receiver_hears(&mut self, packet: &Packet, words: WireHeader, now: u64) -> bool {
        if packet.kind == PacketKind::Data {
            self.net.totals.data_delivered += 1;
        }
        let measured = self.measures(now);
        // A packet in flight keeps its flow alive, so the flow is there.
        let Some(flow) = self.flows.get(packet.flow) else { return false };
        flow.heard = now;
        let reply = flow.receiver.hear(now, packet, words, measured);
        if let Some(reply) = &reply
            && !flow.closed
        {
            let (step, sacks) = (flow.back, self.sacks.of(&flow.receiver, reply));
            self.answer(packet.flow, step, sacks, reply, now);
            return false;
        }
        self.receiver_goes_on(packet.flow, reply, now);
        true
    }

    /// A receiver answers if it has an answer, sets its timer if it waits, and its flow is noticed
    /// if it is over.
    #[inline(never)]
    fn receiver_goes_on(&mut self, key: FlowKey, reply: Option<Reply>, now: u64) {
        let Some(flow) = self.flows.get(key) else { return };
        if let Some(reply) = &reply {
            let (step, sacks) = (flow.back, self.sacks.of(&flow.receiver, reply));
            self.answer(key, step, sacks, reply, now);
        }
        self.await_receiver(key);
        self.retire_if_done(key);
    }

    /// Sets a receiver's timer if it waits with an acknowledgement.
    fn await_receiver(&mut self, key: FlowKey) {
        let Some(flow) = self.flows.get(key) else { return };
        let wake = flow.receiver.wake();
        if wake < flow.receiver_timer.due {
            flow.receiver_timer.due = wake;
            self.hosts[flow.to as usize].set(flow.receiver_timer.id, wake);
        }
    }

    #[inline(always)]
    fn answer(&mut self, key: FlowKey, step: u32, sacks: u32, reply: &Reply, now: u64) {
        let packet = Packet {
            at: now,
            seq: reply.seq,
            sent: reply.sent,
            words: reply.words,
            flow: key,
            bytes: self.net.control,
            step,
            sacks,
            kind: reply.kind,
            ecn: reply.ecn,
        };
        if let Some((packet, at)) = self.net.launch(packet, now) {
            self.carry(&packet, packet.words, at);
        }
    }

    /// Sets the timer of a flow's sampler, if it has one.
    fn await_sample(&mut self, key: FlowKey, group: usize, index: u64, now: u64) {
        let mut samplers = self.config.flow_metrics.iter();
        let Some(place) = samplers.position(|p| p.group == group && p.index == index) else {
            return;
        };
        let Some(flow) = self.flows.get(key) else { return };
        let order = flow_order(group, index);
        let host = &mut self.hosts[flow.from as usize];
        let timer = host.register(order, Owner::Flow(key, Role::Sampler));
        flow.sampler = Some(FlowSampler { place, timer });
        host.set(timer, now + self.config.flow_metrics[place].every.as_nanos());
    }

    fn sample_flow(&mut self, key: FlowKey, now: u64) {
        let Some(flow) = self.flows.get(key) else { return };
        let Some(FlowSampler { place, timer }) = flow.sampler else { return };
        if flow.sender.is_closed() {
            return;
        }
        let series = &mut self.flow_series[place];
        if series.columns.is_empty() {
            flow.sender.metrics(&mut |name, _| series.columns.push(name));
        }
        series.times.push(Time::from_nanos(now));
        flow.sender.metrics(&mut |_, value| series.values.push(value));
        let every = self.config.flow_metrics[place].every.as_nanos();
        self.hosts[flow.from as usize].set(timer, now + every);
    }

    fn record(&mut self, key: FlowKey) {
        let Some(flow) = self.flows.get(key) else { return };
        let (group, start, ended) = (flow.group as usize, flow.start, flow.last.max(flow.heard));
        let record = Self::record_of(flow, self.config, &self.groups[group], u64::MAX);
        let measured = self.measures(start);
        self.measured.resent += record.resent;
        self.records.push(ended, FlowRecord { measured, ..record });
    }

    fn record_of(flow: &Flow, config: &Config, group: &GroupState, end: u64) -> FlowRecord {
        let payload = (config.packet - config.header).as_u64();
        let (packets, last) = flow.receiver.delivered();
        let short = flow.size.map_or(0, |size| size.div_ceil(payload).max(1) * payload - size);
        let delivered = packets * payload - if last { short } else { 0 };
        let completed = flow.receiver.completed().filter(|&time| time <= end);
        FlowRecord {
            group: flow.group as usize,
            index: flow.index,
            start: Time::from_nanos(flow.start),
            size: flow.size.map(Bytes::new),
            completion: completed.map(|time| Span::from_nanos(time - flow.start)),
            alone: flow.size.map(|size| group.empty.completion(size)),
            retransmissions: flow.sender.resent().ever,
            resent: flow.sender.resent().measured,
            delivered: Bytes::new(delivered),
            measured: false,
        }
    }

    /// At the end of the run: measured flows that are not on record, and those without a size.
    pub(super) fn report_unfinished(&mut self, watch: &mut dyn Observer) {
        let mut rest: Vec<FlowRecord> = self.records.drain().collect();
        for record in &mut rest {
            let end = Time::from_nanos(self.net.end);
            record.completion = record.completion.filter(|&took| record.start + took <= end);
        }
        // Those of the warm-up too, which have no record unless they finished.
        self.measured.resent +=
            self.flows.iter().map(|flow| flow.sender.resent().measured).sum::<u64>();
        let live = self.flows.iter().filter(|flow| flow.start <= self.net.end);
        rest.extend(live.map(|flow| FlowRecord {
            measured: self.measures(flow.start),
            ..Self::record_of(flow, self.config, &self.groups[flow.group as usize], self.net.end)
        }));
        rest.retain(|record| {
            record.start.as_nanos() <= self.net.end && (record.measured || record.size.is_none())
        });
        rest.sort_by_key(|record| (record.group, record.index));
        for record in &rest {
            self.measured.finish(record, self.net.end);
            watch.flow(record);
        }
    }
}

/// A flow's place among timers of one instant: after all groups, whose place is their number.
fn flow_order(group: usize, index: u64) -> u64 {
    (group as u64 + 1) << 42 | index
}

/// The two ends of a new flow.
fn ends(
    config: &Config,
    group: &GroupState,
    arrival: &FlowArrival,
    index: u64,
) -> (Sender, Receiver) {
    let protocol = group.protocol;
    let transport = &group.transport;
    let payload = (config.packet - config.header).as_u64();
    let full = config.packet.as_u64() as u32;
    let size = arrival.size.map(Bytes::as_u64);
    let packets = size.map_or(u64::MAX, |size| size.div_ceil(payload).max(1));
    let terms = Transfer {
        packets,
        stop: arrival.stop.as_nanos(),
        full,
        // A byte at least, so that it takes time: a flow may have nothing to send, and no header.
        last: size.map_or(full, |size| full - (packets * payload - size) as u32).max(1),
        control: config.control.as_u64() as u32,
        ecn: transport.ecn,
        // A flow without an end has retransmissions of its own up to the stop only, since it may
        // have run ahead of whatever ends the run later.
        count_until: if size.is_some() { u64::MAX } else { config.stop.as_nanos() },
        measured: (config.warm_up.as_nanos(), config.stop.as_nanos()),
    };
    let setup = SenderContext {
        weight: group.weight,
        initial_window: transport.initial_window,
        ..SenderContext::new(config.packet, config.control)
    };
    let law = protocol.host(&setup);
    let law = match &group.noted {
        Some(pen) => Box::new(TracedLaw::new(law, pen.clone(), index)),
        None => law,
    };
    let sender = Sender::new(
        law,
        Repair::of_variant(transport.recovery, protocol.variant()),
        transport.rto(),
        Lateness::new(transport.jitter, group.late, index),
        &terms,
    );
    let receiver =
        Receiver::new(protocol.echo(), transport.ack_delay().map(Span::as_nanos), packets);
    (sender, receiver)
}

/// A series for each flow sampler, empty until its flow lives.
pub(super) fn flow_series(config: &Config) -> Vec<Series> {
    let series = |sampler: &FlowMetrics| Series {
        subject: Subject::Flow { group: sampler.group, index: sampler.index },
        columns: Vec::new(),
        times: Vec::new(),
        values: Vec::new(),
    };
    config.flow_metrics.iter().map(series).collect()
}
