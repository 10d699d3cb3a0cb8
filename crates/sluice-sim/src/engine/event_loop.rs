//! The event loop: takes events in order of time, and reports to the observer.

use sluice_units::{Span, Time};

use super::state::Engine;
use crate::observer::{Observer, Progress};
use crate::wheel::Actor;

/// Packets or events between two calls of [`Observer::tick`]: a few milliseconds.
const EVENTS_PER_TICK: i64 = 1 << 15;

impl Engine<'_> {
    /// Runs to the end. Apart from the checks before it, whose code would share its registers.
    #[inline(never)]
    pub(super) fn run(&mut self, observer: &mut dyn Observer) {
        let meetings = self.net.wires.meetings.len() as Actor;
        let stop = self.stop_actor();
        let mut until_tick = EVENTS_PER_TICK;
        while let Some((now, actor)) = self.net.wheel.pop() {
            if now > self.net.end {
                break;
            }
            // The stop's actor acts after everything else at that instant.
            let done = if actor == stop { now.plus(Span::NANO) } else { now };
            if (self.records.due() < done || actor == stop) && self.release(done, observer) {
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
                self.emit_trace(now, observer);
                if !observer.tick(self.progress(now)) {
                    (self.interrupted, self.net.end) = (true, now);
                    break;
                }
            }
        }
        if !self.interrupted {
            self.release(self.net.end.plus(Span::NANO), observer);
        }
    }

    /// Reports flows that ended before `done`, by when everything has happened. Whether the run is over:
    /// it has passed the stop, and every measured flow has finished.
    #[cold]
    fn release(&mut self, done: Time, observer: &mut dyn Observer) -> bool {
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
            observer.flow(&record);
        }
    }

    /// The actor that acts last at the stop, so that a run with nothing to wait for ends there.
    pub(super) fn stop_actor(&self) -> Actor {
        self.flush_actor(self.net.links.len())
    }

    pub(super) fn flush_actor(&self, link: usize) -> Actor {
        (self.net.wires.meetings.len() + self.hosts.len() + link) as Actor
    }

    fn progress(&self, now: Time) -> Progress {
        Progress {
            now,
            stop: self.config.stop,
            measured: self.measured.started,
            finished: self.measured.finished,
        }
    }

    /// An event other than arrivals: a host's timers, a link's held packets, the stop.
    fn act(&mut self, now: Time, actor: usize) {
        let hosts = self.hosts.len();
        if actor < hosts {
            self.wake_host(actor, now);
        } else if actor - hosts < self.net.links.len() {
            self.flush(actor - hosts, now);
        }
    }
}
