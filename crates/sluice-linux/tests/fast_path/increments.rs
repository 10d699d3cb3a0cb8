//! XCP derived from NCP, by hand.

use crate::bed::{self, About, Bed};
use crate::craft::{Packet, V4, full};

/// A factor of one, and one below zero.
const ONE: u64 = 1 << 31 | 31 << 32;
const LESS_ONE: u64 = ONE | 1 << 40;
/// A byte a second in the unit of slopes.
const BYTE: u32 = 256;
/// An RTT of 3 s.
const RTT: u32 = 3 << 28;

/// What is left of a request for packets of `bytes` each, under the grant in force.
#[track_caller]
fn granted(bed: &mut Bed<'_>, x: u32, request: i32, bytes: u32, packets: u16) -> i32 {
    let words = |delta: i32| Packet::new(V4, &[&full(6, [x, RTT, delta as u32])]).bytes();
    let about = About { wire: bytes * u32::from(packets), segments: packets, ..About::default() };
    let (out, _) = bed.pass(&words(request), about);
    let word = out[70..74].try_into().expect("four bytes");
    assert_eq!(words(i32::from_be_bytes(word))[..50], out[..50]);
    i32::from_be_bytes(word)
}

/// (21) as printed: Delta R x_j / d0, up or down, whatever the packet's size.
#[test]
fn equal_changes_go_by_time() {
    bed::with(|bed| {
        bed.install(6, &[ONE, 0, 0, 0], true);
        assert_eq!(granted(bed, 7 * BYTE, 1_000, 1_500, 1), 7);
        assert_eq!(granted(bed, 7 * BYTE, 1_000, 200, 44), 7);
        assert_eq!(granted(bed, 7 * BYTE, 3, 1_500, 1), 3, "no more than asked");
        bed.install(6, &[LESS_ONE, 0, 0, 0], true);
        assert_eq!(granted(bed, 7 * BYTE, 1_000, 1_500, 1), -7);
        assert_eq!(granted(bed, 7 * BYTE, -20, 1_500, 1), -20);
        bed.agrees();
    });
}

/// Delta R by R_j / R: s_j / d0 of it.
#[test]
fn proportional_changes_go_by_bytes() {
    bed::with(|bed| {
        bed.install(6, &[0, ONE, 0, 0], true);
        assert_eq!(granted(bed, 9, 1_000, 5 * BYTE, 1), 5);
        assert_eq!(granted(bed, 1 << 30, 1_000, 5 * BYTE, 44), 5);
        bed.agrees();
    });
}

/// Delta R by R / R_j, of at most 1: R is a byte in two ticks, so that packets of 1000 bytes that are 2000 ticks apart
/// are sent at R.
#[test]
fn changes_towards_the_equal_share_go_by_the_ratio_of_rates() {
    bed::with(|bed| {
        let rate = 1 << 31 | 20_u64 << 32;
        bed.install(6, &[0, 0, ONE, rate], true);
        assert_eq!(granted(bed, 2_048, 1_000, 1_024, 1), 8, "all");
        assert_eq!(granted(bed, 1_024, 1_000, 1_024, 1), 2, "half");
        assert_eq!(granted(bed, 8_192, 1_000, 1_024, 1), 32, "no more than all");
        bed.install(6, &[0, 0, LESS_ONE, rate], true);
        assert_eq!(granted(bed, 1_024, 1_000, 1_024, 44), -2);
        bed.agrees();
    });
}

#[test]
fn what_a_header_cuts_off_is_carried_also_into_a_new_grant() {
    bed::with(|bed| {
        let mut all = Vec::new();
        for _ in 0..4 {
            bed.install(6, &[ONE, 0, 0, 0], true);
            all.extend((0..2).map(|_| granted(bed, BYTE / 4, 1_000, 1_500, 1)));
        }
        assert_eq!(all, [0, 0, 0, 1, 0, 0, 0, 1]);
        bed.agrees();
    });
}

#[test]
fn the_longest_times_and_the_steepest_slopes_saturate() {
    bed::with(|bed| {
        let steepest = u64::from(u32::MAX);
        for request in [i32::MAX, 0, i32::MIN] {
            bed.install(6, &[steepest | 1 << 40, steepest | 1 << 40, 0, 0], true);
            assert_eq!(granted(bed, u32::MAX, request, 1_500, 1), i32::MIN);
            bed.install(6, &[steepest, steepest, 0, 0], true);
            assert_eq!(granted(bed, u32::MAX, request, 1_500, 1), request);
        }
        bed.agrees();
    });
}

/// Who states no rate can have none changed, but may be asked to slow down.
#[test]
fn packets_that_state_nothing_are_granted_no_increase() {
    bed::with(|bed| {
        bed.install(6, &[ONE, ONE, 0, 0], true);
        for [x, rtt] in [[0, RTT], [BYTE, 0], [0, 0]] {
            for (request, left) in [(1_000, 0), (0, 0), (-5, -5_i32 as u32)] {
                let packet = |delta| Packet::new(V4, &[&full(6, [x, rtt, delta])]).bytes();
                let (out, _) = bed.pass(&packet(request as u32), About::default());
                assert_eq!(out, packet(left));
            }
        }
        bed.agrees();
    });
}
