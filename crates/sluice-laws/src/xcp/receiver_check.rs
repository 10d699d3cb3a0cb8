//! The sender's check of its receiver (section 7.4): "The XCP sender can initialize the feedback field in
//! each packet to random values derived from a distribution with an average that matches the sender's
//! demands and has a reasonable probability of values lower than the recently returned feedback. If the
//! receiver lies about the feedback it conveys to the sender and sends a higher value than the one
//! received in the packet, there will be a positive probability that the receiver picks a value larger
//! than the initial value chosen by the sender."
//!
//! Most senders demand all that there is, so most packets begin with that. The others, a part q drawn at
//! random, begin with a limit that is uniform within d of the mean m of what packets without a limit
//! returned. d is |m| and the feedback that changes the window by a tenth in an RTT, which is the part
//! that shuffling moves.
//!
//! Routers only lower feedback, so a receiver that returns more than the limit lies. One that adds e to each
//! packet returns g + e where routers grant g. Limits lie around g + e, and half of them are below: a packet
//! finds the receiver with probability q / 2, whatever e is, and n packets do with 1 - (1 - q / 2)^n. While
//! a flow starts, g falls from one RTT to the next and m lags behind, so fewer limits are below.
//!
//! An honest receiver must never be accused. An acknowledgement echoes when a packet left, not which, and
//! with delayed acknowledgements it returns the sum of two packets. Hence the following, which with delayed
//! acknowledgements leaves fewer lies to be found, down to half:
//!
//! - packets that leave at one instant have the same limit or none, and with delayed acknowledgements
//!   [`RUN`] packets in a row have;
//! - what leaves with a repetition has no limit, and no sum is compared until a window later: the
//!   original may arrive, too;
//! - a sum is compared only if its acknowledgement covers in sequence all that it reports as delivered. This
//!   needs selective acknowledgements, without which there are no limits.

use std::collections::VecDeque;

use sluice_units::{Ratio, Time};

use crate::draw::draw;
use crate::host::{AckEvent, PacketKind, SenderContext};
use crate::wire::Coding;

/// Most packets with a limit in flight. More have none, so that of a window of n packets a part of at most
/// `OUTSTANDING / n` is checked.
const OUTSTANDING: usize = 64;
/// The part of d that is a part of the feedback that doubles the window in an RTT.
const SPREAD: f64 = 0.1;
/// Weight of the newest feedback in the mean.
const GAIN: f64 = 1.0 / 4.0;
/// What an acknowledgement leaves of the largest feedback returned before it.
const MEMORY: f64 = 1.0 - 1.0 / 64.0;
/// Packets that have the same limit with delayed acknowledgements.
const RUN: u64 = 4;

/// The check of one receiver.
#[derive(Clone, Debug)]
pub(super) struct ReceiverCheck {
    part: f64,
    seed: u64,
    delayed: bool,
    /// Number of the next new packet.
    next: u64,
    /// Packets acknowledged in sequence.
    acked: u64,
    /// Sums up to this number of packets acknowledged may include repetitions.
    unclear: u64,
    run: Run,
    /// The mean of what packets without a limit returned; `None` before the first.
    usual: Option<f64>,
    /// What the last acknowledgement returned.
    returned: i32,
    /// The largest that recent ones returned, in size.
    largest: f64,
    /// Of packets in flight, by number.
    limits: VecDeque<Limit>,
}

/// Packets that have the same limit.
#[derive(Clone, Copy, Debug)]
struct Run {
    number: u64,
    packets: u64,
    /// When the last of them left.
    left: Time,
    limit: Option<i32>,
}

/// The feedback with which a packet began.
#[derive(Clone, Copy, Debug)]
struct Limit {
    seq: u64,
    sent: Time,
    feedback: i32,
}

impl ReceiverCheck {
    /// A check with this part of the packets; `None` if there can be none.
    pub(super) fn new(part: Ratio, context: &SenderContext) -> Option<Self> {
        let possible = context.selective || !context.delayed_ack;
        (part.get() > 0.0 && possible).then(|| Self {
            part: part.get(),
            seed: context.seed,
            delayed: context.delayed_ack,
            next: 0,
            acked: 0,
            unclear: 0,
            run: Run { number: 0, packets: 0, left: Time::ZERO, limit: None },
            usual: None,
            returned: 0,
            largest: 0.0,
            limits: VecDeque::with_capacity(OUTSTANDING),
        })
    }

    /// The feedback with which packet `seq` begins, which leaves at `sent` and demands `demand`. `doubling` is
    /// the feedback that doubles the window in an RTT, in bytes a second, if the RTT is known.
    pub(super) fn initial(
        &mut self,
        (seq, sent): (u64, Time),
        demand: i32,
        doubling: Option<f64>,
    ) -> i32 {
        if seq < self.next {
            self.repeats(sent);
            return demand;
        }
        self.next = seq.saturating_add(1);
        let least = if self.delayed { RUN } else { 1 };
        if self.run.packets >= least && sent > self.run.left {
            let number = self.run.number + 1;
            let limit = self.draw_limit(number, doubling);
            self.run = Run { number, packets: 0, left: sent, limit };
        }
        (self.run.packets, self.run.left) = (self.run.packets + 1, sent);
        match self.run.limit {
            Some(feedback) if self.limits.len() < OUTSTANDING => {
                self.limits.push_back(Limit { seq, sent, feedback });
                feedback.min(demand)
            }
            _ => demand,
        }
    }

    /// A repetition leaves: what leaves with it has no limit.
    fn repeats(&mut self, sent: Time) {
        self.run = Run { left: sent, limit: None, ..self.run };
        self.limits.retain(|limit| limit.sent != sent);
        self.unclear = self.next.saturating_add(self.next.saturating_sub(self.acked));
    }

    fn draw_limit(&self, run: u64, doubling: Option<f64>) -> Option<i32> {
        let doubling = doubling?;
        let usual = self.usual.filter(|_| draw(self.seed, run) < self.part)?;
        let offset = 2.0 * draw(!self.seed, run) - 1.0;
        Some((usual + (SPREAD * doubling + usual.abs()) * offset) as i32)
    }

    /// An acknowledgement returned `feedback`. Whether it proves that the receiver lies.
    pub(super) fn on_ack(&mut self, event: &AckEvent, feedback: i32) -> bool {
        let (before, largest) = (self.returned, self.largest);
        self.returned = feedback;
        self.largest = f64::from(feedback).abs().max(largest * MEMORY);
        self.acked = self.acked.saturating_add(event.acked.into());
        if event.kind != PacketKind::Ack {
            return false;
        }
        // Nothing but what it covers in sequence has arrived since the last one.
        let plain = event.delivered == event.acked && self.acked > self.unclear;
        let answers = if self.delayed { self.sum(event.sent, plain) } else { self.one(event.sent) };
        while self.limits.front().is_some_and(|limit| limit.seq < self.acked) {
            self.limits.pop_front();
        }
        match answers {
            Answers::Limited { packets, most } => {
                // Earlier feedback that did not fit an acknowledgement comes with this one. If one was lost, its
                // feedback is not known: at most twice the recent.
                let known = plain && event.acked == packets;
                let carried = if known { before } else { (2.0 * largest) as i32 };
                i64::from(feedback) > most + i64::from(Coding::feedback_rest(carried))
            }
            Answers::Free => {
                self.note(event.acked, feedback);
                false
            }
            Answers::Unknown => false,
        }
    }

    /// Of an acknowledgement of one packet, which left at `sent`.
    fn one(&self, sent: Time) -> Answers {
        let limit = self.limits.iter().find(|limit| limit.sent == sent);
        limit.map_or(Answers::Free, |limit| Answers::Limited {
            packets: 1,
            most: limit.feedback.into(),
        })
    }

    /// Of one that may answer the last two packets in sequence, of which the first left at `sent`.
    fn sum(&self, sent: Time, plain: bool) -> Answers {
        let [last, before] = [1, 2].map(|back| self.acked.checked_sub(back));
        match [last, before].map(|seq| self.limit_of(seq?)) {
            [None, None] => Answers::Free,
            // It may answer either packet alone, where both left at once or it fills a gap.
            [Some(last), Some(before)] if plain && before.sent == sent => {
                let [one, other] = [last, before].map(|limit| i64::from(limit.feedback));
                Answers::Limited { packets: 2, most: one.max(other).max(one + other) }
            }
            [Some(last), _] if plain && last.sent == sent => {
                Answers::Limited { packets: 1, most: last.feedback.into() }
            }
            _ => Answers::Unknown,
        }
    }

    fn limit_of(&self, seq: u64) -> Option<Limit> {
        self.limits.iter().find(|limit| limit.seq == seq).copied()
    }

    /// An acknowledgement of `acked` packets, without a limit, returned `feedback`.
    fn note(&mut self, acked: u32, feedback: i32) {
        let packets = if self.delayed { acked.clamp(1, 2) } else { 1 };
        let each = f64::from(feedback) / f64::from(packets);
        let usual = self.usual.unwrap_or(each);
        self.usual = Some(usual + GAIN * (each - usual));
    }
}

/// What an acknowledgement answers.
enum Answers {
    /// This number of packets, for which an honest receiver returns at most `most`.
    Limited {
        packets: u32,
        most: i64,
    },
    /// Packets without a limit.
    Free,
    Unknown,
}

#[cfg(test)]
#[path = "receiver_check_tests.rs"]
mod tests;
