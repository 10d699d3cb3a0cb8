//! A simulated packet as IPv4 and TCP, or UDP, would have it.
//!
//! The simulator counts packets; here data have their numbers in bytes, from 1 after a SYN of 0. A
//! segment is as long as its headers and its data, whatever the scenario counts for headers. Data
//! are zeros, of which a capture keeps none. A datagram of a stream is as long as it is simulated, unless
//! its headers are longer.

use std::io;

use etherparse::{IpEcn, IpNumber, Ipv4Header, TcpHeader, UdpHeader};
use sluice_laws::host::{PacketKind, Service};
use sluice_laws::protocol::Protocol;
use sluice_laws::tcp::{Block, Ecn};
use sluice_laws::wire::Form;
use sluice_laws::wire::option::LONGEST as MAX_OPTION;
use sluice_sim::{Config, TracedPacket};

use super::packets::is_answer;

/// Bytes of the longest headers.
pub const MAX_HEADERS: usize = Ipv4Header::MIN_LEN + TcpHeader::MAX_LEN;
/// Bytes of options that a TCP header has room for.
const ROOM: usize = TcpHeader::MAX_LEN - TcpHeader::MIN_LEN;
/// The port that the first group's data go to; the next group's go to the next.
const FIRST_PORT: usize = 5001;
/// The port that a group's first flow comes from; the next comes from the next.
const FIRST_SOURCE_PORT: u64 = 1024;
const NO_OPERATION: u8 = 1;
const SACK: u8 = 5;
static ZEROS: [u8; 1 << 16] = [0; 1 << 16];

/// The headers of a packet, and how long it is in all.
pub struct EncodedPacket {
    pub headers: Vec<u8>,
    pub length: u32,
}

/// What headers are made of besides the packet.
pub struct Framing {
    /// Bytes of data in a full packet, and of headers as the scenario counts them.
    payload: u64,
    header: u64,
    groups: Vec<Ends>,
}

/// Whom a group's flows connect.
struct Ends {
    from: [u8; 4],
    to: [u8; 4],
    port: u16,
    /// How its congestion header crosses the wire, and that of its best-effort packets.
    form: Option<Form>,
    best_effort: Option<Form>,
}

impl Framing {
    /// The headers of a run of this protocol.
    pub fn new(config: &Config, run: &dyn Protocol) -> Self {
        let ends = config.groups.iter().enumerate().map(|(number, group)| {
            let own = config.protocol_of(group, run);
            Ends {
                from: address(group.from),
                to: address(group.to),
                port: (FIRST_PORT + number % (usize::from(u16::MAX) - FIRST_PORT)) as u16,
                form: own.wire(),
                best_effort: config.best_effort_of(own).and_then(Protocol::wire),
            }
        });
        Self {
            payload: (config.packet - config.header).as_u64(),
            header: config.header.as_u64(),
            groups: ends.collect(),
        }
    }

    /// The headers of a packet.
    pub fn segment(&self, packet: &TracedPacket) -> io::Result<EncodedPacket> {
        let ends = &self.groups[packet.group];
        if packet.kind == PacketKind::Datagram {
            return datagram(packet, ends);
        }
        let data = match packet.kind {
            PacketKind::Data => zeros(packet.bytes.as_u64().saturating_sub(self.header))?,
            _ => &[],
        };
        let mut tcp = self.tcp(packet, ends)?;
        let ip = ip(packet, ends, IpNumber::TCP, tcp.header_len() + data.len())?;
        tcp.checksum = tcp.calc_checksum_ipv4(&ip, data).map_err(io::Error::other)?;
        Ok(EncodedPacket::new(&ip, &tcp.to_bytes(), data))
    }

    fn tcp(&self, packet: &TracedPacket, ends: &Ends) -> io::Result<TcpHeader> {
        let source = source_port(packet);
        let (from, to) =
            if is_answer(packet.kind) { (ends.port, source) } else { (source, ends.port) };
        let first = self.number(packet, 0);
        let (sequence, acknowledged) = match packet.kind {
            PacketKind::Syn => (first.wrapping_sub(1), 0),
            PacketKind::SynAck => (first.wrapping_sub(1), first),
            PacketKind::Data => (self.number(packet, packet.seq), first),
            PacketKind::Ack | PacketKind::ProbeAck => (first, self.number(packet, packet.seq)),
            PacketKind::Probe | PacketKind::Datagram => (first, first),
        };
        let mut tcp = TcpHeader::new(from, to, sequence, u16::MAX);
        tcp.acknowledgment_number = acknowledged;
        tcp.syn = matches!(packet.kind, PacketKind::Syn | PacketKind::SynAck);
        tcp.ack = packet.kind != PacketKind::Syn;
        tcp.ece = packet.ecn.has(Ecn::ECHO);
        tcp.cwr = packet.ecn.has(Ecn::REDUCED);
        tcp.set_options_raw(&self.options(packet, ends)).map_err(io::Error::other)?;
        Ok(tcp)
    }

    /// What TCP itself writes comes first, then the congestion header where it has room
    /// (`docs/wire.md`, "Room").
    fn options(&self, packet: &TracedPacket, ends: &Ends) -> Vec<u8> {
        let mut options = self.sack(packet);
        let form = match packet.service {
            Service::Own => &ends.form,
            Service::BestEffort => &ends.best_effort,
        };
        if let Some(form) = form {
            let mut option = [0; MAX_OPTION];
            let length = form.write(packet.header, ROOM - options.len(), &mut option);
            options.extend(&option[..length]);
        }
        options
    }

    /// RFC 2018 section 3, with the usual no-operations before it.
    fn sack(&self, packet: &TracedPacket) -> Vec<u8> {
        let blocks = packet.sacks.iter().filter(|block| block.start < block.end);
        let edges: Vec<u8> = blocks
            .flat_map(|&Block { start, end }| [start, end])
            .flat_map(|edge| self.number(packet, edge).to_be_bytes())
            .collect();
        if edges.is_empty() {
            return edges;
        }
        [&[NO_OPERATION, NO_OPERATION, SACK, 2 + edges.len() as u8], &edges[..]].concat()
    }

    /// TCP's number of the first byte of the flow's packet `nth`, or one past its last byte.
    fn number(&self, packet: &TracedPacket, nth: u64) -> u32 {
        let before = nth.saturating_mul(self.payload);
        let before = packet.size.map_or(before, |size| before.min(size.as_u64()));
        before.wrapping_add(1) as u32
    }
}

impl EncodedPacket {
    fn new(ip: &Ipv4Header, inner: &[u8], data: &[u8]) -> Self {
        let headers = [&ip.to_bytes()[..], inner].concat();
        let length = (headers.len() + data.len()) as u32;
        Self { headers, length }
    }
}

/// A packet of a stream, whose size includes its headers.
fn datagram(packet: &TracedPacket, ends: &Ends) -> io::Result<EncodedPacket> {
    let headers = (Ipv4Header::MIN_LEN + UdpHeader::LEN) as u64;
    let data = zeros(packet.bytes.as_u64().saturating_sub(headers))?;
    let ip = ip(packet, ends, IpNumber::UDP, UdpHeader::LEN + data.len())?;
    let udp = UdpHeader::with_ipv4_checksum(source_port(packet), ends.port, &ip, data);
    Ok(EncodedPacket::new(&ip, &udp.map_err(io::Error::other)?.to_bytes(), data))
}

/// Data of this many bytes.
fn zeros(bytes: u64) -> io::Result<&'static [u8]> {
    let error = || io::Error::other("more data than IPv4 holds");
    ZEROS.get(..bytes as usize).ok_or_else(error)
}

/// The port that a flow or stream comes from.
fn source_port(packet: &TracedPacket) -> u16 {
    let ports = u64::from(u16::MAX) + 1 - FIRST_SOURCE_PORT;
    (FIRST_SOURCE_PORT + packet.index % ports) as u16
}

fn ip(
    packet: &TracedPacket,
    ends: &Ends,
    protocol: IpNumber,
    length: usize,
) -> io::Result<Ipv4Header> {
    let (source, destination) =
        if is_answer(packet.kind) { (ends.to, ends.from) } else { (ends.from, ends.to) };
    let length = u16::try_from(length).map_err(io::Error::other)?;
    let mut ip =
        Ipv4Header::new(length, 64, protocol, source, destination).map_err(io::Error::other)?;
    ip.dont_fragment = true;
    ip.ecn = match packet.ecn {
        ecn if ecn.has(Ecn::EXPERIENCED) => IpEcn::THREE,
        ecn if ecn.has(Ecn::ECT1) => IpEcn::ONE,
        ecn if ecn.has(Ecn::CAPABLE) => IpEcn::TWO,
        _ => IpEcn::ZERO,
    };
    ip.header_checksum = ip.calc_header_checksum();
    Ok(ip)
}

/// 10.0.0.1 for the first node, and so on.
fn address(node: usize) -> [u8; 4] {
    let [_, high, middle, low] = (node as u32 + 1).to_be_bytes();
    [10, high, middle, low]
}

#[cfg(test)]
mod tests {
    use sluice_laws::WireHeader;
    use sluice_laws::wire::Coding;
    use sluice_units::Bytes;

    use super::*;

    const FORM: Form = Form { law: 1, forward: 2, echo: Coding::Rate };

    fn framing() -> Framing {
        let [form, best_effort] = [1, 2].map(|law| Some(Form { law, ..FORM }));
        let (from, to) = (address(0), address(257));
        let ends = Ends { from, to, port: 5001, form, best_effort };
        Framing { payload: 960, header: 40, groups: vec![ends] }
    }

    fn packet(kind: PacketKind, seq: u64) -> TracedPacket {
        TracedPacket {
            group: 0,
            index: 2,
            size: Some(Bytes::new(2000)),
            kind,
            seq,
            bytes: Bytes::new(40),
            ecn: Ecn::NONE,
            service: Service::Own,
            header: WireHeader::new([0, 0, 0, 5]),
            sacks: [Block::default(); 3],
        }
    }

    /// Source and destination, then ports, number, acknowledgement, and what follows of TCP.
    fn parts(packet: &TracedPacket) -> (Vec<u8>, Vec<u8>) {
        let headers = framing().segment(packet).unwrap().headers;
        (headers[12..20].to_vec(), headers[20..].to_vec())
    }

    #[test]
    fn the_last_packet_and_its_acknowledgement_by_hand() {
        let last = TracedPacket { bytes: Bytes::new(120), ..packet(PacketKind::Data, 2) };
        let segment = framing().segment(&last).unwrap();
        assert_eq!(segment.length, 20 + 28 + 80);
        let (addresses, tcp) = parts(&last);
        assert_eq!(addresses, [10, 0, 0, 1, 10, 0, 1, 2]);
        // Port 1026 to 5001, number 1 + 2 * 960, acknowledges 1; seven words of header, ACK.
        let by_hand = [4, 2, 0x13, 0x89, 0, 0, 0x07, 0x81, 0, 0, 0, 1, 0x70, 0x10, 255, 255];
        assert_eq!(tcp[..16], by_hand);

        let (addresses, tcp) = parts(&packet(PacketKind::Ack, 3));
        assert_eq!(addresses, [10, 0, 1, 2, 10, 0, 0, 1]);
        // 1 + 2000, not 1 + 3 * 960.
        let by_hand = [0x13, 0x89, 4, 2, 0, 0, 0, 1, 0, 0, 0x07, 0xD1, 0x70, 0x10, 255, 255];
        assert_eq!(tcp[..16], by_hand);
        assert_eq!(tcp[20..], [253, 8, 0x51, 0xCE, 0x11, 0, 0, 5]);
    }

    #[test]
    fn a_header_gives_way_to_selective_acknowledgements() {
        let block = |start| Block { start, end: start + 1 };
        let header = WireHeader::new([1, 2, 3, 5]);
        let of = |sacks| TracedPacket { sacks, header, size: None, ..packet(PacketKind::Ack, 1) };
        let none = Block::default();
        let lengths = [
            [none; 3],
            [block(3), none, none],
            [block(3), block(5), none],
            [block(3), block(5), block(7)],
        ]
        .map(|sacks| parts(&of(sacks)).1.len() - 20);
        // 40 bytes of options: the full header takes 16, the short one 8 (`docs/wire.md`, "Room").
        assert_eq!(lengths, [16, 12 + 16, 20 + 16, 28 + 8]);
        let (_, tcp) = parts(&of([block(3), none, none]));
        assert_eq!(tcp[20..32], [1, 1, 5, 10, 0, 0, 0x0B, 0x41, 0, 0, 0x0F, 0x01]);
    }

    #[test]
    fn the_law_of_an_option_is_that_of_the_packets_service() {
        for (service, law) in [(Service::Own, 1), (Service::BestEffort, 2)] {
            let (_, tcp) = parts(&TracedPacket { service, ..packet(PacketKind::Data, 0) });
            // Behind the fixed header: kind, length, ExID, then version and law.
            assert_eq!(tcp[24], 1 << 4 | law);
        }
    }

    #[test]
    fn marks_are_those_of_ip_and_tcp() {
        let with =
            |ecn| framing().segment(&TracedPacket { ecn, ..packet(PacketKind::Ack, 1) }).unwrap();
        assert_eq!(with(Ecn::CAPABLE).headers[1], 0b10);
        assert_eq!(with(Ecn::ECT1).headers[1], 0b01);
        assert_eq!(with(Ecn::CAPABLE.with(Ecn::EXPERIENCED)).headers[1], 0b11);
        assert_eq!(with(Ecn::ECHO).headers[33], 0x50);
        assert_eq!(with(Ecn::REDUCED).headers[33], 0x90);
    }
}
