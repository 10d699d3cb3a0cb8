//! Telemetry in flight, stored apart from the packets that carry it, like selective acknowledgements
//! ([`super::sacks`]): a data packet has what links reported, and its acknowledgement returns it.

use sluice_laws::tcp::Block;
use sluice_laws::telemetry::HopReading;

/// Set in numbers of records, but not of selective acknowledgements.
const RECORD: u32 = 1 << 31;

/// Whether a packet with this number, which is not that of a datagram, carries telemetry.
pub(super) fn is_record(number: u32) -> bool {
    number & RECORD != 0
}

/// What a packet carries.
#[derive(Default)]
pub(super) struct Record {
    pub(super) hops: Vec<HopReading>,
    /// The selective acknowledgements of the reply, padded with empty blocks.
    pub(super) blocks: [Block; 3],
}

/// The records of packets in flight.
#[derive(Default)]
pub(super) struct Telemetry {
    records: Vec<Record>,
    free: Vec<u32>,
}

impl Telemetry {
    /// Adds a reading to the record of this number, or to a new one for 0. Returns its number.
    pub(super) fn add(&mut self, number: u32, reading: HopReading) -> u32 {
        let number = if number == 0 { self.begin() } else { number };
        self.record(number).hops.push(reading);
        number
    }

    /// Bytes taken by all records, of which each is taken to be as long as the first.
    pub(super) fn memory(&self) -> u64 {
        let hops = self.records.first().map_or(0, |first| first.hops.capacity());
        (self.records.len() * (size_of::<Record>() + hops * size_of::<HopReading>())) as u64
    }

    fn begin(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.records.push(Record::default());
            RECORD | (self.records.len() - 1) as u32
        })
    }

    pub(super) fn record(&mut self, number: u32) -> &mut Record {
        &mut self.records[(number & !RECORD) as usize]
    }

    /// A reply returns a record, with these selective acknowledgements.
    pub(super) fn answer(&mut self, number: u32, blocks: [Block; 3]) {
        self.record(number).blocks = blocks;
    }

    /// The selective acknowledgements of a packet, padded with empty blocks.
    pub(super) fn peek(&self, number: u32) -> [Block; 3] {
        let record = self.records.get((number & !RECORD) as usize);
        record.map(|record| record.blocks).unwrap_or_default()
    }

    /// Frees the record of a packet that was lost, or whose reply has been read.
    pub(super) fn discard(&mut self, number: u32) {
        let record = self.record(number);
        record.hops.clear();
        record.blocks = Default::default();
        self.free.push(number);
    }
}
