//! Packets at a link whose capacity varies. As at any FIFO link, a packet's departure is known when it
//! arrives.

use sluice_laws::WireHeader;
use sluice_units::{Span, Time};

use super::Link;
use super::verdict::Verdict;
use crate::packet::Packet;
use crate::queue::{Admission, TrafficClass};

impl Link {
    /// As [`Link::accept`], whether the capacity varies or not, for a packet of this class.
    pub(crate) fn accept_apart(
        &mut self,
        now: Time,
        packet: &Packet,
        header: &mut WireHeader,
        traffic: TrafficClass,
    ) -> Verdict {
        if self.parts.laws.whole().is_some_and(|router| router.is_foreign(|| traffic)) {
            return self.accept_any(now, packet, &mut WireHeader::default());
        }
        self.accept_any(now, packet, header)
    }

    fn accept_any(&mut self, now: Time, packet: &Packet, header: &mut WireHeader) -> Verdict {
        if self.parts.varying.is_none() {
            return self.accept(now, packet, header);
        }
        let bytes = packet.bytes;
        let (ahead, through) = (self.backlog(now), self.through(now, bytes));
        self.counters.least = self.counters.least.min(ahead);
        let admission = self.parts.admits(now, packet.ecn, ahead, through);
        if admission.is_drop() {
            self.parts.drop_packet(*header, bytes, admission);
            return Verdict::Dropped;
        }
        let at = self.count_in(now, bytes);
        let verdict = self.send_on(now, bytes, at, header);
        if admission == Admission::Marked { verdict.marked() } else { verdict }
    }

    /// Queues a packet. Returns when it reaches the end of the link.
    #[inline(always)]
    pub(super) fn count_in(&mut self, now: Time, bytes: u32) -> Time {
        let Some(clock) = &mut self.parts.varying else {
            let slot = self.clock.slot(now, bytes);
            return self.join(now, bytes, slot);
        };
        self.counters.taken += u64::from(bytes);
        let departs = clock.send(now, bytes);
        self.counters.longest = self.counters.longest.max(clock.backlog_up(now));
        departs.plus(self.delay)
    }

    /// Transmission time still queued at `now`, at the nominal capacity.
    #[inline(always)]
    pub(super) fn backlog(&self, now: Time) -> Span {
        if self.apart
            && let Some(clock) = &self.parts.varying
        {
            return clock.backlog(now);
        }
        self.clock.backlog(now)
    }

    /// The same with another packet.
    #[inline(always)]
    pub(super) fn through(&self, now: Time, bytes: u32) -> Span {
        match &self.parts.varying {
            Some(clock) => clock.through(now, bytes),
            None => self.clock.slot(now, bytes).free.after(now),
        }
    }
}
