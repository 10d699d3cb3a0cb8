//! A run of an ideal: flows start, send at the rates of its sharing, end and are reported, by the
//! rules of the engine.

use sluice_units::{Bytes, Rate, Span, Time};

use super::agenda::{Agenda, Event};
use super::clock::Clock;
use super::flows::{Flow, Flows, measures, wire};
use super::ledger::Ledger;
use super::meter::{IdealMeter, by_link};
use super::network::{Crossings, Network};
use super::reserved::Reserved;
use super::sharing::{Entrant, Sharing, Slot};
use super::way::{FluidGroup, FluidWay, Window, way_links};
use crate::config::{Config, LinkConfig};
use crate::observer::{Observer, Progress};
use crate::outcome::{FlowRecord, Outcome, PacketTotals, StreamRecord};
use crate::route::{Paths, delay};

/// Work between two calls of [`Observer::tick`], in busy routes: some milliseconds.
const WORK_PER_TICK: usize = 1 << 15;

pub(super) struct Fluid<'a> {
    config: &'a Config,
    /// The highest capacity of each link.
    highest: Vec<Rate>,
    sharing: Box<dyn Sharing>,
    network: Network,
    groups: Vec<FluidGroup<'a>>,
    ways: Vec<FluidWay>,
    flows: Flows,
    agenda: Agenda,
    clock: Clock,
    reserved: Reserved,
    meter: IdealMeter,
    ledger: Ledger,
    end: Time,
    events: u64,
    interrupted: bool,
}

impl<'a> Fluid<'a> {
    pub(super) fn new(
        config: &'a Config,
        paths: &'a [Paths],
        network: Network,
        sharing: Box<dyn Sharing>,
        reserved: Reserved,
    ) -> Self {
        let mut fluid = Self {
            config,
            highest: config.links.iter().map(LinkConfig::highest_capacity).collect(),
            sharing,
            network,
            groups: Vec::new(),
            ways: Vec::new(),
            flows: Flows::default(),
            agenda: Agenda::default(),
            clock: Clock::default(),
            reserved,
            meter: IdealMeter::new(config),
            ledger: Ledger::new(config),
            end: last_instant(config),
            events: 0,
            interrupted: false,
        };
        for (group, paths) in config.groups.iter().zip(paths) {
            fluid.groups.push(FluidGroup::new(config, group, paths));
        }
        fluid.plan();
        fluid
    }

    /// The events known at the start.
    fn plan(&mut self) {
        for group in 0..self.groups.len() as u32 {
            self.await_start(group);
        }
        self.await_change(self.reserved.first_change());
        for group in self.reserved.groups() {
            let path = self.groups[group].paths.out.of_flow(0);
            let delay = delay(&self.config.links, &path);
            for (measured, is_first) in [(self.config.warm_up, true), (self.config.stop, false)] {
                let event = Event::Measure { group: group as u32, is_first };
                self.agenda.add(measured - delay, event);
            }
        }
        for (sampler, every) in self.meter.samples().enumerate() {
            self.agenda.add(Time::ZERO + every, Event::Sample { sampler: sampler as u32 });
        }
        self.agenda.add(self.config.warm_up, Event::WarmedUp);
        self.agenda.add(self.config.stop, Event::Stop);
    }

    pub(super) fn run(&mut self, observer: &mut dyn Observer) {
        let mut work = 0;
        loop {
            let (due, ahead) = (self.agenda.due(), self.sharing.horizon());
            let wait = self.clock.until(due);
            if due == Time::NEVER && ahead.is_infinite() {
                break;
            }
            // A flow that finishes as another enters leaves first.
            let finishes = ahead <= wait;
            if !finishes && due > self.end {
                break;
            }
            self.sharing.advance(ahead.min(wait));
            if finishes {
                self.clock.advance(ahead);
                if self.clock.whole > self.end {
                    break;
                }
            } else {
                self.clock.set(due);
            }
            let now = self.clock.whole;
            if self.ledger.due() < now && self.release(now, observer) {
                break;
            }
            if finishes {
                self.finish_flows();
            } else if self.act(now) && self.release(now.plus(Span::NANO), observer) {
                break;
            }
            self.events += 1;
            work += 1 + self.sharing.busy();
            if work >= WORK_PER_TICK {
                work = 0;
                self.meter.emit(now, observer);
                if !observer.tick(self.progress(now)) {
                    (self.interrupted, self.end) = (true, now);
                    break;
                }
            }
        }
        if !self.interrupted {
            self.release(self.end.plus(Span::NANO), observer);
        }
    }

    /// Reports flows that ended before `done`. Whether the run is over.
    fn release(&mut self, done: Time, observer: &mut dyn Observer) -> bool {
        let over = self.ledger.release(done, observer);
        self.end = over.unwrap_or(self.end);
        over.is_some()
    }

    /// Handles the next event. Whether it was the stop.
    fn act(&mut self, now: Time) -> bool {
        match self.agenda.next() {
            Some(Event::Leave { slot, .. }) => self.leave(slot, now),
            Some(Event::Enter { slot, .. }) => self.enter(slot),
            Some(Event::Start { group }) => self.start(group),
            Some(Event::Reserve) => self.reserve(now),
            Some(Event::Measure { group, is_first }) => {
                self.reserved.measure(group as usize, is_first, now);
            }
            Some(Event::Look { way }) => self.look(way),
            Some(Event::Sample { sampler }) => self.sample(sampler, now),
            Some(Event::WarmedUp) => {
                let carried = self.carried_by_link();
                self.meter.begin(carried);
            }
            Some(Event::Stop) => {
                let carried = self.carried_by_link();
                self.meter.end(&carried);
                return true;
            }
            None => {}
        }
        false
    }

    fn await_change(&mut self, change: Time) {
        if change <= self.end {
            self.agenda.add(change, Event::Reserve);
        }
    }

    /// Streams start or stop, or capacities change, and flows share what is left.
    fn reserve(&mut self, now: Time) {
        let left = self.reserved.change(now);
        self.sharing.reserve(&self.network.of_links(&left));
        self.await_change(self.reserved.next_change(now));
    }

    fn await_start(&mut self, group: u32) {
        if self.config.groups[group as usize].traffic.udp().is_some() {
            // They are no flows.
            return;
        }
        if let Some(next) = self.groups[group as usize].arrivals.peek() {
            self.agenda.add(next.start, Event::Start { group });
        }
    }

    /// A SYN leaves.
    fn start(&mut self, number: u32) {
        let group = &mut self.groups[number as usize];
        let Some(arrival) = group.arrivals.next() else { return };
        let (index, start) = (group.started, arrival.start);
        group.started += 1;
        if let Some(size) = arrival.size.filter(|_| measures(self.config, start)) {
            self.ledger.start(size.as_u64());
        }
        let way = self.way(number, index, start);
        let enters = start + self.ways[way as usize].fastest.opening;
        let size = arrival.size.map(Bytes::as_u64);
        let (group, sends, seen) = (number, false, (0.0, 0.0));
        let flow = Flow { group, way, index, start, size, enters, sends, seen };
        let slot = self.flows.insert(flow);
        let stop = if size.is_some() { Time::NEVER } else { arrival.stop.max(start) };
        if enters < stop {
            self.agenda.add(enters, Event::Enter { group: number, index, slot });
        }
        if stop < Time::NEVER {
            self.agenda.add(stop, Event::Leave { group: number, index, slot });
        }
        self.await_start(number);
    }

    /// The way of a flow that starts `now`, which is added if no flow took it before.
    fn way(&mut self, group: u32, index: u64, now: Time) -> u32 {
        let FluidGroup { paths, known, .. } = &mut self.groups[group as usize];
        if paths.are_single()
            && let Some((_, &way)) = known.first_key_value()
        {
            return way;
        }
        let links = way_links(paths, index);
        if let Some(&way) = known.get(&links) {
            return way;
        }
        let number = self.ways.len() as u32;
        let routes = self.network.routes.len();
        let crossings = Crossings::new(&paths.out, index);
        let route = self.network.route(&crossings);
        self.network.routes[routes..].iter().for_each(|route| self.sharing.add_route(route));
        let way = FluidWay::new((self.config, &self.highest), (paths, index), (crossings, route));
        let delay = way.fastest.delay;
        known.insert(links, number);
        self.ways.push(way);
        for measured in [self.config.warm_up, self.config.stop] {
            // Nothing that it carries arrives earlier than this flow's data.
            self.agenda.add((measured - delay).max(now), Event::Look { way: number });
        }
        number
    }

    /// A flow's SYN-ACK arrives, and its data enter.
    fn enter(&mut self, slot: Slot) {
        let Some(flow) = self.flows.get(slot) else { return };
        flow.sends = true;
        let &mut Flow { group, way, index, start, size, enters, .. } = flow;
        self.sharing.enter(&Entrant {
            slot,
            route: self.ways[way as usize].route,
            bytes: size.map_or(f64::INFINITY, |size| wire(self.config, size) as f64),
            enters,
            rank: (start, group, index),
        });
    }

    /// A flow without a size stops; its last data have yet to arrive.
    fn leave(&mut self, slot: Slot, now: Time) {
        let Some(flow) = self.flows.remove(slot) else { return };
        let way = &mut self.ways[flow.way as usize];
        let carried = if flow.sends { self.sharing.carried(slot) } else { 0.0 };
        let last = if flow.sends { now.plus(way.fastest.delay) } else { now };
        way.gone += carried;
        self.ledger.push(last, way.record(self.config, &flow, carried));
        if flow.sends {
            self.sharing.leave(slot);
        }
    }

    /// Ends flows that have sent all. Their senders learn it when the last acknowledgement is back.
    fn finish_flows(&mut self) {
        while let Some(slot) = self.sharing.finished() {
            let Some(flow) = self.flows.remove(slot) else { continue };
            let wire = wire(self.config, flow.size.unwrap_or(0));
            let way = &mut self.ways[flow.way as usize];
            way.gone += wire as f64;
            let took = way.completion(&flow, wire, &self.clock);
            let heard = took + way.fastest.back;
            let record = way.record(self.config, &flow, wire as f64);
            let (completion, acknowledged) = (Some(took), Some(heard));
            let record = FlowRecord { completion, acknowledged, ..record };
            self.ledger.push(flow.start + heard, record);
        }
    }

    /// Data that are sent on a way now arrive at the start or the end of the time measured.
    fn look(&mut self, number: u32) {
        let way = &mut self.ways[number as usize];
        let is_first = way.window == Window::Before;
        way.window = if is_first { Window::During } else { Window::After };
        for (slot, flow) in self.flows.iter_mut() {
            if flow.way == number && flow.sends {
                let carried = self.sharing.carried(slot);
                *(if is_first { &mut flow.seen.0 } else { &mut flow.seen.1 }) = carried;
            }
        }
    }

    fn sample(&mut self, sampler: u32, now: Time) {
        let carried = self.carried_by_link();
        let every = self.meter.sample(self.config, sampler as usize, now, &carried);
        self.agenda.add(now + every, Event::Sample { sampler });
    }

    /// Bytes carried by each link so far.
    fn carried_by_link(&self) -> Vec<f64> {
        let mut on_way: Vec<f64> = self.ways.iter().map(|way| way.gone).collect();
        for (slot, flow) in self.flows.iter().filter(|(_, flow)| flow.sends) {
            on_way[flow.way as usize] += self.sharing.carried(slot);
        }
        let mut carried = by_link(self.config, &self.ways, &on_way);
        self.reserved.add_carried(self.clock.whole, &mut carried);
        carried
    }

    fn progress(&self, now: Time) -> Progress {
        Progress {
            now,
            stop: self.config.stop,
            measured: self.ledger.started,
            finished: self.ledger.finished,
            memory: Bytes::new(self.flows.memory()),
        }
    }

    pub(super) fn finish(mut self, observer: &mut dyn Observer) -> Outcome {
        let live = self.live();
        self.ledger.close(live, self.end, observer);
        let begun = self.streams().filter(|stream| stream.start <= self.end);
        begun.for_each(|stream| observer.stream(&stream));
        self.meter.emit(self.end.plus(Span::NANO), observer);
        Outcome {
            end: self.end,
            interrupted: self.interrupted,
            measured: self.ledger.started,
            unfinished: self.ledger.started - self.ledger.finished,
            offered: self.ledger.offered(self.config),
            resent: 0,
            links: self.meter.outcomes(self.config),
            totals: PacketTotals { events: self.events, ..PacketTotals::default() },
        }
    }

    /// A record of each stream, with its part of what arrived of its group's.
    fn streams(&self) -> impl Iterator<Item = StreamRecord> {
        self.reserved.delivered().flat_map(|(group, bytes)| {
            let udp = self.config.groups[group].traffic.udp();
            let (count, start) = udp.map_or((0, Time::ZERO), |udp| (udp.count, udp.start));
            let delivered = Bytes::new((bytes.max(0.0) / count as f64 + 0.5) as u64);
            let measured = measures(self.config, start);
            (0..count).map(move |index| StreamRecord {
                group,
                index,
                start,
                delivered,
                datagrams: None,
                measured,
            })
        })
    }

    /// Records of unfinished flows.
    fn live(&self) -> Vec<FlowRecord> {
        let record = |(slot, flow): (Slot, &Flow)| {
            let carried = if flow.sends { self.sharing.carried(slot) } else { 0.0 };
            self.ways[flow.way as usize].record(self.config, flow, carried)
        };
        self.flows.iter().map(record).collect()
    }
}

/// When the run ends at the latest; without a flow of a size there is nothing to wait for after the
/// stop.
fn last_instant(config: &Config) -> Time {
    let sized = |group: &crate::config::GroupConfig| !group.traffic.is_endless();
    if config.groups.iter().any(sized) { config.limit } else { config.stop }
}
