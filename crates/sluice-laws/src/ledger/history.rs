//! The ledger: what was granted and seen in the intervals of the last three d0, and who of it will still send.

use std::collections::VecDeque;

use super::classes::going_on;
use super::interval::{BookedInterval, Entry, Newcomers};

/// Intervals kept: those of three d0, and more in case d0 grows.
const KEPT: usize = 64;

/// A flow of fewer packets a d0 may send none in one: packets of two d0 count it.
const RARE_PACKETS: f64 = 4.0;

/// What is foreseen for the time at which grants of now take effect. Rates are in bits a second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outlook {
    /// Newcomers that will send at the rates promised to them.
    pub newcomers: f64,
    /// The sum of these rates.
    pub promised: f64,
    /// Newcomers that will have sent one packet.
    pub waiting: f64,
    /// Newcomers whose one packet comes in this tick. It takes R along.
    pub beginning: f64,
    /// Newcomers whose one packet is due, and late if a queue holds it. If it is not, it counts too.
    pub late: f64,
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
        self.beginning + self.late + self.starting + self.sending
    }

    /// N.
    pub fn flows(&self) -> f64 {
        self.newcomers + self.waiting + self.adjustable()
    }

    /// Flows for which packets are to come, each once.
    pub fn foreseen(&self) -> f64 {
        self.flows() - self.late
    }
}

/// The intervals.
#[derive(Debug)]
pub struct History {
    /// The latest last.
    entries: VecDeque<Entry>,
    /// In bytes.
    packet: f64,
}

impl History {
    /// Without any, for packets of that length in bytes. Never allocates again.
    pub(super) fn new(packet: f64) -> Self {
        Self { entries: VecDeque::with_capacity(KEPT), packet }
    }

    /// Adds an interval that ends now.
    pub fn add(&mut self, interval: &BookedInterval) {
        if self.entries.len() == KEPT {
            self.entries.pop_front();
        }
        self.entries.push_back(Entry::new(interval, self.served()));
    }

    /// Enters what the latest interval's grants bring, in bytes, and the flows foreseen a d0 ahead, times its length.
    pub fn book(&mut self, load: f64, foreseen: f64, d0: f64) {
        if let Some(last) = self.entries.back_mut() {
            last.load = load;
            last.foreseen = foreseen;
            last.ahead = d0;
        }
    }

    /// What was foreseen for the interval that ends now, times its length: flows, and those that send for less than a
    /// tick. `None` where that is not on record, or was foreseen for another time, as before d0 was known.
    pub(super) fn foreseen(&self, now: f64, length: f64, d0: f64) -> Option<[f64; 2]> {
        let first = self.entries.partition_point(|entry| entry.middle <= now - length - d0);
        let after = self.entries.partition_point(|entry| entry.middle <= now - d0);
        // Two d0 before that, too: where d0 was another, flows send at a pace of then for a d0, and are counted by it for another.
        let from = self.entries.partition_point(|entry| entry.middle <= now - length - 3.0 * d0);
        let mut on_record = self.entries.range(from.min(after.checked_sub(1)?)..after);
        if !on_record.all(|entry| (0.5 * d0..=2.0 * d0).contains(&entry.ahead)) {
            return None;
        }
        let sum = |[flows, short]: [f64; 2], entry: &Entry| {
            [flows + entry.foreseen, short + entry.short_seconds]
        };
        Some(self.entries.range(first..after).fold([0.0; 2], sum))
    }

    /// The least rate that a flow was granted in the last `span` seconds, R or at first.
    pub fn least_rate(&self, now: f64, span: f64) -> f64 {
        let recent = self.entries.iter().rev().take_while(|entry| now - entry.end <= span);
        recent.fold(f64::INFINITY, |least, entry| least.min(entry.least))
    }

    /// The growth of the wait, in seconds a second, over the latest intervals that together last at least `span` seconds, or all on record.
    pub(super) fn wait_grows(&self, span: f64) -> f64 {
        let Some(last) = self.entries.back() else { return 0.0 };
        let after = self.entries.partition_point(|entry| last.end - entry.end >= span);
        let first = &self.entries[after.saturating_sub(1)];
        let seconds = last.end - first.end;
        if seconds > 0.0 { (last.wait - first.wait) / seconds } else { 0.0 }
    }

    /// (3) Who of the flows seen will still send when grants of now take effect.
    ///
    /// F is the service of a flow that always has data: the integral of R. A packet that passed at t stated what its
    /// flow would have left after all that had been granted to it; it goes on if that is more than F(now) - F(t). Newcomers
    /// send at the rate promised for the first d0, which begins a d0 after their SYN; what they are granted now takes
    /// effect if their SYN is older than a d0. From then on packets count them, to a part that grows within a d0.
    ///
    /// Where flows send rarely, the mean of two d0 counts if it is more: a crowd's packets come at the same time, and a d0
    /// without any would leave all of it out.
    pub fn outlook(&self, now: f64, d0: f64) -> Outlook {
        let mut outlook = Outlook::default();
        let served = self.served();
        let rare = served - self.served_at(now - d0) < RARE_PACKETS * self.packet;
        let mut covered = 0.0;
        let (mut before, mut covered_before) = (0.0, 0.0);
        for (i, entry) in self.entries.iter().rev().enumerate() {
            // The latest counts however long it was.
            let age = now - entry.middle;
            let age = if i == 0 { age.min(d0) } else { age };
            if age > 3.0 * d0 {
                break;
            }
            if age <= d0 {
                outlook.count(entry, served);
                covered += entry.length;
            } else if rare && age <= 2.0 * d0 {
                before += going_on_of(entry, served);
                covered_before += entry.length;
            }
            let Some(newcomers) = &entry.newcomers else { continue };
            if age <= d0 {
                outlook.promise(newcomers, age / entry.tick);
            }
            outlook.wait(newcomers, age, d0, entry.tick);
            if age > d0 && age <= 2.0 * d0 {
                let since = served - self.served_at(entry.middle + d0);
                outlook.starting += starting(newcomers, age, d0, entry.tick, since);
            }
        }
        let sending =
            (outlook.sending + before) / (covered + covered_before).max(f64::MIN_POSITIVE);
        let outlook = outlook.per_second(covered);
        Outlook { sending: outlook.sending.max(sending), ..outlook }
    }

    /// (5) The queue in a d0, by Lindley's recursion over what is booked until then: what was granted a d0 ago
    /// arrives now. In bytes.
    pub fn expected_queue(&self, waiting: f64, now: f64, d0: f64, bytes_per_second: f64) -> f64 {
        let first = self.entries.partition_point(|entry| now - entry.middle > d0);
        // The latest counts however long it was.
        let first = first.min(self.entries.len().saturating_sub(1));
        self.entries.range(first..).fold(waiting, |queue, entry| {
            (queue + entry.load - bytes_per_second * entry.length).max(0.0)
        })
    }

    /// F now.
    fn served(&self) -> f64 {
        self.entries.back().map_or(0.0, |entry| entry.served)
    }

    /// F at a time.
    fn served_at(&self, time: f64) -> f64 {
        let later = self.entries.partition_point(|entry| entry.end <= time);
        self.entries.get(later).map_or(self.served(), |entry| entry.served_at(time))
    }
}

impl Outlook {
    /// Adds what packets of the last d0 show: seconds of x, and bytes. `served` is F now.
    fn count(&mut self, entry: &Entry, served: f64) {
        self.sending += going_on_of(entry, served);
        self.elsewhere += entry.elsewhere;
        self.elsewhere_flows += entry.elsewhere_flows;
        self.foreign += entry.foreign;
        self.short += entry.short;
    }

    /// Adds newcomers of the last d0, who will send for `ticks` by then.
    fn promise(&mut self, newcomers: &Newcomers, ticks: f64) {
        self.newcomers += going_on(&newcomers.count, ticks);
        self.promised += going_on(&newcomers.granted, ticks);
    }

    /// Adds newcomers for which there was no room, as far as packets do not count them. Each sends a packet a d0 after its
    /// SYN, which counts as a flow for a d0, and goes on then: two ticks early, since packets that leave the count before
    /// others come would leave all of them out. First packets, too, may be late.
    fn wait(&mut self, newcomers: &Newcomers, age: f64, d0: f64, tick: f64) {
        if age < d0 - tick {
            self.waiting += newcomers.waiting;
        } else if age <= d0 {
            self.beginning += newcomers.waiting;
        } else if age <= d0 + tick {
            self.late += newcomers.waiting;
        } else if age > 2.0 * (d0 - tick) {
            self.starting += newcomers.waiting * (3.0 - age / d0).min(1.0);
        }
    }

    /// Flows and promises times `factor`. Those that wait send their one packet whatever is foreseen.
    pub(super) fn times(self, factor: f64) -> Self {
        Self {
            newcomers: self.newcomers * factor,
            promised: self.promised * factor,
            starting: self.starting * factor,
            sending: self.sending * factor,
            ..self
        }
    }

    /// The rates of what was added up over `covered` seconds.
    fn per_second(self, covered: f64) -> Self {
        let per = 1.0 / covered.max(f64::MIN_POSITIVE);
        Self {
            sending: self.sending * per,
            elsewhere: self.elsewhere * 8.0 * per,
            elsewhere_flows: self.elsewhere_flows * per,
            foreign: self.foreign * 8.0 * per,
            short: self.short * 8.0 * per,
            ..self
        }
    }
}

/// Seconds of x of flows that were seen in an interval and go on. `served` is F now.
fn going_on_of(entry: &Entry, served: f64) -> f64 {
    let flows = entry.flows.as_ref();
    flows.map_or(0.0, |flows| flows.going_on(served - entry.served_at(entry.middle)))
}

/// Newcomers of one to two d0 ago, who have begun to send and were granted `since` bytes in addition, as far as packets do not count
/// them yet.
fn starting(newcomers: &Newcomers, age: f64, d0: f64, tick: f64, since: f64) -> f64 {
    let count: f64 = newcomers.count.iter().sum();
    if count == 0.0 {
        return 0.0;
    }
    // In ticks, as the classes of newcomers, at the mean rate promised.
    let at_first = newcomers.granted.iter().sum::<f64>() / count / 8.0 * tick;
    going_on(&newcomers.count, d0 / tick + since / at_first) * (2.0 - age / d0)
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
