//! The controller itself: measures, decides, installs.

use sluice_laws::router::{LinkSample, MAX_TIMERS, Plain, QueueCounts, RouterLaw, Sums, Tick};
use sluice_units::{Bytes, Rate, Span, Time};

use super::meters::{CapacityMeter, LoadMeter};
use super::settings::ControllerSettings;
use super::status::TickCounts;
use super::timer::Timer;
use crate::clock::monotonic_now;
use crate::error::Error;
use crate::law::KernelLaw;
use crate::router::KernelRouter;
use crate::virtual_queue::QueueSample;

/// A grant holds for as many intervals.
const HELD_INTERVALS: u64 = 4;
/// Ticks that come later than this after they were due count as late.
const LATE: Span = Span::from_millis(1);

/// Runs a law at a [`KernelRouter`]: each of its control intervals it measures the link, lets the law decide, and installs
/// the grant. What [`LinkRouter`](sluice_laws::router::LinkRouter) is in the simulator.
///
/// The queue is the program's virtual one. A link's losses are not known here, so
/// [`LinkSample::dropped`] is always zero.
///
/// It runs laws whose grants have no budget and that count flows by sums, if at all: RCP, and NCP plain or compensated.
/// A budget would be lost when a grant is installed again for longer, and with several CPUs the slow path does not see
/// what packets spend while it decides.
///
/// A grant older than four intervals is not stamped: hosts then fall back to their ordinary congestion control. So the
/// death of this process leaves no flow at a rate that nobody controls.
pub struct LinkController<'router, 'place, L: RouterLaw> {
    pub(super) kernel: KernelLaw<'router, 'place, L>,
    pub(super) law: L,
    settings: ControllerSettings,
    pub(super) capacity: CapacityMeter,
    pub(super) load: LoadMeter,
    timers: [Timer<L::Sums>; MAX_TIMERS],
    grant: L::Grant,
    /// When the grant was installed last, and until when it holds.
    pub(super) installed: Time,
    holds_until: Time,
    pub(super) counts: TickCounts,
}

impl<'router, 'place, L: RouterLaw> LinkController<'router, 'place, L> {
    /// Starts a law at a link of `capacity`, 1 kb/s to 400 Gb/s, with an empty queue, and puts its first grant in force.
    ///
    /// [`Error::Uncontrolled`] for laws that it does not run, [`Error::KernelLaw`] and [`Error::CountsFlows`] if the
    /// program does not have this one, [`Error::Capacity`] if the capacity is out of range.
    pub fn new(
        router: &'router KernelRouter<'place>,
        mut law: L,
        capacity: Rate,
        settings: ControllerSettings,
    ) -> Result<Self, Error> {
        let kernel = router.law::<L>()?;
        if L::COUNTS_FLOWS || !<L::Budget as Plain>::Plain::default().as_ref().is_empty() {
            return Err(Error::Uncontrolled(kernel.number()));
        }
        router.set_virtual_queue(capacity, settings.queue_limit(capacity))?;
        let (sums, traffic) = (kernel.sums()?, router.traffic()?);
        let (grant, first) = law.start(capacity);
        let now = monotonic_now();
        let timer = |first: Time| Timer {
            // The law started at time zero.
            next: if first == Time::NEVER { first } else { now + first.since(Time::ZERO) },
            since: now,
            sums: sums.clone(),
            arrived: traffic.bytes,
            capacity: 0,
        };
        let mut controller = Self {
            kernel,
            law,
            settings,
            capacity: CapacityMeter::new(capacity, now),
            load: LoadMeter::new(now, traffic.bytes),
            timers: first.map(timer),
            grant,
            installed: now,
            holds_until: now,
            counts: TickCounts::default(),
        };
        controller.install(now, &vec![grant; sums.len()])?;
        Ok(controller)
    }

    /// When the next tick is due, on `CLOCK_MONOTONIC`.
    pub fn due(&self) -> Time {
        self.timers.iter().map(|timer| timer.next).min().unwrap_or(Time::NEVER)
    }

    /// Ticks each timer that is due by `now`, once, however late this call comes: what was missed is one long interval, and
    /// intervals are counted from now on.
    ///
    /// If the sums cannot be read ([`Error::Busy`]), the tick is put off by the least interval, and the grant in force is
    /// renewed. Other errors end neither the link nor its grant, but the grant expires if no later call succeeds.
    pub fn tick(&mut self, now: Time) -> Result<(), Error> {
        // The one that was due first, and of equals the lower.
        let order = if self.timers[1].next < self.timers[0].next { [1, 0] } else { [0, 1] };
        for timer in order {
            if self.timers[timer].next <= now {
                self.expire(timer, now)?;
            }
        }
        Ok(())
    }

    /// Sets the capacity of the link, from now on; the bytes in the virtual queue stay. The law sees at its next tick the
    /// mean since its last. [`Error::Capacity`] if it is out of range, which changes nothing.
    pub fn set_capacity(&mut self, capacity: Rate) -> Result<(), Error> {
        self.kernel.router.set_virtual_queue(capacity, self.settings.queue_limit(capacity))?;
        self.capacity.set(capacity, monotonic_now());
        Ok(())
    }

    fn expire(&mut self, timer: usize, now: Time) -> Result<(), Error> {
        let sums = match self.kernel.sums() {
            Err(Error::Busy) => return self.put_off(timer),
            sums => sums?,
        };
        // Reading may have waited for a CPU.
        let now = now.max(monotonic_now());
        let sample = self.sample(timer, now)?;
        let parts = self.timers[timer].growth(&sums);
        let whole = parts.iter().fold(L::Sums::default(), |whole, part| whole.plus(part));
        self.counts.ticks += 1;
        self.counts.late_ticks += u64::from(now > self.timers[timer].next + LATE);
        self.counts.expired_grants += u64::from(now > self.holds_until);
        let Tick { grant, next } = self.law.tick(timer, &whole, &sample);
        let mark = &mut self.timers[timer];
        mark.arrived = mark.arrived.wrapping_add(sample.arrived.as_u64());
        mark.capacity = self.capacity.bits_by(now);
        (mark.sums, mark.since) = (sums, now);
        mark.next = next.max(now + self.settings.min_interval());
        self.grant = grant.unwrap_or(self.grant);
        let shares: Vec<L::Grant> =
            parts.iter().map(|part| L::share(&self.grant, part, &whole)).collect();
        self.install(now, &shares)
    }

    /// A CPU was within a packet for long. It is unknown what arrived, but packets that other CPUs pass need a grant.
    fn put_off(&mut self, timer: usize) -> Result<(), Error> {
        let now = monotonic_now();
        self.counts.put_off += 1;
        self.timers[timer].next = now + self.settings.min_interval();
        self.install(now, &vec![self.grant; self.timers[timer].sums.len()])
    }

    fn sample(&mut self, timer: usize, now: Time) -> Result<LinkSample, Error> {
        let router = self.kernel.router;
        let bytes = router.traffic()?.bytes;
        let QueueSample { now: queue, least } = router.virtual_queue(now)?;
        router.begin_queue_interval();
        let mark = &self.timers[timer];
        let capacity = self.capacity.mean_since(mark.capacity, mark.since, now);
        let arrived = Bytes::new(bytes.wrapping_sub(mark.arrived));
        // A train that a host sent at once is no queue to drain: alone on the link it would hold R below the capacity. What
        // is left of the packet in transmission is a packet at most.
        let waiting = least - self.settings.packet;
        let was_busy = arrived > Bytes::ZERO || queue > Bytes::ZERO;
        self.load.observe(now, bytes, self.capacity.bits_by(now));
        Ok(LinkSample {
            queue,
            waiting,
            min_queue: match self.law.min_queue_counts() {
                QueueCounts::Unsent => least,
                QueueCounts::Waiting | QueueCounts::Least => waiting,
            },
            arrived,
            drained: was_busy.then_some(capacity),
            ..LinkSample::idle(mark.since, now, capacity)
        })
    }

    fn install(&mut self, now: Time, shares: &[L::Grant]) -> Result<(), Error> {
        let due = self.timers.iter().filter(|timer| timer.next != Time::NEVER);
        // NCP's intervals are as long as an RTT.
        let planned = due.map(|timer| timer.next.since(now)).max().unwrap_or(Span::ZERO);
        let interval = self.settings.interval.max(planned);
        let holds_until = now + interval * HELD_INTERVALS;
        self.kernel.install(holds_until, shares)?;
        (self.installed, self.holds_until) = (now, holds_until);
        Ok(())
    }
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
