//! A toy channel with random loss both ways: whatever it drops, everything arrives.

use std::collections::{BTreeSet, VecDeque};

use proptest::prelude::*;
use sluice_units::{Bytes, Span, Time};

use super::ALL;
use crate::host::{AckEvent, CongestionEvent, HostLaw, RtoEvent, SenderContext};
use crate::protocol::Protocol;
use crate::tcp::{
    Ack, AckRule, Block, Growth, LossRecovery, LossSignal, Reassembly, RecoveryVariant, Repair,
    Rto, TcpParams,
};
use crate::transport::Transport;

/// One-way delay in ticks of a millisecond.
const DELAY: u64 = 10;
const PACKETS: u64 = 300;

/// A generator of its own, so that a failure comes back with its seed (xorshift64*).
struct Dice(u64);

impl Dice {
    fn drops(&mut self, percent: u64) -> bool {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % 100 < percent
    }
}

struct Answer {
    at: u64,
    cumulative: u64,
    sacks: Vec<Block>,
    sent_at: u64,
}

struct Outcome {
    ticks: u64,
    sent: u64,
    time_outs: u64,
    probes: u64,
    /// Packets sent again of which no copy was lost.
    in_vain: u64,
}

/// A tick as a time.
fn time(tick: u64) -> Time {
    Time::ZERO + Span::from_millis(tick)
}

struct Channel {
    law: Box<dyn HostLaw>,
    repair: Repair,
    rto: Rto,
    receiver: Reassembly,
    dice: Dice,
    percent: u64,
    delayed: bool,
    heeds_sacks: bool,
    /// Whether a time-out discards what was selectively acknowledged.
    forgets: bool,
    loses_answers: bool,
    last_sent: u64,
    /// Packets of which every copy sent so far was lost.
    lost: BTreeSet<u64>,
    /// Packets SACKed since the last time-out.
    sacked: BTreeSet<u64>,
    data: VecDeque<(u64, u64, u64)>,
    answers: VecDeque<Answer>,
    deadline: u64,
    outcome: Outcome,
}

fn run(params: &TcpParams, percent: u64, seed: u64) -> Outcome {
    run_with(params, percent, seed, true)
}

fn run_with(params: &TcpParams, percent: u64, seed: u64, loses_answers: bool) -> Outcome {
    // Time-outs as RFC 6298 has them, beside which a round trip is short.
    let shared = Transport { min_rto: Span::from_secs(1), ..Transport::default() };
    let transport = params.transport(&shared);
    let plain = SenderContext::new(Bytes::new(1000), Bytes::new(40));
    let context = SenderContext { initial_window: transport.initial_window, ..plain };
    let mut channel = Channel {
        law: params.host(&context),
        repair: Repair::of_variant(transport.recovery, params.variant),
        rto: transport.rto(),
        receiver: Reassembly::new(),
        dice: Dice(seed | 1),
        percent,
        delayed: transport.delayed_ack,
        heeds_sacks: matches!(transport.recovery, LossRecovery::Sack | LossRecovery::Rack)
            && !params.variant.ignore_sacks_after_time_out
            && !params.variant.forget_sacks_at_new_ack,
        forgets: transport.recovery != LossRecovery::Rack,
        loses_answers,
        last_sent: 0,
        lost: BTreeSet::new(),
        sacked: BTreeSet::new(),
        data: VecDeque::new(),
        answers: VecDeque::new(),
        deadline: u64::MAX,
        outcome: Outcome { ticks: 0, sent: 0, time_outs: 0, probes: 0, in_vain: 0 },
    };
    for now in 0..20_000_000 {
        channel.tick(now);
        if channel.repair.una() == PACKETS {
            assert_eq!(channel.receiver.cumulative(), PACKETS);
            channel.outcome.ticks = now;
            return channel.outcome;
        }
    }
    panic!("{params:?} did not end: {percent} % loss, seed {seed}");
}

impl Channel {
    fn tick(&mut self, now: u64) {
        while self.data.front().is_some_and(|&(at, ..)| at <= now) {
            let (_, seq, sent_at) = self.data.pop_front().unwrap();
            self.deliver(now, seq, sent_at);
        }
        while self.answers.front().is_some_and(|a| a.at <= now) {
            let answer = self.answers.pop_front().unwrap();
            self.answered(now, &answer);
            self.send(now);
        }
        if now >= self.deadline {
            self.overdue(now);
        }
        if self.repair.due().is_some_and(|due| due <= time(now)) {
            let found = self.repair.expired(time(now), self.rto.rtts());
            self.heed(now, found, 0);
        }
        self.send(now);
    }

    fn deliver(&mut self, now: u64, seq: u64, sent_at: u64) {
        let rule = self.receiver.arrived(seq).ack;
        // Without a delay timer the last odd packet waits for the sender's time-out.
        if self.delayed && rule == AckRule::MayDelay {
            return;
        }
        self.receiver.answered();
        let mut blocks = [Block::default(); 3];
        let n = self.receiver.blocks(&mut blocks);
        if !self.loses_answers || !self.dice.drops(self.percent) {
            self.answers.push_back(Answer {
                at: now + DELAY,
                cumulative: self.receiver.cumulative(),
                sacks: blocks[..n].to_vec(),
                sent_at,
            });
        }
    }

    fn answered(&mut self, now: u64, answer: &Answer) {
        let in_flight = self.repair.in_flight();
        let progress = self.repair.on_ack(&Ack {
            now: time(now),
            sent: time(answer.sent_at),
            cumulative: answer.cumulative,
            sacks: &answer.sacks,
            rtts: self.rto.rtts(),
        });
        if self.heeds_sacks {
            self.sacked.extend(answer.sacks.iter().flat_map(|b| b.start..b.end));
        }
        let rtt = Span::from_millis(now - answer.sent_at);
        self.rto.sample(rtt);
        self.heed(now, progress.signal, progress.delivered);
        self.law.on_ack(&AckEvent {
            rtt: Some(rtt),
            srtt: self.rto.srtt(),
            min_rtt: self.rto.min_rtt(),
            acked: progress.acked,
            delivered: progress.delivered,
            in_flight: self.repair.in_flight(),
            used: in_flight,
            recovering: self.repair.recovering(),
            ..AckEvent::new(time(now), crate::WireHeader::default())
        });
        if progress.acked > 0 {
            self.arm(now);
        }
    }

    fn heed(&mut self, now: u64, signal: LossSignal, delivered: u32) {
        match signal {
            LossSignal::Nothing => {}
            LossSignal::Loss { in_flight } => {
                self.law.on_congestion(&CongestionEvent::new(time(now), in_flight));
                self.repair.reduced(delivered);
            }
            LossSignal::Recovered => self.law.on_recovered(),
        }
    }

    fn overdue(&mut self, now: u64) {
        if self.repair.may_probe() {
            self.repair.probe(time(self.last_sent));
            self.outcome.probes += 1;
            self.arm(now);
        } else {
            self.time_out(now);
        }
    }

    fn time_out(&mut self, now: u64) {
        let in_flight = self.repair.in_flight();
        let first = self.repair.timed_out(time(now), self.rto.rtts());
        if self.forgets {
            self.sacked.clear();
        }
        self.law.on_rto(&RtoEvent { now: time(now), in_flight, first });
        self.rto.back_off();
        self.outcome.time_outs += 1;
        self.arm(now);
    }

    fn send(&mut self, now: u64) {
        while let Some(choice) = self.repair.choose(self.law.control().window, PACKETS) {
            assert!(!self.sacked.contains(&choice.seq), "{} was SACKed", choice.seq);
            self.repair.sent(choice.seq, time(now));
            self.last_sent = now;
            self.outcome.sent += 1;
            self.outcome.in_vain += u64::from(choice.again && !self.lost.contains(&choice.seq));
            assert!(self.outcome.sent < 1_000_000, "{} goes for ever", choice.seq);
            if self.dice.drops(self.percent) {
                self.lost.insert(choice.seq);
            } else {
                self.lost.remove(&choice.seq);
                self.data.push_back((now + DELAY, choice.seq, now));
            }
            if self.deadline == u64::MAX {
                self.arm(now);
            }
        }
    }

    fn arm(&mut self, now: u64) {
        self.deadline = now + self.rto.current().as_nanos() / 1_000_000;
    }
}

fn starting_with(window: u32, recovery: LossRecovery) -> TcpParams {
    TcpParams { initial_window: Some(window), recovery: Some(recovery), ..TcpParams::default() }
}

fn variant(on: [bool; 6]) -> RecoveryVariant {
    RecoveryVariant {
        restart_timer_at_fast_retransmit: on[0],
        avoid_multiple_fast_retransmits: on[1],
        limited_transmit_after_time_out: on[2],
        pipe_counts_acks: on[3],
        ignore_sacks_after_time_out: on[4],
        forget_sacks_at_new_ack: on[5],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn everything_arrives(
        percent in 0u64..=20,
        seed: u64,
        delayed_ack: bool,
        window in 1u32..40,
        variant in any::<[bool; 6]>().prop_map(variant),
        growth in prop_oneof![Just(Growth::ByteCounting), Just(Growth::PerAck)],
        min_window in 1u32..=2,
        grow_as_recovery_ends: bool,
    ) {
        for recovery in ALL {
            let params = starting_with(window, recovery);
            let delayed_ack = Some(delayed_ack);
            let law = TcpParams { growth, min_window, grow_as_recovery_ends, ..params };
            let params = TcpParams { delayed_ack, variant, ..law };
            run(&params, percent, seed);
        }
    }

    /// Where packets keep their order and no answer is lost, nothing is sent again in vain, whatever
    /// is lost how often; but a probe may be.
    #[test]
    fn by_time_nothing_is_repeated_that_was_not_lost(
        percent in 0u64..=50, seed: u64, window in 1u32..100,
    ) {
        let params = starting_with(window, LossRecovery::Rack);
        let outcome = run_with(&params, percent, seed, false);
        prop_assert!(outcome.in_vain <= outcome.probes, "{} in vain", outcome.in_vain);
    }
}

#[test]
fn without_loss_every_packet_is_sent_once() {
    for recovery in ALL {
        let outcome = run(&starting_with(2, recovery), 0, 1);
        assert_eq!((outcome.sent, outcome.time_outs), (PACKETS, 0));
        // Slow start from 2: 2 + 4 + ... + 128 = 254 in 7 round trips, the rest in the eighth.
        assert_eq!(outcome.ticks, 8 * 2 * DELAY);
    }
}

/// Means over seeds at 3 % loss: the better a recovery knows what is lost, the sooner it ends.
#[test]
fn rack_beats_sack_and_sack_newreno_and_reno() {
    let mean = |recovery| {
        let params = starting_with(10, recovery);
        (1..=200u64).map(|n| run(&params, 3, n * 7919).ticks).sum::<u64>() / 200
    };
    let [reno, newreno, sack, rack] = ALL.map(mean);
    assert!(
        rack < sack && sack < newreno && newreno < reno,
        "RACK {rack}, SACK {sack}, NewReno {newreno}, Reno {reno}"
    );
}
