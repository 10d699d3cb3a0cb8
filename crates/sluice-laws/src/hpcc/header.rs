//! HPCC's header: whether links are to add telemetry to the packet, and how many have.
//!
//! | word | field   | what                                                                        |
//! |------|---------|-----------------------------------------------------------------------------|
//! | 0    | request | bit 31: the packet asks for telemetry                                       |
//! |      | nHop    | bits 0 to 3: links that have added theirs (section 4.1, figure 7)            |
//! | 1-3  |         | zero                                                                        |
//!
//! Its fields of 64 bits a hop are [`crate::telemetry::HopReading`]s, which a run keeps apart from headers.
//! The paper's `pathID` is the links of the readings.

use crate::WireHeader;

/// The most links that add telemetry to a packet: `nHop` has 4 bits.
pub const MAX_HOPS: usize = 15;

const REQUEST: u32 = 1 << 31;

/// The header of a data packet as it leaves its sender.
pub const fn request() -> WireHeader {
    WireHeader::new([REQUEST, 0, 0, 0])
}

/// The header behind a link that adds telemetry. Unchanged if the packet does not ask for any, or has that of
/// [`MAX_HOPS`] links.
pub const fn behind_link(header: WireHeader) -> WireHeader {
    let [word, ..] = header.get();
    if word & REQUEST == 0 || (word & !REQUEST) as usize >= MAX_HOPS {
        return header;
    }
    WireHeader::new([word + 1, 0, 0, 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_count_in_packets_that_ask_for_telemetry() {
        let mut header = request();
        for hops in 1..=15 {
            header = behind_link(header);
            assert_eq!(header.get(), [1 << 31 | hops, 0, 0, 0]);
        }
        assert_eq!(behind_link(header), header);
        let foreign = WireHeader::new([5, 6, 7, 8]);
        assert_eq!(behind_link(foreign), foreign);
    }
}
