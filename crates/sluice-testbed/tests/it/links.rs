//! What a link emulates, as hosts see it.

use std::net::{TcpListener, TcpStream, UdpSocket};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sluice_testbed::{DirectionConfig, Reordering};
use sluice_units::{Bytes, Rate, Ratio, Span};

use crate::bed::{A, A6, B, B6, Bed, delay, way};

/// Datagrams from the first host to the second: `count` of `payload` bytes each, with their numbers in the
/// first four, spread over `gap` each. Those that arrived, in order.
fn datagrams(bed: &Bed, count: u32, payload: usize, gap: Duration) -> Vec<u32> {
    let receiver = bed.b.enter(|| UdpSocket::bind((B, 0))).unwrap();
    let sender = bed.a.enter(|| UdpSocket::bind((A, 0))).unwrap();
    sender.connect(receiver.local_addr().unwrap()).unwrap();
    // Resolves the address first: only a few packets may wait for that.
    sender.send(&[]).unwrap();
    let mut datagram = vec![0; payload];
    receiver.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    receiver.recv(&mut datagram).unwrap();
    let start = Instant::now();
    for number in 0..count {
        datagram[..4].copy_from_slice(&number.to_be_bytes());
        sender.send(&datagram).unwrap();
        sleep((gap * (number + 1)).saturating_sub(start.elapsed()));
    }
    receiver.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let mut arrived = Vec::new();
    while receiver.recv(&mut datagram).is_ok() {
        arrived.push(u32::from_be_bytes(datagram[..4].try_into().unwrap()));
    }
    arrived
}

#[test]
fn a_handshake_takes_the_delays_of_both_directions() {
    let one_way = Span::from_millis(20);
    let Some(bed) = Bed::new(delay(one_way), delay(one_way)) else { return };
    for address in [B, B6] {
        let listener = bed.b.enter(|| TcpListener::bind((address, 0))).unwrap();
        let address = listener.local_addr().unwrap();
        let times = [(); 5].map(|()| {
            let start = Instant::now();
            bed.a.enter(|| TcpStream::connect(address)).unwrap();
            start.elapsed()
        });
        // Whatever else runs may make some late, the first also resolves the address.
        let best = *times.iter().min().unwrap();
        let range = Duration::from_millis(40)..Duration::from_millis(43);
        assert!(range.contains(&best), "{times:?}");
    }
}

#[test]
fn a_short_buffer_drops_what_exceeds_it() {
    // 10 packets of 1042 bytes, which take 8.3 ms each, and not 11.
    let Some(bed) = Bed::new(way(1, Span::ZERO, 11_000), delay(Span::ZERO)) else { return };
    let before = bed.link.forward().counters();
    let arrived = datagrams(&bed, 100, 1_000, Duration::ZERO);
    let counted = bed.link.forward().counters().since(&before);
    assert_eq!(arrived[..10], (0..10).collect::<Vec<_>>());
    // More only as far as some leave while others are sent.
    assert!(arrived.len() < 60, "{arrived:?}");
    assert_eq!(counted.dropped_packets, 100 - arrived.len() as u64, "{counted:?}");
    assert!(counted.max_queue <= Bytes::new(11_000), "{counted:?}");
}

#[test]
fn losses_are_as_many_as_configured() {
    let lossy = DirectionConfig { loss: Ratio::new(0.01), ..DirectionConfig::default() };
    let Some(bed) = Bed::new(lossy, delay(Span::ZERO)) else { return };
    let before = bed.link.forward().counters();
    let count = 20_000;
    let arrived = datagrams(&bed, count, 100, Duration::from_micros(40)).len() as u64;
    let counted = bed.link.forward().counters().since(&before);
    // Expected 200, with a standard deviation of 14; the socket's own buffer may drop none.
    assert!(counted.lost_packets.abs_diff(200) < 70, "{counted:?}");
    assert!(arrived <= u64::from(count) - counted.lost_packets + 5, "{arrived}, {counted:?}");
    assert_eq!(counted.dropped_packets, 0);
}

#[test]
fn reordered_packets_are_overtaken_and_arrive() {
    let reordering = Reordering { part: Ratio::new(0.1), by: Span::from_millis(5) };
    let config = DirectionConfig { reordering, ..delay(Span::from_millis(1)) };
    let Some(bed) = Bed::new(config, delay(Span::ZERO)) else { return };
    let arrived = datagrams(&bed, 200, 100, Duration::from_micros(500));
    assert_eq!(arrived.len(), 200);
    let overtaken = arrived.windows(2).filter(|pair| pair[0] > pair[1]).count() as u64;
    assert!(overtaken > 0 && overtaken <= bed.link.forward().counters().reordered_frames);
}

#[test]
fn a_running_link_takes_a_new_configuration() {
    let stalled = DirectionConfig { rate: Some(Rate::ZERO), ..DirectionConfig::default() };
    let Some(bed) = Bed::new(delay(Span::ZERO), delay(Span::ZERO)) else { return };
    let receiver = bed.b.enter(|| UdpSocket::bind((B6, 0))).unwrap();
    let sender = bed.a.enter(|| UdpSocket::bind((A6, 0))).unwrap();
    sender.connect(receiver.local_addr().unwrap()).unwrap();
    let mut datagram = [0; 9];
    let mut receive_within = |millis| {
        receiver.set_read_timeout(Some(Duration::from_millis(millis))).unwrap();
        receiver.recv(&mut datagram)
    };
    sender.send(b"first").unwrap();
    // Of what the kernel asks neighbours first, some may be lost and is asked again after a second.
    assert_eq!(receive_within(5_000).unwrap(), 5);
    bed.link.forward().reconfigure(stalled).unwrap();
    sender.send(b"held up").unwrap();
    assert!(receive_within(50).is_err());
    assert!(bed.link.forward().counters().queue > Bytes::ZERO);
    // A thread that waits for nothing is woken up.
    bed.link.forward().reconfigure(delay(Span::ZERO)).unwrap();
    assert_eq!(receive_within(5_000).unwrap(), 7);
}

#[test]
fn a_device_that_is_down_is_counted() {
    let Some(bed) = Bed::new(delay(Span::ZERO), delay(Span::ZERO)) else { return };
    bed.b.ip(&["link", "set", "to-a", "down"]).unwrap();
    let sender = bed.a.enter(|| UdpSocket::bind((A, 0))).unwrap();
    bed.a.ip(&["neigh", "replace", B, "lladdr", "02:00:00:00:00:01", "dev", "to-b"]).unwrap();
    sender.send_to(b"lost", (B, 9)).unwrap();
    let start = Instant::now();
    while bed.link.forward().counters().refused_frames == 0 {
        assert!(start.elapsed() < Duration::from_secs(2));
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_probability_above_one_is_refused() {
    let Some(bed) = Bed::new(delay(Span::ZERO), delay(Span::ZERO)) else { return };
    let wrong = DirectionConfig { loss: Ratio::new(1.5), ..DirectionConfig::default() };
    let error = bed.link.forward().reconfigure(wrong).unwrap_err();
    assert_eq!(error.to_string(), "loss must be from 0 to 1, not 1.5");
}
