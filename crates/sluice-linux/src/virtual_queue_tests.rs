use super::*;

const RATES: [u64; 6] =
    [1_000, 1_000_000, 100_000_000, 10_000_000_000, 123_456_789_012, 400_000_000_000];

fn queue(bps: u64, limit: u64) -> VirtualQueue {
    VirtualQueue::new(Rate::from_bps(bps), Bytes::new(limit))
}

/// By the definition, in floating point: what came less capacity x time, at least 0.
struct Model {
    bytes: f64,
    at: u64,
    per_ns: f64,
}

impl Model {
    fn drain(&mut self, now: u64) {
        self.bytes = (self.bytes - (now - self.at) as f64 * self.per_ns).max(0.0);
        self.at = now;
    }
}

#[test]
fn it_holds_what_came_less_capacity_times_time() {
    for bps in RATES {
        for train in [64, 1_514, 65_536, 512 << 10] {
            let mut queue = queue(bps, u64::MAX);
            let mut model = Model { bytes: 0.0, at: 0, per_ns: bps as f64 / 8e9 };
            let time = (train as f64 / model.per_ns) as u64;
            let mut now = 1_000;
            // Twice as fast as it drains, then half as fast.
            for gap in [vec![time / 2; 500], vec![time * 2; 400]].concat() {
                now += gap;
                model.drain(now);
                queue.add(now, train);
                model.bytes += train as f64;
                let (is, expected) = (queue.bytes(now) as f64, model.bytes);
                let limit = queue.limit as f64;
                if expected < limit {
                    let slack = 1.0 + expected * 3e-5 + 500.0 * model.per_ns;
                    assert!((is - expected).abs() <= slack, "{bps} {train}: {is}, not {expected}");
                }
            }
        }
    }
}

#[test]
fn many_small_packets_lose_no_fraction() {
    // 64 bytes take 1.28 ns at 400 Gb/s.
    let mut queue = queue(400_000_000_000, u64::MAX);
    (0..1_000_000).for_each(|_| queue.add(5, 64));
    let bytes = queue.bytes(5);
    assert!(bytes.abs_diff(64_000_000) < 2_000, "{bytes}");
}

#[test]
fn no_product_overflows() {
    for bps in RATES {
        let mut queue = queue(bps, u64::MAX);
        for bytes in [u64::MAX, u64::from(u32::MAX), 1] {
            queue.fraction = (1 << FRACTION) - 1;
            queue.add(1 << 60, bytes);
        }
        // `queue_set` shifts the nanoseconds that are left.
        assert!(queue.limit * queue.per_byte <= MOST_PARTS);
        assert!(queue.limit > 512 << 10, "{}", queue.limit);
    }
}

#[test]
fn a_queue_that_was_empty_for_long_owes_nothing() {
    let mut queue = queue(8_000, 10_000);
    queue.add(0, 1_000);
    assert_eq!(queue.bytes(0), 1_000);
    assert_eq!(queue.bytes(500_000_000), 500);
    assert_eq!(queue.bytes(5_000_000_000), 0);
    queue.add(5_000_000_000, 100);
    assert_eq!(queue.bytes(5_000_000_000), 100);
}

#[test]
fn bytes_that_came_since_a_time_drained_since_then() {
    let mut queue = queue(8_000, 10_000);
    // 300 of 1000 bytes a second, and then 2000.
    queue.add(1_000_000_000, 300);
    assert_eq!(queue.bytes(2_000_000_000), 0);
    queue.add(1_500_000_000, 2_000);
    assert_eq!(queue.bytes(2_000_000_000), 1_500);
}
