use super::*;

/// The count of flows from `first` on, each of which has two packets.
fn counted(counter: &mut FlowCounter, first: u64, flows: u64) -> f64 {
    for number in (first..first + flows).chain(first..first + flows) {
        counter.saw(FlowId::new(number));
    }
    counter.count()
}

/// Mean and standard deviation of the relative error, over intervals of their own flows.
fn errors(kind: CounterKind, bytes: u64, flows: u64, intervals: u64) -> (f64, f64) {
    let mut counter = FlowCounter::new(kind, Bytes::new(bytes));
    let errors: Vec<f64> = (0..intervals)
        .map(|interval| counted(&mut counter, interval << 40, flows) / flows as f64 - 1.0)
        .collect();
    let n = intervals as f64;
    let mean = errors.iter().sum::<f64>() / n;
    let square = errors.iter().map(|error| (error - mean) * (error - mean)).sum::<f64>();
    (mean, libm::sqrt(square / (n - 1.0)))
}

#[test]
fn an_exact_counter_counts_each_flow_of_an_interval_once() {
    let mut counter = FlowCounter::new(CounterKind::Exact, Bytes::ZERO);
    for flows in [0, 1, 2, 63, 64, 65, 40_000, 3, 0, 1_000] {
        assert_eq!(counted(&mut counter, 5, flows), flows as f64);
    }
}

#[test]
fn a_hash_of_zero_is_a_flow_as_any() {
    let mut exact = Exact::default();
    [0, 1, 0, 64, 1].into_iter().for_each(|hash| exact.insert(hash));
    assert_eq!((exact.count(), exact.count()), (3, 0));
}

#[test]
fn an_interval_without_packets_has_no_flow_and_few_flows_are_counted_well() {
    for kind in [CounterKind::Bitmap, CounterKind::HyperLogLog] {
        for bytes in [0, 16, 4_096, u64::MAX] {
            let mut counter = FlowCounter::new(kind, Bytes::new(bytes));
            assert_eq!(counter.count(), 0.0);
            let one = counted(&mut counter, 7, 1);
            assert!((one - 1.0).abs() < 0.05, "{kind:?} of {bytes} B: {one}");
            assert_eq!(counter.count(), 0.0);
        }
    }
}

/// Over 400 intervals the standard deviation is known to 1 / sqrt(800), 3.5%: the bounds are four of that. Of
/// the mean, they are four of its own standard error, and 0.1% for the bias of either.
#[test]
fn sketches_err_as_their_authors_say() {
    let intervals = 400;
    let near = |kind, bytes, flows, expected: f64| {
        let (mean, deviation) = errors(kind, bytes, flows, intervals);
        let bound = 4.0 * expected / libm::sqrt(intervals as f64) + 1e-3;
        assert!(mean.abs() < bound, "{kind:?}, {flows} flows: bias {mean}");
        let ratio = deviation / expected;
        assert!((0.86..1.14).contains(&ratio), "{kind:?}, {flows} flows: {deviation}, {expected}");
    };
    for flows in [600, 2_000, 8_000, 20_000] {
        // 512 bytes are 4,096 bits.
        let t = flows as f64 / 4_096.0;
        let expected = libm::sqrt((libm::exp(t) - t - 1.0) / 4_096.0) / t;
        near(CounterKind::Bitmap, 512, flows, expected);
    }
    for flows in [4_000, 40_000] {
        near(CounterKind::HyperLogLog, 512, flows, 1.04 / libm::sqrt(512.0));
    }
    // Where most registers are empty it is linear counting over them, and better than that.
    let (mean, deviation) = errors(CounterKind::HyperLogLog, 512, 100, intervals);
    assert!(mean.abs() < 0.01 && deviation < 1.04 / libm::sqrt(512.0), "{mean}, {deviation}");
}

#[test]
fn a_full_bitmap_counts_all_that_it_can_and_a_hyperloglog_is_never_full() {
    let mut bitmap = FlowCounter::new(CounterKind::Bitmap, Bytes::new(16));
    let most = 128.0 * libm::log(128.0);
    assert!((counted(&mut bitmap, 0, 100_000) / most - 1.0).abs() < 1e-12);
    let mut sketch = FlowCounter::new(CounterKind::HyperLogLog, Bytes::new(1_024));
    let (flows, error) = (1_000_000, 1.04 / 32.0);
    assert!((counted(&mut sketch, 0, flows) / 1e6 - 1.0).abs() < 4.0 * error);
}

/// Numbers that differ in a few bits, as those of flows that start one after another and of groups do.
#[test]
fn flows_of_adjacent_numbers_and_groups_fall_apart() {
    for kind in [CounterKind::Bitmap, CounterKind::HyperLogLog] {
        for stride in [1, 1 << 8, 1 << 20, 1 << 40, 1 << 53] {
            let mut counter = FlowCounter::new(kind, Bytes::new(4_096));
            (0..1_000).for_each(|k| counter.saw(FlowId::new(k * stride)));
            let found = counter.count() / 1_000.0;
            assert!((found - 1.0).abs() < 0.065, "{kind:?}, stride {stride}: {found}");
        }
    }
}

#[test]
fn the_error_of_one_set_of_flows_does_not_persist() {
    let mut counter = FlowCounter::new(CounterKind::HyperLogLog, Bytes::new(256));
    let counts: Vec<f64> = (0..400).map(|_| counted(&mut counter, 0, 2_000)).collect();
    let mean = counts.iter().sum::<f64>() / 400.0;
    assert!((mean / 2_000.0 - 1.0).abs() < 4.0 * 1.04 / 16.0 / 20.0 + 1e-3, "{mean}");
    let above = counts.iter().filter(|&&count| count > 2_000.0).count();
    assert!((130..=270).contains(&above), "{above} of 400");
}

/// Two CPUs, a part of the flows at both: each flow counts once, as if one counter had seen them all.
#[test]
fn merged_bitmaps_count_as_one() {
    let memory = Bytes::new(100);
    let new = || FlowCounter::new(CounterKind::Bitmap, memory);
    let bitmap = |flows: std::ops::Range<u64>| {
        let mut bitmap = Bitmap::new(bitmap_words(memory));
        flows.for_each(|flow| bitmap.insert(mix(flow)));
        bitmap.words
    };
    for (first, second) in [(0..0, 0..0), (0..1, 0..1), (0..200, 100..300), (0..0, 0..90_000)] {
        let (mut merged, mut whole) = (new(), new());
        assert!(merged.merge(&bitmap(first.clone())) && merged.merge(&bitmap(second.clone())));
        first.chain(second).for_each(|flow| whole.saw(FlowId::new(flow)));
        assert_eq!(merged.count(), whole.count());
    }
}

#[test]
fn only_a_bitmap_of_the_same_memory_takes_a_bitmap() {
    for kind in [CounterKind::Exact, CounterKind::Bitmap, CounterKind::HyperLogLog] {
        let mut counter = FlowCounter::new(kind, Bytes::new(1_024));
        assert!(!counter.merge(&[u64::MAX; 127]) && !counter.merge(&[u64::MAX; 129]));
        assert_eq!(counter.count(), 0.0);
        assert_eq!(counter.merge(&[u64::MAX; 128]), kind == CounterKind::Bitmap);
    }
}
