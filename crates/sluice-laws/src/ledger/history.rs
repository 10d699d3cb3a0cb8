//! The ledger: what was granted and seen in the intervals of the last three d0, and who of it will still send.

use std::collections::VecDeque;

use super::classes::{CLASSES, going_on};
use super::grant::LedgerBudget;
use super::sums::LedgerSums;
use crate::wire::WireRtt;

/// Intervals kept: those of three d0, and more in case d0 grows.
const KEPT: usize = 64;

/// An interval between two decisions. Times are in seconds, rates in bits a second.
#[derive(Clone, Copy, Debug, Default)]
pub struct BookedInterval {
    /// Its end.
    pub end: f64,
    /// Its length.
    pub length: f64,
    /// R.
    pub rate: f64,
    /// What its newcomers were granted and have, by classes of `tick`.
    pub budget: LedgerBudget,
    /// A tick as it was then.
    pub tick: f64,
    /// What packets added up, by classes of `tick_bytes`.
    pub sums: LedgerSums,
    /// Bytes of a flow in a tick at S / N.
    pub tick_bytes: f64,
    /// Bytes that arrived without a request.
    pub foreign: f64,
    /// Bytes that its grants bring, a d0 later.
    pub load: f64,
    /// F at its end, which [`History::add`] fills in: bytes granted to a flow since time zero.
    pub served: f64,
    /// Whether there were newcomers in a class above the lowest; filled in likewise. On a slow link, or with a short
    /// RTT, most intervals have none.
    pub has_newcomers: bool,
    /// Whether packets counted in a class above the lowest; filled in likewise.
    pub has_flows: bool,
}

impl BookedInterval {
    fn middle(&self) -> f64 {
        self.end - self.length / 2.0
    }
}

/// What is foreseen for the time at which grants of now take effect. Rates are in bits a second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outlook {
    /// Newcomers that will send at the rates promised to them.
    pub newcomers: f64,
    /// The sum of these rates.
    pub promised: f64,
    /// Newcomers that will have sent one packet.
    pub waiting: f64,
    /// Flows that have begun, not yet counted by their packets.
    pub starting: f64,
    /// Flows counted by their packets.
    pub sending: f64,
    /// The rate of flows held elsewhere, and their number.
    pub elsewhere: f64,
    /// See `elsewhere`.
    pub elsewhere_flows: f64,
    /// The rate of packets without a request.
    pub foreign: f64,
    /// The rate of flows that end within a tick of their first packet.
    pub short: f64,
}

impl Outlook {
    /// Flows that follow R.
    pub fn adjustable(&self) -> f64 {
        self.starting + self.sending
    }

    /// N.
    pub fn flows(&self) -> f64 {
        self.newcomers + self.waiting + self.adjustable()
    }
}

/// The intervals.
#[derive(Debug)]
pub struct History {
    /// The latest last.
    intervals: VecDeque<BookedInterval>,
    /// F now.
    served: f64,
}

impl History {
    /// Without any. Never allocates again.
    pub(super) fn new() -> Self {
        Self { intervals: VecDeque::with_capacity(KEPT), served: 0.0 }
    }

    /// Adds an interval that ends now.
    pub fn add(&mut self, interval: BookedInterval) {
        if self.intervals.len() == KEPT {
            self.intervals.pop_front();
        }
        self.served += interval.rate / 8.0 * interval.length;
        self.intervals.push_back(BookedInterval {
            served: self.served,
            has_newcomers: interval.budget.has_newcomers(),
            has_flows: interval.sums.has_flows(),
            ..interval
        });
    }

    /// Enters what the latest interval's grants bring, in bytes.
    pub fn book(&mut self, load: f64) {
        if let Some(last) = self.intervals.back_mut() {
            last.load = load;
        }
    }

    /// The least rate that a flow was granted in the last `span` seconds, R or at first.
    pub fn least_rate(&self, now: f64, span: f64) -> f64 {
        let recent = self.intervals.iter().rev().take_while(|interval| now - interval.end <= span);
        recent.fold(f64::INFINITY, |least, interval| {
            // Of one CPU: where several have budgets, the least of all is what counts, and no sum.
            let offered = u64::from(u32::MAX).saturating_sub(interval.budget.below_largest);
            least.min(interval.rate).min(offered as f64 * 100.0)
        })
    }

    /// (3) Who of the flows seen will still send when grants of now take effect.
    ///
    /// F is the service of a flow that always has data: the integral of R. A packet that passed at t stated what its
    /// flow would have left after all that had been granted to it; it goes on if that is more than F(now) - F(t). Newcomers
    /// send at the rate promised for the first d0, which begins a d0 after their SYN; what they are granted now takes
    /// effect if their SYN is older than a d0. From then on packets count them, to a part that grows within a d0.
    pub fn outlook(&self, now: f64, d0: f64) -> Outlook {
        let mut outlook = Outlook::default();
        let mut covered = 0.0;
        for (i, interval) in self.intervals.iter().rev().enumerate() {
            // The latest counts however long it was.
            let age = now - interval.middle();
            let age = if i == 0 { age.min(d0) } else { age };
            if age > 3.0 * d0 {
                break;
            }
            if age > d0 {
                if interval.has_newcomers {
                    outlook.starting += self.starting(interval, age, d0);
                }
                continue;
            }
            if interval.has_newcomers {
                let (count, granted) =
                    (floats(&interval.budget.count), floats(&interval.budget.granted));
                outlook.newcomers += going_on(&count, age / interval.tick);
                outlook.promised += 100.0 * going_on(&granted, age / interval.tick);
                outlook.waiting += interval.budget.waiting as f64;
            }
            self.count(interval, &mut outlook);
            covered += interval.length;
        }
        per_second(outlook, covered)
    }

    /// (5) The queue in a d0, by Lindley's recursion over what is booked until then: what was granted a d0 ago
    /// arrives now. In bytes.
    pub fn expected_queue(&self, waiting: f64, now: f64, d0: f64, bytes_per_second: f64) -> f64 {
        let first = self.intervals.partition_point(|interval| now - interval.middle() > d0);
        // The latest counts however long it was.
        let first = first.min(self.intervals.len().saturating_sub(1));
        self.intervals.range(first..).fold(waiting, |queue, interval| {
            (queue + interval.load - bytes_per_second * interval.length).max(0.0)
        })
    }

    /// Newcomers that have begun to send, as far as packets do not count them yet.
    fn starting(&self, interval: &BookedInterval, age: f64, d0: f64) -> f64 {
        let waited = having_waited(interval, age, d0);
        let budget = &interval.budget;
        let (count, granted) = (total(&budget.count), total(&budget.granted));
        if age > 2.0 * d0 || count == 0.0 {
            return waited;
        }
        // In ticks, as the classes of newcomers, at the mean rate promised.
        let at_first = granted * 100.0 / count / 8.0 * interval.tick;
        let since = (self.served - self.served_at(interval.middle() + d0)) / at_first;
        let going_on = going_on(&floats(&budget.count), d0 / interval.tick + since);
        waited + going_on * (2.0 - age / d0)
    }

    /// Adds the packets of an interval: seconds of x, and bytes.
    fn count(&self, interval: &BookedInterval, outlook: &mut Outlook) {
        let sums = &interval.sums;
        if interval.has_flows {
            let served = self.served - self.served_at(interval.middle());
            outlook.sending += seconds(going_on(&floats(&sums.x), served / interval.tick_bytes));
        }
        outlook.elsewhere += sums.elsewhere_bytes as f64;
        outlook.elsewhere_flows += seconds(sums.elsewhere_x as f64);
        outlook.foreign += interval.foreign;
        outlook.short += interval.budget.short as f64;
    }

    /// F at a time.
    fn served_at(&self, time: f64) -> f64 {
        let later = self.intervals.partition_point(|interval| interval.end <= time);
        match self.intervals.get(later) {
            None => self.served,
            Some(interval) => {
                let rest = (interval.end - time).min(interval.length);
                interval.served - rest * interval.rate / 8.0
            }
        }
    }
}

/// Newcomers for which there was no room, as far as packets do not count them. Each sends a packet a d0 after its SYN, which
/// counts as a flow for a d0, and goes on then. Two ticks early, since packets that leave the count before others come would leave
/// all of them out.
fn having_waited(interval: &BookedInterval, age: f64, d0: f64) -> f64 {
    let begins = 2.0 * (d0 - interval.tick);
    if age > begins { interval.budget.waiting as f64 * (3.0 - age / d0).min(1.0) } else { 0.0 }
}

/// Rates of what was added up over `covered` seconds.
fn per_second(sums: Outlook, covered: f64) -> Outlook {
    let per = 1.0 / covered.max(f64::MIN_POSITIVE);
    Outlook {
        sending: sums.sending * per,
        elsewhere: sums.elsewhere * 8.0 * per,
        elsewhere_flows: sums.elsewhere_flows * per,
        foreign: sums.foreign * 8.0 * per,
        short: sums.short * 8.0 * per,
        ..sums
    }
}

fn floats(words: &[u64; CLASSES]) -> [f64; CLASSES] {
    words.map(|word| word as f64)
}

fn total(words: &[u64; CLASSES]) -> f64 {
    floats(words).iter().sum()
}

/// A sum of x, in seconds.
fn seconds(x: f64) -> f64 {
    x / f64::from(WireRtt::PER_SECOND)
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
