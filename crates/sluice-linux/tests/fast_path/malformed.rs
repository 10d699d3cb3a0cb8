//! Truncated packets and invalid options, which must pass unchanged.

use crate::bed::{self, About, Bed};
use crate::craft::{Ip, NOP, Packet, TAG, TIMESTAMPS, V4, V6, full, short};
use crate::crafted::{ASKED, install_grants};
use crate::model::Fate;

/// Offset of the TCP header of a plain IPv4 packet.
const TCP: usize = 34;

#[track_caller]
fn passes(bed: &mut Bed<'_>, packet: &[u8]) {
    assert_eq!(bed.pass(packet, About::default()), (packet.to_vec(), Fate::Passed));
}

#[test]
fn cut_off_anywhere() {
    let route = Ip::V6(vec![(43, 0)]);
    let tagged = Packet { tags: vec![TAG], ..Packet::new(V4, &[&full(2, ASKED[1].1)]) };
    let packets = [
        (34, Packet::new(V4, &[NOP, NOP, TIMESTAMPS, &full(1, ASKED[0].1)])),
        (54, Packet::new(V6, &[NOP, NOP, TIMESTAMPS, &full(2, ASKED[1].1)])),
        (58, Packet::new(Ip::V4(vec![1; 24]), &[&full(3, ASKED[2].1)])),
        (62, Packet::new(route, &[&full(3, ASKED[2].1)])),
        (38, tagged),
        (54, Packet::new(V6, &[&full(6, ASKED[3].1)])),
        (34, Packet::new(V4, &[&full(7, ASKED[4].1)])),
        (54, Packet::new(V6, &[&full(7, [u32::MAX, 0, 1 << 31 | 9])])),
    ];
    bed::with(|bed| {
        install_grants(bed);
        for (tcp, packet) in &packets {
            let header = tcp + 20 + packet.options.len();
            let bytes = packet.bytes();
            for length in 14..=bytes.len() {
                let (_, fate) = bed.pass(&bytes[..length], About::default());
                let whole = length >= header;
                assert_eq!(fate, if whole { Fate::Stamped } else { Fate::Passed }, "{length}");
            }
        }
        bed.agrees();
    });
}

#[test]
fn a_header_beyond_what_ip_says_is_there() {
    bed::with(|bed| {
        install_grants(bed);
        let options: &[&[u8]] = &[NOP, NOP, TIMESTAMPS, &full(1, ASKED[0].1)];
        for (ip, at, header) in [(V4, 16, 20 + 48), (V6, 18, 48)] {
            let packet = Packet::new(ip, options).bytes();
            for length in 1..=header {
                let mut short = packet.clone();
                short[at..at + 2].copy_from_slice(&(length as u16).to_be_bytes());
                let (_, fate) = bed.pass(&short, About::default());
                let whole = length == header;
                assert_eq!(fate, if whole { Fate::Stamped } else { Fate::Passed }, "{length}");
            }
        }
        bed.agrees();
    });
}

#[test]
fn every_header_length() {
    bed::with(|bed| {
        install_grants(bed);
        let packet =
            Packet { payload: 0, ..Packet::new(V4, &[&full(1, ASKED[0].1), NOP, TIMESTAMPS]) };
        let packet = packet.bytes();
        assert_eq!(packet.len(), TCP + 48);
        for words in 0..16_u8 {
            let mut changed = packet.clone();
            changed[TCP + 12] = words << 4;
            let (_, fate) = bed.pass(&changed, About::default());
            let fits = (9..=12).contains(&words);
            assert_eq!(fate, if fits { Fate::Stamped } else { Fate::Passed }, "{words} words");
        }
        for first in 0..=255_u8 {
            let mut changed = packet.clone();
            changed[14] = first;
            bed.pass(&changed, About::default());
        }
        bed.agrees();
    });
}

/// A packet for the fast path, if IP headers of 16 bytes were valid.
#[test]
fn an_ip_header_that_is_too_short() {
    bed::with(|bed| {
        install_grants(bed);
        let mut packet = Packet::new(V4, &[&full(1, ASKED[0].1)]).bytes();
        packet.drain(TCP - 4..TCP);
        packet[14] = 0x44;
        passes(bed, &packet);
        bed.agrees();
    });
}

#[test]
fn every_byte_of_an_option_in_every_value() {
    bed::with(|bed| {
        install_grants(bed);
        for (law, words) in ASKED {
            let packet = Packet::new(V4, &[NOP, &full(law, words), NOP, NOP, NOP]).bytes();
            for at in TCP + 20..TCP + 20 + 9 {
                for value in 0..=255 {
                    let mut changed = packet.clone();
                    changed[at] = value;
                    bed.pass(&changed, About::default());
                }
            }
        }
        bed.agrees();
    });
}

#[test]
fn what_a_router_does_not_know() {
    let good = full(1, ASKED[0].1);
    let with = |at: usize, value: u8| {
        let mut option = good.clone();
        option[at] = value;
        option
    };
    let wrong = [
        ("kind", with(0, 254)),
        ("length 0", with(1, 0)),
        ("length 1", with(1, 1)),
        ("length 7", with(1, 7)),
        ("length 15", with(1, 15)),
        ("length of another law", with(1, 20)),
        ("length beyond the header", with(1, 41)),
        ("experiment", with(2, 0x52)),
        ("experiment's second byte", with(3, 0xCF)),
        ("version 0", with(4, 0x01)),
        ("version 2", with(4, 0x21)),
        ("law 0", with(4, 0x10)),
        ("law 4", with(4, 0x14)),
        ("a law whose options are longer", with(4, 0x12)),
        ("the short option", short(1)),
    ];
    bed::with(|bed| {
        install_grants(bed);
        for (what, option) in &wrong {
            for ip in [V4, V6] {
                let packet = Packet::new(ip, &[option]).bytes();
                assert_eq!(bed.pass(&packet, About::default()).1, Fate::Passed, "{what}");
            }
        }
        bed.agrees();
    });
}

#[test]
fn the_first_of_several_counts() {
    let [rcp, xcp, ..] = ASKED.map(|(law, words)| full(law, words));
    bed::with(|bed| {
        install_grants(bed);
        // The second option is the same, so that stamping it would show.
        let twice = Packet::new(V4, &[&rcp, &rcp]).bytes();
        let (out, fate) = bed.pass(&twice, About::default());
        assert_eq!((fate, &out[TCP + 36..TCP + 52]), (Fate::Stamped, &rcp[..]));
        let (out, fate) = bed.pass(&Packet::new(V4, &[&rcp, &xcp]).bytes(), About::default());
        assert_eq!((fate, &out[TCP + 36..TCP + 56]), (Fate::Stamped, &xcp[..]));
        passes(bed, &Packet::new(V4, &[&short(1), &rcp]).bytes());
        passes(bed, &Packet::new(V4, &[&short(2), &rcp]).bytes());
        // The end-of-options option hides what follows; an unknown one does not.
        passes(bed, &Packet::new(V4, &[&[0], &rcp]).bytes());
        let foreign = [253, 4, 0x12, 0x34];
        let unknown = Packet::new(V4, &[&foreign, &rcp]).bytes();
        assert_eq!(bed.pass(&unknown, About::default()).1, Fate::Stamped);
        let mut version = short(1);
        version[4] = 0x21;
        let newer = Packet::new(V4, &[&version, &rcp]).bytes();
        assert_eq!(bed.pass(&newer, About::default()).1, Fate::Stamped);
        bed.agrees();
    });
}
