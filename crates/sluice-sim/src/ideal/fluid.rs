//! A run of an ideal: flows start, send at the rates that sharing gives them, end and are told, by
//! the rules of the engine.

use sluice_units::{Bytes, Time};

use super::agenda::{Agenda, Event};
use super::clock::Clock;
use super::flows::{Flow, Flows, FluidGroup, Window, measures, wire};
use super::ledger::Ledger;
use super::meter::{IdealMeter, by_link};
use super::network::Network;
use super::sharing::{Entrant, Sharing, Slot};
use crate::config::Config;
use crate::observer::{Observer, Progress};
use crate::outcome::{FlowRecord, Outcome, PacketTotals, Series, Subject};
use crate::route::Paths;
use crate::traffic::Traffic;

/// Work between two calls of [`Observer::tick`], in busy routes looked at: some milliseconds.
const WORK_PER_TICK: usize = 1 << 15;

pub(super) struct Fluid<'a> {
    config: &'a Config,
    sharing: Box<dyn Sharing>,
    groups: Vec<FluidGroup>,
    flows: Flows,
    agenda: Agenda,
    clock: Clock,
    meter: IdealMeter,
    ledger: Ledger,
    end: u64,
    events: u64,
    interrupted: bool,
}

impl<'a> Fluid<'a> {
    pub(super) fn new(
        config: &'a Config,
        paths: &[Paths],
        network: &Network,
        sharing: Box<dyn Sharing>,
    ) -> Self {
        let mut fluid = Self {
            config,
            sharing,
            groups: FluidGroup::all(config, paths, network),
            flows: Flows::default(),
            agenda: Agenda::default(),
            clock: Clock::default(),
            meter: IdealMeter::new(config),
            ledger: Ledger::new(config),
            end: last_instant(config),
            events: 0,
            interrupted: false,
        };
        fluid.plan();
        fluid
    }

    /// What is known from the beginning to happen.
    fn plan(&mut self) {
        let (warm_up, stop) = (self.config.warm_up.as_nanos(), self.config.stop.as_nanos());
        for group in 0..self.groups.len() as u32 {
            let delay = self.groups[group as usize].alone.delay.as_nanos();
            self.agenda.add(warm_up.saturating_sub(delay), Event::Look { group });
            self.agenda.add(stop.saturating_sub(delay), Event::Look { group });
            self.await_start(group);
        }
        for (sampler, every) in self.meter.samples().enumerate() {
            self.agenda.add(every, Event::Sample { sampler: sampler as u32 });
        }
        self.agenda.add(warm_up, Event::WarmedUp);
        self.agenda.add(stop, Event::Stop);
    }

    pub(super) fn run(&mut self, watch: &mut dyn Observer) {
        let mut work = 0;
        loop {
            let (due, ahead) = (self.agenda.due(), self.sharing.horizon());
            let wait = self.clock.until(due);
            if due == u64::MAX && ahead.is_infinite() {
                break;
            }
            // Whoever finishes as another enters has gone.
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
            if self.ledger.due() < now && self.release(now, watch) {
                break;
            }
            if finishes {
                self.finish_flows();
            } else if self.act(now) && self.release(now + 1, watch) {
                break;
            }
            self.events += 1;
            work += 1 + self.sharing.busy();
            if work >= WORK_PER_TICK {
                work = 0;
                if !watch.tick(self.progress(now)) {
                    (self.interrupted, self.end) = (true, now);
                    break;
                }
            }
        }
        if !self.interrupted {
            self.release(self.end + 1, watch);
        }
    }

    /// Tells the watch of flows that ended before `done`; whether the run is over.
    fn release(&mut self, done: u64, watch: &mut dyn Observer) -> bool {
        let over = self.ledger.release(done, watch);
        self.end = over.unwrap_or(self.end);
        over.is_some()
    }

    /// What is next on the agenda; whether that was the stop.
    fn act(&mut self, now: u64) -> bool {
        match self.agenda.next() {
            Some(Event::Leave { slot, .. }) => self.leave(slot, now),
            Some(Event::Enter { slot, .. }) => self.enter(slot),
            Some(Event::Start { group }) => self.start(group),
            Some(Event::Look { group }) => self.look(group),
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

    fn await_start(&mut self, group: u32) {
        if let Some(next) = self.groups[group as usize].arrivals.peek() {
            self.agenda.add(next.start.as_nanos(), Event::Start { group });
        }
    }

    /// A SYN leaves.
    fn start(&mut self, number: u32) {
        let group = &mut self.groups[number as usize];
        let Some(arrival) = group.arrivals.next() else { return };
        let (index, start) = (group.started, arrival.start.as_nanos());
        group.started += 1;
        if let Some(size) = arrival.size.filter(|_| measures(self.config, arrival.start)) {
            self.ledger.start(size.as_u64());
        }
        let enters = (arrival.start + group.alone.opening).as_nanos();
        let size = arrival.size.map(Bytes::as_u64);
        let flow =
            Flow { group: number, index, start, size, enters, sends: false, seen: (0.0, 0.0) };
        let slot = self.flows.insert(flow);
        let stop = if size.is_some() { u64::MAX } else { arrival.stop.as_nanos().max(start) };
        if enters < stop {
            self.agenda.add(enters, Event::Enter { group: number, index, slot });
        }
        if stop < u64::MAX {
            self.agenda.add(stop, Event::Leave { group: number, index, slot });
        }
        self.await_start(number);
    }

    /// A flow's SYN-ACK is there: its data enter.
    fn enter(&mut self, slot: Slot) {
        let Some(flow) = self.flows.get(slot) else { return };
        flow.sends = true;
        let &mut Flow { group, index, start, size, enters, .. } = flow;
        self.sharing.enter(&Entrant {
            slot,
            route: self.groups[group as usize].route,
            bytes: size.map_or(f64::INFINITY, |size| wire(self.config, size) as f64),
            enters,
            rank: (start, group, index),
        });
    }

    /// A flow without a size is stopped. Its last data are yet to arrive.
    fn leave(&mut self, slot: Slot, now: u64) {
        let Some(flow) = self.flows.remove(slot) else { return };
        let group = &mut self.groups[flow.group as usize];
        let carried = if flow.sends { self.sharing.carried(slot) } else { 0.0 };
        let last = if flow.sends { now + group.alone.delay.as_nanos() } else { now };
        group.gone += carried;
        self.ledger.push(last, group.record(self.config, &flow, carried));
        if flow.sends {
            self.sharing.leave(slot);
        }
    }

    /// Flows that have sent all. They are over for their senders when the last acknowledgement is
    /// back.
    fn finish_flows(&mut self) {
        while let Some(slot) = self.sharing.finished() {
            let Some(flow) = self.flows.remove(slot) else { continue };
            let wire = wire(self.config, flow.size.unwrap_or(0));
            let group = &mut self.groups[flow.group as usize];
            group.gone += wire as f64;
            let took = group.completion(&flow, wire, &self.clock);
            let ended = Time::from_nanos(flow.start) + took + group.alone.back;
            let record = group.record(self.config, &flow, wire as f64);
            let record = FlowRecord { completion: Some(took), ..record };
            self.ledger.push(ended.as_nanos(), record);
        }
    }

    /// Data that a group sends now arrive at one end of the time measured.
    fn look(&mut self, number: u32) {
        let group = &mut self.groups[number as usize];
        let is_first = group.window == Window::Before;
        group.window = if is_first { Window::During } else { Window::After };
        for (slot, flow) in self.flows.iter_mut() {
            if flow.group == number && flow.sends {
                let carried = self.sharing.carried(slot);
                *(if is_first { &mut flow.seen.0 } else { &mut flow.seen.1 }) = carried;
            }
        }
    }

    fn sample(&mut self, sampler: u32, now: u64) {
        let carried = self.carried_by_link();
        let every = self.meter.sample(self.config, sampler as usize, now, &carried);
        self.agenda.add(now.saturating_add(every), Event::Sample { sampler });
    }

    /// What links have carried so far.
    fn carried_by_link(&self) -> Vec<f64> {
        let mut of_group: Vec<f64> = self.groups.iter().map(|group| group.gone).collect();
        for (slot, flow) in self.flows.iter().filter(|(_, flow)| flow.sends) {
            of_group[flow.group as usize] += self.sharing.carried(slot);
        }
        by_link(self.config, &self.groups, &of_group)
    }

    fn progress(&self, now: u64) -> Progress {
        Progress {
            now: Time::from_nanos(now),
            stop: self.config.stop,
            measured: self.ledger.started,
            finished: self.ledger.finished,
        }
    }

    pub(super) fn finish(mut self, watch: &mut dyn Observer) -> Outcome {
        let end = Time::from_nanos(self.end);
        let live = self.live();
        self.ledger.close(live, end, watch);
        Outcome {
            end,
            interrupted: self.interrupted,
            measured: self.ledger.started,
            unfinished: self.ledger.started - self.ledger.finished,
            offered: self.ledger.offered(self.config),
            resent: 0,
            links: self.meter.outcomes(self.config),
            series: self.meter.into_series().chain(flow_series(self.config)).collect(),
            totals: PacketTotals { events: self.events, ..PacketTotals::default() },
        }
    }

    /// Records of flows that have started and not ended.
    fn live(&self) -> Vec<FlowRecord> {
        let record = |(slot, flow): (Slot, &Flow)| {
            let carried = if flow.sends { self.sharing.carried(slot) } else { 0.0 };
            self.groups[flow.group as usize].record(self.config, flow, carried)
        };
        self.flows.iter().map(record).collect()
    }
}

/// Where no flow has a size there is nothing to wait for after the stop.
fn last_instant(config: &Config) -> u64 {
    let sized = |group: &crate::config::GroupConfig| !matches!(group.traffic, Traffic::Long(_));
    let last = if config.groups.iter().any(sized) { config.limit } else { config.stop };
    last.as_nanos()
}

/// An empty series for each flow sampler: windows and sequences are a protocol's.
fn flow_series(config: &Config) -> impl Iterator<Item = Series> {
    config.flow_metrics.iter().map(|sampler| Series {
        subject: Subject::Flow { group: sampler.group, index: sampler.index },
        columns: Vec::new(),
        times: Vec::new(),
        values: Vec::new(),
    })
}
