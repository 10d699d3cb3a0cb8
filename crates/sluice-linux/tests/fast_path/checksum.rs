//! The checksum of TCP (RFC 9293, RFC 1071), from scratch and incrementally.

use crate::locate::Segment;

/// Whether the packet contains the whole segment and its checksum is right.
pub fn is_right(packet: &[u8], segment: &Segment) -> bool {
    let Some(bytes) = packet.get(segment.tcp..segment.end) else { return false };
    let length = (bytes.len() as u32).to_be_bytes();
    let pseudo = sum(&segment.addresses) + sum(&length) + 6;
    fold(pseudo + sum(bytes)) == 0xFFFF
}

/// Updates the checksum of a TCP header at `tcp` in `after` for the differences from `before` (RFC
/// 1624, equation 3), in 16-bit words of the header.
pub fn correct(before: &[u8], after: &mut [u8], tcp: usize) {
    let differences: u64 = words(&before[tcp..])
        .zip(words(&after[tcp..]))
        .filter(|(before, after)| before != after)
        .map(|(before, after)| u64::from(!before) + u64::from(after))
        .sum();
    let old = u16::from_be_bytes([before[tcp + 16], before[tcp + 17]]);
    let new = !fold(u64::from(!old) + differences);
    after[tcp + 16..tcp + 18].copy_from_slice(&new.to_be_bytes());
}

fn sum(bytes: &[u8]) -> u64 {
    words(bytes).map(u64::from).sum()
}

/// An odd last byte is the upper byte of a word.
fn words(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair.get(1).copied().unwrap_or(0)]))
}

fn fold(mut sum: u64) -> u16 {
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    sum as u16
}
