//! Loss recovery of a sender: what is in flight, what is lost, what leaves next.
//!
//! While nothing is lost this is three numbers. The first duplicate or selective acknowledgement,
//! or a time-out, brings out the machinery of the chosen [`LossRecovery`], which goes when all is well.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use sluice_units::{Span, Time};

use super::Block;
use super::duplicates::Duplicates;
use super::rack::Rack;
use super::scoreboard::Scoreboard;

/// How lost packets are found and repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LossRecovery {
    /// Fast retransmit and fast recovery that any new acknowledgement ends (RFC 5681 section 3.2).
    Reno,
    /// Fast recovery that lasts until the whole window is repaired, a packet an RTT (RFC 6582).
    NewReno,
    /// Recovery from a scoreboard of selective acknowledgements (RFC 6675), to the letter: a lost
    /// retransmission waits for the time-out, which discards the scoreboard.
    Sack,
    /// Losses found by the times at which packets left, retransmissions included, and tail loss
    /// probes (RACK-TLP, RFC 8985); the window falls in proportion to what is delivered (RFC 6937);
    /// selective acknowledgements outlast a time-out. As Linux does.
    #[default]
    Rack,
    /// Not TCP's: all that is not acknowledged is sent again in the next round, and a round ends a
    /// fixed time after its last packet ([`crate::rcp::RcpRecovery`]).
    #[serde(skip)]
    Rounds,
}

impl core::fmt::Display for LossRecovery {
    /// The word that scenarios have for it.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(match self {
            Self::Reno => "reno",
            Self::NewReno => "new_reno",
            Self::Sack => "sack",
            Self::Rack => "rack",
            Self::Rounds => "rounds",
        })
    }
}

/// Rules of ns-2 that recovery by [`LossRecovery::Reno`], [`LossRecovery::NewReno`] and [`LossRecovery::Sack`] can
/// follow where they differ from the RFCs. All are off by default. The other recoveries have no
/// variants, and of the protocols only TCP and CUBIC do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RecoveryVariant {
    /// Whether fast retransmit restarts the retransmission timer, with recovery `"sack"`, `"new_reno"`
    /// or `"reno"`. Default off: RFC 6298 section 5 restarts it only as new data is acknowledged.
    pub restart_timer_at_fast_retransmit: bool,
    /// Whether a window has one fast retransmit with recovery `"reno"` too: a second loss in it ends in
    /// a time-out ("Avoiding Multiple Fast Retransmits", RFC 2582 section 5; `recover` of RFC 6582; ns-2's
    /// `bugFix_`). Default off, as in RFC 5681.
    pub avoid_multiple_fast_retransmits: bool,
    /// Whether each of the first two duplicate acknowledgements lets a packet leave after a time-out
    /// too, when that packet is a retransmission (ns-2's `singledup_`), with recovery `"new_reno"` or
    /// `"reno"`. Default off: limited transmit (RFC 3042) sends new data.
    pub limited_transmit_after_time_out: bool,
    /// Whether fast recovery counts what is in flight by acknowledgements, one packet less for each and
    /// two for one of new data, whatever it acknowledges, one more for each packet sent but for the first
    /// copy; and sends any hole below the highest SACK again before new data; with recovery `"sack"` (K.
    /// Fall, S. Floyd, "Simulation-based Comparisons of Tahoe, Reno, and SACK TCP", 1996; ns-2's `Sack1`).
    /// Default off: RFC 6675's Pipe is without what is lost or SACKed, and a hole waits for three SACKs
    /// above it.
    pub pipe_counts_acks: bool,
    /// Whether selective acknowledgements are ignored after a time-out until all that was outstanding is
    /// acknowledged, and all of it is sent again, with recovery `"sack"` (ns-2's `Sack1`). Default off:
    /// RFC 6675 heeds them.
    pub ignore_sacks_after_time_out: bool,
    /// Whether an acknowledgement of new data discards the scoreboard, unless fast recovery or the repair
    /// after a time-out goes on, with recovery `"sack"` (ns-2's `Sack1`): all that is outstanding counts
    /// as in flight again, and three more duplicates start the next fast retransmit. Default off: RFC 6675
    /// keeps what was SACKed.
    pub forget_sacks_at_new_ack: bool,
}

impl RecoveryVariant {
    /// Whether it is no variant: all is as the RFCs have it.
    pub fn is_of_the_rfcs(&self) -> bool {
        *self == Self::default()
    }
}

/// An acknowledgement that reached the sender.
#[derive(Clone, Copy, Debug)]
pub struct Ack<'a> {
    /// The sender's clock.
    pub now: Time,
    /// Its time stamp: when the packet that it answers left.
    pub sent: Time,
    /// All packets below it have arrived.
    pub cumulative: u64,
    /// Packets above that have arrived (ignored by Reno and NewReno).
    pub sacks: &'a [Block],
    /// The least RTT so far.
    pub min_rtt: Option<Span>,
}

/// What an acknowledgement brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckProgress {
    /// Packets newly acknowledged in sequence; 0 for a duplicate.
    pub acked: u32,
    /// Packets that it is the first to acknowledge, in sequence or selectively. Reno and NewReno
    /// know only the former.
    pub delivered: u32,
    /// What it reveals of losses.
    pub found: Found,
}

/// What an acknowledgement reveals of losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing new.
    Nothing,
    /// A loss, which begins an episode of fast recovery. If the same acknowledgement ended an
    /// earlier episode, this is what is told: the loss is of data sent after the earlier one was
    /// found, hence a second sign of congestion (RFC 5681 section 4.3).
    Loss {
        /// FlightSize of RFC 5681: all packets sent and not acknowledged in sequence; without those
        /// that limited transmit sent (section 3.2 step 1 takes them out), but for recovery by time.
        in_flight: u32,
    },
    /// All of the episode is repaired (Reno: its first new acknowledgement came).
    Recovered,
}

/// The packet that leaves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextPacket {
    /// Its sequence number.
    pub seq: u64,
    /// Whether it was sent before.
    pub again: bool,
}

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

/// What is outstanding: all there is to know while nothing is lost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flight {
    /// The first packet not acknowledged in sequence.
    pub(super) una: u64,
    /// One past the highest packet ever sent.
    pub(super) nxt: u64,
    /// Packets thought to be in the network.
    pub(super) in_flight: u32,
    /// Duplicate acknowledgements below this start no fast retransmit (`recover` of RFC 6582).
    pub(super) guard: u64,
    /// RACK.reordering_seen.
    pub(super) reordered: bool,
}

/// The machinery of a recovery that is under way, or may soon be.
#[derive(Clone, Debug)]
enum RecoveryState {
    Duplicates(Duplicates),
    Scoreboard(Scoreboard),
    Rack(Box<Rack>),
    /// There from the start, so that no other recovery has to ask whether it is this.
    Rounds(Scoreboard),
}

/// Where an episode stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Some acknowledgements were odd; nothing is known to be lost.
    #[default]
    Watching,
    /// Fast recovery.
    Fast,
    /// After a time-out, until all that was outstanding then is acknowledged.
    TimedOut,
}

impl LossRecovery {
    /// Whether a [`RecoveryVariant`] changes anything of it.
    pub fn has_variants(self) -> bool {
        matches!(self, Self::Reno | Self::NewReno | Self::Sack)
    }

    /// Whether it heeds selective acknowledgements.
    fn is_selective(self) -> bool {
        matches!(self, Self::Sack | Self::Rack)
    }
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

    /// Whether fast recovery is under way. Not so after a time-out: then the window must grow by
    /// slow start while the lost packets are sent again (RFC 5681 section 3.1).
    pub fn recovering(&self) -> bool {
        self.recovery_state.as_ref().is_some_and(|t| t.phase() == Phase::Fast)
    }

    /// An acknowledgement arrived. One for data never sent is ignored.
    #[inline]
    pub fn acked(&mut self, ack: &Ack<'_>) -> AckProgress {
        if (ack.sacks.is_empty() || !self.recovery.is_selective())
            && let Some(acked) = self.acked_calmly(ack.cumulative)
        {
            return AckProgress { acked, delivered: acked, found: Found::Nothing };
        }
        self.acked_in_trouble(ack)
    }

    /// Takes an acknowledgement without `sacks`, as [`Repair::acked`] does, if it is of new data
    /// while nothing is lost or looks so; gives how much. Then only new data may leave.
    #[inline]
    pub fn acked_calmly(&mut self, cumulative: u64) -> Option<u32> {
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
    pub fn expired(&mut self, now: Time, min_rtt: Option<Span>) -> Found {
        match self.recovery_state.as_deref_mut() {
            Some(RecoveryState::Rack(rack)) => rack.expired(&mut self.flight, now, min_rtt),
            _ => Found::Nothing,
        }
    }

    /// The law reduced its window for the loss that was found, by an acknowledgement that
    /// `delivered` so many packets: where the recovery has proportional rate reduction, what leaves
    /// falls to the window over the next round trip.
    pub fn reduced(&mut self, delivered: u32) {
        if let Some(RecoveryState::Rack(rack)) = self.recovery_state.as_deref_mut() {
            rack.reduce_in_proportion(&self.flight, delivered);
        }
    }

    /// The retransmission timer expired. All that is outstanding counts as lost and is sent again
    /// as the window allows; in rounds and with [`LossRecovery::Rack`] all but what was selectively
    /// acknowledged. True if it is the first time-out for the packet at [`Repair::una`].
    pub fn timed_out(&mut self, now: Time, min_rtt: Option<Span>) -> bool {
        let flight = &mut self.flight;
        if flight.una == flight.nxt {
            return false;
        }
        let first = self.timed_out_at.replace(flight.una) != Some(flight.una);
        flight.in_flight = 0;
        match self.recovery_state.as_deref_mut() {
            Some(RecoveryState::Rounds(board)) => {
                board.next_round(flight);
                return first;
            }
            Some(RecoveryState::Rack(rack)) => {
                rack.timed_out(flight, now, min_rtt);
                return first;
            }
            _ => {}
        }
        self.recovery_state = Some(Box::new(match self.recovery {
            LossRecovery::Rack => {
                let mut rack = Box::<Rack>::default();
                rack.timed_out(flight, now, min_rtt);
                RecoveryState::Rack(rack)
            }
            LossRecovery::Sack => {
                RecoveryState::Scoreboard(Scoreboard::timed_out(flight, self.variant))
            }
            _ => {
                // RFC 6582 section 3.2 step 4: after a time-out, recover is the highest packet
                // sent; step 2 asks for an ACK of *more* than that. Reno needs the same guard, as
                // packets sent twice bring duplicate ACKs that tell of no loss.
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
    /// first retransmission of an episode leaves whatever the window is. Whoever sends the packet
    /// tells [`Repair::sent`], and may then ask again.
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

    /// Chooses and sends in one step where only new data may leave ([`Repair::acked_calmly`]).
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
    fn acked_in_trouble(&mut self, ack: &Ack<'_>) -> AckProgress {
        let flight = &mut self.flight;
        let &Ack { cumulative, sacks, .. } = ack;
        if cumulative > flight.nxt || flight.una == flight.nxt {
            return AckProgress { acked: 0, delivered: 0, found: Found::Nothing };
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
            RecoveryState::Duplicates(d) => d.acked(flight, cumulative),
            RecoveryState::Scoreboard(s) => s.acked(flight, cumulative, sacks),
            RecoveryState::Rack(r) => r.acked(flight, ack),
            RecoveryState::Rounds(s) => s.acked_in_rounds(flight, cumulative, sacks),
        };
        if recovery_state.over() {
            self.recovery_state = None;
        }
        progress
    }
}

impl Flight {
    /// New data, if the window and the data allow.
    #[inline]
    pub(super) fn fresh(&self, window: u32, end: u64) -> Option<NextPacket> {
        (self.in_flight < window && self.nxt < end)
            .then_some(NextPacket { seq: self.nxt, again: false })
    }

    /// Moves on to a cumulative acknowledgement, which is not below the last; by how much.
    pub(super) fn advance(&mut self, cumulative: u64) -> u32 {
        let acked = count(cumulative.saturating_sub(self.una));
        self.una = self.una.max(cumulative);
        acked
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

/// A number of packets, bounded to what a window can be.
pub(super) fn count(packets: u64) -> u32 {
    u32::try_from(packets).unwrap_or(u32::MAX)
}
