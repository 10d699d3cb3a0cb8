//! Bounds of a configuration, for [`crate::Config::check`] and for whoever makes configurations.

use std::ops::{Range, RangeInclusive};

use sluice_units::{Bytes, Rate, Ratio, Span, Time};

/// Size of a full data packet on the wire.
pub const PACKET: RangeInclusive<Bytes> = Bytes::new(1)..=Bytes::new(1 << 20);

/// Capacity of a link.
pub const CAPACITY: RangeInclusive<Rate> =
    Rate::from_bps(1_000)..=Rate::from_bps(100_000_000_000_000);

/// Propagation delay of a link.
pub const DELAY: RangeInclusive<Span> = Span::ZERO..=Span::from_secs(86_400);

/// Time until routing notices that a link has failed or returned.
pub const RECONVERGENCE: RangeInclusive<Span> = Span::ZERO..=Span::from_secs(86_400);

/// Least time between two control packets of a macro-flow of a cloud.
pub const CONTROL_INTERVAL: RangeInclusive<Span> = Span::from_micros(1)..=Span::from_secs(16);

/// How long after its last packet a micro-flow of a cloud counts.
pub const MICRO_FLOW_TIMEOUT: RangeInclusive<Span> = Span::from_millis(1)..=Span::from_secs(3600);

/// Probability that a packet is lost on the wire.
pub const ERROR: Range<Ratio> = Ratio::new(0.0)..Ratio::new(1.0);

/// Number of links; their numbers have to leave room for those of other elements.
pub const LINKS: RangeInclusive<usize> = 0..=(1 << 24) - 1;

/// Number of groups; a flow's group and index share 64 bits.
pub const GROUPS: RangeInclusive<usize> = 0..=(1 << 20) - 1;

/// Class of traffic, as in IEEE 802.1Q.
pub const CLASS: RangeInclusive<u8> = 0..=7;

/// Weight of a flow where a queue discipline shares by weight.
pub const QUEUE_WEIGHT: RangeInclusive<Ratio> = Ratio::new(0.001)..=Ratio::new(1000.0);

/// Paths over which a group's packets are sprayed, or that are given for its flows.
pub const SPRAYED: RangeInclusive<u64> = 1..=4096;

/// Weight of one of several paths.
pub const PATH_WEIGHT: RangeInclusive<u64> = 1..=1_000_000;

/// End of a run, within 36 years: sums of times stay below 2^64 ns.
pub const LIMIT: RangeInclusive<Time> = Time::ZERO..=Time::from_nanos((1 << 60) - 1);

/// The end of [`LIMIT`] for errors, to the hour.
pub fn limit_end() -> String {
    let hours = LIMIT.end().as_nanos() / Span::from_secs(3600).as_nanos();
    format!("{hours} h ({} years)", hours / HOURS_A_YEAR)
}

/// Of a Julian year.
const HOURS_A_YEAR: u64 = 8766;

/// Flows per second of a traffic model, over all pairs. More than one per nanosecond is a mistake,
/// and time would not advance.
pub const MAX_FLOWS_PER_SECOND: f64 = 1e9;

/// Mean flow size in bytes.
pub const MEAN_SIZE: RangeInclusive<f64> = 1.0..=1e18;

/// Sources or senders of a traffic model.
pub const SOURCES: RangeInclusive<u64> = 1..=1_000_000;

/// Streams of datagrams in a group.
pub const STREAMS: RangeInclusive<u64> = 1..=100_000;

/// Mean number of pages in a session, and of objects in a page.
pub const MEAN_COUNT: RangeInclusive<f64> = 1.0..=1e6;

/// Minimum tail index of a Pareto distribution; at 1 and below there is no mean.
pub const MIN_TAIL_INDEX: f64 = 1.01;

/// Maximum tail index of a Pareto distribution; at larger ones its minimum is no different from its mean,
/// and at the largest numbers is not finite.
pub const MAX_TAIL_INDEX: f64 = 1e6;
