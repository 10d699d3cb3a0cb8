//! CoDel's control law for one lane of packets: RFC 8289, section 5.

use sluice_units::{Bytes, Faults, Span, Time};

use super::arrival::Admission;
use super::packet_store::Lane;
use super::scheduler::ScheduledPackets;
use crate::packet::{Ecn, Packet};

/// RFC 8289, section 4.4: 5 ms of sojourn, over an interval of 100 ms.
pub(super) const TARGET: Span = Span::from_millis(5);
pub(super) const INTERVAL: Span = Span::from_millis(100);
/// After a pause of at most this many intervals, dropping goes on at the rate of before (RFC 8289,
/// section 5.5).
const MEMORY: u64 = 16;

/// What all lanes of a link have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodelConfig {
    pub(super) target: Span,
    pub(super) interval: Span,
    /// `maxpacket_`: with no more behind it, a packet is never dropped.
    pub(super) packet: Bytes,
    /// Whether ECN-capable packets are marked instead (RFC 8290).
    pub(super) ecn: bool,
}

impl CodelConfig {
    /// Whether a packet is marked instead of dropped.
    fn marks(&self, packet: &Packet) -> bool {
        self.ecn && packet.ecn.has(Ecn::CAPABLE)
    }
}

/// Checks the parameters of CoDel.
pub(super) fn check(target: Span, interval: Span, faults: &mut Faults) {
    let positive = Span::NANO..=Span::from_secs(86_400);
    faults.within("target", &target, &positive);
    faults.within("interval", &interval, &positive);
}

/// The state of one lane; the names are the RFC's, without trailing underscores.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CodelState {
    first_above_time: Time,
    drop_next: Time,
    count: u64,
    lastcount: u64,
    dropping: bool,
}

impl CodelState {
    /// `deque` of section 5.5: the packet whose transmission begins at `now`, after the drops that
    /// are due; `None` if the lane is empty.
    #[inline]
    pub(super) fn dequeue(
        &mut self,
        config: &CodelConfig,
        now: Time,
        lane: &mut Lane,
        queue: &mut ScheduledPackets,
    ) -> Option<u32> {
        let (mut place, mut ok_to_drop) = self.dodequeue(config, now, lane, queue)?;
        if self.dropping {
            // The sojourn time is below the target: leave the drop state.
            self.dropping &= ok_to_drop;
            while self.dropping && now >= self.drop_next {
                self.count += 1;
                if config.marks(queue.store.get(place)) {
                    queue.mark(place, now);
                    self.drop_next = self.control_law(config, self.drop_next);
                    break;
                }
                (place, ok_to_drop) = self.drop(config, now, place, lane, queue)?;
                self.dropping = ok_to_drop;
                if ok_to_drop {
                    self.drop_next = self.control_law(config, self.drop_next);
                }
            }
        } else if ok_to_drop {
            let next = if config.marks(queue.store.get(place)) {
                queue.mark(place, now);
                Some(place)
            } else {
                self.drop(config, now, place, lane, queue).map(|(place, _)| place)
            };
            self.start_dropping(config, now);
            return next;
        }
        Some(place)
    }

    /// The lane has become empty otherwise: as if its last packet had been taken out.
    pub(super) fn emptied(&mut self) {
        (self.first_above_time, self.dropping) = (Time::ZERO, false);
    }

    /// Enters the drop state, at the rate of before if that was shortly before.
    fn start_dropping(&mut self, config: &CodelConfig, now: Time) {
        self.dropping = true;
        let delta = self.count.saturating_sub(self.lastcount);
        let recent = now.since(self.drop_next) < config.interval * MEMORY;
        self.count = if delta > 1 && recent { delta } else { 1 };
        self.drop_next = self.control_law(config, now);
        self.lastcount = self.count;
    }

    /// Drops a packet and takes the next.
    #[cold]
    fn drop(
        &mut self,
        config: &CodelConfig,
        now: Time,
        place: u32,
        lane: &mut Lane,
        queue: &mut ScheduledPackets,
    ) -> Option<(u32, bool)> {
        queue.drop_packet(place, now, Admission::Early);
        let next = self.dodequeue(config, now, lane, queue);
        if next.is_none() {
            self.dropping = false;
        }
        next
    }

    /// `dodequeue` of section 5.6: the next packet, and whether it may be dropped.
    #[inline]
    fn dodequeue(
        &mut self,
        config: &CodelConfig,
        now: Time,
        lane: &mut Lane,
        queue: &mut ScheduledPackets,
    ) -> Option<(u32, bool)> {
        let Some(place) = queue.store.pop(lane) else {
            self.first_above_time = Time::ZERO;
            return None;
        };
        // While it waits, a packet's `at` is when it arrived.
        let waited = now.since(queue.store.get(place).at);
        if waited < config.target || lane.bytes <= config.packet.as_u64() {
            self.first_above_time = Time::ZERO;
            return Some((place, false));
        }
        if self.first_above_time == Time::ZERO {
            self.first_above_time = now + config.interval;
            return Some((place, false));
        }
        Some((place, now >= self.first_above_time))
    }

    /// `control_law` of section 5.6: the time to the next drop is the interval over the square root of the count.
    fn control_law(&self, config: &CodelConfig, from: Time) -> Time {
        let gap = config.interval.as_nanos() as f64 / libm::sqrt(self.count as f64);
        from + Span::from_nanos(gap as u64)
    }
}
