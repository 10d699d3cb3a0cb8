//! A router law at a link: the law's counters and timers in the link's own time.

use std::collections::VecDeque;

use sluice_laws::WireHeader;
use sluice_laws::router::{LinkSample, MAX_TIMERS, QueueCounts, RouterPort, Sampled};
use sluice_units::{Bytes, Rate, Span, Time};

use super::clock::Clock;
use super::counters::Counters;

pub(crate) struct RouterDriver {
    port: Box<dyn RouterPort>,
    pub(crate) stamped: Sampled,
    queue_sampled: Sampled,
    /// Whether the least queue is that of the packets that arriving ones find waiting.
    samples_waiting: bool,
    capacity: Rate,
    next: (usize, u64),
    /// When it next ticks so that stamping may change.
    next_grant: u64,
    dropped: u64,
    /// Packets in order of departure, from which follows what waits. Those that leave before the next
    /// tick are not here unless arriving packets ask too.
    noted: VecDeque<Departure>,
    /// Per timer: when it last ticked, bytes arrived and `dropped` then, least queue since.
    since: [Interval; MAX_TIMERS],
}

/// When a packet leaves.
struct Departure {
    at: u64,
    /// Bytes that joined the queue up to it, its own included ([`Counters::taken`]).
    through: u64,
}

#[derive(Clone, Copy)]
struct Interval {
    start: u64,
    arrived: u64,
    dropped: u64,
    /// In bytes if packets that wait are sampled, else in nanoseconds of transmission; [`u64::MAX`]
    /// before the first sample.
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
            noted: VecDeque::new(),
            since: [start; MAX_TIMERS],
        };
        router.refresh();
        router
    }

    /// When the law ticks next.
    pub(crate) fn due(&self) -> u64 {
        self.next.1
    }

    /// The law sees a packet that arrives and whose departure nothing comes before. By value, so
    /// that callers have the words in registers.
    #[inline(always)]
    pub(crate) fn pass(&mut self, words: WireHeader, bytes: u32) -> WireHeader {
        self.port.pass(words, bytes)
    }

    /// The law sees a packet that arrives, and will see it again as it departs.
    pub(crate) fn arrive(&mut self, mut words: WireHeader, bytes: u32) -> WireHeader {
        self.port.arrive(&words, bytes);
        if self.stamped == Sampled::Arrival {
            self.port.stamp(&mut words, bytes);
        }
        words
    }

    /// The queue drops a packet that has arrived.
    pub(crate) fn drop(&mut self, words: &WireHeader, bytes: u32) {
        self.dropped += u64::from(bytes);
        self.port.arrive(words, bytes);
    }

    /// A packet's last bit leaves; `backlog` is what it leaves behind.
    pub(crate) fn depart(&mut self, mut words: WireHeader, bytes: u32, backlog: u64) -> WireHeader {
        if self.queue_sampled == Sampled::Departure {
            self.saw_queue(backlog);
        }
        if self.stamped == Sampled::Departure {
            self.port.stamp(&mut words, bytes);
        }
        words
    }

    /// Packets that depart from then on must be looked at as they do. One that no new grant
    /// comes before, and that none before it waits for, is stamped as it arrives just as it would be
    /// when it departs.
    #[inline]
    pub(crate) fn stamp_at_departure_from(&self) -> u64 {
        match (self.queue_sampled, self.stamped) {
            (Sampled::Departure, _) => 0,
            (Sampled::Arrival, Sampled::Departure) => self.next_grant,
            (Sampled::Arrival, Sampled::Arrival) => u64::MAX,
        }
    }

    /// Packets that leave before this need not be noted.
    pub(crate) fn notes_from(&self) -> u64 {
        if self.samples_waiting { 0 } else { self.due() }
    }

    /// Notes a packet of so many bytes that arrived at `now` and leaves at `at`, no earlier than
    /// [`RouterDriver::notes_from`]; `through` is all that has joined the queue, the packet included.
    pub(crate) fn note(&mut self, now: u64, bytes: u32, at: u64, through: u64) {
        if self.samples_waiting {
            let found = self.waiting(now, through - u64::from(bytes));
            self.saw_queue(found);
        }
        self.noted.push_back(Departure { at, through });
    }

    /// Bytes of packets whose transmission has not begun at `now`, a tick or an arrival. A packet
    /// whose last bit leaves at `now` has made room for the next.
    fn waiting(&mut self, now: u64, taken: u64) -> u64 {
        while self.noted.front().is_some_and(|packet| packet.at <= now) {
            self.noted.pop_front();
        }
        self.noted.front().map_or(0, |transmitted| taken - transmitted.through)
    }

    /// The tick that is due.
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
        let view = LinkSample {
            now: Time::from_nanos(now),
            since: Time::from_nanos(interval.start),
            capacity: self.capacity,
            // The queue is in whole nanoseconds.
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
        self.port.tick(timer, &view);
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
