//! AVQ: adaptive virtual queue.
//!
//! After S. Kunniyur, R. Srikant, "Analysis and Design of an Adaptive Virtual Queue (AVQ) Algorithm
//! for Active Queue Management" (SIGCOMM 2001; KS below), and its implementation in ns-2. Packets
//! that arrive fill a virtual queue, too, which a virtual link of less capacity empties. What it has
//! no room for is marked or dropped in the real queue. The virtual capacity adapts until the
//! utilization is the desired one; it starts at the link's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{BufferSize, Faults, Rate, Ratio, Time};

use super::arrival::{Admission, QueueArrival};
use super::model::{Model, Queue, QueueContext, QueueState};
use super::room::Room;
use crate::rng::Streams;

/// AVQ's parameters. A packet is one of the scenario's full size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Avq {
    /// Desired utilization, above 0 to 1. Default 0.98, as in ns-2.
    pub gamma: Ratio,
    /// How fast the virtual capacity adapts, per second, above 0. Default 0.15, as in ns-2.
    pub alpha: Ratio,
    /// Size of the virtual queue, a buffer size except `unlimited`. Default the link's `buffer`, or
    /// `1 bdp` where that is unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_buffer: Option<BufferSize>,
    /// Whether ECN-capable packets are marked (RFC 3168) instead of dropped. Default on; only packets
    /// of TCP and CUBIC with `ecn` are ECN-capable.
    pub ecn: bool,
}

impl Default for Avq {
    fn default() -> Self {
        let (gamma, alpha) = (Ratio::new(0.98), Ratio::new(0.15));
        Self { gamma, alpha, virtual_buffer: None, ecn: true }
    }
}

impl Model for Avq {
    const SOURCE: &'static str = "Kunniyur and Srikant, 2001";

    fn check(&self, _: Rate, faults: &mut Faults) {
        let gamma = self.gamma.get();
        faults.need(gamma > 0.0 && gamma <= 1.0, "gamma", "a utilization is above 0, up to 1");
        faults.need(self.alpha.get() > 0.0, "alpha", "the speed of adaptation is above 0");
        let limited = self.virtual_buffer != Some(BufferSize::Unlimited);
        let sizes = "a virtual buffer is a size, as `5 ms` or `20 packets`";
        faults.need(limited, "virtual_buffer", sizes);
    }

    fn marks(&self) -> bool {
        self.ecn
    }

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        let size = match self.virtual_buffer {
            Some(size) => link.queue_nanos(size),
            None if link.room.is_unlimited() => link.queue_nanos(BufferSize::Bdp(Ratio::new(1.0))),
            None => link.room.nanos(link.packet_nanos()),
        };
        QueueState::Arrival(Box::new(VirtualQueue {
            room: link.room,
            link: link.capacity.nominal(),
            gamma: self.gamma.get(),
            alpha: self.alpha.get() / 1e9,
            size,
            ecn: self.ecn,
            capacity: 1.0,
            queue: 0.0,
            drained_at: Time::ZERO,
            adapted_at: Time::ZERO,
        }))
    }
}

/// AVQ at a link. Times are in nanoseconds, sizes in those of transmission over the link, rates relative
/// to the link's.
struct VirtualQueue {
    room: Room,
    link: Rate,
    gamma: f64,
    alpha: f64,
    /// B of KS.
    size: f64,
    ecn: bool,
    /// C~ of KS.
    capacity: f64,
    /// VQ of KS.
    queue: f64,
    /// When the virtual queue was last updated ...
    drained_at: Time,
    /// ... and the virtual capacity: s of KS, for each.
    adapted_at: Time,
}

impl Queue for VirtualQueue {
    /// The virtual queue counts what arrives at the link, also what the real one has no room for.
    fn arrives(&mut self, arrival: &QueueArrival) -> Admission {
        let admission = self.take_in(arrival);
        if self.room.takes(arrival) { admission } else { Admission::NoRoom }
    }

    /// The virtual capacity in bits per second, and the virtual queue in bytes.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("virtual_capacity_bps", self.capacity * self.link.as_bps_f64());
        out("virtual_queue_bytes", self.queue / 1e9 * self.link.as_bytes_per_sec_f64());
    }
}

impl VirtualQueue {
    /// KS' algorithm at each arrival. A packet that finds the virtual queue empty fits in any: a real link takes it,
    /// too.
    fn take_in(&mut self, arrival: &QueueArrival) -> Admission {
        let packet = arrival.length().as_nanos() as f64;
        self.drain(arrival.now);
        if self.queue == 0.0 || self.queue + packet <= self.size {
            self.queue += packet;
            self.adapt(arrival.now, packet);
            Admission::Taken
        } else if self.ecn && arrival.ecn_capable {
            self.adapt(arrival.now, packet);
            Admission::Marked
        } else {
            // As in ns-2's code, which is Kunniyur's: the capacity follows the packets taken.
            Admission::Early
        }
    }

    /// VQ <- max(VQ - C~ (t - s), 0)
    fn drain(&mut self, now: Time) {
        let passed = now.since(self.drained_at).as_nanos() as f64;
        self.queue = (self.queue - self.capacity * passed).max(0.0);
        self.drained_at = now;
    }

    /// C~ <- max(min(C~ + alpha gamma C (t - s), C) - alpha b, 0) for a packet of size b
    fn adapt(&mut self, now: Time, packet: f64) {
        let passed = now.since(self.adapted_at).as_nanos() as f64;
        let grown = (self.capacity + self.alpha * self.gamma * passed).min(1.0);
        self.capacity = (grown - self.alpha * packet).max(0.0);
        self.adapted_at = now;
    }
}

#[cfg(test)]
#[path = "avq_tests.rs"]
mod tests;
