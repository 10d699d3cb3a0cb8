//! The program of hosts for devices: a packet full of selective acknowledgements returns the echo that its socket owes in
//! place of the last block (`docs/wire.md`, "Room"), and all others leave as they came.

use std::mem::MaybeUninit;
use std::ops::Range;

use libbpf_rs::skel::{OpenSkel as _, SkelBuilder as _};
use libbpf_rs::{ErrorKind, MapCore as _, MapFlags, ProgramMut};
use skeleton::{RoomSkel, RoomSkelBuilder};
use sluice_linux::{KernelHost, Ncp, ProgramMemory};

use crate::bed::{self, About};
use crate::craft::{Ip, NOP, Packet, TAG, TIMESTAMPS, V4, V6, sack};
use crate::{checksum, locate};

mod skeleton {
    // As in the crate: libbpf is a C library.
    #![allow(unsafe_code, clippy::all)]
    include!(concat!(env!("OUT_DIR"), "/room.skel.rs"));
}

/// The program, at a socket that owes an echo, and at one without a connection, as hosts load it.
pub struct Room<'place> {
    owing: RoomSkel<'place>,
    host: KernelHost<'place>,
    echo: u32,
    cpu: usize,
    made: u64,
}

/// Runs a test on a new one, unless the kernel rejects the programs.
pub fn with(test: impl FnOnce(&mut Room<'_>)) {
    bed::with_ncp(Ncp::Plain, |bed| {
        let (mut place, mut memory) = (MaybeUninit::uninit(), ProgramMemory::default());
        let owing = RoomSkelBuilder::default().open(&mut place).unwrap().load().unwrap();
        let host = KernelHost::load(&mut memory).unwrap();
        test(&mut Room { owing, host, echo: 0, cpu: bed.cpu, made: 0 });
    });
}

impl Room<'_> {
    /// Passes a packet through both programs; returns whether an echo has taken the place of a block.
    #[track_caller]
    pub fn pass(&mut self, packet: &[u8], about: About) -> bool {
        let expected = expected(packet, self.echo);
        assert_leaves(&self.owing.progs.room, packet, about, &expected);
        assert_leaves(self.host.make_room(), packet, about, packet);
        let is_made = expected != packet;
        self.made += u64::from(is_made);
        if let Some(segment) = locate::segment(packet) {
            let right = checksum::is_right(packet, &segment);
            assert!(!right || checksum::is_right(&expected, &segment), "checksum: {packet:02x?}");
        }
        is_made
    }

    /// What the socket owes from now on: a code of 24 bits.
    pub fn owes(&mut self, echo: u32) {
        self.echo = echo;
        self.owing.maps.bss_data.as_deref_mut().unwrap().owed = echo;
    }

    /// Asserts that the program counted the packets that it changed.
    pub fn agrees(&self) {
        let cpus = self.owing.maps.host_counts.lookup_percpu(&[0; 4], MapFlags::ANY);
        let counts = &cpus.unwrap().unwrap()[self.cpu];
        let made = counts.last_chunk().map(|&bytes| u64::from_ne_bytes(bytes));
        assert_eq!(made, Some(self.made), "of {} bytes", counts.len());
    }
}

#[track_caller]
fn assert_leaves(program: &ProgramMut<'_>, packet: &[u8], about: About, expected: &[u8]) {
    let out = match bed::run(program, packet, about) {
        Err(why) if why.kind() == ErrorKind::InvalidInput && bed::cut_in_ip(packet) => return,
        out => out.unwrap(),
    };
    assert!(
        out == expected,
        "{about:?}\nin       {packet:02x?}\nout      {out:02x?}\nexpected {expected:02x?}"
    );
}

/// The packet as it leaves a host that owes this echo.
fn expected(packet: &[u8], echo: u32) -> Vec<u8> {
    let mut out = packet.to_vec();
    let Some((tcp, sack)) = full_sack(packet).filter(|_| echo != 0) else { return out };
    let [_, a, b, c] = echo.to_be_bytes();
    out[sack.start + 1] -= 8;
    out[sack.end - 8..sack.end].copy_from_slice(&[253, 8, 0x51, 0xCE, 0x11, a, b, c]);
    checksum::correct(packet, &mut out, tcp);
    out
}

/// Where a TCP header behind plain Ethernet and IP ones is, and the SACK option that fills it: three blocks beside timestamps or
/// four without, padded as Linux does.
fn full_sack(packet: &[u8]) -> Option<(usize, Range<usize>)> {
    let segment = locate::segment(packet)?;
    let tcp = segment.tcp;
    let is_plain = match packet[12..14] {
        [0x08, 0x00] => tcp == 34,
        _ => packet[12..14] == [0x86, 0xDD] && tcp == 54,
    };
    let end = tcp + 4 * usize::from(packet.get(tcp + 12)? >> 4);
    let options = packet.get(tcp + 20..end)?;
    let whole = is_plain && end <= segment.end;
    let at = match options {
        [1, 1, 8, 10, _, _, _, _, _, _, _, _, 1, 1, 5, 26, ..] => 14,
        [1, 1, 5, 34, ..] => 2,
        _ => return None,
    };
    let sack = at..at + usize::from(options[at + 1]);
    let fits = whole && sack.end <= options.len();
    fits.then_some((tcp, tcp + 20 + sack.start..tcp + 20 + sack.end))
}

/// Options full of SACK, as Linux writes them.
pub fn full_of_sack(with_timestamps: bool) -> Vec<u8> {
    if with_timestamps {
        return [NOP, NOP, TIMESTAMPS, NOP, NOP, &sack(3)].concat();
    }
    [NOP, NOP, &sack(4)].concat()
}

/// Passes a packet as a socket that owes an echo sends it.
#[track_caller]
fn is_made(packet: &[u8]) -> bool {
    let mut made = None;
    with(|room| {
        room.owes(0xAB_CDEF);
        made = Some(room.pass(packet, About { summed: true, ..About::default() }));
        room.agrees();
    });
    made.unwrap_or_default()
}

fn bytes(ip: Ip, options: &[u8]) -> Vec<u8> {
    Packet::new(ip, &[options]).bytes()
}

#[test]
fn the_last_block_makes_room_for_an_echo() {
    with(|room| {
        for ip in [V4, V6] {
            for options in [true, false].map(full_of_sack) {
                let packet = bytes(ip.clone(), &options);
                for (echo, made) in [(0, false), (1, true), (0xFF_FFFF, true)] {
                    room.owes(echo);
                    assert_eq!(room.pass(&packet, About::default()), made);
                }
            }
        }
        room.agrees();
    });
}

/// Where the headers end is for them to say: a device without scatter-gather, below another, gets data beside them.
#[test]
fn data_that_look_like_sack_stay_as_they_are() {
    for with_timestamps in [true, false] {
        let options = full_of_sack(with_timestamps);
        let timestamps = [NOP, NOP, TIMESTAMPS].concat();
        let kept = if with_timestamps { &timestamps[..] } else { &[] };
        let mut packet = Packet { payload: 40, ..Packet::new(V4, &[kept]) }.bytes();
        packet[54..54 + options.len()].copy_from_slice(&options);
        assert!(!is_made(&packet), "{options:02x?}");
    }
}

#[test]
fn a_fragment_has_no_header() {
    for fragment in [[0x20, 0], [0, 1], [0x1F, 0xFF]] {
        let mut packet = bytes(V4, &full_of_sack(true));
        packet[20..22].copy_from_slice(&fragment);
        assert!(!is_made(&packet), "{fragment:?}");
    }
}

#[test]
fn headers_cut_off_anywhere_pass() {
    with(|room| {
        room.owes(77);
        // The second ends behind its blocks.
        let padded = [full_of_sack(false), vec![1; 4]].concat();
        for (ip, header, options) in [
            (V4, 34 + 60, full_of_sack(true)),
            (V6, 54 + 60, padded.clone()),
            (V4, 34 + 60, padded),
        ] {
            let packet = bytes(ip, &options);
            for length in 14..=packet.len() {
                assert_eq!(room.pass(&packet[..length], About::default()), length >= header);
            }
        }
        room.agrees();
    });
}

#[test]
fn a_header_beyond_what_ip_says_is_there_passes() {
    with(|room| {
        room.owes(77);
        for (ip, at, header) in [(V4, 16, 20 + 60), (V6, 18, 60)] {
            let mut packet = bytes(ip, &full_of_sack(true));
            for length in 1..=header {
                packet[at..at + 2].copy_from_slice(&(length as u16).to_be_bytes());
                assert_eq!(room.pass(&packet, About::default()), length == header, "{length}");
            }
        }
        room.agrees();
    });
}

#[test]
fn other_headers_pass() {
    let full = full_of_sack(true);
    let tagged = Packet { tags: vec![TAG], ..Packet::new(V4, &[&full]) };
    assert!(!is_made(&tagged.bytes()), "a tag");
    assert!(!is_made(&bytes(Ip::V4(vec![1; 4]), &full)), "options of IPv4");
    assert!(!is_made(&bytes(Ip::V6(vec![(60, 0)]), &full)), "an extension of IPv6");
    assert!(!is_made(&bytes(V4, &[NOP, NOP, TIMESTAMPS, NOP, NOP, &sack(2)].concat())), "room");
}
