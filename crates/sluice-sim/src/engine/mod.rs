//! The engine: takes events in order and carries packets along their paths.
//!
//! An event exists only where order must be decided: packets on wires that meet at an element, a
//! host's first timer, held packets that must be let go. Everything between two such points happens
//! within one event, in each element's own time ([`crate::plan`]).

mod batch;
mod build;
mod flows;
mod net;
mod pages;
mod records;
mod sacks;
mod soonest;
mod trace;
mod wires;

use sluice_laws::WireHeader;
use sluice_laws::protocol::Protocol;
use sluice_units::{Rate, Time};

use crate::check::{ConfigError, check_protocols};
use crate::config::Config;
use crate::host::{Flows, Timers};
use crate::link::{Fate, Link, Marked, Settled, Verdict};
use crate::outcome::{Outcome, Series};
use crate::packet::{Ecn, Packet};
use crate::plan::AHEAD;
use crate::route::Paths;
use crate::wheel::Actor;
use crate::{Observer, Progress};

use batch::Batch;
use flows::{GroupState, Measured};
use net::Net;
use records::Records;
use sacks::Sacks;
use trace::TraceBuffer;

/// Packets or events between two calls of [`Observer::tick`]: a few milliseconds.
const EVENTS_PER_TICK: i64 = 1 << 15;

/// Runs `config` under `protocol`. Flows are told to `watch` as they end.
pub fn run(
    config: &Config,
    protocol: &dyn Protocol,
    watch: &mut dyn Observer,
) -> Result<Outcome, ConfigError> {
    config.check()?;
    check_protocols(config, protocol)?;
    let paths = Paths::of(config)?;
    let mut engine = Engine::new(config, protocol, &paths);
    engine.run(watch);
    Ok(engine.finish(watch))
}

struct Engine<'a> {
    config: &'a Config,
    net: Net,
    hosts: Vec<Timers>,
    flows: Flows,
    groups: Vec<GroupState<'a>>,
    sacks: Sacks,
    records: Records,
    batch: Batch,
    flow_series: Vec<Series>,
    measured: Measured,
    tape: TraceBuffer,
    interrupted: bool,
}

impl Engine<'_> {
    fn run(&mut self, watch: &mut dyn Observer) {
        let meetings = self.net.wires.meetings.len() as Actor;
        let stop = self.stop_actor();
        let mut until_tick = EVENTS_PER_TICK;
        while let Some((now, actor)) = self.net.wheel.pop() {
            if now > self.net.end {
                break;
            }
            // All that happens at the stop has, as its actor acts.
            let done = if actor == stop { now + 1 } else { now };
            if (self.records.due() < done || actor == stop) && self.release(done, watch) {
                break;
            }
            let mut work = 1;
            if actor < meetings {
                work = self.meet(actor as usize, now);
            } else {
                self.act(now, (actor - meetings) as usize);
            }
            self.net.totals.events += work as u64;
            until_tick -= work as i64;
            if until_tick <= 0 {
                until_tick += EVENTS_PER_TICK;
                self.emit_trace(now, watch);
                if !watch.tick(self.progress(now)) {
                    (self.interrupted, self.net.end) = (true, now);
                    break;
                }
            }
        }
        if !self.interrupted {
            self.release(self.net.end + 1, watch);
        }
    }

    /// Tells the watch of flows that ended before `done`, up to where all has happened; whether
    /// the run is over, since it has passed the stop and every measured flow has finished.
    #[cold]
    fn release(&mut self, done: u64, watch: &mut dyn Observer) -> bool {
        let stop = self.config.stop.as_nanos();
        loop {
            let due = self.records.due();
            let end = self.measured.last.max(stop);
            if done > stop && self.measured.all_finished() && due > end {
                self.net.end = end;
                return true;
            }
            let Some((ended, record)) = self.records.pop(done) else { return false };
            self.measured.finish(&record, ended);
            watch.flow(&record);
        }
    }

    /// Acts once, last of all at the stop, so that a run with nothing to wait for ends there.
    fn stop_actor(&self) -> Actor {
        self.flush_actor(self.net.links.len())
    }

    fn flush_actor(&self, link: usize) -> Actor {
        (self.net.wires.meetings.len() + self.hosts.len() + link) as Actor
    }

    fn progress(&self, now: u64) -> Progress {
        Progress {
            now: Time::from_nanos(now),
            stop: self.config.stop,
            measured: self.measured.started,
            finished: self.measured.finished,
        }
    }

    /// What is not a packet's arrival: a host's timers, a link's held packets, the stop.
    fn act(&mut self, now: u64, actor: usize) {
        let hosts = self.hosts.len();
        if actor < hosts {
            self.wake_host(actor, now);
        } else if actor - hosts < self.net.links.len() {
            self.flush(actor - hosts, now);
        }
    }

    /// Packets arrive where those of several elements meet. Takes, in order, all that do before any
    /// other can; gives how many.
    fn meet(&mut self, number: usize, now: u64) -> usize {
        for holder in 0..self.net.wires.meetings[number].holders.len() {
            let id = self.net.wires.meetings[number].holders[holder];
            if self.net.links[id].first_held().is_some() {
                // What left it by now may arrive within the window; what leaves later does not.
                self.settle(id, now);
            }
        }
        let mut batch = std::mem::take(&mut self.batch);
        let next = self.net.wires.gather(number, now, self.net.end, &mut batch);
        self.net.wheel.reschedule(number as Actor, next);
        batch.sort();
        for packet in batch.arrivals() {
            self.carry_in_line(packet, packet.words, packet.at);
        }
        let arrived = batch.len();
        self.batch = batch;
        arrived
    }

    /// Carries a packet on from `now`, until it waits on a wire, is held, dropped or delivered. The
    /// packet is only read: what changes on the way stays in registers, since memory that was just
    /// written in parts is slow to read as a whole.
    #[inline(never)]
    fn carry(&mut self, packet: &Packet, words: WireHeader, now: u64) {
        self.carry_in_line(packet, words, now);
    }

    /// The same, for where nearly every packet comes from: calls, with what must be kept over them,
    /// cost as much as links.
    #[inline(always)]
    fn carry_in_line(&mut self, packet: &Packet, mut words: WireHeader, mut now: u64) {
        let mut number = packet.step;
        let mut step = self.net.plan.steps[number as usize];
        loop {
            let id = step.id as usize;
            if step.is_host() {
                now = self.net.processing.at_host(id, now);
            }
            if now > self.net.end {
                self.net.totals.in_flight += 1;
                return;
            }
            if step.is_host() {
                self.net.totals.hops += step.links();
                return self.reach_host(id, packet, words, now);
            }
            if self.net.links[id].due() <= now {
                self.settle(id, now);
                if self.net.links[id].is_traced() {
                    return self.carry_traced(packet, words, number, now);
                }
            }
            match self.net.links[id].accept(now, packet, &mut words) {
                Verdict::Passes(at) => now = at,
                verdict => return self.stop(packet, words, number, now, verdict),
            }
            number += 1;
            if step.wire != AHEAD {
                return self.wait(packet, words, number, now);
            }
            step = self.net.plan.steps[number as usize];
        }
    }

    /// A packet waits for its next step until the clock comes to `at`.
    #[inline(never)]
    fn wait(&mut self, packet: &Packet, words: WireHeader, step: u32, at: u64) {
        let wire = self.net.plan.wire_to(step);
        self.net.wait_on_wire(wire, Packet { at, words, step, ..*packet });
    }

    /// A packet that came to a link at `now`, its present step, does not simply pass it.
    #[cold]
    #[inline(never)]
    fn stop(&mut self, packet: &Packet, words: WireHeader, step: u32, now: u64, verdict: Verdict) {
        let id = self.net.plan.steps[step as usize].id as usize;
        let (at, fate, ecn) = match verdict {
            Verdict::Passes(at) => (at, Fate::Passes, packet.ecn),
            Verdict::Held(at) => (at, Fate::Held, packet.ecn),
            Verdict::Marked(Marked { at, fate }) => (at, fate, packet.ecn.with(Ecn::EXPERIENCED)),
            Verdict::Lost(_) | Verdict::Dropped => return self.lose(packet, now),
        };
        self.leave(Packet { at, words, ecn, step: step + 1, ..*packet }, id, fate, now);
    }

    /// A packet that link `id` took at `now` goes on as another, since the one that came is only read.
    #[cold]
    fn leave(&mut self, packet: Packet, id: usize, fate: Fate, now: u64) {
        let wire = self.net.plan.wire_to(packet.step);
        match fate {
            Fate::Held => {
                self.net.links[id].hold(packet);
                self.await_flush(id, packet.at);
            }
            Fate::Lost => self.lose(&packet, now),
            Fate::Passes if wire == AHEAD => self.carry(&packet, packet.words, packet.at),
            Fate::Passes => self.net.wait_on_wire(wire, packet),
        }
    }

    /// Settles a link up to `now` in its own order.
    #[inline(never)]
    fn settle(&mut self, id: usize, now: u64) {
        loop {
            match self.net.links[id].settle(now) {
                Settled::Timer => {}
                Settled::Departs => self.let_go(id),
                Settled::Nothing => return,
            }
        }
    }

    /// Lets go of the first packet that a link holds.
    #[inline(never)]
    fn let_go(&mut self, id: usize) {
        let link = &mut self.net.links[id];
        let Some((packet, words)) = link.let_go() else { return };
        let wire = self.net.plan.wire_to(packet.step);
        let lost = link.errs(packet.at - link.delay());
        if link.is_traced() {
            self.note_departure(id, &Packet { words, ..packet }, lost);
        }
        if lost {
            self.lose(&packet, packet.at);
        } else if wire == AHEAD {
            self.carry(&packet, words, packet.at);
        } else {
            self.net.wait_on_wire(wire, Packet { words, ..packet });
        }
    }

    /// Makes sure that a held packet is let go before it is due at the end of the link.
    fn await_flush(&mut self, id: usize, at: u64) {
        let flush = self.flush_actor(id);
        if self.net.wheel.due(flush) == u64::MAX {
            self.net.wheel.schedule(flush, at - 1);
        }
    }

    /// Lets go of held packets before the first of them is due at the end of the link. Acts last
    /// at its instant, so everything that arrives by `now` has, and the link may settle whatever
    /// comes before the next instant's arrivals.
    fn flush(&mut self, id: usize, now: u64) {
        self.settle(id, now + 1);
        if let Some(at) = self.net.links[id].first_held() {
            self.await_flush(id, at);
        }
    }

    fn lose(&mut self, packet: &Packet, now: u64) {
        self.net.totals.dropped += 1;
        self.sacks.take(packet.sacks);
        if packet.is_forward()
            && let Some(flow) = self.flows.get(packet.flow)
        {
            flow.lost += 1;
            flow.last = flow.last.max(now);
            self.retire_if_done(packet.flow);
        }
    }

    /// Settles everything at the end of the run and says what it came to.
    fn finish(mut self, watch: &mut dyn Observer) -> Outcome {
        for id in 0..self.net.links.len() {
            self.settle(id, self.net.end);
        }
        self.emit_trace(self.net.end + 1, watch);
        self.report_unfinished(watch);
        self.net.totals.in_flight += self.net.links.iter().map(Link::holding).sum::<u64>();
        self.net.totals.in_flight += self.net.wires.holding();
        let end = Time::from_nanos(self.net.end);
        let series = self.net.links.iter().filter_map(Link::series).chain(self.flow_series);
        Outcome {
            end,
            interrupted: self.interrupted,
            measured: self.measured.started,
            unfinished: self.measured.started - self.measured.finished,
            offered: self.measured.offered(self.config),
            resent: self.measured.resent,
            links: self.net.links.iter().map(Link::outcome).collect(),
            series: series.map(|series| until(series, end)).collect(),
            totals: self.net.totals,
        }
    }
}

/// Elements that ran ahead sampled past the end of the run.
fn until(mut series: Series, end: Time) -> Series {
    let rows = series.times.partition_point(|&time| time <= end);
    series.times.truncate(rows);
    series.values.truncate(rows * series.columns.len());
    series
}

impl Measured {
    fn offered(&self, config: &Config) -> Rate {
        let seconds = config.stop.since(config.warm_up).as_secs_f64();
        if seconds > 0.0 {
            Rate::from_bps_f64(self.bytes as f64 * 8.0 / seconds)
        } else {
            Rate::ZERO
        }
    }
}
