//! NCP's compensation, against equations (14) and (15) in floating point.

use sluice_linux::Ncp;

use crate::bed::{self, About, Bed};
use crate::craft::{Packet, V6, full};

const SECOND: f64 = (1_u32 << 28) as f64;
/// d0, 40 ms.
const D: f64 = 0.04;
/// alpha C in bits a second.
const MOST: f64 = 25e9;

fn install(bed: &mut Bed<'_>, rate: f64, most: f64) {
    bed.install(3, &[(rate / 100.0) as u64, (most / 100.0) as u64, ticks(D).into()], true);
}

fn ticks(seconds: f64) -> u32 {
    (seconds * SECOND).round() as u32
}

/// What a flow is granted whose packets of `bytes` state that they are `x` apart, in bits a second.
#[track_caller]
fn granted(bed: &mut Bed<'_>, x: u32, rtt: f64, bytes: u32, packets: u16) -> f64 {
    let packet = Packet::new(V6, &[&full(3, [u32::MAX, x, ticks(rtt)])]).bytes();
    let about = About { wire: bytes * u32::from(packets), segments: packets, ..About::default() };
    let (out, _) = bed.pass(&packet, about);
    f64::from(u32::from_be_bytes(out[82..86].try_into().expect("four bytes"))) * 100.0
}

/// (14) and (15), R + (R - R_k) (RTT_k - d) / RTT_k for RTT_k > d, within a header's least rate and alpha C.
fn by_paper(rate: f64, now: f64, rtt: f64) -> f64 {
    let late = ((rtt - D) / rtt).max(0.0);
    (rate + (rate - now) * late).clamp(100.0, MOST.max(rate))
}

#[test]
fn flows_are_granted_what_the_equations_say() {
    bed::with_ncp(Ncp::Compensated, |bed| {
        // At 40 Gb/s R is above alpha C, as after a fall of capacity.
        for rate in [64e3, 1e6, 10e6, 1e9, 10e9, 24e9, 40e9] {
            install(bed, rate, MOST);
            for now in [rate / 50.0, rate / 2.0, rate, 1.5 * rate, 2.5 * rate] {
                for rtt in [10e-6, D / 2.0, D, 1.1 * D, 0.1, 0.4, 3.0] {
                    for (bytes, packets) in [(1_500, 1), (1_500, 43), (300, 200)] {
                        let x = ticks(f64::from(bytes) * 8.0 / now);
                        let stated = f64::from(bytes) * 8.0 * SECOND / f64::from(x);
                        let found = granted(bed, x, rtt, bytes, packets);
                        let expected = by_paper(rate, stated, rtt);
                        // R_k, its part and the grant are rounded to 100 b/s, the grant to 20 bits.
                        let close = (found - expected).abs() <= 300.0 + 4e-6 * (rate + now);
                        assert!(close, "{rate} {now} {rtt}: {found}, not {expected}");
                    }
                }
            }
        }
        bed.agrees();
    });
}

/// R at both ends, 100 b/s and the 429 Gb/s that a header can grant: a flow is granted neither less than the one nor more
/// than all of a link.
#[test]
fn the_least_and_the_greatest_rate() {
    let greatest = u32::MAX >> 12 << 12;
    bed::with_ncp(Ncp::Compensated, |bed| {
        for rtt in [10e-6, D, 0.1, 3.0, 15.9] {
            for x in [1, 2_684, 1 << 28, u32::MAX] {
                for rate in [1, greatest] {
                    bed.install(3, &[rate.into(), rate.into(), ticks(D).into()], true);
                    let packet = |word| Packet::new(V6, &[&full(3, [word, x, ticks(rtt)])]).bytes();
                    let out = bed.pass(&packet(u32::MAX), About::default()).0;
                    assert_eq!(out, packet(rate), "{rtt} {x}");
                    assert_eq!(bed.pass(&packet(0), About::default()).0, packet(0));
                }
            }
        }
        bed.agrees();
    });
}

/// A SYN states no rate, and a flow up to an RTT of d0 needs no compensation.
#[test]
fn others_are_granted_the_rate_for_all() {
    bed::with_ncp(Ncp::Compensated, |bed| {
        install(bed, 10e6, MOST);
        for (x, rtt) in [(0, ticks(3.0)), (7, 0), (1 << 20, 1), (1 << 20, ticks(D))] {
            let packet = |word| Packet::new(V6, &[&full(3, [word, x, rtt])]).bytes();
            let (out, _) = bed.pass(&packet(u32::MAX), About::default());
            assert_eq!(out, packet(100_000));
        }
        bed.agrees();
    });
}
