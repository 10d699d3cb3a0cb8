//! The router law of a link, driven in the link's own time.

use std::collections::VecDeque;

use sluice_laws::WireHeader;
use sluice_laws::router::{
    CompetingTraffic, FlowId, LinkSample, MAX_TIMERS, QueueCounts, RouterPort, Sampled,
};
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use super::counters::Counters;
use super::varying_clock::VaryingClock;
use crate::limits;
use crate::queue::TrafficClass;
use crate::schedule::LinkCapacity;

/// Hands packets to the law, samples the queue for it and calls its ticks.
pub(crate) struct RouterDriver {
    port: Box<dyn RouterPort>,
    pub(crate) stamped: Sampled,
    queue_sampled: Sampled,
    /// Whether the least queue counts only the packets that wait, as arriving packets find them.
    samples_waiting: bool,
    capacity: LinkCapacity,
    /// Number of the protocol whose headers it reads, if packets carry others too.
    reads_only: Option<u8>,
    next: (usize, Time),
    /// The next tick that may change stamping.
    next_grant: Time,
    /// Bytes that the queue refused.
    refused: u64,
    /// Bytes dropped: refused, or dropped after the queue had taken them.
    dropped: u64,
    /// Departures in order, from which the number of waiting bytes follows. Without
    /// `samples_waiting`, only those after the next tick.
    departures: VecDeque<Departure>,
    /// For each timer: its last tick, bytes arrived and `dropped` by then, least queue since.
    since: [Interval; MAX_TIMERS],
}

/// A packet's departure.
pub(super) struct Departure {
    /// When its transmission begins.
    pub(super) begins: Time,
    pub(super) at: Time,
    /// Bytes that joined the queue up to this packet and with it ([`Counters::taken`]).
    pub(super) through: u64,
    pub(super) bytes: u32,
}

#[derive(Clone, Copy)]
struct Interval {
    start: Time,
    arrived: u64,
    dropped: u64,
    /// [`Portion::others`].
    others: u64,
    /// Least sample of the queue: of the waiting bytes with `samples_waiting`, else of the backlog;
    /// the other is [`Bytes::MAX`] or [`Span::MAX`], as both are before the first sample.
    least_waiting: Bytes,
    least_backlog: Span,
}

impl Interval {
    /// The interval from `start`, before which these bytes have arrived and been dropped, and others have
    /// sent these.
    fn new(start: Time, arrived: u64, dropped: u64, others: u64) -> Self {
        let (least_waiting, least_backlog) = (Bytes::MAX, Span::MAX);
        Self { start, arrived, dropped, others, least_waiting, least_backlog }
    }
}

/// What a law may give of its link.
pub(super) struct Portion {
    /// The fraction of the capacity that is guaranteed to it, 0 to 1.
    pub(super) guaranteed: f64,
    /// Bytes that traffic beside its own has sent, which leaves it the rest.
    pub(super) others: u64,
}

impl Portion {
    /// All of it.
    pub(super) const WHOLE: Self = Self { guaranteed: 1.0, others: 0 };
}

impl RouterDriver {
    /// A law at a link of this capacity. If packets carry headers of other protocols too, `reads_only`
    /// is its own.
    pub(crate) fn new(
        port: Box<dyn RouterPort>,
        capacity: LinkCapacity,
        reads_only: Option<u8>,
    ) -> Self {
        let start = Interval::new(Time::ZERO, 0, 0, 0);
        let mut router = Self {
            stamped: port.stamped(),
            queue_sampled: port.queue_sampled(),
            samples_waiting: port.queue_sampled() == Sampled::Arrival
                && port.min_queue_counts() != QueueCounts::Unsent,
            port,
            capacity,
            reads_only,
            next: (0, Time::ZERO),
            next_grant: Time::ZERO,
            refused: 0,
            dropped: 0,
            departures: VecDeque::new(),
            since: [start; MAX_TIMERS],
        };
        router.refresh();
        router
    }

    /// When the law ticks next.
    pub(crate) fn due(&self) -> Time {
        self.next.1
    }

    /// A packet arrives that can be stamped at once. By value, so that callers keep the header in
    /// registers.
    #[inline(always)]
    pub(crate) fn pass(&mut self, header: WireHeader, bytes: u32) -> WireHeader {
        self.port.pass(header, bytes)
    }

    /// Whether packets may carry headers that it does not read.
    pub(crate) fn meets_others(&self) -> bool {
        self.reads_only.is_some()
    }

    /// Whether it cannot read the headers of packets of this class. Such a packet requests nothing of it:
    /// the law sees a header of zeros in place of the packet's, which stays as it is.
    #[inline]
    pub(crate) fn is_foreign(&self, traffic: impl FnOnce() -> TrafficClass) -> bool {
        self.reads_only.is_some_and(|own| traffic().header != own)
    }

    /// See [`RouterPort::counts_flows`].
    pub(super) fn counts_flows(&self) -> bool {
        self.port.counts_flows()
    }

    /// A packet of this flow arrives; of a foreign one, the law sees bytes only.
    pub(super) fn on_flow(&mut self, flow: FlowId, traffic: TrafficClass) {
        if self.counts_flows() && !self.is_foreign(|| traffic) {
            self.port.on_flow(flow);
        }
    }

    /// A packet arrives; the law sees it again at its departure. Returns its header.
    pub(crate) fn arrive(
        &mut self,
        header: WireHeader,
        bytes: u32,
        traffic: impl FnOnce() -> TrafficClass,
    ) -> WireHeader {
        self.show(header, traffic, |law, seen| {
            law.port.arrive(seen, bytes);
            if law.stamped == Sampled::Arrival {
                law.port.stamp(seen, bytes);
            }
        })
    }

    /// Shows the law a packet's header, or one of zeros if it cannot read it. Returns the packet's.
    #[inline(always)]
    fn show(
        &mut self,
        mut header: WireHeader,
        traffic: impl FnOnce() -> TrafficClass,
        see: impl FnOnce(&mut Self, &mut WireHeader),
    ) -> WireHeader {
        if self.is_foreign(traffic) {
            see(self, &mut WireHeader::default());
        } else {
            see(self, &mut header);
        }
        header
    }

    /// A packet arrives, and the queue drops it.
    pub(crate) fn drop(&mut self, header: &WireHeader, bytes: u32) {
        self.refused += u64::from(bytes);
        self.dropped += u64::from(bytes);
        self.port.arrive(header, bytes);
    }

    /// A packet that has arrived is dropped after all.
    pub(crate) fn withdraw(&mut self, bytes: u64) {
        self.dropped += bytes;
    }

    /// A packet's last bit leaves, and the queue is `backlog` then. Returns its header.
    pub(crate) fn depart(
        &mut self,
        header: WireHeader,
        bytes: u32,
        backlog: Span,
        traffic: impl FnOnce() -> TrafficClass,
    ) -> WireHeader {
        if self.queue_sampled == Sampled::Departure {
            self.saw_backlog(backlog);
        }
        if self.stamped == Sampled::Arrival {
            return header;
        }
        self.show(header, traffic, |law, seen| law.port.stamp(seen, bytes))
    }

    /// Earliest departure that must be stamped at departure; earlier packets can be stamped on arrival:
    /// no new grant comes before they depart.
    #[inline]
    pub(crate) fn stamp_at_departure_from(&self) -> Time {
        match (self.queue_sampled, self.stamped) {
            (Sampled::Departure, _) => Time::ZERO,
            (Sampled::Arrival, Sampled::Departure) => self.next_grant,
            (Sampled::Arrival, Sampled::Arrival) => Time::NEVER,
        }
    }

    /// Earliest departure that must be recorded.
    pub(crate) fn records_from(&self) -> Time {
        if self.samples_waiting { Time::ZERO } else { self.due() }
    }

    /// Records the departure, not before [`RouterDriver::records_from`], of a packet that arrived at
    /// `now`.
    pub(super) fn record(&mut self, now: Time, departure: Departure) {
        if self.samples_waiting {
            let found = self.waiting(now, departure.through - u64::from(departure.bytes));
            self.saw_waiting(found);
        }
        self.departures.push_back(departure);
    }

    /// A packet arrives and finds these bytes waiting.
    #[inline]
    pub(crate) fn saw_waiting(&mut self, found: Bytes) {
        if !self.samples_waiting {
            return;
        }
        for interval in &mut self.since {
            interval.least_waiting = interval.least_waiting.min(found);
        }
    }

    /// Bytes of packets whose transmission has not begun by `now`, at a tick or an arrival. If the last
    /// bit of a packet leaves at `now`, transmission of the next has begun.
    fn waiting(&mut self, now: Time, taken: u64) -> Bytes {
        while self.departures.front().is_some_and(|packet| packet.at <= now) {
            self.departures.pop_front();
        }
        let begun = self.departures.front().map_or(taken, |first| {
            let waiting = if first.begins <= now { 0 } else { first.bytes };
            first.through - u64::from(waiting)
        });
        Bytes::new(taken - begun)
    }

    /// Calls the tick that is due, with this backlog. `waiting` are the bytes that wait where they do
    /// not follow from recorded departures: at a scheduled link.
    /// `clock` is the transmitter of a link whose capacity varies.
    pub(super) fn tick(
        &mut self,
        queue: Span,
        counters: &mut Counters,
        waiting: Option<Bytes>,
        portion: Portion,
        clock: Option<&mut VaryingClock>,
    ) {
        if self.queue_sampled == Sampled::Arrival && !self.samples_waiting {
            self.saw_backlog(counters.least);
        }
        counters.least = Span::MAX;
        let (timer, now) = self.next;
        if let Some(resumes) = self.capacity.resumes(self.since[timer].start, now) {
            self.wait(timer, now, resumes, counters, &portion, clock);
            return;
        }
        let waiting = waiting.unwrap_or_else(|| self.waiting(now, counters.taken));
        let bytes = |backlog| self.capacity.bytes_in(backlog);
        let interval = self.since[timer];
        let arrived = counters.taken + self.refused;
        let capacity = self.mean_capacity(&interval, now, &portion);
        // Where the capacity does not vary, every packet shows it. One that arrived before may still be there.
        let was_busy = arrived > interval.arrived || queue > Span::ZERO;
        let sample = LinkSample {
            now,
            since: interval.start,
            capacity,
            // The queue is rounded down to whole nanoseconds of transmission.
            queue: bytes(queue).max(waiting),
            waiting,
            min_queue: if self.samples_waiting {
                waiting.min(interval.least_waiting)
            } else {
                bytes(interval.least_backlog.min(queue))
            },
            arrived: Bytes::new(arrived - interval.arrived),
            dropped: Bytes::new(self.dropped - interval.dropped),
            drained: match clock {
                Some(clock) => clock.drained_since_tick(timer, now),
                None => was_busy.then_some(capacity),
            },
        };
        self.since[timer] = Interval::new(now, arrived, self.dropped, portion.others);
        self.port.tick(timer, &sample);
        self.refresh();
    }

    /// The link could send nothing since the timer's last tick. An interval goes on to an opportunity of a
    /// trace, whose capacity is the mean between two of them; after an outage, another begins.
    #[cold]
    fn wait(
        &mut self,
        timer: usize,
        now: Time,
        resumes: Time,
        counters: &Counters,
        portion: &Portion,
        clock: Option<&mut VaryingClock>,
    ) {
        if resumes > now {
            self.port.postpone(timer, resumes);
        } else {
            let arrived = counters.taken + self.refused;
            self.since[timer] = Interval::new(now, arrived, self.dropped, portion.others);
            self.port.skip(timer, now);
            if let Some(clock) = clock {
                clock.drained_since_tick(timer, now);
            }
        }
        self.refresh();
    }

    /// The capacity in the interval that ends now. Katabi's thesis, equation (8.6), gives a class of weight w
    /// the spare bandwidth w c - y. Here it also has what others left, if that is more than w c: otherwise it
    /// would leave the shares of idle classes unused.
    fn mean_capacity(&self, interval: &Interval, now: Time, portion: &Portion) -> Rate {
        let mean = self.capacity.mean(interval.start, now);
        if portion.guaranteed == 1.0 {
            return mean;
        }
        let bits = 8.0 * (portion.others - interval.others) as f64;
        // Of no time, nothing is known, and the maximum ignores it.
        let left = mean.as_bps_f64() - bits / now.since(interval.start).as_secs_f64();
        let own = left.max(portion.guaranteed * mean.as_bps_f64());
        Rate::from_bps_f64(own).max(*limits::CAPACITY.start())
    }

    /// Before a tick: shows the law the traffic of the other class ([`RouterPort::on_competing`]), with the capacity
    /// of the link.
    pub(super) fn compete(&mut self, traffic: &CompetingTraffic) {
        let (timer, now) = self.next;
        let capacity = self.capacity.mean(self.since[timer].start, now);
        self.port.on_competing(&CompetingTraffic { capacity, ..*traffic });
    }

    /// See [`RouterPort::class_weight`].
    pub(super) fn class_weight(&self) -> Option<Ratio> {
        self.port.class_weight()
    }

    pub(crate) fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.port.metrics(out);
    }

    #[inline]
    fn saw_backlog(&mut self, backlog: Span) {
        for interval in &mut self.since {
            interval.least_backlog = interval.least_backlog.min(backlog);
        }
    }

    fn refresh(&mut self) {
        let (timer, time) = self.port.next();
        self.next = (timer, time);
        self.next_grant = self.port.next_grant();
    }
}
