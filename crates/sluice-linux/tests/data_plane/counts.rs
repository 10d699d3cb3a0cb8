//! What the program counts.

use sluice_laws::rcp::router::RcpRouter;
use sluice_laws::wire::Offer;
use sluice_linux::{Ncp, TrafficCounts, monotonic_now};
use sluice_units::{Rate, Span, Time};

use crate::bed::{self, datagram, packet, pass, pass_train};

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
