//! Recovery by the times at which packets left: RACK-TLP (RFC 8985) with proportional rate
//! reduction (RFC 6937), as hosts do it today.
//!
//! A packet is lost if one that left later has arrived and the time that reordering may take is
//! over. So lost retransmissions are found as first transmissions are, and what selective
//! acknowledgements reported is kept over time-outs.
//!
//! Each outstanding packet is SACKed, lost, or in flight, so that what is in flight is a
//! difference and cannot drift. The RFC keeps the time at which each packet left
//! (Segment.xmit_ts). Here only what is sent again has a record. For what is sent once a bound
//! suffices, which costs nothing while nothing is lost: a packet left no later than one above it
//! that arrived, and *that* one's time comes back in its acknowledgement's time stamp; and it left
//! before any that is sent again while it is outstanding.
//!
//! The reordering window adapts to retransmissions that prove spurious, at the times and by the steps of
//! the RFC. No receiver here sends DSACK (RFC 2883), which shows them to the RFC's sender; the time stamp of
//! an acknowledgement does, if it is older than the retransmission (RFC 3522, Eifel detection, also in
//! Linux).

use std::collections::VecDeque;

use sluice_units::{Span, Time};

use super::ack::{Ack, AckProgress, LossSignal};
use super::flight::{Flight, NextPacket, Phase, count};
use super::prr::Prr;
use super::ranges::{Block, Ranges};
use crate::transport::Rtts;

/// RFC 8985 section 6.2 step 4: with this many packets SACKed the reordering window is zero, unless
/// reordering was seen.
const DUP_THRESH: u64 = 3;

/// RFC 8985 section 6.2 step 4: number of recoveries that keep a window that has grown.
const PERSISTS: u8 = 16;

#[derive(Clone, Debug, Default)]
pub(super) struct Rack {
    phase: Phase,
    sacked: Ranges,
    /// How many packets are in `sacked`, and in `lost`.
    sacked_len: u64,
    lost_len: u64,
    /// Lost, and not sent again since.
    lost: Ranges,
    /// Packets sent once that left before one that arrived, ascending in sequence and time. Those
    /// that are not SACKed are late.
    overtaken: VecDeque<Overtaken>,
    /// Packets sent again, in the order in which they left; one that arrived is removed when it
    /// comes to the front.
    resent: VecDeque<Resent>,
    /// One past the highest packet sent again since all of them last arrived.
    resent_to: u64,
    /// Packets sent once at or above it have not been overtaken.
    overtaken_to: u64,
    /// When packets left for the first time since the first sign of a loss.
    fresh: VecDeque<(u64, Time)>,
    /// RACK.xmit_ts: of the packets delivered, when the one left that left last.
    latest: Time,
    /// RACK.rtt: the RTT of that packet.
    rtt: Span,
    /// One past the highest packet sent when the episode began.
    recover: u64,
    /// Whether the first retransmission of the episode, which waits for no window, is due.
    first_due: bool,
    /// Whether nothing was delivered since the last time-out.
    unanswered: bool,
    prr: Prr,
    probe: Option<Probe>,
    /// When the first of the overtaken or resent packets is lost, unless it arrives before.
    due: Option<Time>,
    /// When the retransmission timer last expired. Packets that it alone marked lost: those sent once,
    /// and those sent again.
    timed_out_at: Time,
    given_up_once: Ranges,
    given_up: VecDeque<Resent>,
}

/// Packets sent once.
#[derive(Clone, Copy, Debug)]
struct Overtaken {
    packets: Block,
    /// They left at this time or before.
    sent: Time,
}

/// A packet sent again.
#[derive(Clone, Copy, Debug)]
struct Resent {
    seq: u64,
    sent: Time,
    /// What was next to be sent for the first time: all below had left before.
    nxt: u64,
}

/// A tail loss probe (RFC 8985 section 7). Where it repeats the last packet and so repairs a loss, the
/// RFC reduces the window. Here the last packet is repeated only if it ends the flow, so that no window
/// is left to reduce.
#[derive(Clone, Copy, Debug)]
enum Probe {
    /// It is the next packet to leave. The last one before it left at this time.
    Due(Time),
    /// It left, and up to here (TLP.end_seq) nothing else is outstanding.
    Left { sent: Time, last_sent: Time, end: u64 },
}

impl Rack {
    /// The probe timeout expired (RFC 8985 section 7.3): [`Rack::choose`] gives the probe, whatever
    /// the window is. The last packet before it left at `last_sent`.
    pub(super) fn probing(last_sent: Time) -> Self {
        Self { probe: Some(Probe::Due(last_sent)), ..Self::default() }
    }

    pub(super) fn phase(&self) -> Phase {
        self.phase
    }

    /// See [`super::Repair::unrepaired`].
    #[inline]
    pub(super) fn unrepaired(&self) -> u64 {
        self.lost_len
    }

    /// Whether there is nothing left to remember.
    pub(super) fn over(&self) -> bool {
        self.phase == Phase::Watching && self.sacked_len == 0 && self.probe.is_none()
    }

    /// When [`Rack::expired`] has something to do.
    pub(super) fn due(&self) -> Option<Time> {
        self.due
    }

    pub(super) fn on_ack(&mut self, flight: &mut Flight, ack: &Ack<'_>) -> AckProgress {
        let round = flight.spurious_to;
        let (acked, in_sequence) = self.advance(flight, ack);
        let selectively = self.update(flight, ack);
        let delivered = count(in_sequence + selectively);
        if delivered > 0 {
            if let Some(Probe::Due(_)) = self.probe {
                self.probe = None;
            }
            self.learn(ack);
            self.prr.delivered(delivered);
            self.unanswered = false;
            self.unmark(flight, ack);
            let (top, sent) = (self.top(flight), self.bound(ack.sent));
            self.overtake(flight, top, sent);
        }
        if let Some(Probe::Left { end, .. }) = self.probe
            && flight.una >= end
        {
            self.probe = None;
        }
        let grew = flight.spurious_to != round;
        let recovered = self.end(flight, grew);
        let signal = match self.find_losses(flight, ack.now, ack.rtts) {
            LossSignal::Nothing if recovered => LossSignal::Recovered,
            signal => signal,
        };
        AckProgress { acked, delivered, signal }
    }

    /// The window fell as the episode began: it does so in proportion to what is delivered. RFC 6937
    /// sets RecoverFS to all outstanding; what was SACKed before can no longer be delivered and would
    /// leave the window below ssthresh, so its revision (draft-ietf-tcpm-prr-rfc6937bis) leaves it
    /// out.
    pub(super) fn reduce_in_proportion(&mut self, flight: &Flight, delivered: u32) {
        let at_start = flight.nxt - flight.una - self.sacked_len;
        self.prr = Prr::begin(count(at_start).saturating_add(delivered));
        self.prr.delivered(delivered);
    }

    /// Time has passed: what is overdue by more than the reordering window is lost.
    pub(super) fn expired(
        &mut self,
        flight: &mut Flight,
        now: Time,
        rtts: Option<Rtts>,
    ) -> LossSignal {
        if self.due.is_none_or(|due| due > now) {
            return LossSignal::Nothing;
        }
        self.find_losses(flight, now, rtts)
    }

    /// RFC 8985 section 6.3: "the first unacknowledged segment" is lost, and each that left longer
    /// ago than an RTT and the reordering window.
    pub(super) fn timed_out(&mut self, flight: &mut Flight, now: Time, rtts: Option<Rtts>) {
        let wait = self.rtt.max(rtts.map_or(Span::ZERO, |rtts| rtts.min))
            + self.reordering_window(flight, rtts);
        let recent = |packet: &Resent| packet.seq > flight.una && packet.sent + wait > now;
        (self.resent, self.given_up) = self.resent.iter().partition(|packet| recent(packet));
        let recent = self.fresh.iter().find(|(_, sent)| *sent + wait > now);
        let recent = recent.map_or(flight.nxt, |(seq, _)| *seq).max(flight.una + 1);
        self.overtaken.clear();
        self.overtaken_to = recent;
        self.given_up_once = Ranges::default();
        let Self { sacked, lost, lost_len, given_up_once, .. } = self;
        let all = Block { start: flight.una, end: recent };
        sacked.holes_in(all, |hole| {
            lost.insert(hole, |new| {
                *lost_len += new.len();
                flight.lost += new.len();
                given_up_once.insert(new, |_| ());
            });
        });
        for packet in self.resent.iter().chain(&self.given_up) {
            self.given_up_once.remove(Block { start: packet.seq, end: packet.seq + 1 });
        }
        for at in 0..self.resent.len() {
            self.take_back(self.resent[at].seq);
        }
        (self.phase, self.recover) = (Phase::TimedOut, flight.nxt);
        (self.prr, self.probe, self.due) = (Prr::default(), None, None);
        (self.first_due, self.unanswered) = (true, true);
        self.timed_out_at = now;
        self.count(flight);
    }

    /// After a time-out one packet leaves, and the rest waits for an acknowledgement, which shows whether the
    /// time-out was spurious. A window law has a window of one packet then; one that paces would send
    /// all again at its rate.
    pub(super) fn choose(&self, flight: &Flight, window: u32, end: u64) -> Option<NextPacket> {
        if let Some(Probe::Due(_)) = self.probe {
            // Section 7.3: new data if there is any, else "the highest-sequence segment".
            let last = NextPacket { seq: flight.nxt - 1, again: true };
            return Some(flight.fresh(u32::MAX, end).unwrap_or(last));
        }
        let lost = self.lost.first();
        let first_due = self.first_due && lost.is_some();
        let closed = self.unanswered || !self.prr.allows(flight.in_flight, window);
        if closed && !first_due {
            return None;
        }
        match lost {
            Some(lost) => Some(NextPacket { seq: lost.start, again: true }),
            None => flight.fresh(u32::MAX, end),
        }
    }

    /// A packet left for the first time, which `flight` counts already.
    pub(super) fn sent_new(&mut self, flight: &Flight, now: Time) {
        self.prr.sent();
        self.fresh.push_back((flight.nxt - 1, now));
        self.probe_left(flight, now);
    }

    /// A packet left that [`Rack::choose`] chose to be sent again; others are ignored.
    pub(super) fn sent_again(&mut self, flight: &mut Flight, seq: u64, now: Time) {
        if let Some(Probe::Due(_)) = self.probe {
            if seq + 1 == flight.nxt {
                self.probe_left(flight, now);
            }
            return;
        }
        let waits = self.unanswered && !self.first_due;
        if waits || self.lost.first().is_none_or(|lost| lost.start != seq) {
            return;
        }
        self.lost.take_first();
        self.lost_len -= 1;
        self.resent.push_back(Resent { seq, sent: now, nxt: flight.nxt });
        self.resent_to = self.resent_to.max(seq + 1);
        self.first_due = false;
        self.prr.sent();
        self.count(flight);
    }

    fn probe_left(&mut self, flight: &Flight, sent: Time) {
        if let Some(Probe::Due(last_sent)) = self.probe {
            self.probe = Some(Probe::Left { sent, last_sent, end: flight.nxt });
        }
    }

    /// Moves on to a cumulative acknowledgement: by how much, and how many of these packets are
    /// delivered by it.
    fn advance(&mut self, flight: &mut Flight, ack: &Ack<'_>) -> (u32, u64) {
        let cumulative = ack.cumulative;
        if cumulative <= flight.una {
            return (0, 0);
        }
        let arrived = Block { start: flight.una, end: cumulative };
        self.see_reordering(flight, arrived);
        self.see_spurious(flight, arrived, ack.sent);
        let known = self.sacked.drop_below(cumulative);
        self.sacked_len -= known;
        self.lost_len -= self.lost.drop_below(cumulative);
        self.overtaken_to = self.overtaken_to.max(cumulative);
        while self.fresh.front().is_some_and(|(seq, _)| *seq < cumulative) {
            self.fresh.pop_front();
        }
        let acked = flight.advance(cumulative);
        (acked, u64::from(acked) - known)
    }

    /// Takes in selective acknowledgements: how many packets they deliver.
    fn update(&mut self, flight: &mut Flight, ack: &Ack<'_>) -> u64 {
        let outstanding = Block { start: flight.una + 1, end: flight.nxt };
        let mut news = 0;
        for sack in ack.sacks {
            let sack = sack.common(outstanding);
            if self.sacked.missing_in(sack) == 0 {
                continue;
            }
            self.see_reordering(flight, sack);
            self.see_spurious(flight, sack, ack.sent);
            self.lost_len -= self.lost.remove(sack);
            self.sacked.insert(sack, |part| news += part.len());
        }
        self.sacked_len += news;
        news
    }

    /// RACK_detect_reordering (section 6.2 step 3): `arrived`, in part, was sent once and overtaken.
    fn see_reordering(&self, flight: &mut Flight, arrived: Block) {
        let first = self.overtaken.partition_point(|o| o.packets.end <= arrived.start);
        let late = self
            .overtaken
            .range(first..)
            .take_while(|o| o.packets.start < arrived.end)
            .any(|o| self.sacked.missing_in(o.packets.common(arrived)) > 0);
        flight.reordered |= late;
    }

    /// Section 6.2 step 4: the window grows by a step, once a round, when a packet that was found lost and
    /// sent again had been on its way: it is acknowledged by a time stamp from before it was sent again. What a
    /// time-out sends again is no sign of reordering.
    fn see_spurious(&mut self, flight: &mut Flight, arrived: Block, sent: Time) {
        let none = arrived.start >= self.resent_to;
        if none || self.timed_out_at != Time::ZERO || flight.una < flight.spurious_to {
            return;
        }
        if self.is_retransmission(flight, arrived, sent) {
            return;
        }
        let was_on_its_way = |packet: &Resent| {
            let has_arrived = (arrived.start..arrived.end).contains(&packet.seq);
            has_arrived && self.is_missing(flight, packet.seq)
        };
        // Before any time-out, `resent` ascends in time.
        let later = self.resent.partition_point(|packet| packet.sent <= sent);
        if self.resent.range(later..).any(was_on_its_way) {
            flight.reordered = true;
            flight.patience = flight.patience.saturating_add(1);
            flight.persists = PERSISTS;
            flight.spurious_to = flight.nxt;
        }
    }

    /// Whether all that is new of `arrived` is one packet, and it was sent again at `sent`: the usual
    /// case in an episode, which no search through what was sent again has to find.
    fn is_retransmission(&self, flight: &Flight, arrived: Block, sent: Time) -> bool {
        let first = self.resent.partition_point(|packet| packet.sent < sent);
        let mut then = self.resent.range(first..).take_while(|packet| packet.sent == sent);
        then.any(|packet| {
            (arrived.start..arrived.end).contains(&packet.seq)
                && self.is_missing(flight, packet.seq)
        }) && self.sacked.missing_in(arrived) == 1
    }

    /// RACK_update (section 6.2 step 2). The time stamp identifies the transmission acknowledged, so that
    /// no retransmission is ambiguous.
    fn learn(&mut self, ack: &Ack<'_>) {
        let rtt = ack.now.since(ack.sent);
        if ack.sent >= self.latest {
            self.latest = ack.sent;
            self.rtt = rtt;
        }
    }

    /// One past the highest packet known to be delivered.
    fn top(&self, flight: &Flight) -> u64 {
        self.sacked.last().map_or(flight.una, |last| last.end)
    }

    /// After a time-out, a packet sent before it is acknowledged: what the time-out gave up of what left
    /// after that packet may still be on its way (RFC 3522, Eifel detection), and is not sent again
    /// until it proves lost. The window is not restored (RFC 4015 would).
    fn unmark(&mut self, flight: &Flight, ack: &Ack<'_>) {
        if self.phase != Phase::TimedOut || ack.sent >= self.timed_out_at {
            return;
        }
        let mut on_their_way = core::mem::take(&mut self.given_up);
        on_their_way.retain(|packet| packet.sent > ack.sent && self.take_back(packet.seq));
        on_their_way.append(&mut self.resent);
        self.resent = on_their_way;
        let mut once = core::mem::take(&mut self.given_up_once);
        once.drop_below(self.top(flight));
        if let Some(first) = once.first() {
            self.overtaken_to = self.overtaken_to.min(first.start);
        }
        while let Some(seq) = once.take_first() {
            self.take_back(seq);
        }
    }

    /// Counts a packet as in flight that was lost; whether it was.
    fn take_back(&mut self, seq: u64) -> bool {
        let taken = self.lost.remove(Block { start: seq, end: seq + 1 });
        self.lost_len -= taken;
        taken > 0
    }

    /// When packets that a packet sent at `sent` overtook left at the latest. Nothing left between
    /// the last packet and a probe.
    fn bound(&self, at: Time) -> Time {
        match self.probe {
            Some(Probe::Left { sent, last_sent, .. }) if at == sent => last_sent,
            _ => at,
        }
    }

    /// What was sent once below `top` left before a packet that arrived, at `sent` at the latest.
    fn overtake(&mut self, flight: &Flight, top: u64, sent: Time) {
        let packets = Block { start: self.overtaken_to.max(flight.una), end: top.min(flight.nxt) };
        if self.sacked.missing_in(packets) > 0 {
            self.overtaken.push_back(Overtaken { packets, sent });
        }
        self.overtaken_to = self.overtaken_to.max(packets.end);
    }

    /// RACK_detect_loss (section 6.2 step 5), and what follows from it.
    fn find_losses(&mut self, flight: &mut Flight, now: Time, rtts: Option<Rtts>) -> LossSignal {
        let wait = self.rtt + self.reordering_window(flight, rtts);
        let lost_before = self.lost_len;
        self.due = None;
        let again = self.find_lost_again(flight, now, wait);
        self.find_lost_once(flight, now, wait);
        let found = self.lost_len > lost_before;
        let begins = match self.phase {
            // What was lost after the last episode began is a second sign of congestion.
            Phase::Watching => self.lost_len > 0 || self.awaits_resent(flight),
            Phase::Fast => false,
            // As Linux: the loss of what a time-out sent again begins fast recovery.
            Phase::TimedOut => again && found,
        };
        self.count(flight);
        if !begins {
            if self.phase == Phase::Watching {
                self.resent.clear(); // all of them arrived
                self.resent_to = 0;
            }
            return LossSignal::Nothing;
        }
        (self.phase, self.recover) = (Phase::Fast, flight.nxt);
        (self.first_due, self.probe) = (self.lost_len > 0, None);
        LossSignal::Loss { in_flight: outstanding(flight) }
    }

    /// Packets sent again that are lost; whether there are any.
    fn find_lost_again(&mut self, flight: &mut Flight, now: Time, wait: Span) -> bool {
        let mut found = false;
        let top = self.top(flight);
        while let Some(&Resent { seq, sent, nxt }) = self.resent.front() {
            // Where several leave at one instant, time does not order them, but what was sent after it
            // does, for the first time or again.
            let twin = || sent == self.latest && self.twin_arrived(flight, sent);
            if sent >= self.latest && top <= nxt && !twin() {
                break;
            }
            // All that was sent for the first time before it was overtaken by what overtook it.
            self.overtake(flight, nxt, sent);
            if self.is_missing(flight, seq) {
                if sent + wait > now {
                    self.due = Some(sent + wait);
                    break;
                }
                found = true;
                self.lose(flight, Block { start: seq, end: seq + 1 });
            }
            self.resent.pop_front();
        }
        found
    }

    /// Packets sent once that are lost.
    fn find_lost_once(&mut self, flight: &mut Flight, now: Time, wait: Span) {
        while let Some(&Overtaken { packets, sent }) = self.overtaken.front() {
            let packets = Block { start: packets.start.max(flight.una), ..packets };
            if self.sacked.missing_in(packets) > 0 {
                if sent + wait > now {
                    let due = sent + wait;
                    self.due = Some(self.due.map_or(due, |other| other.min(due)));
                    return;
                }
                self.lose(flight, packets);
            }
            self.overtaken.pop_front();
        }
    }

    /// Marks what is not SACKed of these packets.
    fn lose(&mut self, flight: &mut Flight, packets: Block) {
        let Self { sacked, lost, lost_len, .. } = self;
        let before = *lost_len;
        sacked.holes_in(packets, |hole| lost.insert(hole, |new| *lost_len += new.len()));
        flight.lost += *lost_len - before;
    }

    /// RACK_update_reo_wnd (section 6.2 step 4).
    fn reordering_window(&self, flight: &Flight, rtts: Option<Rtts>) -> Span {
        let sure = self.phase != Phase::Watching || self.sacked_len >= DUP_THRESH;
        if !flight.reordered && sure {
            return Span::ZERO;
        }
        rtts.map_or(Span::ZERO, |Rtts { min, smoothed }| {
            (min / 4 * (1 + u64::from(flight.patience))).min(smoothed)
        })
    }

    /// Ends an episode whose recovery point is reached; whether it was a fast recovery. It counts towards
    /// the end of a large reordering window (section 6.2 step 4) unless that grew just now.
    fn end(&mut self, flight: &mut Flight, grew: bool) -> bool {
        if self.phase == Phase::Watching || flight.una < self.recover {
            return false;
        }
        (self.first_due, self.prr) = (false, Prr::default());
        flight.persists = flight.persists.saturating_sub(u8::from(!grew));
        if flight.persists == 0 {
            flight.patience = 0;
        }
        core::mem::replace(&mut self.phase, Phase::Watching) == Phase::Fast
    }

    fn awaits_resent(&self, flight: &Flight) -> bool {
        self.resent.iter().any(|packet| self.is_missing(flight, packet.seq))
    }

    /// Whether the first packet sent again, at `sent`, or one after it at that instant has arrived.
    fn twin_arrived(&self, flight: &Flight, sent: Time) -> bool {
        let mut twins = self.resent.iter().take_while(|packet| packet.sent == sent);
        twins.any(|packet| !self.is_missing(flight, packet.seq))
    }

    fn is_missing(&self, flight: &Flight, seq: u64) -> bool {
        seq >= flight.una && self.sacked.around(seq).is_none()
    }

    fn count(&self, flight: &mut Flight) {
        flight.in_flight = count(flight.nxt - flight.una - self.sacked_len - self.lost_len);
    }
}

/// FlightSize (RFC 5681 section 2).
fn outstanding(flight: &Flight) -> u32 {
    count(flight.nxt - flight.una)
}
