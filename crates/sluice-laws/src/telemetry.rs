//! In-band telemetry: what links report about themselves in the data packets that cross them.

use sluice_units::{Bytes, Rate, Time};

/// What one link reports as a packet leaves it, after the fields that HPCC's switches add (Li et al., "HPCC:
/// High Precision Congestion Control", SIGCOMM 2019, section 4.1 and figure 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HopReading {
    /// The number of the link in the run. The paper tells paths apart by a hash of switches, `pathID`.
    pub link: u32,
    /// `B`: its nominal capacity.
    pub capacity: Rate,
    /// `TS`: when the last bit of the packet left it.
    pub at: Time,
    /// `txBytes`: bytes that it has sent since the start of the run, the packet's included.
    pub sent: u64,
    /// `qLen`: bytes queued behind the packet.
    pub queue: Bytes,
}
