//! The router law of a link, driven in the link's own time.

use std::collections::VecDeque;

use sluice_laws::WireHeader;
use sluice_laws::router::{LinkSample, MAX_TIMERS, QueueCounts, RouterPort, Sampled};
use sluice_units::{Bytes, Rate, Span, Time};

use super::clock::Clock;
use super::counters::Counters;

/// Hands packets to the law, samples the queue for it and calls its ticks.
pub(crate) struct RouterDriver {
    port: Box<dyn RouterPort>,
    pub(crate) stamped: Sampled,
    queue_sampled: Sampled,
    /// Whether the least queue counts only the packets that wait, as arriving packets find them.
    samples_waiting: bool,
    capacity: Rate,
    next: (usize, u64),
    /// The next tick that may change stamping.
    next_grant: u64,
    dropped: u64,
    /// Departures in order, from which the number of waiting bytes follows. Without
    /// `samples_waiting`, only those after the next tick.
    departures: VecDeque<Departure>,
    /// For each timer: its last tick, bytes arrived and `dropped` by then, least queue since.
    since: [Interval; MAX_TIMERS],
}

/// A packet's departure.
struct Departure {
    at: u64,
    /// Bytes that joined the queue up to this packet and with it ([`Counters::taken`]).
    through: u64,
}

#[derive(Clone, Copy)]
struct Interval {
    start: u64,
    arrived: u64,
    dropped: u64,
    /// In bytes with `samples_waiting`, else in nanoseconds of transmission; [`u64::MAX`] before the
    /// first sample.
    least: u64,
}

impl RouterDriver {
    pub(crate) fn new(port: Box<dyn RouterPort>, capacity: Rate) -> Self {
        let start = Interval { start: 0, arrived: 0, dropped: 0, least: u64::MAX };
        let mut router = Self {
            stamped: port.stamped(),
            queue_sampled: port.queue_sampled(),
            samples_waiting: port.queue_sampled() == Sampled::Arrival
                && port.min_queue_counts() == QueueCounts::Waiting,
            port,
            capacity,
            next: (0, 0),
            next_grant: 0,
            dropped: 0,
            departures: VecDeque::new(),
            since: [start; MAX_TIMERS],
        };
        router.refresh();
        router
    }

    /// When the law ticks next.
    pub(crate) fn due(&self) -> u64 {
        self.next.1
    }

    /// A packet arrives that can be stamped at once. By value, so that callers keep the header in
    /// registers.
    #[inline(always)]
    pub(crate) fn pass(&mut self, header: WireHeader, bytes: u32) -> WireHeader {
        self.port.pass(header, bytes)
    }

    /// A packet arrives; the law sees it again at its departure.
    pub(crate) fn arrive(&mut self, mut header: WireHeader, bytes: u32) -> WireHeader {
        self.port.arrive(&header, bytes);
        if self.stamped == Sampled::Arrival {
            self.port.stamp(&mut header, bytes);
        }
        header
    }

    /// A packet arrives, and the queue drops it.
    pub(crate) fn drop(&mut self, header: &WireHeader, bytes: u32) {
        self.dropped += u64::from(bytes);
        self.port.arrive(header, bytes);
    }

    /// A packet's last bit leaves, and the queue is `backlog` then.
    pub(crate) fn depart(
        &mut self,
        mut header: WireHeader,
        bytes: u32,
        backlog: u64,
    ) -> WireHeader {
        if self.queue_sampled == Sampled::Departure {
            self.saw_queue(backlog);
        }
        if self.stamped == Sampled::Departure {
            self.port.stamp(&mut header, bytes);
        }
        header
    }

    /// Earliest departure that must be stamped at departure; earlier packets can be stamped on arrival:
    /// no new grant comes before they depart.
    #[inline]
    pub(crate) fn stamp_at_departure_from(&self) -> u64 {
        match (self.queue_sampled, self.stamped) {
            (Sampled::Departure, _) => 0,
            (Sampled::Arrival, Sampled::Departure) => self.next_grant,
            (Sampled::Arrival, Sampled::Arrival) => u64::MAX,
        }
    }

    /// Earliest departure that must be recorded.
    pub(crate) fn records_from(&self) -> u64 {
        if self.samples_waiting { 0 } else { self.due() }
    }

    /// Records that a packet of `bytes` bytes arrived at `now` and departs at `at`, not before
    /// [`RouterDriver::records_from`]; `through` is [`Departure::through`].
    pub(crate) fn record(&mut self, now: u64, bytes: u32, at: u64, through: u64) {
        if self.samples_waiting {
            let found = self.waiting(now, through - u64::from(bytes));
            self.saw_queue(found);
        }
        self.departures.push_back(Departure { at, through });
    }

    /// Bytes of packets whose transmission has not begun by `now`, at a tick or an arrival. If the last
    /// bit of a packet leaves at `now`, transmission of the next has begun.
    fn waiting(&mut self, now: u64, taken: u64) -> u64 {
        while self.departures.front().is_some_and(|packet| packet.at <= now) {
            self.departures.pop_front();
        }
        self.departures.front().map_or(0, |transmitted| taken - transmitted.through)
    }

    /// Calls the tick that is due.
    pub(crate) fn tick(&mut self, clock: &Clock, counters: &mut Counters) {
        if self.queue_sampled == Sampled::Arrival && !self.samples_waiting {
            self.saw_queue(counters.least);
        }
        counters.least = u64::MAX;
        let (timer, now) = self.next;
        let queue = clock.backlog(now);
        let waiting = Bytes::new(self.waiting(now, counters.taken));
        let bytes = |backlog| self.capacity.bytes_in(Span::from_nanos(backlog));
        let interval = self.since[timer];
        let arrived = counters.taken + self.dropped;
        let sample = LinkSample {
            now: Time::from_nanos(now),
            since: Time::from_nanos(interval.start),
            capacity: self.capacity,
            // The queue is rounded down to whole nanoseconds of transmission.
            queue: bytes(queue).max(waiting),
            waiting,
            min_queue: if self.samples_waiting {
                waiting.min(Bytes::new(interval.least))
            } else {
                bytes(interval.least.min(queue))
            },
            arrived: Bytes::new(arrived - interval.arrived),
            dropped: Bytes::new(self.dropped - interval.dropped),
        };
        self.since[timer] =
            Interval { start: now, arrived, dropped: self.dropped, least: u64::MAX };
        self.port.tick(timer, &sample);
        self.refresh();
    }

    pub(crate) fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.port.metrics(out);
    }

    #[inline]
    fn saw_queue(&mut self, queue: u64) {
        for interval in &mut self.since {
            interval.least = interval.least.min(queue);
        }
    }

    fn refresh(&mut self) {
        let (timer, time) = self.port.next();
        self.next = (timer, time.as_nanos());
        self.next_grant = self.port.next_grant().as_nanos();
    }
}
