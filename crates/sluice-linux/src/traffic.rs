//! What passed a program's hook: `src/bpf/traffic.h`.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::map;
use crate::router::KernelRouter;

/// Counts of packets since the program was loaded, of all protocols and CPUs. They only grow (and wrap). A packet of a
/// segmentation offload counts as the packets that it will become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrafficCounts {
    /// Packets.
    pub packets: u64,
    /// Bytes on the wire, from the Ethernet header to the end of the payload: without preamble, checksum and gap, which
    /// are 24 bytes a packet on Ethernet.
    pub bytes: u64,
    /// Packets with a full option of a law that has a grant in force.
    pub stamped: u64,
    /// Packets with a full option that was cut to the short one, since the grant had expired.
    pub cut: u64,
    /// Packets with a full option of a law without a grant. They passed unchanged.
    pub ungranted: u64,
}

impl TrafficCounts {
    fn plus(self, words: &[u64; 5]) -> Self {
        let [packets, bytes, stamped, cut, ungranted] = words;
        Self {
            packets: self.packets.wrapping_add(*packets),
            bytes: self.bytes.wrapping_add(*bytes),
            stamped: self.stamped.wrapping_add(*stamped),
            cut: self.cut.wrapping_add(*cut),
            ungranted: self.ungranted.wrapping_add(*ungranted),
        }
    }
}

/// The bytes of a CPU that are not in the virtual queue yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unfolded {
    /// The number of bytes.
    pub bytes: u64,
    /// When all before them were folded, in nanoseconds.
    pub since: u64,
}

impl KernelRouter<'_> {
    /// What passed the hook so far. A packet that passes meanwhile may be among the packets and not among the bytes.
    pub fn traffic(&self) -> Result<TrafficCounts, Error> {
        let cpus = self.traffic_by_cpu()?;
        Ok(cpus.iter().fold(TrafficCounts::default(), |all, (counts, _)| all.plus(counts)))
    }

    /// The counts of each CPU, and what it has not yet folded.
    pub(crate) fn traffic_by_cpu(&self) -> Result<Vec<([u64; 5], Unfolded)>, Error> {
        let cpus = map::read(&self.maps().traffic, 0)?;
        let split = |words: &Vec<u64>| match words[..] {
            [packets, bytes, stamped, cut, ungranted, unfolded, since] => {
                Ok(([packets, bytes, stamped, cut, ungranted], Unfolded { bytes: unfolded, since }))
            }
            _ => Err(Error::Layout("traffic")),
        };
        cpus.iter().map(split).collect()
    }
}
