//! The virtual queue, under packets in real time: what came less capacity x time.

use std::ops::RangeInclusive;
use std::thread;
use std::time::Duration;

use sluice_linux::{Error, KernelRouter, Ncp, monotonic_now};
use sluice_units::{Bytes, Rate, Span, Time};

use crate::bed::{self, datagram, pass, pass_train};

const UNBOUNDED: Bytes = Bytes::MAX;
const KBPS: u64 = 1_000;
const MBPS: u64 = 1_000_000;
const GBPS: u64 = 1_000_000_000;

/// What is left of bytes that came within `since` and now, with 100 us for each CPU and a byte of rounding.
fn left(bytes: u64, capacity: Rate, since: Time, now: Time) -> RangeInclusive<u64> {
    let cpus = libbpf_rs::num_possible_cpus().unwrap() as u64;
    let drained = capacity.bytes_in(now.since(since) + Span::from_micros(100) * cpus).as_u64() + 2;
    bytes.saturating_sub(drained)..=bytes + 1
}

fn queue(router: &KernelRouter<'_>) -> u64 {
    router.virtual_queue(monotonic_now()).unwrap().now.as_u64()
}

#[test]
fn a_burst_waits_and_drains_at_the_capacity() {
    bed::with(Ncp::Plain, |router| {
        for capacity in [KBPS, MBPS, 100 * MBPS, 10 * GBPS, 400 * GBPS].map(Rate::from_bps) {
            // About 20 ms of transmission, and one packet at least.
            let packets = (capacity.as_bps() / (50 * 8 * 1_514)).clamp(1, 1_000_000) as u32;
            router.set_virtual_queue(capacity, UNBOUNDED).unwrap();
            let was = queue(router);
            let start = monotonic_now();
            pass(router, &datagram(), 1_514, packets);
            for _ in 0..5 {
                let at = monotonic_now();
                let is = router.virtual_queue(at).unwrap().now.as_u64();
                let expected = left(was + 1_514 * u64::from(packets), capacity, start, at);
                assert!(expected.contains(&is), "{capacity}: {is} not in {expected:?}");
                thread::sleep(Duration::from_millis(2));
            }
            // What follows begins with an empty queue.
            router.set_virtual_queue(Rate::from_bps(100 * MBPS), Bytes::ZERO).unwrap();
            assert_eq!(queue(router), 0);
        }
    });
}

#[test]
fn super_packets_count_with_all_their_bytes() {
    bed::with(Ncp::Plain, |router| {
        for capacity in [KBPS, 10 * GBPS].map(Rate::from_bps) {
            router.set_virtual_queue(capacity, UNBOUNDED).unwrap();
            let start = monotonic_now();
            let trains = if capacity.as_bps() == KBPS { 5 } else { 1_000 };
            pass_train(router, &datagram(), 65_536, 45, trains);
            let at = monotonic_now();
            let is = router.virtual_queue(at).unwrap().now.as_u64();
            let expected = left(65_536 * u64::from(trains), capacity, start, at);
            assert!(expected.contains(&is), "{capacity}: {is} not in {expected:?}");
            router.set_virtual_queue(capacity, Bytes::ZERO).unwrap();
        }
    });
}

/// 10 Mb/s send 12.5 kB in 10 ms.
#[test]
fn the_least_queue_is_what_packets_found_between_bursts() {
    bed::with(Ncp::Plain, |router| {
        let capacity = Rate::from_bps(10 * MBPS);
        router.set_virtual_queue(capacity, UNBOUNDED).unwrap();
        let begun = |packets| {
            router.begin_queue_interval();
            let start = monotonic_now();
            pass(router, &datagram(), 1_514, packets);
            start
        };
        // The first packet finds nothing, although 151 kB wait in the end.
        begun(100);
        let first = router.virtual_queue(monotonic_now()).unwrap();
        assert!(first.now > Bytes::new(100_000) && first.least == Bytes::ZERO, "{first:?}");
        // The next burst finds what is left.
        thread::sleep(Duration::from_millis(10));
        let before = queue(router);
        let start = begun(20);
        let second = router.virtual_queue(monotonic_now()).unwrap();
        assert!(
            left(before, capacity, start, start).contains(&second.least.as_u64()),
            "{second:?}"
        );
        assert!(second.now > second.least + Bytes::new(20_000), "{second:?}");
        // Nobody found anything: the least is what there is.
        let idle = begun(0);
        let third = router.virtual_queue(idle + Span::from_millis(20)).unwrap();
        assert_eq!(third.least, third.now);
        // It is no more than what there is, when that has fallen since.
        begun(1);
        let end = router.virtual_queue(monotonic_now() + Span::from_secs(1)).unwrap();
        assert_eq!((end.least, end.now), (Bytes::ZERO, Bytes::ZERO));
    });
}

/// Packets collected on a CPU, of fewer bytes than it folds, are a queue only while they take to send. (Those of another
/// CPU may be seen later than they came.)
#[test]
fn a_link_below_its_capacity_has_no_queue() {
    bed::with(Ncp::Plain, |router| {
        bed::keep_to_a_cpu();
        router.set_virtual_queue(Rate::from_bps(10 * GBPS), UNBOUNDED).unwrap();
        let mut most = 0;
        for _ in 0..2_000 {
            // 4 kB each 50 us or more are 640 Mb/s at most.
            pass(router, &datagram(), 4_000, 1);
            thread::sleep(Duration::from_micros(10));
            most = most.max(queue(router));
        }
        assert!(most <= 8_000, "{most} bytes");
    });
}

#[test]
fn all_cpus_share_one_queue() {
    bed::with(Ncp::Plain, |router| {
        // One on which packets are folded as they come, and one on which CPUs collect them.
        for capacity in [MBPS, GBPS].map(Rate::from_bps) {
            router.set_virtual_queue(capacity, UNBOUNDED).unwrap();
            let start = monotonic_now();
            thread::scope(|threads| {
                for _ in 0..4 {
                    threads.spawn(|| pass(router, &datagram(), 1_514, 20_000));
                }
            });
            let at = monotonic_now();
            let is = router.virtual_queue(at).unwrap().now.as_u64();
            let expected = left(4 * 20_000 * 1_514, capacity, start, at);
            assert!(expected.contains(&is), "{capacity}: {is} not in {expected:?}");
            router.set_virtual_queue(capacity, Bytes::ZERO).unwrap();
        }
    });
}

#[test]
fn it_holds_no_more_than_its_limit() {
    bed::with(Ncp::Plain, |router| {
        for capacity in [KBPS, 10 * MBPS].map(Rate::from_bps) {
            router.set_virtual_queue(capacity, Bytes::new(20_000)).unwrap();
            let start = monotonic_now();
            pass(router, &datagram(), 1_514, 100);
            let at = monotonic_now();
            let is = router.virtual_queue(at).unwrap().now.as_u64();
            let expected = left(20_000, capacity, start, at);
            assert!(expected.contains(&is), "{capacity}: {is} not in {expected:?}");
        }
    });
}

#[test]
fn a_change_of_capacity_leaves_the_bytes_in_it() {
    bed::with(Ncp::Plain, |router| {
        router.set_virtual_queue(Rate::from_bps(10 * MBPS), UNBOUNDED).unwrap();
        let start = monotonic_now();
        pass(router, &datagram(), 1_514, 200);
        // 302 kB, which the fastest of these would send in 6 ms.
        for mbps in [100, 1, 400, 50] {
            router.set_virtual_queue(Rate::from_bps(mbps * MBPS), UNBOUNDED).unwrap();
        }
        let at = monotonic_now();
        let is = router.virtual_queue(at).unwrap().now.as_u64();
        let expected = left(302_800, Rate::from_bps(400 * MBPS), start, at);
        assert!(expected.contains(&is), "{is} not in {expected:?}");
    });
}

#[test]
fn there_is_none_before_the_capacity_is_known() {
    bed::with(Ncp::Plain, |router| {
        pass(router, &datagram(), 1_514, 1_000);
        assert_eq!(queue(router), 0);
        router.set_virtual_queue(Rate::from_bps(KBPS), UNBOUNDED).unwrap();
        assert_eq!(queue(router), 0);
        pass(router, &datagram(), 1_514, 1);
        assert!((1_512..=1_515).contains(&queue(router)));
    });
}

#[test]
fn capacities_beyond_the_arithmetic_are_refused() {
    bed::with(Ncp::Plain, |router| {
        for bps in [0, 999, 400 * GBPS + 1] {
            let capacity = Rate::from_bps(bps);
            let refused = router.set_virtual_queue(capacity, UNBOUNDED).unwrap_err();
            assert!(matches!(refused, Error::Capacity(of) if of == capacity), "{refused}");
        }
    });
}
