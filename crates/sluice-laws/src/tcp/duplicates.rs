//! Recovery that counts duplicate acknowledgements: Reno (RFC 5681) and NewReno (RFC 6582).
//!
//! The RFCs move cwnd: fast retransmit sets it to ssthresh + 3, every further duplicate adds 1, a
//! partial ACK of `a` packets takes `a` off and puts 1 back, the end sets it to ssthresh; and
//! nxt - una < cwnd lets a packet leave. Here the window stays ssthresh and what moves is the other
//! side: with D = cwnd - ssthresh, nxt - una < ssthresh + D is nxt - una - D < window. So D is the
//! number of packets known to have left the network ([`Duplicates::left`]), it goes 3, D + 1,
//! D - a + 1, and the same packets leave at the same times. Limited transmit (RFC 3042) is the same
//! rule with D = 1, 2 for the first two duplicates.

use super::ack::{AckProgress, LossSignal};
use super::flight::{Flight, NextPacket, Phase, count};
use crate::transport::{LossRecovery, RecoveryVariant};

/// RFC 5681 section 3.2: the third duplicate means a loss.
const DUP_THRESH: u32 = 3;

#[derive(Clone, Debug)]
pub(super) struct Duplicates {
    phase: Phase,
    recovery: LossRecovery,
    variant: RecoveryVariant,
    /// Duplicate acknowledgements in a row.
    duplicates: u32,
    /// Packets that have left the network, by the duplicates received.
    left: u32,
    /// One past the highest packet sent when the first duplicate came: what was sent since then
    /// was limited transmit's.
    first_at: u64,
    /// One past the highest packet sent when the episode began.
    recover: u64,
    /// All below it was sent again, or acknowledged, in this episode.
    resent: u64,
    /// Partial acknowledgements in this episode (NewReno).
    partial: u32,
}

impl Duplicates {
    pub(super) fn new(recovery: LossRecovery, variant: RecoveryVariant) -> Self {
        Self {
            phase: Phase::Watching,
            recovery,
            variant,
            duplicates: 0,
            left: 0,
            first_at: 0,
            recover: 0,
            resent: 0,
            partial: 0,
        }
    }

    /// Go-back-N: all from una to nxt is lost.
    pub(super) fn timed_out(
        flight: &Flight,
        recovery: LossRecovery,
        variant: RecoveryVariant,
    ) -> Self {
        Self {
            phase: Phase::TimedOut,
            recover: flight.nxt,
            resent: flight.una,
            ..Self::new(recovery, variant)
        }
    }

    pub(super) fn phase(&self) -> Phase {
        self.phase
    }

    /// See [`super::Repair::unrepaired`]: by a duplicate, the first unacknowledged packet; by a time-out, all that was
    /// outstanding then.
    #[inline]
    pub(super) fn unrepaired(&self, flight: &Flight) -> u64 {
        match self.phase {
            Phase::Watching => 0,
            Phase::Fast => (self.resent <= flight.una).into(),
            Phase::TimedOut => self.recover.saturating_sub(self.resent.max(flight.una)),
        }
    }

    /// See [`super::Repair::keeps_timer`].
    pub(super) fn keeps_timer(&self) -> bool {
        self.phase == Phase::Fast && self.partial > 1
    }

    /// Whether there is nothing left to remember.
    pub(super) fn over(&self) -> bool {
        self.phase == Phase::Watching && self.duplicates == 0
    }

    pub(super) fn on_ack(&mut self, flight: &mut Flight, cumulative: u64) -> AckProgress {
        let (acked, signal) = if cumulative > flight.una {
            let acked = flight.advance(cumulative);
            (acked, self.moved_on(flight, acked))
        } else if cumulative == flight.una {
            (0, self.duplicate(flight))
        } else {
            (0, LossSignal::Nothing) // overtaken on the way: neither new nor a duplicate
        };
        flight.in_flight = self.in_flight(flight);
        AckProgress { acked, delivered: acked, signal }
    }

    fn moved_on(&mut self, flight: &mut Flight, acked: u32) -> LossSignal {
        self.duplicates = 0;
        let whole = flight.una >= self.recover;
        match self.phase {
            // RFC 6582 section 3.2 step 3, partial acknowledgement: "deflate the congestion window
            // by the amount of new data acknowledged ... add back SMSS bytes". D cannot go below
            // zero: where duplicates got lost, the RFC's window falls below ssthresh, ours does not.
            Phase::Fast if self.recovery == LossRecovery::NewReno && !whole => {
                self.left = self.left.saturating_add(1).saturating_sub(acked);
                self.partial = self.partial.saturating_add(1);
                flight.lost += 1;
                return LossSignal::Nothing;
            }
            Phase::TimedOut if !whole => {
                self.left = 0;
                return LossSignal::Nothing;
            }
            _ => {}
        }
        // RFC 5681 section 3.2 step 6 at any new ACK; RFC 6582 step 3 at a full one, its option 2:
        // cwnd = ssthresh, D = 0.
        self.left = 0;
        match core::mem::replace(&mut self.phase, Phase::Watching) {
            Phase::Fast => LossSignal::Recovered,
            Phase::Watching | Phase::TimedOut => LossSignal::Nothing,
        }
    }

    fn duplicate(&mut self, flight: &mut Flight) -> LossSignal {
        match self.phase {
            Phase::Watching => self.watch(flight),
            // RFC 5681 section 3.2 step 4: "For each additional duplicate ACK received ..., cwnd
            // MUST be incremented by SMSS."
            Phase::Fast => {
                self.left = self.left.saturating_add(1);
                LossSignal::Nothing
            }
            // They come from packets sent twice and show no loss (RFC 6582 section 4).
            Phase::TimedOut => {
                if self.variant.limited_transmit_after_time_out {
                    self.left = (self.left + 1).min(DUP_THRESH - 1);
                }
                LossSignal::Nothing
            }
        }
    }

    fn watch(&mut self, flight: &mut Flight) -> LossSignal {
        if self.duplicates == 0 {
            self.first_at = flight.nxt;
        }
        self.duplicates = self.duplicates.saturating_add(1);
        // RFC 6582 section 3.2 step 2: "... checks the value of recover to see if the Cumulative
        // Acknowledgment field covers more than recover. ... If not, the TCP does not enter fast
        // retransmit". Limited transmit ends with the second duplicate.
        if self.duplicates < DUP_THRESH || flight.una < flight.guard {
            self.left = self.duplicates.min(DUP_THRESH - 1);
            return LossSignal::Nothing;
        }
        self.phase = Phase::Fast;
        flight.lost += 1;
        self.left = DUP_THRESH;
        self.partial = 0;
        self.recover = flight.nxt;
        self.resent = flight.una;
        if self.recovery == LossRecovery::NewReno || self.variant.avoid_multiple_fast_retransmits {
            flight.guard = flight.nxt + 1;
        }
        LossSignal::Loss { in_flight: count(self.first_at - flight.una) }
    }

    fn in_flight(&self, flight: &Flight) -> u32 {
        match self.phase {
            Phase::TimedOut => count(
                (self.resent.max(flight.una) - flight.una)
                    + (flight.nxt - self.recover.max(flight.una)),
            )
            .saturating_sub(self.left),
            _ => count(flight.nxt - flight.una).saturating_sub(self.left),
        }
    }

    pub(super) fn choose(&self, flight: &Flight, window: u32, end: u64) -> Option<NextPacket> {
        let again = match self.phase {
            Phase::Watching => None,
            // RFC 5681 section 3.2 step 3 and RFC 6582 step 3, "retransmit the first unacknowledged
            // segment": whatever the window is, once for every una.
            Phase::Fast => (self.resent <= flight.una).then_some(flight.una),
            Phase::TimedOut => {
                let next = self.resent.max(flight.una);
                (flight.in_flight < window && next < self.recover).then_some(next)
            }
        };
        match again {
            Some(seq) => Some(NextPacket { seq, again: true }),
            None => flight.fresh(window, end),
        }
    }

    pub(super) fn sent_again(&mut self, flight: &mut Flight, seq: u64) {
        let next = self.resent.max(flight.una);
        let due = match self.phase {
            Phase::Watching => false,
            Phase::Fast => self.resent <= flight.una,
            Phase::TimedOut => next < self.recover,
        };
        if due && seq == next {
            self.resent = seq + 1;
            flight.in_flight = self.in_flight(flight);
        }
    }
}
