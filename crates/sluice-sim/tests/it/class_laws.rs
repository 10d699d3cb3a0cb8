//! Router laws over classes of traffic, at queues that divide a link among them.

use sluice_laws::protocol::Protocol;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::{LinkSample, QueueCounts, Sampled};
use sluice_sim::queue::{Cbwfq, Discipline, Drr, Priority, TcpFriendly};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule};
use sluice_sim::traffic::{Long, Traffic, Udp};
use sluice_sim::{ByClass, Config, GroupConfig, LinkLaw, LinkLaws, LinkMetrics};
use sluice_units::{BufferSize, Bytes, Faults, Rate, Ratio, Span, Time};

use crate::common::laws::{WITH_ROUTERS, defaults};
use crate::common::run_to_end;
use crate::common::spy::Spy;
use crate::shown::{config, flow, group, pipe, results};

fn cbwfq(shares: &[f64]) -> Discipline {
    let shares: Vec<Ratio> = shares.iter().map(|&share| Ratio::new(share)).collect();
    Discipline::Cbwfq(Cbwfq { shares: ByClass::new(&shares).expect("1 to 8 shares") })
}

fn by_class(laws: &[LinkLaw]) -> LinkLaws {
    LinkLaws::Classes(ByClass::new(laws).expect("1 to 8 laws"))
}

/// Datagrams of 1000 bytes of a class at a constant rate, from 1 ns on.
fn datagrams(class: u8, bps: u64) -> GroupConfig {
    let udp = Udp::constant(Rate::from_bps(bps), Bytes::new(1000));
    let traffic = Traffic::Udp(Udp { start: Time::from_nanos(1), ..udp });
    GroupConfig { name: format!("datagrams {class}"), class, ..group(traffic) }
}

/// Long flows of a class.
fn long(name: &str, class: u8, count: u64, stop: Time) -> GroupConfig {
    let long = Long { count, start: Time::ZERO, stop, ..Long::default() };
    GroupConfig { name: name.into(), class, ..group(Traffic::Long(long)) }
}

/// What each of two laws over the classes 0 and 1 measures in 100 ms at a link of 8 Mb/s, while datagrams of
/// both arrive at these rates: capacity in bits a second, bytes that arrived and bytes dropped.
fn measured(queue: Discipline, rates: [u64; 2]) -> [(u64, u64, u64); 2] {
    let mut links = pipe(8_000_000, Span::from_millis(1));
    (links[0].queue, links[0].buffer) = (queue, BufferSize::Packets(20));
    links[0].router = by_class(&[LinkLaw::OfRun; 2]);
    links[1].router = LinkLaw::None.into();
    let groups = vec![datagrams(0, rates[0]), datagrams(1, rates[1])];
    let config = config(links, groups, Span::from_millis(950));
    let spy = Spy::default();
    results(&config, &spy);
    let seen = spy.seen.lock().expect("nobody panicked");
    [0, 1].map(|class| {
        let samples: Vec<&LinkSample> =
            seen.iter().filter(|(law, _)| *law == class).map(|(_, sample)| sample).collect();
        assert_eq!(samples.len(), 9);
        let sample = samples[8];
        assert_eq!(sample.since, Time::ZERO + Span::from_millis(800));
        (sample.capacity.as_bps(), sample.arrived.as_u64(), sample.dropped.as_u64())
    })
}

/// A packet of 1000 bytes in 100 ms is 80 kb/s: phases may cost or add one.
fn near(found: u64, expected: u64, within: u64) -> bool {
    found.abs_diff(expected) <= within
}

/// By hand: a class has its share, or what the other leaves if this is more.
#[test]
fn laws_at_cbwfq_measure_their_class_and_what_the_other_leaves() {
    let check = |rates, expected: [(u64, u64, u64); 2]| {
        let found = measured(cbwfq(&[3.0, 1.0]), rates);
        for (found, expected) in found.into_iter().zip(expected) {
            let sound = near(found.0, expected.0, 80_000)
                && near(found.1, expected.1, 1000)
                && near(found.2, expected.2, 2000);
            assert!(sound, "{rates:?}: {found:?}, not {expected:?}");
        }
    };
    // Both below their shares, of 6 and 2 Mb/s.
    check([4_000_000, 1_000_000], [(7_000_000, 50_000, 0), (4_000_000, 12_500, 0)]);
    // Class 0 has all, class 1 could have its share.
    check([8_000_000, 1], [(8_000_000, 100_000, 0), (2_000_000, 0, 0)]);
    // Class 1 takes what class 0 leaves of its share, and loses the rest.
    check([2_000_000, 16_000_000], [(6_000_000, 25_000, 0), (6_000_000, 200_000, 125_000)]);
    // Both have more than their shares.
    check([16_000_000; 2], [(6_000_000, 200_000, 125_000), (2_000_000, 200_000, 175_000)]);
}

/// By hand: a class has what the higher one leaves, at least the 1 kb/s of any link.
#[test]
fn laws_under_priority_measure_what_higher_classes_leave() {
    let check = |rates, expected: [u64; 2]| {
        let found = measured(Discipline::Priority(Priority {}), rates);
        for (found, expected) in found.into_iter().zip(expected) {
            assert!(near(found.0, expected, 80_000), "{rates:?}: {found:?}, not {expected}");
        }
    };
    check([2_000_000, 1_000_000], [7_000_000, 8_000_000]);
    check([9_000_000, 5_000_000], [3_000_000, 8_000_000]);
    check([1_000_000, 9_000_000], [1_000, 8_000_000]);
}

/// The queue is that of the class: the least that its packets found, and what waits at the tick.
#[test]
fn laws_see_the_queue_of_their_class() {
    // 30 packets at 50.000001 ms, of which the first is in transmission at once: by 100 ms, 50 have left.
    let burst = |class, packets| {
        let start = Time::from_nanos(50_000_001);
        let traffic = Traffic::List(vec![flow(start, packets)]);
        GroupConfig { name: format!("burst {class}"), class, ..group(traffic) }
    };
    let mut links = pipe(8_000_000, Span::from_nanos(10));
    links[0].queue = Discipline::Priority(Priority {});
    links[0].router = by_class(&[LinkLaw::OfRun; 2]);
    links[1].router = LinkLaw::None.into();
    for min in [QueueCounts::Waiting, QueueCounts::Unsent] {
        let groups = vec![burst(0, 40), burst(1, 20)];
        let config = config(links.clone(), groups, Span::from_millis(250));
        let spy = Spy { min, ..Spy::default() };
        results(&config, &spy);
        let seen = spy.seen.lock().expect("nobody panicked");
        let of = |class, tick: usize| {
            let mut samples = seen.iter().filter(|(law, _)| *law == class);
            samples.nth(tick).expect("a sample").1
        };
        // From the SYN's reply on, 60 packets of 1 ms: those of class 1 first.
        let at_100 = of(0, 0);
        assert_eq!(of(1, 0).queue, Bytes::ZERO, "{min:?}");
        let waiting = at_100.waiting.as_u64();
        assert!((9_000..=12_000).contains(&waiting), "{min:?}: {waiting}");
        // And what is not yet sent of one in transmission.
        let unsent = at_100.queue.as_u64() - waiting;
        assert!(unsent < 1000, "{min:?}: {unsent}");
        // The SYN found nothing, and no packet arrived after all had.
        assert_eq!(at_100.min_queue, Bytes::ZERO, "{min:?}");
        assert_eq!((of(0, 1).waiting, of(0, 1).min_queue), (Bytes::ZERO, Bytes::ZERO));
    }
}

/// With one class, a law over classes is one over the link, whatever is stamped when.
#[test]
fn a_law_over_the_only_class_is_one_over_the_link() {
    let flows = (0..20).map(|i| flow(Time::ZERO + Span::from_millis(37) * i, 10 + 7 * i));
    let flows = Traffic::List(flows.collect());
    let steps = vec![(Time::ZERO + Span::from_millis(500), Rate::from_bps(12_000_000))];
    let steps = CapacityCourse::Steps(steps);
    let varies = CapacitySchedule::new(steps);
    for name in WITH_ROUTERS {
        for (at, schedule) in [
            (Sampled::Arrival, None),
            (Sampled::Departure, None),
            (Sampled::Arrival, Some(varies.clone())),
        ] {
            let mut links = pipe(16_000_000, Span::from_millis(10));
            links[0].buffer = BufferSize::Packets(40);
            links[0].queue = cbwfq(&[2.0]);
            // XCP counts the packet in transmission, of which more is left while it is sent slowly.
            links[0].schedule = schedule.filter(|_| name != ProtocolName::Xcp);
            let mut config = config(links, vec![group(flows.clone())], Span::from_secs(3));
            config.parameters = defaults();
            let parameters = &mut config.parameters;
            (parameters.xcp.stamp_at, parameters.xcp.queue_at) = (at, at);
            parameters.rcp.stamp_at = at;
            let parameters = config.parameters.clone();
            let whole = run_to_end(&config, parameters.protocol(name));
            config.links[0].router = by_class(&[LinkLaw::Of(name)]);
            let found = run_to_end(&config, parameters.protocol(name));
            assert_eq!(found, whole, "{name} {at:?}");
        }
    }
}

/// Bits a second of each group from `begin` to `end`.
fn rates(config: &Config, run: &dyn Protocol, begin: u64, end: u64) -> Vec<f64> {
    let at = |second| Time::ZERO + Span::from_secs(second);
    let config = Config { warm_up: at(begin), stop: at(end), limit: at(end), ..config.clone() };
    let found = run_to_end(&config, run);
    let mut bytes = vec![0; config.groups.len()];
    found.records.iter().for_each(|flow| bytes[flow.group] += flow.delivered.as_u64());
    found.streams.iter().for_each(|one| bytes[one.group] += one.delivered.as_u64());
    bytes.iter().map(|&bytes| 8.0 * bytes as f64 / (end - begin) as f64).collect()
}

/// Two laws side by side: each has its share, and all once the other's flows have stopped; the packets of
/// each request nothing of the other's law.
#[test]
fn classes_under_laws_of_their_own_share_the_link() {
    let stop = Time::ZERO + Span::from_secs(10);
    let mut links = pipe(100_000_000, Span::from_millis(20));
    (links[0].queue, links[0].buffer) = (cbwfq(&[3.0, 1.0]), BufferSize::Packets(500));
    let laws = [ProtocolName::Rcp, ProtocolName::Xcp];
    links[0].router = by_class(&laws.map(LinkLaw::Of));
    let [rcp, xcp] = laws.map(Some);
    let groups = vec![
        GroupConfig { protocol: rcp, ..long("rcp", 0, 5, stop) },
        GroupConfig { protocol: xcp, ..long("xcp", 1, 2, Time::NEVER) },
    ];
    let config = config(links, groups, Span::from_secs(1));
    let parameters = Parameters::default();
    let run = parameters.protocol(ProtocolName::Tcp);
    let [shared, alone] = [rates(&config, run, 5, 10), rates(&config, run, 15, 20)];
    // RCP gives up 3% for the packet that waits, on average, while one of XCP is in transmission.
    assert!(shared[0] > 0.96 * 75e6 && shared[1] > 25e6, "{shared:?}");
    assert!(shared[0] + shared[1] > 99e6, "{shared:?}");
    assert!(alone[1] > 97e6, "{alone:?}");
}

/// RCP under the datagrams of a higher class gets what they leave, and no queue; without a law over its class
/// alone it would count them as its own.
#[test]
fn rcp_below_a_higher_class_fills_the_rest() {
    let mut links = pipe(100_000_000, Span::from_millis(20));
    (links[0].queue, links[0].buffer) =
        (Discipline::Priority(Priority {}), BufferSize::Packets(500));
    links[0].router = by_class(&[LinkLaw::OfRun, LinkLaw::None]);
    let groups = vec![long("flows", 0, 5, Time::NEVER), datagrams(3, 30_000_000)];
    let config = config(links, groups, Span::from_secs(1));
    let found = rates(&config, &config.parameters.rcp, 5, 10);
    assert!((0.96..1.0).contains(&(found[0] / 70e6)), "{found:?}");
    assert_eq!(found[1], 30e6);
}

/// Classes beyond the last law are one with its class, and share it.
#[test]
fn classes_beyond_the_last_law_have_it_together() {
    let mut links = pipe(100_000_000, Span::from_millis(20));
    (links[0].queue, links[0].buffer) = (cbwfq(&[1.0, 1.0]), BufferSize::Packets(500));
    links[0].router = by_class(&[LinkLaw::None, LinkLaw::OfRun]);
    let groups =
        vec![long("1", 1, 2, Time::NEVER), long("7", 7, 2, Time::NEVER), datagrams(0, 60_000_000)];
    let config = config(links, groups, Span::from_secs(1));
    let found = rates(&config, &config.parameters.xcp, 5, 10);
    assert!((found[0] / found[1] - 1.0).abs() < 0.01, "{found:?}");
    assert!((found[0] + found[1]) / 50e6 > 0.97, "{found:?}");
}

/// Metrics of laws over classes have the class in their names.
#[test]
fn metrics_of_laws_over_classes_name_the_class() {
    let mut links = pipe(8_000_000, Span::from_millis(1));
    links[0].queue = cbwfq(&[1.0, 1.0, 1.0]);
    links[0].router = by_class(&[LinkLaw::OfRun, LinkLaw::None, LinkLaw::Of(ProtocolName::Xcp)]);
    let groups = vec![long("flows", 0, 1, Time::NEVER)];
    let mut config = config(links, groups, Span::from_millis(100));
    config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(10) }];
    let found = run_to_end(&config, &config.parameters.rcp);
    let columns = &found.series[0].columns;
    let laws: Vec<_> =
        columns.iter().filter(|name| !name.ends_with("_bytes") && *name != "load").collect();
    let [first, .., last] = laws[..] else { panic!("{:?}", columns) };
    assert_eq!((first.as_ref(), last.as_ref()), ("class_0_R", "class_2_N"), "{laws:?}");
    assert!(!laws.iter().any(|name| name.starts_with("class_1_")), "{laws:?}");
}

#[test]
fn laws_over_classes_need_a_queue_that_has_them() {
    let refused = |queue: Discipline, laws: &[LinkLaw]| {
        let faults = Faults::of(|faults| by_class(laws).check(&queue, faults));
        faults.into_iter().map(|fault| fault.what).collect::<Vec<_>>()
    };
    let two = [LinkLaw::OfRun; 2];
    let none: [String; 0] = [];
    assert_eq!(refused(cbwfq(&[1.0, 2.0]), &two), none);
    assert_eq!(refused(Discipline::Priority(Priority {}), &two), none);
    let needs = "laws over classes of traffic need a queue that divides the link among them: `cbwfq`, \
                 `priority` or `tcp_friendly`";
    assert_eq!(refused(Discipline::Drr(Drr::default()), &two), [needs]);
    assert_eq!(refused(cbwfq(&[1.0]), &two), ["the queue has 1 classes, not 2"]);
    let friendly = Discipline::TcpFriendly(TcpFriendly::default());
    assert_eq!(refused(friendly, &two), none);
    assert_eq!(refused(friendly, &[LinkLaw::OfRun]), ["the queue has 2 classes, not 1"]);
    let whole =
        |law: LinkLaw| Faults::of(|faults| LinkLaws::from(law).check(&friendly, faults)).len();
    assert_eq!([whole(LinkLaw::None), whole(LinkLaw::OfRun)], [0, 1]);
    let tcp = "`tcp` has no router law; `false` is for links that only queue";
    let laws = [LinkLaw::None, LinkLaw::Of(ProtocolName::Tcp)];
    assert_eq!(refused(cbwfq(&[1.0, 2.0]), &laws), [tcp]);
}
