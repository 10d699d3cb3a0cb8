//! What the program counts.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use sluice_laws::rcp::router::RcpRouter;
use sluice_laws::wire::Offer;
use sluice_linux::{Device, Ncp, TrafficCounts, monotonic_now};
use sluice_units::{Rate, Span, Time};

use crate::bed::{self, datagram, packet, pass, pass_train};
use crate::namespace::{self, sh};

const ASKS: [u32; 3] = [u32::MAX, 1 << 24, 0];

#[test]
fn all_packets_count_with_all_their_bytes() {
    bed::with(Ncp::Plain, |router| {
        assert_eq!(router.traffic().unwrap(), TrafficCounts::default());
        let datagram = datagram();
        // The kernel takes the packet's length where the wire's is not given.
        pass(router, &datagram, 0, 3);
        let bytes = 3 * datagram.len() as u64;
        assert_eq!(
            router.traffic().unwrap(),
            TrafficCounts { packets: 3, bytes, ..TrafficCounts::default() }
        );
        pass_train(router, &datagram, 65_000, 44, 2);
        let expected =
            TrafficCounts { packets: 91, bytes: bytes + 130_000, ..TrafficCounts::default() };
        assert_eq!(router.traffic().unwrap(), expected);
    });
}

#[test]
fn packets_that_ask_count_by_what_became_of_them() {
    bed::with(Ncp::Plain, |router| {
        let law = router.law::<RcpRouter>().unwrap();
        let cpus = libbpf_rs::num_possible_cpus().unwrap();
        let grant = vec![Offer::granting(Rate::from_bps(1_000_000)); cpus];
        let asks = packet(1, ASKS);
        pass(router, &asks, 1_514, 1);
        law.install(Time::NEVER, &grant).unwrap();
        pass_train(router, &asks, 3_028, 2, 1);
        law.install(monotonic_now() - Span::from_secs(1), &grant).unwrap();
        pass_train(router, &asks, 4_542, 3, 1);
        pass(router, &datagram(), 1_514, 1);
        let expected =
            TrafficCounts { packets: 7, bytes: 10_598, stamped: 2, cut: 3, ungranted: 1 };
        assert_eq!(router.traffic().unwrap(), expected);
    });
}

/// The kernel hands the device up to 64 kB under one header, which each packet will have.
#[test]
fn super_packets_at_a_device_count_as_the_packets_that_they_become() {
    const PAYLOAD: usize = 5_000_000;
    namespace::with(|| {
        bed::with(Ncp::Plain, |router| {
            sh("ip link set lo mtu 1500 up");
            let attached = router.attach(&Device::named("lo").unwrap()).unwrap();
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            // In the namespace, unlike another thread.
            let mut sender = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (mut receiver, _) = listener.accept().unwrap();
            thread::scope(|threads| {
                threads.spawn(|| sender.write_all(&vec![7; PAYLOAD]).unwrap());
                receiver.read_exact(&mut vec![0; PAYLOAD]).unwrap();
            });
            attached.detach().unwrap();
            let counts = router.traffic().unwrap();
            // Of 1448 bytes each, but for few; and acknowledgements, which take the same device.
            assert!((3_454..8_000).contains(&counts.packets), "{counts:?}");
            // Ethernet 14, IP 20, TCP with timestamps 32; some bytes more in SYNs.
            let rest = counts.bytes - PAYLOAD as u64 - 66 * counts.packets;
            // But for segments that a busy machine sends again.
            let rest = rest % 1_448;
            assert!(rest < 200, "{rest} bytes too many: {counts:?}");
        });
    });
}
