//! Loss recovery of a sender: what is in flight, what is lost, what leaves next.
//!
//! While nothing is lost the state is three numbers. The first duplicate or selective acknowledgement,
//! or a time-out, creates the state of the chosen [`LossRecovery`], which is dropped when all is repaired.

use sluice_units::Time;

use super::ack::{Ack, AckProgress, LossSignal};
use super::duplicates::Duplicates;
use super::flight::{Flight, NextPacket, Phase, count};
use super::rack::Rack;
use super::scoreboard::Scoreboard;
use crate::transport::{LossRecovery, RecoveryVariant, Rtts};

/// The loss recovery of one sender.
///
/// Its duties end at the choice of packets: the window, the timer and the clock are the caller's.
/// RFC 6298 (5.3) restarts the timer at every acknowledgement of new data, which [`AckProgress`] shows,
/// unless [`Repair::keeps_timer`].
#[derive(Clone, Debug)]
pub struct Repair {
    flight: Flight,
    recovery_state: Option<Box<RecoveryState>>,
    recovery: LossRecovery,
    variant: RecoveryVariant,
    /// The first unacknowledged packet when the timer last expired.
    timed_out_at: Option<u64>,
}

/// The state of a recovery that is under way, or may soon be.
#[derive(Clone, Debug)]
enum RecoveryState {
    Duplicates(Duplicates),
    Scoreboard(Scoreboard),
    Rack(Box<Rack>),
    /// Present from the start, so that other recoveries need not test for it.
    Rounds(Scoreboard),
}

impl Repair {
    /// A sender that has sent nothing.
    pub fn new(recovery: LossRecovery) -> Self {
        Self::of_variant(recovery, RecoveryVariant::default())
    }

    /// The same, with rules that are not the RFCs'.
    pub fn of_variant(recovery: LossRecovery, variant: RecoveryVariant) -> Self {
        let rounds = || Box::new(RecoveryState::Rounds(Scoreboard::new(variant)));
        let recovery_state = (recovery == LossRecovery::Rounds).then(rounds);
        Self { flight: Flight::default(), recovery_state, recovery, variant, timed_out_at: None }
    }

    /// The first packet not acknowledged in sequence.
    #[inline]
    pub fn una(&self) -> u64 {
        self.flight.una
    }

    /// One past the highest packet ever sent.
    #[inline]
    pub fn nxt(&self) -> u64 {
        self.flight.nxt
    }

    /// Packets thought to be in the network, which the window bounds: the `pipe` of RFC 6675, or
    /// for Reno and NewReno what is outstanding without what is known to have left.
    #[inline]
    pub fn in_flight(&self) -> u32 {
        self.flight.in_flight
    }

    /// Packets marked lost so far, each as often as it was, also where a time-out proved spurious. Reno
    /// and NewReno find one packet an acknowledgement.
    pub fn lost(&self) -> u64 {
        self.flight.lost
    }

    /// Packets found lost that were not sent again since.
    #[inline]
    pub fn unrepaired(&self) -> u64 {
        match self.recovery_state.as_deref() {
            None => 0,
            Some(RecoveryState::Duplicates(d)) => d.unrepaired(&self.flight),
            Some(RecoveryState::Rack(r)) => r.unrepaired(),
            Some(RecoveryState::Scoreboard(s) | RecoveryState::Rounds(s)) => {
                s.unrepaired(&self.flight)
            }
        }
    }

    /// Whether fast recovery is under way. Not so after a time-out: then the window must grow by
    /// slow start while the lost packets are sent again (RFC 5681 section 3.1).
    pub fn recovering(&self) -> bool {
        self.recovery_state.as_ref().is_some_and(|t| t.phase() == Phase::Fast)
    }

    /// An acknowledgement arrived. One for data never sent is ignored.
    #[inline]
    pub fn on_ack(&mut self, ack: &Ack<'_>) -> AckProgress {
        if (ack.sacks.is_empty() || !self.recovery.is_selective())
            && let Some(acked) = self.on_ack_fast_path(ack.cumulative)
        {
            return AckProgress { acked, delivered: acked, signal: LossSignal::Nothing };
        }
        self.on_ack_slow_path(ack)
    }

    /// The fast path of [`Repair::on_ack`], for an acknowledgement without `sacks`: returns the packets
    /// newly acknowledged if it is of new data while no loss is known or suspected. Then only new
    /// data may leave. `None` leaves the state as it was.
    #[inline]
    pub fn on_ack_fast_path(&mut self, cumulative: u64) -> Option<u32> {
        let flight = &mut self.flight;
        let acked = cumulative.wrapping_sub(flight.una);
        // One comparison for "more than nothing and no more than all".
        if self.recovery_state.is_some() || acked.wrapping_sub(1) >= flight.nxt - flight.una {
            return None;
        }
        let acked = count(acked);
        flight.una = cumulative;
        flight.in_flight = flight.in_flight.saturating_sub(acked);
        Some(acked)
    }

    /// Whether the timer runs on although the last acknowledgement was of new data. RFC 6582
    /// section 3.2 step 3: "For the first partial ACK that arrives during fast recovery, also reset
    /// the retransmit timer", and not for the others (the Impatient variant of its section 4), so
    /// that a window with many losses ends in a time-out rather than a repair of a packet an RTT.
    /// No acknowledgement moves the end of a round.
    #[inline]
    pub fn keeps_timer(&self) -> bool {
        match self.recovery_state.as_deref() {
            None | Some(RecoveryState::Scoreboard(_) | RecoveryState::Rack(_)) => false,
            Some(RecoveryState::Duplicates(d)) => d.keeps_timer(),
            Some(RecoveryState::Rounds(_)) => true,
        }
    }

    /// Whether a loss that is found restarts the timer.
    pub fn restarts_timer(&self) -> bool {
        self.variant.restart_timer_at_fast_retransmit && self.recovery.has_variants()
    }

    /// Whether selective acknowledgements give RTT samples too. By RFC 7323 section 4.1 only those do
    /// that acknowledge data in sequence; as Linux takes them, and in rounds, where the first missing
    /// packet would else end sampling for the rest of the flow, all do.
    pub fn samples_selectively(&self) -> bool {
        matches!(self.recovery, LossRecovery::Rack | LossRecovery::Rounds)
    }

    /// Whether a lost retransmission is found before the timer expires.
    pub fn finds_lost_retransmissions(&self) -> bool {
        self.recovery == LossRecovery::Rack
    }

    /// Whether what is missing waits for the next round, which [`Repair::timed_out`] begins.
    pub fn in_rounds(&self) -> bool {
        self.recovery == LossRecovery::Rounds
    }

    /// Whether packets that are outstanding, with no sign that any is lost, call for a tail loss
    /// probe when an acknowledgement is overdue ([`Repair::probe`]).
    #[inline]
    pub fn may_probe(&self) -> bool {
        self.recovery == LossRecovery::Rack && self.recovery_state.is_none()
    }

    /// The probe timeout expired (RFC 8985 section 7.3), where [`Repair::may_probe`]: the probe is
    /// what leaves next. The last packet left at `last_sent`.
    pub fn probe(&mut self, last_sent: Time) {
        if self.may_probe() && self.flight.una < self.flight.nxt {
            self.recovery_state =
                Some(Box::new(RecoveryState::Rack(Box::new(Rack::probing(last_sent)))));
        }
    }

    /// When time alone shows a loss ([`Repair::expired`]); `None` for never.
    pub fn due(&self) -> Option<Time> {
        match self.recovery_state.as_deref() {
            Some(RecoveryState::Rack(rack)) => rack.due(),
            _ => None,
        }
    }

    /// [`Repair::due`] is reached: packets that were overtaken and have not arrived are lost.
    pub fn expired(&mut self, now: Time, rtts: Option<Rtts>) -> LossSignal {
        match self.recovery_state.as_deref_mut() {
            Some(RecoveryState::Rack(rack)) => rack.expired(&mut self.flight, now, rtts),
            _ => LossSignal::Nothing,
        }
    }

    /// The law reduced its window for the loss found by an acknowledgement that delivered
    /// `delivered` packets. With proportional rate reduction the sending rate falls to the window
    /// over the next round trip.
    pub fn reduced(&mut self, delivered: u32) {
        if let Some(RecoveryState::Rack(rack)) = self.recovery_state.as_deref_mut() {
            rack.reduce_in_proportion(&self.flight, delivered);
        }
    }

    /// The retransmission timer expired. All that is outstanding counts as lost and is sent again
    /// as the window allows; in rounds and with [`LossRecovery::Rack`] all but what was selectively
    /// acknowledged. True if it is the first time-out for the packet at [`Repair::una`].
    pub fn timed_out(&mut self, now: Time, rtts: Option<Rtts>) -> bool {
        let flight = &mut self.flight;
        if flight.una == flight.nxt {
            return false;
        }
        let first = self.timed_out_at.replace(flight.una) != Some(flight.una);
        if self.recovery != LossRecovery::Rack {
            flight.lost += u64::from(flight.in_flight);
        }
        flight.in_flight = 0;
        match self.recovery_state.as_deref_mut() {
            Some(RecoveryState::Rounds(board)) => {
                board.next_round(flight);
                return first;
            }
            Some(RecoveryState::Rack(rack)) => {
                rack.timed_out(flight, now, rtts);
                return first;
            }
            _ => {}
        }
        self.recovery_state = Some(Box::new(match self.recovery {
            LossRecovery::Rack => {
                let mut rack = Box::<Rack>::default();
                rack.timed_out(flight, now, rtts);
                RecoveryState::Rack(rack)
            }
            LossRecovery::Sack => {
                RecoveryState::Scoreboard(Scoreboard::timed_out(flight, self.variant))
            }
            _ => {
                // RFC 6582 section 3.2 step 4: after a time-out, recover is the highest packet
                // sent; step 2 asks for an ACK of *more* than that. Reno needs the same guard, as
                // packets sent twice cause duplicate ACKs without a loss.
                flight.guard = flight.nxt + 1;
                RecoveryState::Duplicates(Duplicates::timed_out(
                    flight,
                    self.recovery,
                    self.variant,
                ))
            }
        }));
        first
    }

    /// What leaves next, if `window` packets may be in flight and the data ends before `end`. The
    /// first retransmission of an episode leaves whatever the window is. The caller reports the
    /// packet to [`Repair::sent`] and may then ask again.
    #[inline]
    pub fn choose(&self, window: u32, end: u64) -> Option<NextPacket> {
        match self.recovery_state.as_deref() {
            None => self.flight.fresh(window, end),
            Some(RecoveryState::Duplicates(d)) => d.choose(&self.flight, window, end),
            Some(RecoveryState::Rack(r)) => r.choose(&self.flight, window, end),
            Some(RecoveryState::Scoreboard(s) | RecoveryState::Rounds(s)) => {
                s.choose(&self.flight, window, end)
            }
        }
    }

    /// Chooses and sends in one step where only new data may leave ([`Repair::on_ack_fast_path`]).
    #[inline]
    pub fn send_new(&mut self, window: u32, end: u64) -> Option<u64> {
        let NextPacket { seq, .. } = self.flight.fresh(window, end)?;
        self.flight.nxt = seq + 1;
        self.flight.in_flight += 1;
        Some(seq)
    }

    /// A packet left: the one that [`Repair::choose`] chose. Others are ignored.
    #[inline]
    pub fn sent(&mut self, seq: u64, now: Time) {
        let flight = &mut self.flight;
        if seq == flight.nxt && seq < u64::MAX - 1 {
            flight.nxt += 1;
            flight.in_flight = flight.in_flight.saturating_add(1);
            if let Some(RecoveryState::Rack(rack)) = self.recovery_state.as_deref_mut() {
                rack.sent_new(flight, now);
            }
            return;
        }
        match self.recovery_state.as_deref_mut() {
            None => {}
            Some(RecoveryState::Duplicates(d)) => d.sent_again(flight, seq),
            Some(RecoveryState::Rack(r)) => r.sent_again(flight, seq, now),
            Some(RecoveryState::Scoreboard(s) | RecoveryState::Rounds(s)) => {
                s.sent_again(flight, seq)
            }
        }
    }

    #[cold]
    fn on_ack_slow_path(&mut self, ack: &Ack<'_>) -> AckProgress {
        let flight = &mut self.flight;
        let &Ack { cumulative, sacks, .. } = ack;
        if cumulative > flight.nxt || flight.una == flight.nxt {
            return AckProgress { acked: 0, delivered: 0, signal: LossSignal::Nothing };
        }
        let (recovery, variant) = (self.recovery, self.variant);
        let recovery_state = self.recovery_state.get_or_insert_with(|| {
            Box::new(match recovery {
                LossRecovery::Sack => RecoveryState::Scoreboard(Scoreboard::new(variant)),
                LossRecovery::Rack => RecoveryState::Rack(Box::default()),
                _ => RecoveryState::Duplicates(Duplicates::new(recovery, variant)),
            })
        });
        let progress = match &mut **recovery_state {
            RecoveryState::Duplicates(d) => d.on_ack(flight, cumulative),
            RecoveryState::Scoreboard(s) => s.on_ack(flight, cumulative, sacks),
            RecoveryState::Rack(r) => r.on_ack(flight, ack),
            RecoveryState::Rounds(s) => s.on_ack_in_rounds(flight, cumulative, sacks),
        };
        if recovery_state.over() {
            self.recovery_state = None;
        }
        progress
    }
}

impl RecoveryState {
    fn phase(&self) -> Phase {
        match self {
            Self::Duplicates(d) => d.phase(),
            Self::Rack(r) => r.phase(),
            Self::Scoreboard(s) | Self::Rounds(s) => s.phase(),
        }
    }

    fn over(&self) -> bool {
        match self {
            Self::Duplicates(d) => d.over(),
            Self::Rack(r) => r.over(),
            Self::Scoreboard(s) => s.over(),
            Self::Rounds(_) => false,
        }
    }
}
