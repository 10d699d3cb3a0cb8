//! Loss recovery from outside: scripts by hand, a plain model of RFC 6675, and a lossy channel.

mod by_time;
mod channel;
mod model;
mod scripts;
mod variants;

use sluice_units::{Span, Time};

use super::{Ack, Block, LossSignal, Repair};
use crate::transport::{LossRecovery, Rtts};

const ALL: [LossRecovery; 4] =
    [LossRecovery::Reno, LossRecovery::NewReno, LossRecovery::Sack, LossRecovery::Rack];

/// What an acknowledgement brought: packets acknowledged in sequence, and losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outcome {
    acked: u32,
    signal: LossSignal,
}

/// RTTs that were all of this many milliseconds.
fn constant(millis: u64) -> Option<Rtts> {
    let rtt = Span::from_millis(millis);
    Some(Rtts { min: rtt, smoothed: rtt })
}

/// A sender with data up to `end` that sends whatever its window allows.
struct TcpSender {
    repair: Repair,
    window: u32,
    end: u64,
    now: Time,
}

impl TcpSender {
    fn new(recovery: LossRecovery, window: u32, end: u64) -> Self {
        Self { repair: Repair::new(recovery), window, end, now: Time::ZERO }
    }

    /// Sends what may leave: new packets as `(seq, "new")`, others as `(seq, "again")`.
    fn send(&mut self) -> Vec<(u64, &'static str)> {
        let mut out = Vec::new();
        while let Some(choice) = self.repair.choose(self.window, self.end) {
            self.repair.sent(choice.seq, self.now);
            out.push((choice.seq, if choice.again { "again" } else { "new" }));
            assert!(out.len() < 100_000, "a choice that is sent must not come back for ever");
        }
        out
    }

    /// The recovery as it would be after an acknowledgement.
    fn clone_after_ack(&self, cumulative: u64) -> Self {
        let mut sender = Self { repair: self.repair.clone(), ..*self };
        sender.ack(cumulative, &[]);
        sender
    }

    fn time_out(&mut self) -> bool {
        self.repair.timed_out(self.now, None)
    }

    /// An acknowledgement of a packet that left right now.
    fn ack(&mut self, cumulative: u64, sacks: &[(u64, u64)]) -> Outcome {
        self.ack_of(self.now, cumulative, sacks)
    }

    /// An acknowledgement of a packet that left at `sent`.
    fn ack_of(&mut self, sent: Time, cumulative: u64, sacks: &[(u64, u64)]) -> Outcome {
        let sacks: Vec<_> = sacks.iter().map(|&(start, end)| Block { start, end }).collect();
        let progress = self.repair.on_ack(&Ack {
            now: self.now,
            sent,
            cumulative,
            sacks: &sacks,
            rtts: constant(100),
        });
        Outcome { acked: progress.acked, signal: progress.signal }
    }
}
