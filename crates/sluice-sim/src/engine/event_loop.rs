//! The event loop: takes events in order of time, and reports to the observer.

use sluice_units::{Bytes, Span, Time};

use super::state::Engine;
use crate::observer::Progress;
use crate::wheel::Actor;

/// Events, or work within one event, between two calls of [`crate::Observer::tick`]: a few
/// milliseconds.
pub(super) const WORK_PER_TICK: u64 = 1 << 15;

impl Engine<'_> {
    /// Runs to the end. Apart from the checks before it, whose code would share its registers.
    #[inline(never)]
    pub(super) fn run(&mut self) {
        let meetings = self.net.wires.meetings.len() as Actor;
        let stop = self.stop_actor();
        let mut until_tick = WORK_PER_TICK as i64;
        while let Some((now, actor)) = self.net.wheel.pop() {
            if now > self.net.end {
                break;
            }
            self.clock = now;
            // The stop's actor acts after everything else at that instant.
            let done = if actor == stop { now.plus(Span::NANO) } else { now };
            if (self.records.due() < done || actor == stop) && self.release(done) {
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
                until_tick = WORK_PER_TICK as i64;
                self.emit_trace(now);
                self.tick();
            }
            if self.interrupted {
                break;
            }
        }
        if !self.interrupted {
            self.release(self.net.end.plus(Span::NANO));
        }
    }

    /// Ticks when it is time, in the middle of an event, after work other than to send a packet. Whether
    /// the run goes on: if not, work under way is left as it is, and nothing happens after the clock.
    #[inline(always)]
    pub(super) fn goes_on(&mut self) -> bool {
        self.net.tick_at = self.net.tick_at.saturating_sub(1);
        self.net.totals.sent < self.net.tick_at || self.tick()
    }

    /// Calls the observer's tick. Whether the run goes on.
    #[cold]
    #[inline(never)]
    pub(super) fn tick(&mut self) -> bool {
        if !self.interrupted && self.observer.tick(self.progress()) {
            self.net.tick_at = self.net.totals.sent + WORK_PER_TICK;
            return true;
        }
        if !self.interrupted {
            (self.interrupted, self.net.end) = (true, self.clock);
            // As long as the network is as it was at their times.
            self.emit_samples(self.clock);
        }
        false
    }

    /// Reports flows that ended before `done`, by when everything has happened. Whether the run is over:
    /// it has passed the stop, and every measured flow has finished.
    #[cold]
    fn release(&mut self, done: Time) -> bool {
        let stop = self.config.stop;
        loop {
            let due = self.records.due();
            let end = self.measured.last.max(stop);
            if done > stop && self.measured.all_finished() && due > end {
                self.net.end = end;
                return true;
            }
            let Some((ended, record)) = self.records.pop(done) else { return false };
            self.measured.finish(&record, ended);
            self.observer.flow(&record);
        }
    }

    /// The actor that acts last at the stop, so that a run with nothing to wait for ends there.
    pub(super) fn stop_actor(&self) -> Actor {
        self.flush_actor(self.net.links.len())
    }

    /// The actor that emits samples.
    pub(super) fn sample_actor(&self) -> Actor {
        self.stop_actor() + 1
    }

    pub(super) fn flush_actor(&self, link: usize) -> Actor {
        (self.net.wires.meetings.len() + self.hosts.len() + link) as Actor
    }

    fn progress(&self) -> Progress {
        Progress {
            now: self.clock,
            stop: self.config.stop,
            measured: self.measured.started,
            finished: self.measured.finished,
            memory: Bytes::new(
                self.net.memory()
                    + self.telemetry.memory()
                    + self.labels.memory()
                    + self.flows.memory()
                    + self.trace.memory(),
            ),
        }
    }

    /// An event other than arrivals: a host's timers, a link's held packets, samples to emit, the stop.
    fn act(&mut self, now: Time, actor: usize) {
        let hosts = self.hosts.len();
        if actor < hosts {
            self.wake_host(actor, now);
        } else if actor - hosts < self.net.links.len() {
            self.flush(actor - hosts, now);
        } else if actor - hosts > self.net.links.len() {
            self.samples_due(now);
        }
    }
}
