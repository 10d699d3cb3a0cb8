//! A toy channel with random loss both ways: whatever it drops, everything arrives.

use std::collections::{BTreeSet, VecDeque};

use proptest::prelude::*;
use sluice_units::{Bytes, Span, Time};

use crate::host::{Acked, HostLaw, Kind, Lost, Setup, TimedOut};
use crate::registry::Protocol;
use crate::tcp::{AckRule, Block, Found, Params, Reassembly, Recovery, Repair, Rto};

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
    /// What the sender was told since the last time-out.
    told: BTreeSet<u64>,
    data: VecDeque<(u64, u64, u64)>,
    answers: VecDeque<Answer>,
    deadline: u64,
    outcome: Outcome,
}

fn run(params: &Params, percent: u64, seed: u64) -> Outcome {
    let transport = params.transport();
    let setup = Setup::new(Bytes::new(1000), Bytes::new(40));
    let mut channel = Channel {
        law: params.host(&setup),
        repair: Repair::new(transport.recovery),
        rto: Rto::new(transport.initial_rto, transport.least_rto),
        receiver: Reassembly::new(),
        dice: Dice(seed | 1),
        percent,
        delayed: transport.delayed_ack.is_some(),
        heeds_sacks: transport.recovery == Recovery::Sack,
        told: BTreeSet::new(),
        data: VecDeque::new(),
        answers: VecDeque::new(),
        deadline: u64::MAX,
        outcome: Outcome { ticks: 0, sent: 0, time_outs: 0 },
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
            self.time_out(now);
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
        if !self.dice.drops(self.percent) {
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
        let progress = self.repair.acked(answer.cumulative, &answer.sacks);
        if self.heeds_sacks {
            self.told.extend(answer.sacks.iter().flat_map(|b| b.start..b.end));
        }
        let rtt = Span::from_millis(now - answer.sent_at);
        self.rto.sample(rtt);
        match progress.found {
            Found::Nothing => {}
            Found::Loss { in_flight } => {
                self.law.lost(&Lost { now: Time::from_nanos(now), in_flight });
            }
            Found::Recovered => self.law.recovered(),
        }
        self.law.acked(&Acked {
            now: Time::from_nanos(now),
            kind: Kind::Ack,
            words: crate::Words::default(),
            rtt: Some(rtt),
            srtt: self.rto.srtt(),
            least_rtt: self.rto.least_rtt(),
            acked: progress.acked,
            in_flight: self.repair.in_flight(),
            used: in_flight,
            recovering: self.repair.recovering(),
        });
        if progress.acked > 0 {
            self.arm(now);
        }
    }

    fn time_out(&mut self, now: u64) {
        let in_flight = self.repair.in_flight();
        let first = self.repair.timed_out();
        self.told.clear();
        self.law.timed_out(&TimedOut { now: Time::from_nanos(now), in_flight, first });
        self.rto.back_off();
        self.outcome.time_outs += 1;
        self.arm(now);
    }

    fn send(&mut self, now: u64) {
        while let Some(choice) = self.repair.choose(self.law.control().window, PACKETS) {
            assert!(!self.told.contains(&choice.seq), "{} was SACKed", choice.seq);
            self.repair.sent(choice.seq);
            self.outcome.sent += 1;
            assert!(self.outcome.sent < 1_000_000, "{} goes for ever", choice.seq);
            if !self.dice.drops(self.percent) {
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

const ALL: [Recovery; 3] = [Recovery::Reno, Recovery::NewReno, Recovery::Sack];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn everything_arrives(percent in 0u64..=20, seed: u64, delayed_ack: bool, window in 1u32..40) {
        for recovery in ALL {
            let params =
                Params { recovery, delayed_ack, initial_window: window, ..Params::default() };
            run(&params, percent, seed);
        }
    }
}

#[test]
fn without_loss_every_packet_is_sent_once() {
    for recovery in ALL {
        let outcome = run(&Params { recovery, ..Params::default() }, 0, 1);
        assert_eq!((outcome.sent, outcome.time_outs), (PACKETS, 0));
        // Slow start from 2: 2 + 4 + ... + 128 = 254 in 7 round trips, the rest in the eighth.
        assert_eq!(outcome.ticks, 8 * 2 * DELAY);
    }
}

/// Means over seeds at 3 % loss: the better a recovery knows what is lost, the sooner it ends.
#[test]
fn sack_beats_newreno_and_reno() {
    let mean = |recovery| {
        let params = Params { recovery, initial_window: 10, ..Params::default() };
        (1..=200u64).map(|n| run(&params, 3, n * 7919).ticks).sum::<u64>() / 200
    };
    let [reno, newreno, sack] = ALL.map(mean);
    assert!(sack < newreno && newreno < reno, "SACK {sack}, NewReno {newreno}, Reno {reno}");
}
