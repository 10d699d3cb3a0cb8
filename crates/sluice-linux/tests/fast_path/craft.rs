//! Packets, built by `etherparse`.

use etherparse::{
    EtherType, Ethernet2Header, IpNumber, Ipv4Header, Ipv4Options, Ipv6Header, SingleVlanHeader,
    TcpHeader,
};

pub const TAG: u16 = 0x8100;
pub const SERVICE_TAG: u16 = 0x88A8;
pub const HOP_BY_HOP: u8 = 0;
pub const ROUTING: u8 = 43;
pub const DESTINATION: u8 = 60;

pub const NOP: &[u8] = &[1];
pub const MSS: &[u8] = &[2, 4, 0x05, 0xB4];
pub const SACK_PERMITTED: &[u8] = &[4, 2];
pub const WINDOW_SCALE: &[u8] = &[3, 3, 7];
pub const TIMESTAMPS: &[u8] = &[8, 10, 1, 2, 3, 4, 5, 6, 7, 8];

/// The IP version, and the headers between it and TCP.
#[derive(Clone, Debug)]
pub enum Ip {
    /// With these options.
    V4(Vec<u8>),
    /// With extension headers of these kinds and lengths (in 8 bytes beyond the first 8).
    V6(Vec<(u8, u8)>),
}

pub const V4: Ip = Ip::V4(Vec::new());
pub const V6: Ip = Ip::V6(Vec::new());

/// A TCP segment in Ethernet.
#[derive(Clone, Debug)]
pub struct Packet {
    /// EtherTypes of VLAN tags, the outer one first.
    pub tags: Vec<u16>,
    pub ip: Ip,
    /// The source port.
    pub port: u16,
    pub syn: bool,
    /// TCP options; padded with zeros.
    pub options: Vec<u8>,
    pub payload: usize,
}

impl Packet {
    pub fn new(ip: Ip, options: &[&[u8]]) -> Self {
        Self {
            tags: Vec::new(),
            ip,
            port: 443,
            syn: false,
            options: options.concat(),
            payload: 100,
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.link(&mut bytes);
        let payload: Vec<u8> = (0..self.payload).map(|i| (i * 7) as u8).collect();
        let mut tcp = TcpHeader::new(self.port, 50_123, 0x1234_5678, 65_535);
        (tcp.syn, tcp.ack) = (self.syn, !self.syn);
        tcp.set_options_raw(&self.options).expect("40 bytes of options at most");
        let length = tcp.header_len() + payload.len();
        match &self.ip {
            Ip::V4(options) => {
                let ip = ipv4(options, length);
                tcp.checksum = tcp.calc_checksum_ipv4(&ip, &payload).unwrap();
                ip.write(&mut bytes).unwrap();
            }
            Ip::V6(extensions) => {
                let between = extension_headers(extensions);
                let ip = ipv6(extensions, between.len() + length);
                tcp.checksum = tcp.calc_checksum_ipv6(&ip, &payload).unwrap();
                ip.write(&mut bytes).unwrap();
                bytes.extend(between);
            }
        }
        tcp.write(&mut bytes).unwrap();
        bytes.extend(payload);
        bytes
    }

    fn link(&self, bytes: &mut Vec<u8>) {
        let ip = match self.ip {
            Ip::V4(_) => EtherType::IPV4,
            Ip::V6(_) => EtherType::IPV6,
        };
        let mut types: Vec<EtherType> = self.tags.iter().map(|&tag| EtherType(tag)).collect();
        types.push(ip);
        let (source, destination) = ([2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2]);
        Ethernet2Header { source, destination, ether_type: types[0] }.write(bytes).unwrap();
        for &ether_type in &types[1..] {
            SingleVlanHeader { ether_type, ..Default::default() }.write(bytes).unwrap();
        }
    }
}

fn ipv4(options: &[u8], payload: usize) -> Ipv4Header {
    let payload = payload.try_into().unwrap();
    let mut ip =
        Ipv4Header::new(payload, 64, IpNumber::TCP, [192, 0, 2, 1], [198, 51, 100, 7]).unwrap();
    ip.options = Ipv4Options::try_from(options).unwrap();
    ip.set_payload_len(payload.into()).unwrap();
    ip.dont_fragment = true;
    ip.header_checksum = ip.calc_header_checksum();
    ip
}

fn ipv6(extensions: &[(u8, u8)], payload: usize) -> Ipv6Header {
    let mut address = [0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let source = address;
    address[15] = 2;
    Ipv6Header {
        payload_length: payload.try_into().unwrap(),
        next_header: extensions.first().map_or(IpNumber::TCP, |&(kind, _)| IpNumber(kind)),
        hop_limit: 64,
        source,
        destination: address,
        ..Ipv6Header::default()
    }
}

/// Extension headers that hold only padding.
fn extension_headers(extensions: &[(u8, u8)]) -> Vec<u8> {
    let following = extensions.iter().skip(1).map(|&(kind, _)| kind).chain([6]);
    extensions
        .iter()
        .zip(following)
        .flat_map(|(&(_, length), next)| {
            let mut header = vec![0; 8 + 8 * usize::from(length)];
            header[..2].copy_from_slice(&[next, length]);
            header
        })
        .collect()
}

/// A full option of a law: with two words for RCP, three for the others.
pub fn full(law: u8, words: [u32; 3]) -> Vec<u8> {
    let words = if law == 1 { &words[..2] } else { &words };
    let mut option = vec![253, 8 + 4 * words.len() as u8, 0x51, 0xCE, 0x10 | law, 0xAB, 0xCD, 0xEF];
    option.extend(words.iter().flat_map(|word| word.to_be_bytes()));
    option
}

pub fn short(law: u8) -> Vec<u8> {
    vec![253, 8, 0x51, 0xCE, 0x10 | law, 0xAB, 0xCD, 0xEF]
}

pub fn sack(blocks: u8) -> Vec<u8> {
    let mut option = vec![5, 2 + 8 * blocks];
    option.extend((0..8 * blocks).map(|i| i.wrapping_mul(13)));
    option
}
