//! Any order of events, legal or not, against RFC 6675 as it is written: packet by packet.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sluice_units::{Span, Time};

use super::{ALL, constant};
use crate::tcp::{Ack, Block, LossRecovery, LossSignal, Repair};

#[derive(Clone, Debug)]
enum Operation {
    /// Send at most `max` packets under this window.
    Send { window: u32, max: usize },
    /// An acknowledgement, its numbers counted from una, of a packet that left at this percentage of
    /// the time so far.
    Ack { cumulative: i64, sacks: Vec<(u64, u64)>, ago: u64 },
    /// The timer expires.
    TimeOut,
    /// Time for a tail loss probe, or for what was overtaken.
    Overdue,
    /// The caller reports a packet that it was not to send.
    Wild(u64),
}

fn operation() -> impl Strategy<Value = Operation> {
    let sacks = prop::collection::vec((0u64..14, 0u64..8), 0..4);
    prop_oneof![
        4 => (0u32..24, 1usize..12).prop_map(|(window, max)| Operation::Send { window, max }),
        6 => (prop_oneof![4 => Just(0i64), 3 => -2i64..16], sacks, 0u64..=100)
            .prop_map(|(cumulative, sacks, ago)| Operation::Ack { cumulative, sacks, ago }),
        1 => Just(Operation::TimeOut),
        2 => Just(Operation::Overdue),
        1 => (0u64..20).prop_map(Operation::Wild),
    ]
}

/// The scoreboard as a set of packets, with IsLost and SetPipe as RFC 6675 section 4 defines them.
#[derive(Default)]
struct Model {
    una: u64,
    nxt: u64,
    sacked: BTreeSet<u64>,
    /// One past HighRxt; 0 outside of an episode.
    resent: u64,
    /// After a time-out, all below it is lost.
    timed_out: Option<u64>,
}

impl Model {
    fn is_lost(&self, seq: u64) -> bool {
        match self.timed_out {
            Some(recover) => seq < recover,
            None => self.sacked.range(seq + 1..).count() >= 3,
        }
    }

    fn pipe(&self) -> usize {
        (self.una..self.nxt)
            .filter(|seq| !self.sacked.contains(seq))
            .map(|seq| usize::from(!self.is_lost(seq)) + usize::from(seq < self.resent))
            .sum()
    }

    fn unrepaired(&self) -> u64 {
        let lost = |&seq: &u64| !self.sacked.contains(&seq) && self.is_lost(seq);
        (self.una.max(self.resent)..self.nxt).filter(lost).count() as u64
    }

    fn acked(&mut self, cumulative: u64, sacks: &[Block], signal: LossSignal) {
        if cumulative > self.nxt || self.una == self.nxt {
            return;
        }
        self.una = self.una.max(cumulative);
        for sack in sacks {
            self.sacked.extend(sack.start.max(self.una + 1)..sack.end.min(self.nxt));
        }
        self.sacked.retain(|&seq| seq >= self.una);
        if self.timed_out.is_some_and(|recover| self.una >= recover) {
            self.timed_out = None;
            self.resent = 0;
        }
        match signal {
            LossSignal::Nothing => {}
            LossSignal::Loss { .. } => self.resent = self.una,
            LossSignal::Recovered => self.resent = 0,
        }
    }

    fn sent(&mut self, seq: u64) {
        let rescue = !self.is_lost(seq) && self.sacked.range(seq..).next().is_none();
        if seq == self.nxt {
            self.nxt += 1;
        } else if !rescue {
            self.resent = seq + 1;
        }
    }
}

/// How many packets would be sent again if nothing else happened and the window had no end.
fn to_be_repaired(repair: &Repair, now: Time) -> u64 {
    let mut repair = repair.clone();
    let mut sent = 0;
    while let Some(choice) = repair.choose(u32::MAX, 0) {
        repair.sent(choice.seq, now);
        sent += 1;
    }
    sent
}

fn ack(now: Time, sent: Time, cumulative: u64, sacks: &[Block]) -> Ack<'_> {
    Ack { now, sent, cumulative, sacks, rtts: constant(20) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_order_of_events_keeps_the_books(
        recovery in prop::sample::select(&ALL[..]),
        operations in prop::collection::vec(operation(), 1..60),
    ) {
        let mut repair = Repair::new(recovery);
        let mut model = Model::default();
        let mut now = Time::ZERO;
        for operation in operations {
            now += Span::from_millis(7);
            match operation {
                Operation::Send { window, max } => {
                    for _ in 0..max {
                        let Some(choice) = repair.choose(window, 200) else { break };
                        prop_assert_eq!(choice.again, choice.seq < repair.nxt());
                        prop_assert!(choice.seq >= repair.una() && choice.seq < 200);
                        prop_assert!(!model.sacked.contains(&choice.seq), "SACKed data sent again");
                        let before = repair.unrepaired();
                        repair.sent(choice.seq, now);
                        let repaired = u64::from(choice.again).min(before);
                        prop_assert_eq!(repair.unrepaired(), before - repaired);
                        prop_assert_ne!(repair.choose(window, 200), Some(choice));
                        model.sent(choice.seq);
                    }
                }
                Operation::Ack { cumulative, sacks, ago } => {
                    let una = repair.una();
                    let cumulative = una.saturating_add_signed(cumulative);
                    let sacks: Vec<_> = sacks
                        .iter()
                        .map(|&(from, len)| Block { start: una + from, end: una + from + len })
                        .collect();
                    let sent = Time::from_nanos(now.as_nanos() * ago / 100);
                    let progress = repair.on_ack(&ack(now, sent, cumulative, &sacks));
                    prop_assert_eq!(u64::from(progress.acked), repair.una() - una);
                    if matches!(recovery, LossRecovery::Sack | LossRecovery::Rack) {
                        model.acked(cumulative, &sacks, progress.signal);
                    } else {
                        model.acked(cumulative, &[], progress.signal);
                    }
                }
                Operation::TimeOut => {
                    if repair.una() < repair.nxt() {
                        if recovery != LossRecovery::Rack {
                            model.sacked.clear();
                        }
                        model.timed_out = Some(model.nxt);
                        model.resent = model.una;
                    }
                    repair.timed_out(now, constant(20));
                    // What was sent again within the last RTT may still arrive (RFC 8985).
                    prop_assert!(repair.in_flight() == 0 || recovery == LossRecovery::Rack);
                }
                Operation::Overdue => {
                    if repair.may_probe() {
                        repair.probe(now);
                    } else if repair.due().is_some_and(|due| due <= now) {
                        repair.expired(now, constant(20));
                        prop_assert!(repair.due().is_none_or(|due| due > now), "it waits");
                    }
                }
                Operation::Wild(ahead) => {
                    // Only what `choose` would choose may count.
                    let seq = repair.una() + ahead;
                    if repair.choose(u32::MAX, 200).is_none_or(|c| c.seq != seq)
                        && seq != repair.nxt()
                        && repair.choose(u32::MAX, 0).is_none_or(|c| c.seq != seq)
                    {
                        let before = repair.in_flight();
                        repair.sent(seq, now);
                        prop_assert_eq!(repair.in_flight(), before);
                    }
                }
            }
            prop_assert_eq!((repair.una(), repair.nxt()), (model.una, model.nxt));
            prop_assert!(repair.una() <= repair.nxt());
            if recovery == LossRecovery::Sack {
                prop_assert_eq!(repair.in_flight() as usize, model.pipe());
                prop_assert_eq!(repair.unrepaired(), model.unrepaired());
            } else {
                prop_assert!(u64::from(repair.in_flight()) <= repair.nxt() - repair.una());
            }
            let (unrepaired, again) = (repair.unrepaired(), to_be_repaired(&repair, now));
            match recovery {
                // Others than the lost are sent again by rules (3) and (4), and the lost wait for an episode.
                LossRecovery::Sack => {}
                // After a time-out one packet leaves, and the others wait for an answer. A tail loss probe is of
                // no packet known to be lost.
                LossRecovery::Rack => prop_assert!(again <= unrepaired.max(1)),
                _ => prop_assert_eq!(again, unrepaired),
            }
        }
    }

    /// Whatever happened before, one round of sending without limit ends.
    #[test]
    fn sending_ends(
        recovery in prop::sample::select(&ALL[..]),
        acks in prop::collection::vec((0u64..6, 1u64..30, 1u64..6), 1..20),
        time_out: bool,
    ) {
        let mut repair = Repair::new(recovery);
        for seq in 0..100 {
            repair.sent(seq, Time::ZERO);
        }
        let now = Time::ZERO + Span::from_millis(100);
        for (advance, from, len) in acks {
            let una = repair.una();
            let sack = Block { start: una + from, end: una + from + len };
            repair.on_ack(&ack(now, Time::ZERO, una + advance, &[sack]));
        }
        if time_out {
            repair.timed_out(now, None);
        }
        let mut sends = 0;
        while let Some(choice) = repair.choose(u32::MAX, 100) {
            repair.sent(choice.seq, now);
            sends += 1;
            prop_assert!(sends <= 101, "every packet once, and a rescue");
        }
    }
}
