//! Counters of the distinct flows of an interval: exact, or a sketch of bounded memory.
//!
//! Sketches are our own since a law allocates nothing for a packet and gives the same result on every machine. Each
//! interval has a salt of its own, so that the error of a sketch is another in each and does not persist. Salts are the
//! same at every link: sketches that see the same flows in the same interval, counted from their start, err alike.

mod bitmap;
mod exact;
mod hyperloglog;

use core::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::Bytes;

use crate::draw::mix;
use crate::router::FlowId;
use bitmap::Bitmap;
use exact::Exact;
use hyperloglog::HyperLogLog;

/// How distinct flows are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CounterKind {
    /// A table of all flows: no error, and 32 to 128 bytes a flow of the last interval. It grows in the slow path, for a packet only
    /// where an interval has several times the flows of the last.
    #[default]
    Exact,
    /// Linear counting (Whang, Vander-Zanden and Taylor 1990; at routers, Estan, Varghese and Fisk 2003): a bit
    /// for each hash. Of m bits and n = t m flows, the standard error is sqrt(e^t - t - 1) / (t sqrt m), 0.7 /
    /// sqrt m for few; above m ln m flows it is full, and counts m ln m.
    Bitmap,
    /// `HyperLogLog` (Flajolet, Fusy, Gandouet and Meunier 2007): for any number of flows. Of m registers of a
    /// byte each, the standard error is 1.04 / sqrt m.
    #[serde(rename = "hyperloglog")]
    HyperLogLog,
}

/// Bounds of the memory of a sketch.
pub const MEMORY: RangeInclusive<Bytes> = Bytes::new(16)..=Bytes::new(1 << 20);

/// Words of 64 bits of a bitmap of this memory.
pub fn bitmap_words(memory: Bytes) -> usize {
    within_bounds(memory).div_ceil(8)
}

fn within_bounds(memory: Bytes) -> usize {
    memory.clamp(*MEMORY.start(), *MEMORY.end()).as_u64() as usize
}

/// The salt of the interval that follows one of this salt; that of the first is 0.
pub fn next_salt(salt: u64) -> u64 {
    mix(salt)
}

/// A counter at work.
#[derive(Clone, Debug)]
pub struct FlowCounter {
    table: Table,
    salt: u64,
}

#[derive(Clone, Debug)]
enum Table {
    Exact(Exact),
    Bitmap(Bitmap),
    HyperLogLog(HyperLogLog),
}

impl FlowCounter {
    /// A counter of this kind, which takes that memory if it is a sketch.
    pub fn new(kind: CounterKind, memory: Bytes) -> Self {
        let table = match kind {
            CounterKind::Exact => Table::Exact(Exact::default()),
            CounterKind::Bitmap => Table::Bitmap(Bitmap::new(bitmap_words(memory))),
            CounterKind::HyperLogLog => Table::HyperLogLog(HyperLogLog::new(within_bounds(memory))),
        };
        Self { table, salt: 0 }
    }

    /// A packet of this flow arrives. Fast path.
    pub fn saw(&mut self, flow: FlowId) {
        let hash = mix(flow.number() ^ self.salt);
        match &mut self.table {
            Table::Exact(table) => table.insert(hash),
            Table::Bitmap(table) => table.insert(hash),
            Table::HyperLogLog(table) => table.insert(hash),
        }
    }

    /// Flows that are counted elsewhere too, as in a kernel: the words of a bitmap of the same memory and salt. Returns whether
    /// this counter is one; another stays as it is.
    pub fn merge(&mut self, words: &[u64]) -> bool {
        match &mut self.table {
            Table::Bitmap(table) => table.merge(words),
            Table::Exact(_) | Table::HyperLogLog(_) => false,
        }
    }

    /// The number of distinct flows since the last call. Begins another interval.
    pub fn count(&mut self) -> f64 {
        self.salt = next_salt(self.salt);
        match &mut self.table {
            Table::Exact(table) => table.count() as f64,
            Table::Bitmap(table) => table.count(),
            Table::HyperLogLog(table) => table.count(),
        }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
