//! A router's link: its queue, its law and its estimate of the capacity.
//!
//! Time is an argument, so that tests drive it as processes do. What the law gets is what the router sees: the
//! estimate in place of the capacity, and departures as late as they were seen.

use std::collections::VecDeque;

use sluice_laws::ncp::NcpParams;
use sluice_laws::protocol::{LinkContext, Protocol as _};
use sluice_laws::router::{FlowId, LinkSample, MAX_TIMERS, RouterPort};
use sluice_units::{Bytes, Rate, Time};

use crate::capacity::CapacityEstimate;
use crate::datagram::OverlayDatagram;
use crate::emulated::EmulatedLink;
use crate::plan::LinkPlan;

/// The capacity that a router assumes until packets show it. Sources request as much as there is, so one below
/// the capacity costs the first round trips some of it, and one above makes a queue.
pub const GUESS: Rate = Rate::from_bps(1_000_000);

/// A link with its router law.
pub struct OverlayLink {
    /// The UDP port of the router at its end.
    pub to: u16,
    wire: EmulatedLink,
    room: Bytes,
    queue: VecDeque<(Bytes, OverlayDatagram)>,
    /// Bytes that wait, and those of the packet in transmission.
    waiting: Bytes,
    in_transmission: Bytes,
    law: Box<dyn RouterPort>,
    estimate: CapacityEstimate,
    /// When each timer ticked last.
    since: [Time; MAX_TIMERS],
    /// Packets dropped, and the most bytes that waited, since the last report.
    drops: u64,
    most: Bytes,
}

/// A link's state, for reports.
#[derive(Clone, Debug)]
pub struct LinkReport {
    /// The capacity as estimated.
    pub estimate: Rate,
    /// Bytes that wait.
    pub queue: Bytes,
    /// The most bytes that waited since the last report.
    pub most: Bytes,
    /// Packets dropped since the last report.
    pub drops: u64,
    /// What the law has to show, by name.
    pub law: Vec<(&'static str, f64)>,
}

impl OverlayLink {
    /// A link at which NCP runs with these parameters and full packets of `packet` bytes.
    pub fn new(plan: LinkPlan, params: &NcpParams, packet: Bytes) -> Option<Self> {
        let law = params.router(&LinkContext { capacity: GUESS, packet })?;
        Some(Self {
            to: plan.to,
            wire: EmulatedLink::new(plan.rates, plan.delay),
            room: plan.room,
            queue: VecDeque::new(),
            waiting: Bytes::ZERO,
            in_transmission: Bytes::ZERO,
            law,
            estimate: CapacityEstimate::new(GUESS),
            since: [Time::ZERO; MAX_TIMERS],
            drops: 0,
            most: Bytes::ZERO,
        })
    }

    /// When [`OverlayLink::advance`] has something to do.
    pub fn due(&self) -> Time {
        self.wire.due().min(self.law.next().1)
    }

    /// A packet of these bytes arrived at `at`, which the router sees at `now`.
    pub fn arrive(&mut self, at: Time, now: Time, bytes: Bytes, mut datagram: OverlayDatagram) {
        self.finish(at, now);
        if self.law.counts_flows() && datagram.is_forward() {
            self.law.on_flow(FlowId::new(u64::from(datagram.flow)));
        }
        let length = u32::try_from(bytes.as_u64()).unwrap_or(u32::MAX);
        if self.waiting + bytes > self.room {
            self.law.arrive(&datagram.header, length);
            self.drops += 1;
        } else {
            datagram.header = self.law.pass(datagram.header, length);
            self.waiting += bytes;
            self.queue.push_back((bytes, datagram));
            if self.wire.is_idle() {
                self.estimate.began(at);
                self.transmit(at, false);
            }
        }
        self.most = self.most.max(self.waiting);
    }

    /// What has happened by `now`: departures, then ticks, then deliveries, which `deliver` gets.
    pub fn advance(&mut self, now: Time, mut deliver: impl FnMut(OverlayDatagram)) {
        self.finish(now, now);
        while self.law.next().1 <= now {
            self.tick(now);
        }
        while let Some(datagram) = self.wire.deliver(now) {
            deliver(datagram);
        }
    }

    /// Ends the transmissions that were done by `until`, which the router sees at `now`.
    fn finish(&mut self, until: Time, now: Time) {
        while self.wire.done() <= until
            && let Some(done) = self.wire.finish()
        {
            self.estimate.departed(now, self.in_transmission, !self.queue.is_empty());
            self.in_transmission = Bytes::ZERO;
            self.transmit(done, true);
        }
    }

    /// Sends the packet that waits first, if there is one.
    fn transmit(&mut self, at: Time, is_behind: bool) {
        if let Some((bytes, mut datagram)) = self.queue.pop_front() {
            datagram.is_behind = is_behind;
            self.waiting = self.waiting - bytes;
            self.in_transmission = bytes;
            self.wire.send(at, bytes, datagram);
        }
    }

    /// One control decision. The law gets the estimate as the link's capacity, and of the packet in transmission,
    /// of which the router does not see how much is sent, all. By (8) and (12) it reads nothing else.
    fn tick(&mut self, now: Time) {
        let (timer, _) = self.law.next();
        let since = std::mem::replace(&mut self.since[timer], now);
        let queue = self.waiting + self.in_transmission;
        let idle = LinkSample::idle(since, now, self.estimate.rate());
        let sample = LinkSample { queue, waiting: self.waiting, ..idle };
        self.law.tick(timer, &sample);
    }

    /// Its state now; begins the next report.
    pub fn report(&mut self) -> LinkReport {
        let mut law = Vec::new();
        self.law.metrics(&mut |name, value| law.push((name, value)));
        let most = std::mem::replace(&mut self.most, self.waiting);
        let drops = std::mem::take(&mut self.drops);
        LinkReport { estimate: self.estimate.rate(), queue: self.waiting, most, drops, law }
    }
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
