//! The datagrams of the overlay.
//!
//! Numbers are in network byte order.
//!
//! | bytes | field |
//! |---|---|
//! | 2 | the experiment's number, that of NCP's TCP option ([`EXID`]) |
//! | 1 | version, 1 |
//! | 1 | kind: 0 SYN, 1 data, 2 SYN-ACK, 3 ACK |
//! | 4 | flow |
//! | 8 | sequence number of the packet in its flow; of an answer, that of the packet answered |
//! | 8 | nanoseconds on the source's clock when that packet left (as the time stamps of RFC 7323) |
//! | 1 | 1 if the packet left the last link right behind the one before, else 0 |
//! | 1 | index of the node that has the datagram now in the route |
//! | 1 | number of nodes of the route, 2 to 16 |
//! | 2 each | UDP ports of the nodes, from the source to the sink |
//! | 8 or 20 | NCP's option (`docs/wire.md`) |
//! | rest | payload |

use sluice_laws::WireHeader;
use sluice_laws::host::PacketKind;
use sluice_laws::ncp::header::NcpHeader;
use sluice_laws::router::LawHeader as _;
use sluice_laws::wire::option::{EXID, LONGEST};
use sluice_units::Time;

/// The longest datagram that is sent or read, in bytes: the payload of an Ethernet frame.
pub const MAX_LENGTH: usize = 1472;
/// The most nodes of a route, source and sink included.
pub const MAX_NODES: usize = 16;
const VERSION: u8 = 1;
/// Kinds by their number.
const KINDS: [PacketKind; 4] =
    [PacketKind::Syn, PacketKind::Data, PacketKind::SynAck, PacketKind::Ack];

/// A datagram of the overlay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayDatagram {
    /// SYN, data or the answer to either.
    pub kind: PacketKind,
    /// The flow, unique in the overlay.
    pub flow: u32,
    /// The number of the packet in its flow, SYN included; an answer has that of the packet answered.
    pub seq: u64,
    /// When that packet left, on the source's clock.
    pub sent: Time,
    /// Whether it left the last link right behind the packet before it, so that the distance of their
    /// arrivals is the time that the link took for it.
    pub is_behind: bool,
    /// The node that has it now: an index into the route.
    pub at: u8,
    /// UDP ports of the nodes from source to sink. [`OverlayDatagram::decode`] returns 2 to [`MAX_NODES`].
    pub route: Vec<u16>,
    /// NCP's header.
    pub header: WireHeader,
    /// What the application sends.
    pub payload: Vec<u8>,
}

impl OverlayDatagram {
    /// Whether it goes from source to sink.
    pub fn is_forward(&self) -> bool {
        matches!(self.kind, PacketKind::Syn | PacketKind::Data)
    }

    /// The index of the next node of its way; `None` at the end.
    pub fn next(&self) -> Option<u8> {
        let next = if self.is_forward() { self.at.checked_add(1) } else { self.at.checked_sub(1) };
        next.filter(|&next| usize::from(next) < self.route.len())
    }

    /// The sink's answer with this header, at the sink.
    pub fn answer(&self, header: WireHeader) -> Self {
        let kind = match self.kind {
            PacketKind::Syn => PacketKind::SynAck,
            _ => PacketKind::Ack,
        };
        let route = self.route.clone();
        Self { kind, is_behind: false, header, route, payload: Vec::new(), ..*self }
    }

    /// Its length without the payload, in bytes; at most that, since zeros in NCP's header take no room.
    pub fn overhead(nodes: usize) -> usize {
        27 + 2 * nodes + LONGEST
    }

    /// Writes it to `out`, which is cleared first. A route longer than [`MAX_NODES`] is not a datagram that
    /// [`OverlayDatagram::decode`] reads.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let kind = KINDS.iter().position(|&kind| kind == self.kind).unwrap_or(KINDS.len());
        let mut option = [0; LONGEST];
        let length = NcpHeader::FORM.write(self.header, LONGEST, &mut option);
        out.clear();
        out.extend(EXID.to_be_bytes());
        out.extend([VERSION, kind as u8]);
        out.extend(self.flow.to_be_bytes());
        out.extend(self.seq.to_be_bytes());
        out.extend(self.sent.as_nanos().to_be_bytes());
        out.extend([u8::from(self.is_behind), self.at, self.route.len() as u8]);
        out.extend(self.route.iter().flat_map(|port| port.to_be_bytes()));
        out.extend(&option[..length]);
        out.extend(&self.payload);
    }

    /// Reads a datagram; `None` if it is malformed.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut rest = Reader(bytes);
        let is_ours = rest.take()? == EXID.to_be_bytes() && rest.take()? == [VERSION];
        let [kind] = rest.take()?;
        let kind = *KINDS.get(usize::from(kind))?;
        let flow = u32::from_be_bytes(rest.take()?);
        let seq = u64::from_be_bytes(rest.take()?);
        let sent = Time::from_nanos(u64::from_be_bytes(rest.take()?));
        let [behind, at, nodes] = rest.take()?;
        let fits = behind <= 1 && at < nodes && (2..=MAX_NODES).contains(&usize::from(nodes));
        if !(is_ours && fits) {
            return None;
        }
        let ports = (0..nodes).map(|_| rest.take().map(u16::from_be_bytes));
        let route = ports.collect::<Option<Vec<u16>>>()?;
        let header = NcpHeader::FORM.read(rest.0)?;
        // `read` found an option of that length.
        let length = usize::from(*rest.0.get(1)?);
        let payload = rest.0.get(length..)?.to_vec();
        Some(Self { kind, flow, seq, sent, is_behind: behind == 1, at, route, header, payload })
    }
}

/// Bytes that are left to read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn datagrams() -> impl Strategy<Value = OverlayDatagram> {
        let route = prop::collection::vec(any::<u16>(), 2..=MAX_NODES);
        let numbers = (0..KINDS.len(), any::<u32>(), any::<u64>(), any::<u64>(), any::<bool>());
        let payload = prop::collection::vec(any::<u8>(), 0..64);
        (numbers, route, any::<u8>(), any::<[u32; 3]>(), payload).prop_map(
            |((kind, flow, seq, sent, is_behind), route, at, [a, b, c], payload)| OverlayDatagram {
                kind: KINDS[kind],
                flow,
                seq,
                sent: Time::from_nanos(sent),
                is_behind,
                at: at % route.len() as u8,
                route,
                header: WireHeader::new([a, b, c, 5]),
                payload,
            },
        )
    }

    proptest! {
        #[test]
        fn a_datagram_reads_back_as_written(datagram in datagrams()) {
            let mut bytes = Vec::new();
            datagram.encode(&mut bytes);
            prop_assert!(bytes.len() <= OverlayDatagram::overhead(datagram.route.len()) + 64);
            prop_assert_eq!(OverlayDatagram::decode(&bytes), Some(datagram));
        }

        /// Whatever is read is a route that can be followed, and can be written again.
        #[test]
        fn no_bytes_make_decoding_panic(
            datagram in datagrams(),
            noise in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
            cut in any::<prop::sample::Index>(),
            wild in prop::collection::vec(any::<u8>(), 0..120),
        ) {
            OverlayDatagram::decode(&wild);
            let mut bytes = Vec::new();
            datagram.encode(&mut bytes);
            for (at, value) in noise {
                let at = at.index(bytes.len());
                bytes[at] = value;
            }
            for bytes in [&bytes[..], &bytes[..cut.index(bytes.len())]] {
                if let Some(read) = OverlayDatagram::decode(bytes) {
                    prop_assert!(usize::from(read.at) < read.route.len());
                    prop_assert!(read.next().is_none_or(|next| usize::from(next) < read.route.len()));
                    let mut again = Vec::new();
                    read.encode(&mut again);
                    prop_assert_eq!(OverlayDatagram::decode(&again), Some(read));
                }
            }
        }
    }

    #[test]
    fn a_datagram_cut_in_its_header_is_refused() {
        let datagram = OverlayDatagram {
            kind: PacketKind::Data,
            flow: 7,
            seq: 3,
            sent: Time::from_nanos(1),
            is_behind: false,
            at: 0,
            route: vec![1, 2, 3],
            header: WireHeader::new([1, 2, 3, 4]),
            payload: Vec::new(),
        };
        let mut bytes = Vec::new();
        datagram.encode(&mut bytes);
        assert_eq!(bytes.len(), OverlayDatagram::overhead(3));
        assert!((0..bytes.len()).all(|cut| OverlayDatagram::decode(&bytes[..cut]).is_none()));
    }

    #[test]
    fn data_goes_to_the_sink_and_its_answer_back() {
        let mut bytes = Vec::new();
        let data = OverlayDatagram {
            kind: PacketKind::Data,
            flow: 1,
            seq: 0,
            sent: Time::ZERO,
            is_behind: true,
            at: 1,
            route: vec![10, 11, 12],
            header: WireHeader::default(),
            payload: vec![1],
        };
        data.encode(&mut bytes);
        assert_eq!(data.next(), Some(2));
        let sink = OverlayDatagram { at: 2, ..data };
        assert_eq!(sink.next(), None);
        let answer = sink.answer(WireHeader::default());
        assert_eq!(
            (answer.kind, answer.next(), answer.payload.len()),
            (PacketKind::Ack, Some(1), 0)
        );
        assert_eq!(OverlayDatagram { at: 0, ..answer }.next(), None);
    }
}
