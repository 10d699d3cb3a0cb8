//! TCP transfers with and without super-packets.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use sluice_testbed::{DirectionConfig, Link, Namespace};
use sluice_units::Span;

use crate::bed::{B, B6, Bed, alone, delay};

const LENGTH: usize = 8 << 20;

/// Bytes in which each place differs from its neighbours, and each segment from others.
fn content() -> Vec<u8> {
    let mut state = 1_u32;
    let words = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state
    });
    words.take(LENGTH / 4).flat_map(u32::to_be_bytes).collect()
}

/// What host `b`, at this address, gets when host `a` sends `content`.
fn transferred(a: &Namespace, b: &Namespace, address: &str, content: &[u8]) -> Vec<u8> {
    let listener = b.enter(|| TcpListener::bind((address, 0))).unwrap();
    let to = listener.local_addr().unwrap();
    thread::scope(|scope| {
        let receiver = scope.spawn(|| {
            let mut received = Vec::new();
            listener.accept().unwrap().0.read_to_end(&mut received).unwrap();
            received
        });
        let mut sender = a.enter(|| TcpStream::connect(to)).unwrap();
        sender.write_all(content).unwrap();
        drop(sender);
        receiver.join().unwrap()
    })
}

#[test]
fn super_packets_cross_whole_and_intact() {
    let Some(bed) = Bed::new(delay(Span::from_millis(1)), delay(Span::from_millis(1))) else {
        return;
    };
    let content = content();
    for address in [B, B6] {
        let before = bed.link.forward().counters();
        assert!(transferred(&bed.a, &bed.b, address, &content) == content, "{address}");
        let counted = bed.link.forward().counters().since(&before);
        assert!(counted.packets > 4 * counted.frames, "{counted:?}");
        // 1448 or 1428 bytes of payload in frames of 1514 bytes.
        let full = LENGTH as u64 / if address == B { 1_448 } else { 1_428 };
        assert!((full..full + full / 4).contains(&counted.packets), "{counted:?}");
        let overhead = counted.sent.as_f64() / LENGTH as f64;
        assert!((1.045..1.09).contains(&overhead), "{overhead}");
        assert_eq!((counted.dropped_frames, counted.refused_frames), (0, 0));
    }
}

#[test]
fn without_super_packets_each_frame_is_a_packet() {
    let config = DirectionConfig { super_packets: false, ..delay(Span::from_millis(1)) };
    let Some(bed) = Bed::new(config, config) else { return };
    let content = content();
    for address in [B, B6] {
        assert!(transferred(&bed.a, &bed.b, address, &content) == content, "{address}");
    }
    let counted = bed.link.forward().counters();
    assert_eq!(counted.packets, counted.frames);
    assert_eq!(counted.refused_frames, 0);
}

#[test]
fn super_packets_cross_a_router_whole() {
    let Some(_alone) = alone() else { return };
    let [left, router, right] = [(); 3].map(|()| Namespace::new().unwrap());
    router.forward().unwrap();
    let way = delay(Span::from_millis(1));
    let first = Link::new(&left, "r", &router, "left", way, way).unwrap();
    let second = Link::new(&router, "right", &right, "r", way, way).unwrap();
    for (number, (host, device)) in (1..).zip([(&left, "left"), (&right, "right")]) {
        for (net, length) in [(format!("198.18.{number}."), 24), (format!("fd00:{number}::"), 64)] {
            host.add_address("r", &format!("{net}2/{length}")).unwrap();
            router.add_address(device, &format!("{net}1/{length}")).unwrap();
            host.ip(&["route", "add", "default", "via", &format!("{net}1")]).unwrap();
        }
    }
    let content = content();
    for address in ["198.18.2.2", "fd00:2::2"] {
        let before = [&first, &second].map(|link| link.forward().counters());
        assert!(transferred(&left, &right, address, &content) == content, "{address}");
        for (link, before) in [&first, &second].iter().zip(&before) {
            let counted = link.forward().counters().since(before);
            assert!(counted.packets > 4 * counted.frames, "{counted:?}");
        }
    }
}
