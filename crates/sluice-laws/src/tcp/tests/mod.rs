//! Loss recovery from outside: scripts by hand, a plain model of RFC 6675, and a lossy channel.

mod channel;
mod model;
mod scripts;

use super::{Block, Progress, Recovery, Repair};

/// A sender with data up to `end` that sends whatever its window allows.
struct Sender {
    repair: Repair,
    window: u32,
    end: u64,
}

impl Sender {
    fn new(recovery: Recovery, window: u32, end: u64) -> Self {
        Self { repair: Repair::new(recovery), window, end }
    }

    /// Sends what may leave: new packets as `(seq, "new")`, others as `(seq, "again")`.
    fn send(&mut self) -> Vec<(u64, &'static str)> {
        let mut out = Vec::new();
        while let Some(choice) = self.repair.choose(self.window, self.end) {
            self.repair.sent(choice.seq);
            out.push((choice.seq, if choice.again { "again" } else { "new" }));
            assert!(out.len() < 100_000, "a choice that is sent must not come back for ever");
        }
        out
    }

    /// The recovery as it would be after an acknowledgement.
    fn clone_after_ack(&self, cumulative: u64) -> Repair {
        let mut repair = self.repair.clone();
        repair.acked(cumulative, &[]);
        repair
    }

    fn ack(&mut self, cumulative: u64, sacks: &[(u64, u64)]) -> Progress {
        let sacks: Vec<_> = sacks.iter().map(|&(start, end)| Block { start, end }).collect();
        self.repair.acked(cumulative, &sacks)
    }
}
