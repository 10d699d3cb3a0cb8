//! The emulated link behind a router: what a network would do.
//!
//! It stands for an interface with a ring of its own: the packet that waits first starts when the one before it is
//! done, however late the process wakes up, so that late wake-ups cost no capacity. The router sees what it sees of
//! an interface: that a packet was taken, and later that it is gone. It does not see the rate.

use std::collections::VecDeque;

use sluice_units::{Bytes, Rate, Span, Time};

use crate::datagram::OverlayDatagram;
use crate::plan::RateStep;

/// A link that sends one packet at a time, and delivers it after a delay.
#[derive(Debug)]
pub struct EmulatedLink {
    /// In order of time; the first is in force before it, too.
    steps: Vec<RateStep>,
    delay: Span,
    /// The packet in transmission, and when it is done.
    sending: Option<(Time, OverlayDatagram)>,
    /// Packets on the way, with the time of their delivery.
    flying: VecDeque<(Time, OverlayDatagram)>,
}

impl EmulatedLink {
    /// A link with these rates, of which there is at least one.
    pub fn new(mut steps: Vec<RateStep>, delay: Span) -> Self {
        steps.sort_by_key(|step| step.from);
        Self { steps, delay, sending: None, flying: VecDeque::new() }
    }

    /// Whether no packet is in transmission.
    pub fn is_idle(&self) -> bool {
        self.sending.is_none()
    }

    /// Begins to send a packet of these bytes, at the rate of that instant. The link must be idle.
    pub fn send(&mut self, at: Time, bytes: Bytes, datagram: OverlayDatagram) {
        debug_assert!(self.is_idle(), "a link sends one packet at a time");
        self.sending = Some((at + self.rate_at(at).time_for(bytes), datagram));
    }

    /// When a packet is done, or delivered.
    pub fn due(&self) -> Time {
        let delivery = self.flying.front().map_or(Time::NEVER, |&(at, _)| at);
        self.done().min(delivery)
    }

    /// When the packet in transmission is done.
    pub fn done(&self) -> Time {
        self.sending.as_ref().map_or(Time::NEVER, |&(done, _)| done)
    }

    /// Ends the transmission of the packet that is done; returns when that was.
    pub fn finish(&mut self) -> Option<Time> {
        let (done, datagram) = self.sending.take()?;
        self.flying.push_back((done + self.delay, datagram));
        Some(done)
    }

    /// A packet that is delivered by `now`.
    pub fn deliver(&mut self, now: Time) -> Option<OverlayDatagram> {
        let is_due = self.flying.front().is_some_and(|&(at, _)| at <= now);
        if is_due { self.flying.pop_front().map(|(_, datagram)| datagram) } else { None }
    }

    fn rate_at(&self, at: Time) -> Rate {
        let later = self.steps.partition_point(|step| step.from <= at);
        self.steps.get(later.saturating_sub(1)).map_or(Rate::MAX, |step| step.rate)
    }
}
