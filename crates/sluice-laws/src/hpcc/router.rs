//! What HPCC asks of links: to add telemetry to each packet as it leaves ([`crate::telemetry`]).

use sluice_units::Time;

use super::header::behind_link;
use crate::WireHeader;
use crate::router::{LinkSample, QueueCounts, RouterPort, Sampled};

/// Counts a link in the headers of packets that leave it. Links do not compute anything, and need no timer.
pub struct HpccRouter;

impl RouterPort for HpccRouter {
    fn arrive(&mut self, _: &WireHeader, _: u32) {}

    fn stamp(&mut self, wire: &mut WireHeader, _: u32) {
        *wire = behind_link(*wire);
    }

    fn pass(&mut self, wire: WireHeader, _: u32) -> WireHeader {
        behind_link(wire)
    }

    fn next(&self) -> (usize, Time) {
        (0, Time::NEVER)
    }

    fn next_grant(&self) -> Time {
        Time::NEVER
    }

    fn tick(&mut self, _: usize, _: &LinkSample) {}

    fn postpone(&mut self, _: usize, _: Time) {}

    fn skip(&mut self, _: usize, _: Time) {}

    fn stamped(&self) -> Sampled {
        Sampled::Departure
    }

    /// Telemetry is of the instant at which the packet leaves.
    fn queue_sampled(&self) -> Sampled {
        Sampled::Departure
    }

    fn min_queue_counts(&self) -> QueueCounts {
        QueueCounts::Unsent
    }

    fn metrics(&self, _: &mut dyn FnMut(&'static str, f64)) {}
}
