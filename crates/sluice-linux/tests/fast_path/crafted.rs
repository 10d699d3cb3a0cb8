//! Realistic packets: IPv4 and IPv6, timestamps, SACK, SYNs, super-packets, tags, options and
//! extension headers; and packets that the program must ignore.

use etherparse::{NetSlice, SlicedPacket, TransportSlice};

use crate::bed::{self, About, Bed};
use crate::craft::{
    DESTINATION, HOP_BY_HOP, Ip, MSS, NOP, Packet, ROUTING, SACK_PERMITTED, SERVICE_TAG, TAG,
    TIMESTAMPS, V4, V6, WINDOW_SCALE, full, sack, short,
};
use crate::ledger;
use crate::model::Fate;

/// Requests of the laws' packets below: unlimited, 80 ms and 3 ms.
pub const ASKED: [(u8, [u32; 3]); 5] = [
    (1, [u32::MAX, 21_474_836, 0]),
    (2, [805_306, 21_474_836, 1_000_000]),
    (3, [u32::MAX, 805_306, 21_474_836]),
    (6, [805_306, 21_474_836, 1_000_000]),
    // Data with 64 KiB left, of 80 ms: (1 + 71/256) x 2^24 ticks.
    (7, [u32::MAX, 805_306, ((24 << 8 | 71) + 1) << 18 | ((16 << 5) + 1) << 7 | 64]),
];

/// Grants that change these requests. XCP takes more than it gives; NCP compensates beyond 10 ms, if it does.
pub fn install_grants(bed: &mut Bed<'_>) {
    bed.install(1, &[123_456], true);
    bed.install(3, &[654_321, 1_000_000, 2_684_354, 0], true);
    let factor = |mantissa: u64, shift: u64| mantissa | shift << 32;
    bed.install(2, &[1 << 40, 1 << 40, factor(3 << 30, 32), factor(3 << 30, 20)], true);
    bed.install(
        6,
        &[
            factor(3 << 30, 36),
            factor(3 << 30, 30) | 1 << 40,
            factor(3 << 30, 40),
            factor(1 << 31, 30),
        ],
        true,
    );
    bed.install(7, &ledger::GRANT, true);
}

/// Passes the packet with and without the network card's checksum, and compares the checksum with
/// etherparse's.
#[track_caller]
fn pass(bed: &mut Bed<'_>, packet: &Packet, about: About) -> Fate {
    let bytes = packet.bytes();
    let (_, summed) = bed.pass(&bytes, About { summed: true, ..about });
    let (out, fate) = bed.pass(&bytes, about);
    assert_eq!(summed, fate);
    if packet.tags.len() <= 2 {
        verify(&out);
    }
    bed.agrees();
    fate
}

/// The checksum by `etherparse`.
#[track_caller]
fn verify(bytes: &[u8]) {
    let sliced = SlicedPacket::from_ethernet(bytes).unwrap();
    let Some(TransportSlice::Tcp(tcp)) = &sliced.transport else { panic!("no TCP") };
    let (header, payload) = (tcp.to_header(), tcp.payload());
    let expected = match sliced.net {
        Some(NetSlice::Ipv4(ip)) => header.calc_checksum_ipv4(&ip.header().to_header(), payload),
        Some(NetSlice::Ipv6(ip)) => header.calc_checksum_ipv6(&ip.header().to_header(), payload),
        _ => panic!("no IP"),
    };
    assert_eq!(header.checksum, expected.unwrap(), "checksum");
}

/// Runs a test on programs with those grants.
fn granting(test: impl Fn(&mut Bed<'_>)) {
    bed::with(|bed| {
        install_grants(bed);
        test(bed);
    });
}

/// Passes a packet of each law, made by `packet` from its option, over both IP versions.
#[track_caller]
fn each_law(bed: &mut Bed<'_>, packet: impl Fn(Ip, &[u8]) -> Packet, about: About, fate: Fate) {
    for ip in [V4, V6] {
        for (law, words) in ASKED {
            let packet = packet(ip.clone(), &full(law, words));
            assert_eq!(pass(bed, &packet, about), fate, "{packet:?}");
        }
    }
}

#[test]
fn data_with_and_without_timestamps() {
    granting(|bed| {
        let with = |ip, option: &[u8]| Packet::new(ip, &[NOP, NOP, TIMESTAMPS, option]);
        each_law(bed, with, About::default(), Fate::Stamped);
        let without = |ip, option: &[u8]| Packet::new(ip, &[option]);
        each_law(bed, without, About::default(), Fate::Stamped);
        let bare = |ip, option: &[u8]| Packet { payload: 0, ..Packet::new(ip, &[option]) };
        each_law(bed, bare, About::default(), Fate::Stamped);
    });
}

#[test]
fn an_option_at_any_offset() {
    granting(|bed| {
        for nops in 0..=20 {
            let behind = |ip, option: &[u8]| Packet::new(ip, &[&[1; 40][..nops], option]);
            each_law(bed, behind, About::default(), Fate::Stamped);
        }
    });
}

#[test]
fn beside_sack_blocks_as_they_fit() {
    granting(|bed| {
        for (law, words) in ASKED {
            let (full, short) = (full(law, words), short(law));
            for ip in [V4, V6] {
                for blocks in 1..=2 {
                    let packet = Packet::new(ip.clone(), &[NOP, NOP, &sack(blocks), &full]);
                    assert_eq!(pass(bed, &packet, About::default()), Fate::Stamped);
                    let two = [NOP, NOP, TIMESTAMPS, NOP, NOP, &sack(blocks), &short];
                    let packet = Packet::new(ip.clone(), &two);
                    assert_eq!(pass(bed, &packet, About::default()), Fate::Passed);
                }
                let three = Packet::new(ip.clone(), &[NOP, NOP, &sack(3), &short]);
                assert_eq!(pass(bed, &three, About::default()), Fate::Passed);
                let no_room = Packet::new(ip, &[NOP, NOP, TIMESTAMPS, NOP, NOP, &sack(3)]);
                assert_eq!(pass(bed, &no_room, About::default()), Fate::Passed);
            }
        }
        let beside = [NOP, NOP, TIMESTAMPS, NOP, NOP, &sack(1), &full(1, ASKED[0].1)];
        assert_eq!(pass(bed, &Packet::new(V4, &beside), About::default()), Fate::Stamped);
    });
}

#[test]
fn syns_are_treated_as_any_packet() {
    granting(|bed| {
        let linux = [MSS, SACK_PERMITTED, TIMESTAMPS, NOP, WINDOW_SCALE].concat();
        assert_eq!(linux.len(), 20);
        let syn = |ip, option: &[u8]| Packet {
            syn: true,
            payload: 0,
            ..Packet::new(ip, &[&linux, option])
        };
        each_law(bed, syn, About::default(), Fate::Stamped);
    });
}

#[test]
fn super_packets_count_as_their_segments() {
    granting(|bed| {
        let data = |ip, option: &[u8]| Packet {
            payload: 1_448,
            ..Packet::new(ip, &[NOP, NOP, TIMESTAMPS, option])
        };
        for (wire, segments) in [(0, 1), (3_028, 2), (4_542, 3), (65_000, 44), (65_536, 65_535)] {
            each_law(bed, data, About { wire, segments, ..About::default() }, Fate::Stamped);
        }
    });
}

#[test]
fn behind_vlan_tags_two_deep() {
    granting(|bed| {
        for tags in [vec![TAG], vec![SERVICE_TAG], vec![SERVICE_TAG, TAG], vec![TAG, TAG]] {
            let tagged = |ip, option: &[u8]| Packet {
                tags: tags.clone(),
                ..Packet::new(ip, &[NOP, NOP, TIMESTAMPS, option])
            };
            each_law(bed, tagged, About::default(), Fate::Stamped);
        }
        let three = |ip, option: &[u8]| Packet { tags: vec![TAG; 3], ..Packet::new(ip, &[option]) };
        each_law(bed, three, About::default(), Fate::Passed);
    });
}

#[test]
fn behind_ip_options() {
    granting(|bed| {
        for length in (4..=40).step_by(4) {
            let behind = |_, option: &[u8]| Packet::new(Ip::V4(vec![1; length]), &[NOP, option]);
            each_law(bed, behind, About::default(), Fate::Stamped);
        }
    });
}

#[test]
fn behind_extension_headers() {
    granting(|bed| {
        let (hop, route, to) = ((HOP_BY_HOP, 0), (ROUTING, 2), (DESTINATION, 1));
        for headers in [vec![hop], vec![route], vec![to], vec![hop, to, route, to]] {
            let behind = |_, option: &[u8]| Packet::new(Ip::V6(headers.clone()), &[option, NOP]);
            each_law(bed, behind, About::default(), Fate::Stamped);
        }
        let option = full(1, ASKED[0].1);
        for (headers, fate) in [(6, Fate::Stamped), (7, Fate::Passed)] {
            let packet = Packet::new(Ip::V6(vec![to; headers]), &[&option]).bytes();
            assert_eq!(bed.pass(&packet, About::default()).1, fate, "{headers} headers");
        }
        let long = Packet::new(Ip::V6(vec![(DESTINATION, 255)]), &[&option]).bytes();
        assert_eq!(bed.pass(&long, About::default()).1, Fate::Stamped);
    });
}

#[test]
fn fragments_and_other_protocols_pass() {
    granting(|bed| {
        let four = Packet::new(V4, &[NOP, NOP, TIMESTAMPS, &full(1, ASKED[0].1)]).bytes();
        let six = Packet::new(V6, &[NOP, NOP, TIMESTAMPS, &full(1, ASKED[0].1)]).bytes();
        // Byte 20 of an IPv4 packet has the flags: reserved, do not fragment, more fragments.
        for (flags, fate) in [
            ([0x40, 0], Fate::Stamped),
            ([0x80, 0], Fate::Stamped),
            ([0x20, 0], Fate::Passed),
            ([0, 1], Fate::Passed),
            ([0x1F, 0xFF], Fate::Passed),
        ] {
            let mut packet = four.clone();
            packet[20..22].copy_from_slice(&flags);
            assert_eq!(bed.pass(&packet, About::default()).1, fate, "{flags:02x?}");
        }
        let fragment = Packet::new(Ip::V6(vec![(44, 0)]), &[&full(1, ASKED[0].1)]).bytes();
        assert_eq!(bed.pass(&fragment, About::default()).1, Fate::Passed);
        // UDP, ICMP, ICMPv6, GRE, ESP, AH, no next header, SCTP.
        for protocol in [17, 1, 58, 47, 50, 51, 59, 132] {
            for (packet, at) in [(&four, 23), (&six, 20)] {
                let mut packet = packet.clone();
                packet[at] = protocol;
                assert_eq!(bed.pass(&packet, About::default()).1, Fate::Passed, "{protocol}");
            }
        }
        // ARP, MPLS, a length of IEEE 802.3, another kind of tag.
        for ether_type in [0x0806_u16, 0x8847, 0x0100, 0x9100] {
            let mut packet = four.clone();
            packet[12..14].copy_from_slice(&ether_type.to_be_bytes());
            assert_eq!(bed.pass(&packet, About::default()).1, Fate::Passed, "{ether_type:04x}");
        }
        bed.agrees();
    });
}

#[test]
fn super_packets_of_more_than_64_kb_have_length_zero() {
    granting(|bed| {
        for (ip, length) in [(V4, 16..18), (V6, 18..20)] {
            let mut packet = Packet::new(ip, &[&full(1, ASKED[0].1)]).bytes();
            packet[length].fill(0);
            let about = About { wire: 65_536, segments: 45, summed: false };
            assert_eq!(bed.pass(&packet, about).1, Fate::Stamped);
        }
        bed.agrees();
    });
}
