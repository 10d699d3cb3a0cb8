//! Flows by number of data packets: short, medium, long and very long ones, which a law treats unlike.

use sluice_sim::Config;
use sluice_units::Bytes;

/// Where one class ends and the next begins, in data packets: decades from 30 on, so that a class means
/// much the same number of round trips whatever the packet size is, and those of a heavy tail have many flows.
const EDGES: [u64; 3] = [30, 300, 3000];

/// Number of classes.
pub const CLASSES: usize = EDGES.len() + 1;

/// The class of a flow of this size: by the data packets that it takes, the last of which may be short.
pub fn class(size: u64, config: &Config) -> usize {
    let packets = packets(Bytes::new(size), config);
    EDGES.partition_point(|&edge| edge <= packets)
}

/// The data packets of a flow of this size, at least one.
pub fn packets(size: Bytes, config: &Config) -> u64 {
    size.as_u64().div_ceil((config.packet - config.header).as_u64()).max(1)
}

/// Packets of flows in a class: from the first, up to but without the second.
pub fn edges(class: usize) -> (u64, Option<u64>) {
    (if class == 0 { 1 } else { EDGES[class - 1] }, EDGES.get(class).copied())
}

/// The label of a class in tables.
pub fn label((from, to): (u64, Option<u64>)) -> String {
    to.map_or_else(|| format!(">={from}"), |to| format!("{from}-{}", to - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_follow_one_another_from_one_packet_on() {
        let labels: Vec<String> = (0..CLASSES).map(|class| label(edges(class))).collect();
        assert_eq!(labels, ["1-29", "30-299", "300-2999", ">=3000"]);
        let ends: Vec<_> = (0..CLASSES).map(edges).collect();
        assert!(ends.windows(2).all(|two| two[0].1 == Some(two[1].0)), "{ends:?}");
    }
}
