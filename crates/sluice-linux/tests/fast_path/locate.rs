//! Finds the option in a packet as `docs/wire.md` specifies, written for clarity rather than speed,
//! without code shared with the program or `sluice_laws`.

use std::ops::Range;

/// A TCP segment that is not a fragment.
pub struct Segment {
    /// Offset of its header.
    pub tcp: usize,
    /// Its end according to IP; beyond any packet if IP gives no length.
    pub end: usize,
    /// Source and destination, as in the pseudo header.
    pub addresses: Vec<u8>,
}

/// A full option.
pub struct Located {
    pub segment: Segment,
    pub law: u8,
    pub option: Range<usize>,
}

impl Located {
    /// The forward words, and 0 for words that this law does not have.
    pub fn words(&self, packet: &[u8]) -> [u32; 4] {
        let mut words = [0; 4];
        let (bytes, _) = packet[self.option.start + 8..self.option.end].as_chunks();
        for (word, &bytes) in words.iter_mut().zip(bytes) {
            *word = u32::from_be_bytes(bytes);
        }
        words
    }
}

/// The first congestion option, if it is a full one.
pub fn locate(packet: &[u8]) -> Option<Located> {
    let segment = segment(packet)?;
    let header = packet.get(segment.tcp..segment.tcp + 20)?;
    let length = usize::from(header[12] >> 4) * 4;
    let end = segment.tcp + length;
    if length < 20 || end > segment.end || end > packet.len() {
        return None;
    }
    let mut at = segment.tcp + 20;
    while at < end {
        match packet[at] {
            0 => return None,
            1 => at += 1,
            kind => {
                let length = usize::from(*packet[..end].get(at + 1)?);
                if length < 2 || at + length > end {
                    return None;
                }
                let law = (kind == 253).then(|| law(&packet[at..at + length])).flatten();
                if let Some(law) = law {
                    let option = at..at + length;
                    return (length > 8).then_some(Located { segment, law, option });
                }
                at += length;
            }
        }
    }
    None
}

/// The law of an experimental option that is a congestion option.
fn law(option: &[u8]) -> Option<u8> {
    let full = match option.get(4)? {
        0x11 => 16,
        0x12 | 0x13 | 0x16 | 0x17 => 20,
        _ => return None,
    };
    let ours = option[2..4] == [0x51, 0xCE] && [8, full].contains(&option.len());
    ours.then_some(option[4] & 0xF)
}

/// The TCP segment behind at most two VLAN tags, IPv4 with any options, or IPv6 with up to six
/// extension headers.
pub fn segment(packet: &[u8]) -> Option<Segment> {
    let mut at = 12;
    let mut tags = 0;
    while tags < 2 && [0x8100, 0x88A8].contains(&be16(packet, at)?) {
        at += 4;
        tags += 1;
    }
    match be16(packet, at)? {
        0x0800 => ipv4(packet, at + 2),
        0x86DD => ipv6(packet, at + 2),
        _ => None,
    }
}

fn ipv4(packet: &[u8], at: usize) -> Option<Segment> {
    let ip = packet.get(at..at + 20)?;
    let header = usize::from(ip[0] & 0xF) * 4;
    let fragment = be16(ip, 6)? & 0x3FFF != 0;
    if ip[0] >> 4 != 4 || header < 20 || fragment || ip[9] != 6 {
        return None;
    }
    let end = end(at, usize::from(be16(ip, 2)?));
    Some(Segment { tcp: at + header, end, addresses: ip[12..20].to_vec() })
}

fn ipv6(packet: &[u8], at: usize) -> Option<Segment> {
    let ip = packet.get(at..at + 40)?;
    let mut next = ip[6];
    let mut tcp = at + 40;
    for _ in 0..6 {
        if [0, 43, 60].contains(&next) {
            let extension = packet.get(tcp..tcp + 2)?;
            next = extension[0];
            tcp += 8 + 8 * usize::from(extension[1]);
        }
    }
    if ip[0] >> 4 != 6 || next != 6 {
        return None;
    }
    let payload = usize::from(be16(ip, 4)?);
    let end = if payload == 0 { usize::MAX } else { at + 40 + payload };
    Some(Segment { tcp, end, addresses: ip[8..40].to_vec() })
}

/// The length field of a super-packet of more than 64 kB is zero.
fn end(at: usize, length: usize) -> usize {
    if length == 0 { usize::MAX } else { at + length }
}

fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    let pair = bytes.get(at..at + 2)?;
    Some(u16::from_be_bytes([pair[0], pair[1]]))
}
