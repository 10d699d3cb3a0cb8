//! Recovery from selective acknowledgements (RFC 6675).
//!
//! The RFC defines IsLost and Pipe over every packet outstanding. Both reduce to two marks:
//! - a packet is lost if three packets above it are SACKed, so the lost ones are the holes below
//!   the third-highest SACKed packet ([`Scoreboard::lost`]);
//! - retransmissions go upwards, so the packets sent again are the holes below HighRxt
//!   ([`Scoreboard::resent`]).
//!
//! Pipe is then the holes at or above `lost` plus the holes below `resent`. It is kept up to date
//! as holes are filled and marks move, each hole being passed once by each mark, so an
//! acknowledgement costs the same whatever is outstanding.

use super::ack::{AckProgress, LossSignal};
use super::flight::{Flight, NextPacket, Phase, count};
use super::ranges::{Block, Ranges};
use crate::transport::RecoveryVariant;

/// RFC 6675 section 2: DupThresh. "More than (DupThresh - 1) * SMSS bytes" above a packet, in whole
/// packets, is three of them, and so are three discontiguous ranges at least.
const DUP_THRESH: u64 = 3;

#[derive(Clone, Debug)]
pub(super) struct Scoreboard {
    phase: Phase,
    variant: RecoveryVariant,
    sacked: Ranges,
    /// How many packets are in `sacked`.
    sacked_len: u64,
    /// The holes below it are lost.
    lost: u64,
    /// One past HighRxt: the holes below it were sent again in this episode.
    resent: u64,
    /// One past RecoveryPoint.
    recover: u64,
    /// The packet whose loss began the episode.
    began_at: u64,
    /// One past RescueRxt.
    rescued: u64,
    /// One past the highest packet sent when the first duplicate came: what was sent since then
    /// was limited transmit's.
    first_at: Option<u64>,
    /// Duplicate acknowledgements since the last one of new data.
    duplicates: u32,
}

impl Scoreboard {
    pub(super) fn new(variant: RecoveryVariant) -> Self {
        Self {
            phase: Phase::Watching,
            variant,
            sacked: Ranges::default(),
            sacked_len: 0,
            lost: 0,
            resent: 0,
            recover: 0,
            began_at: 0,
            rescued: 0,
            first_at: None,
            duplicates: 0,
        }
    }

    /// RFC 6675 section 5.1, with RFC 2018 section 8: the sender "SHOULD turn off all of the SACKed
    /// bits, since the timeout might indicate that the data receiver has reneged", and all that is
    /// outstanding is lost. SACKs that come later are heeded in what is sent again.
    pub(super) fn timed_out(flight: &Flight, variant: RecoveryVariant) -> Self {
        Self {
            phase: Phase::TimedOut,
            lost: flight.nxt,
            resent: flight.una,
            recover: flight.nxt,
            ..Self::new(variant)
        }
    }

    /// The next round, in which all is sent again that is not known to have arrived.
    pub(super) fn next_round(&mut self, flight: &Flight) {
        let (sacked, sacked_len) = (core::mem::take(&mut self.sacked), self.sacked_len);
        *self = Self { sacked, sacked_len, ..Self::timed_out(flight, self.variant) };
    }

    pub(super) fn phase(&self) -> Phase {
        self.phase
    }

    /// See [`super::Repair::unrepaired`]: the holes below `lost` that are not below `resent`. Those are the holes that
    /// Pipe does not count. Where `resent` is above `lost` Pipe counts some twice.
    pub(super) fn unrepaired(&self, flight: &Flight) -> u64 {
        if self.variant.pipe_counts_acks && self.phase == Phase::Fast {
            // What is in flight is no Pipe, and all holes below the highest SACK are sent again.
            let start = self.resent.max(flight.una);
            return self.sacked.missing_in(Block { start, end: self.highest() });
        }
        let holes = flight.nxt - flight.una - self.sacked_len;
        holes.saturating_sub(flight.in_flight.into())
    }

    /// Whether there is nothing left to remember.
    pub(super) fn over(&self) -> bool {
        self.phase == Phase::Watching && self.sacked.is_empty()
    }

    pub(super) fn on_ack(
        &mut self,
        flight: &mut Flight,
        cumulative: u64,
        sacks: &[Block],
    ) -> AckProgress {
        let (pipe, was) = (flight.in_flight, self.phase);
        let (acked, in_sequence) = self.advance(flight, cumulative);
        let deaf = self.phase == Phase::TimedOut && self.variant.ignore_sacks_after_time_out;
        let selectively = if deaf { 0 } else { self.update(flight, sacks) };
        let delivered = count(in_sequence + selectively);
        let recovered = self.end(flight);
        if self.variant.pipe_counts_acks && was == Phase::Fast && !recovered {
            // A partial acknowledgement is for a packet and for the copy of another.
            flight.in_flight = pipe.saturating_sub(if acked > 0 { 2 } else { 1 });
        }
        let mut signal = if recovered { LossSignal::Recovered } else { LossSignal::Nothing };
        if self.variant.forget_sacks_at_new_ack && acked > 0 && self.phase == Phase::Watching {
            self.forget(flight);
            return AckProgress { acked, delivered, signal };
        }
        let third = self.sacked.highest(DUP_THRESH).unwrap_or(0);
        // RFC 6675 section 2: a duplicate acknowledgement is one that SACKs something new, "even if
        // it ... moves the cumulative acknowledgment point".
        if selectively > 0 && self.phase == Phase::Watching {
            self.first_at.get_or_insert(flight.nxt);
            self.duplicates += 1;
            if self.shows_loss(flight, third) {
                signal = self.begin(flight);
            }
        }
        if self.phase == Phase::Fast || !self.variant.forget_sacks_at_new_ack {
            self.mark_lost(flight, third);
        }
        AckProgress { acked, delivered, signal }
    }

    /// Section 5 steps (1) and (2). DupAcks >= DupThresh is no case of its own: each duplicate SACKs a
    /// packet, so three make IsLost(HighACK + 1) true. Where SACKs were forgotten the reverse does not
    /// hold, as one duplicate reports several again.
    fn shows_loss(&self, flight: &Flight, third: u64) -> bool {
        if self.variant.forget_sacks_at_new_ack {
            u64::from(self.duplicates) >= DUP_THRESH
        } else {
            third > flight.una
        }
    }

    /// All above the cumulative acknowledgement is in flight again.
    fn forget(&mut self, flight: &mut Flight) {
        *self = Self::new(self.variant);
        flight.in_flight = count(flight.nxt - flight.una);
    }

    /// What is missing is lost when its round ends, and not before.
    pub(super) fn on_ack_in_rounds(
        &mut self,
        flight: &mut Flight,
        cumulative: u64,
        sacks: &[Block],
    ) -> AckProgress {
        let (acked, in_sequence) = self.advance(flight, cumulative);
        let delivered = count(in_sequence + self.update(flight, sacks));
        self.end(flight);
        AckProgress { acked, delivered, signal: LossSignal::Nothing }
    }

    /// Moves on to a cumulative acknowledgement: by how much, and how many of these packets were
    /// not SACKed before.
    fn advance(&mut self, flight: &mut Flight, cumulative: u64) -> (u32, u64) {
        if cumulative <= flight.una {
            return (0, 0);
        }
        let start = flight.una;
        let unlost = Block { start: start.max(self.lost), end: cumulative };
        let resent = Block { start, end: cumulative.min(self.resent) };
        let gone = self.sacked.missing_in(unlost) + self.sacked.missing_in(resent);
        flight.in_flight = flight.in_flight.saturating_sub(count(gone));
        let known = self.sacked.drop_below(cumulative);
        self.sacked_len -= known;
        (self.first_at, self.duplicates) = (None, 0); // "the TCP MUST reset DupAcks to zero"
        let acked = flight.advance(cumulative);
        (acked, u64::from(acked) - known)
    }

    /// Update() of RFC 6675 section 4; the number of packets newly SACKed.
    fn update(&mut self, flight: &mut Flight, sacks: &[Block]) -> u64 {
        let outstanding = Block { start: flight.una + 1, end: flight.nxt };
        let (lost, resent) = (self.lost, self.resent);
        let mut news = 0;
        for sack in sacks {
            self.sacked.insert(sack.common(outstanding), |filled| {
                news += filled.len();
                let gone = filled.at_or_above(lost) + filled.below(resent);
                flight.in_flight = flight.in_flight.saturating_sub(count(gone));
            });
        }
        self.sacked_len += news;
        news
    }

    /// Ends an episode whose recovery point is reached; whether it was a fast recovery.
    fn end(&mut self, flight: &mut Flight) -> bool {
        if self.phase == Phase::Watching || flight.una < self.recover {
            return false;
        }
        // Step (3.1), "Set HighRxt to HighACK": HighRxt counts within one episode. What was sent
        // again above the recovery point leaves Pipe with it.
        let outstanding = Block { start: flight.una.max(self.lost), end: flight.nxt };
        flight.in_flight = count(self.sacked.missing_in(outstanding));
        self.resent = 0;
        core::mem::replace(&mut self.phase, Phase::Watching) == Phase::Fast
    }

    /// IsLost of RFC 6675 section 4. After a time-out all below the recovery point is lost, and
    /// nothing above it is until that point is reached (section 5.1: no new recovery phase).
    fn mark_lost(&mut self, flight: &mut Flight, third: u64) {
        if self.phase == Phase::TimedOut || third <= self.lost || self.variant.pipe_counts_acks {
            return;
        }
        let newly = Block { start: flight.una.max(self.lost), end: third };
        let gone = self.sacked.missing_in(newly);
        flight.lost += gone;
        flight.in_flight = flight.in_flight.saturating_sub(count(gone));
        self.lost = third;
    }

    /// Section 5 step (4).
    fn begin(&mut self, flight: &Flight) -> LossSignal {
        self.phase = Phase::Fast;
        self.recover = flight.nxt; // (4.1) RecoveryPoint = HighData
        self.began_at = flight.una;
        self.resent = flight.una;
        self.rescued = flight.una + 1; // (4.3)
        let flight_size = self.first_at.unwrap_or(flight.nxt).saturating_sub(flight.una);
        LossSignal::Loss { in_flight: count(flight_size) } // (4.2)
    }

    pub(super) fn choose(&self, flight: &Flight, window: u32, end: u64) -> Option<NextPacket> {
        if self.phase == Phase::Watching {
            return flight.fresh(window, end); // step (3), limited transmit
        }
        let again = |seq| Some(NextPacket { seq, again: true });
        let hole = self.hole(flight);
        if self.first_due(flight, hole) {
            return again(hole); // step (4.3), whatever Pipe is
        }
        if flight.in_flight >= window {
            return None; // step (C)
        }
        // NextSeg of section 4. After a time-out only its rules (1) and (2) are left: fill in what
        // is missing, then go on (section 5.1).
        let any = self.variant.pipe_counts_acks && self.phase == Phase::Fast;
        if hole < self.lost || any && hole < self.highest() {
            return again(hole); // rule (1)
        }
        if let Some(new) = flight.fresh(window, end) {
            return Some(new); // rule (2)
        }
        if self.phase == Phase::Fast && hole < self.highest() {
            return again(hole); // rule (3)
        }
        self.rescue(flight).and_then(again) // rule (4)
    }

    pub(super) fn sent_again(&mut self, flight: &mut Flight, seq: u64) {
        let hole = self.hole(flight);
        let due = match self.phase {
            Phase::Watching => false,
            Phase::Fast => hole < self.lost.max(self.highest()) || self.first_due(flight, hole),
            Phase::TimedOut => hole < self.lost,
        };
        if due && seq == hole {
            let counted = !(self.variant.pipe_counts_acks && self.first_due(flight, hole));
            self.resent = seq + 1; // (C.2)
            flight.in_flight = flight.in_flight.saturating_add(counted.into()); // (C.4)
        } else if Some(seq) == self.rescue(flight) {
            // Rule (4): "RescueRxt set to RecoveryPoint. HighRxt MUST NOT be updated", and so Pipe
            // does not count the copy.
            self.rescued = self.recover;
        }
    }

    /// The lowest hole that was not sent again.
    fn hole(&self, flight: &Flight) -> u64 {
        self.sacked.hole_from(self.resent.max(flight.una))
    }

    fn first_due(&self, flight: &Flight, hole: u64) -> bool {
        self.phase == Phase::Fast && hole == flight.una && hole == self.began_at
    }

    /// One past the highest SACKed packet.
    fn highest(&self) -> u64 {
        self.sacked.last().map_or(0, |b| b.end)
    }

    /// The highest hole outstanding, if rule (4) of NextSeg allows to send it again: once an
    /// episode, after more than the first retransmission is acknowledged.
    fn rescue(&self, flight: &Flight) -> Option<u64> {
        if self.phase != Phase::Fast || flight.una <= self.rescued {
            return None;
        }
        let top = match self.sacked.last() {
            Some(last) if last.end == flight.nxt => last.start,
            _ => flight.nxt,
        };
        top.checked_sub(1).filter(|&seq| seq >= flight.una)
    }
}
