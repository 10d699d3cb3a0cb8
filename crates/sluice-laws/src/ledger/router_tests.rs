use super::*;
use crate::ledger::classes::CLASSES;
use crate::ledger::header::{EVEN, FlowState};
use crate::router::Plain as _;
use proptest::prelude::*;
use sluice_units::Ratio;

const CAPACITY: Rate = Rate::from_bps(100_000_000);
/// A tick is 10 ms, and q* 100 kB.
const D0: Span = Span::from_millis(160);
const TICK: Span = Span::from_millis(10);
const Q_STAR: f64 = 100_000.0;
const PACKET: u32 = 1_000;

fn with(params: LedgerParams, capacity: Rate) -> LedgerRouter {
    let link = LinkContext { capacity, packet: Bytes::new(PACKET.into()) };
    let mut router = LedgerRouter::new(&LedgerParams { initial_rtt: D0, ..params }, &link);
    router.start(capacity);
    router
}

fn router() -> LedgerRouter {
    with(LedgerParams::default(), CAPACITY)
}

fn close(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} is not {expected}");
}

/// S with that queue expected, in Mb/s.
fn shared(outlook: Outlook, expected_queue: f64) -> f64 {
    LedgerRouter { expected_queue, ..router() }.share(&outlook) / 1e6
}

/// Of S = 100 Mb/s, in Mb/s.
fn divided(outlook: Outlook) -> f64 {
    LedgerRouter { shared: 1e8, ..router() }.divide(&outlook) / 1e6
}

/// A queue of 100 kB more or less than q* is 5 Mb/s of a d0.
#[test]
fn equation_6_by_hand() {
    let four = Outlook { sending: 3.0, newcomers: 1.0, ..Outlook::default() };
    close(shared(four, Q_STAR), 100.0);
    close(shared(four, 0.0), 105.0);
    close(shared(four, 3.0 * Q_STAR), 90.0);
    let fixed = Outlook { foreign: 20e6, short: 10e6, ..four };
    close(shared(fixed, Q_STAR), 70.0);
    // No less than 5 % are shared, and no more than twice C.
    close(shared(Outlook { foreign: 2e8, ..four }, Q_STAR), 5.0);
    close(shared(four, 1e9), 5.0);
    let params = LedgerParams {
        target_queue: Ratio::new(1.0),
        drain_time: Ratio::new(0.25),
        ..LedgerParams::default()
    };
    close(with(params, CAPACITY).share(&four), 2e8);
}

/// Flows held elsewhere leave C - y, unless they send more than their own shares of C.
#[test]
fn equation_6_with_flows_held_elsewhere() {
    let two =
        |elsewhere| Outlook { sending: 4.0, elsewhere, elsewhere_flows: 2.0, ..Outlook::default() };
    close(shared(two(10e6), Q_STAR), 90.0);
    close(shared(two(30e6), Q_STAR), 70.0);
    close(shared(two(60e6), Q_STAR), 400.0 / 6.0);
    // Without flows that share, as for one.
    let alone = Outlook { elsewhere: 90e6, elsewhere_flows: 1.0, ..Outlook::default() };
    close(shared(alone, Q_STAR), 50.0);
}

#[test]
fn equation_1_by_hand() {
    let flows = |newcomers, promised, sending| Outlook {
        newcomers,
        promised,
        starting: 1.0,
        sending: sending - 1.0,
        ..Outlook::default()
    };
    close(divided(flows(0.0, 0.0, 5.0)), 20.0);
    // S / N = 20 Mb/s: what was promised is as much, less, and almost all of S.
    close(divided(flows(2.0, 40e6, 3.0)), 20.0);
    close(divided(flows(2.0, 10e6, 3.0)), 30.0);
    close(divided(flows(2.0, 95e6, 3.0)), 0.25 * 20.0);
    close(divided(flows(2.0, 300e6, 3.0)), 0.25 * 20.0);
    // S / N = 10 Mb/s: promised little to many.
    close(divided(flows(9.0, 1e6, 1.0)), 2.0 * 10.0);
}

#[test]
fn an_idle_link_grants_its_capacity_and_no_flow_gets_more() {
    let mut router = router();
    for i in 1..=40 {
        let grant = tick(&mut router, i, CAPACITY, &LedgerSums::default(), 0);
        assert_eq!(grant.rate, 1_000_000, "in 100 b/s");
        close(router.shared, 105e6);
    }
    let one = Outlook { sending: 0.5, ..Outlook::default() };
    close(LedgerRouter { shared: 2e8, ..router }.divide(&one), 1e8);
}

/// 0.05 packets a d0 are 2.5 kb/s.
#[test]
fn r_is_no_less_than_the_minimum_rate() {
    let crowd = Outlook { sending: 1e6, ..Outlook::default() };
    close(divided(crowd), 2_500.0 / 1e6);
}

/// The grant of the tick at the end of that interval of 10 ms.
fn tick(
    router: &mut LedgerRouter,
    number: u64,
    capacity: Rate,
    sums: &LedgerSums,
    waiting: u64,
) -> LedgerGrant {
    let end = Time::ZERO + TICK * number;
    let since = Time::ZERO + TICK * (number - 1);
    let sample = LinkSample {
        arrived: Bytes::new(sums.bytes),
        waiting: Bytes::new(waiting),
        ..LinkSample::idle(since, end, capacity)
    };
    let tick = router.tick(0, sums, &sample);
    // Headers state RTTs to 1 in 256.
    let planned = tick.next.since(end);
    assert!(planned <= TICK && planned >= TICK - TICK / 256, "{planned:?}");
    tick.grant.expect("one a tick")
}

/// What flows without an end send in a tick at `rate`.
fn flows(number: u64, rate: f64, grant: &LedgerGrant) -> LedgerSums {
    let gap = f64::from(PACKET) * 8.0 / rate;
    let mut sums = LedgerSums::default();
    let packets = (TICK.as_secs_f64() / gap).round() as u64 * number;
    for _ in 0..packets {
        let x = (gap * f64::from(WireRtt::PER_SECOND)) as u32;
        let rate = Offer::UNLIMITED;
        let rtt = WireRtt::new(D0);
        let flow = FlowState::new(false, rtt, u64::MAX);
        let header = LedgerHeader { rate, x, flow, ..LedgerHeader::default() };
        LedgerRouter::arrive(&mut sums, grant, &header, Train::packet(PACKET));
    }
    sums
}

/// C sends 1 MB in the half of d0 over which growth is measured: eight ticks. 100 kB and 4 kB more are 6.4 and 0.256 of 1/64.
#[test]
fn equation_9_by_hand() {
    let (grant, _) = with(LedgerParams::default(), CAPACITY).start(CAPACITY);
    assert_eq!(grant.stretch, 64, "before the first decision");
    let stretches = |waiting: [u64; 3]| {
        let mut router = router();
        let mut stretches = Vec::new();
        for (place, waiting) in (0..).zip(waiting) {
            for number in 0..8 {
                let number = 8 * place + number + 1;
                let grant = tick(&mut router, number, CAPACITY, &LedgerSums::default(), waiting);
                stretches.push(grant.stretch);
            }
        }
        stretches
    };
    let mean = |stretches: &[u64]| stretches.iter().sum::<u64>() as f64 / 8.0;
    let found = stretches([0, 100_000, 0]);
    assert_eq!(found[..8], [64; 8]);
    assert!(found[8..16].iter().all(|stretch| [70, 71].contains(stretch)), "{found:?}");
    // What rounding leaves is made up for by the next.
    assert!((mean(&found[8..16]) - 70.4).abs() < 0.1, "{found:?}");
    assert!((mean(&found[16..]) - 57.6).abs() < 0.15, "{found:?}");
    assert_eq!(mean(&stretches([0, 4_000, 0])[8..16]), 64.25);
    // Within 0.7 and 1.4.
    let found = stretches([0, 1_000_000, 0]);
    assert!((mean(&found[8..16]) - 89.6).abs() < 0.1, "{found:?}");
    assert!((mean(&found[16..]) - 44.8).abs() < 0.15, "{found:?}");
}

/// The queue of a link that becomes half as fast waits twice as long: as a queue that grows.
#[test]
fn equation_9_is_about_the_time_that_packets_wait() {
    let mut router = router();
    let half = Rate::from_bps(50_000_000);
    let mut stretches = Vec::new();
    for number in 1..=20 {
        let capacity = if number <= 10 { CAPACITY } else { half };
        stretches
            .push(tick(&mut router, number, capacity, &LedgerSums::default(), 100_000).stretch);
    }
    assert_eq!(stretches[..10], [64; 10]);
    // 8 ms more in 80 ms.
    assert!(stretches[10..18].iter().all(|stretch| [70, 71].contains(stretch)), "{stretches:?}");
    assert!(stretches[18..].iter().all(|stretch| [64, 65].contains(stretch)), "{stretches:?}");
}

/// They come without SYNs, as where a route changes: while the audit remembers that, they count for half as many again at most.
#[test]
fn n_is_the_number_of_flows_that_send() {
    let mut router = router();
    let mut grant = router.start(CAPACITY).0;
    for i in 1..=1_000 {
        let sums = flows(5, 20e6, &grant);
        grant = tick(&mut router, i, CAPACITY, &sums, Q_STAR as u64);
        assert!(i < 20 || (4.999..=7.5).contains(&router.outlook.flows()));
    }
    assert!((router.outlook.flows() / 5.0 - 1.0).abs() < 1e-3, "{}", router.outlook.flows());
    assert!((router.rate / 20e6 - 1.0).abs() < 0.06, "{}", router.rate);
    assert_eq!((router.outlook.elsewhere, router.outlook.foreign), (0.0, 0.0));
}

/// Packets 16 ticks of a header apart, in trains of 2^15: 134 Gb/s a flow. Three fill a link of 400 Gb/s with 10 s.
#[test]
fn flows_are_counted_at_the_ends_of_rates_and_rtts() {
    let rate = f64::from(PACKET) * 8.0 * f64::from(1 << 24);
    let capacity = Rate::from_bps_f64(3.0 * rate);
    let (long, tick) = (Span::from_secs(10), Span::from_millis(625));
    let link = LinkContext { capacity, packet: Bytes::new(PACKET.into()) };
    let params = LedgerParams { initial_rtt: long, ..LedgerParams::default() };
    let mut router = LedgerRouter::new(&params, &link);
    let (mut grant, mut now) = (router.start(capacity).0, Time::ZERO);
    let (asked, rtt) = (Offer::UNLIMITED, WireRtt::new(long));
    let flow = FlowState::new(false, rtt, u64::MAX);
    let header = LedgerHeader { rate: asked, x: 16, flow, ..LedgerHeader::default() };
    for _ in 0..1_000 {
        let mut sums = LedgerSums::default();
        // 320 trains of each flow in 625 ms.
        for _ in 0..3 * 320 {
            LedgerRouter::arrive(&mut sums, &grant, &header, Train::new(PACKET << 15, 1 << 15));
        }
        let since = now;
        now += tick;
        let arrived = Bytes::new(sums.bytes);
        let waiting = Bytes::new((0.05 * capacity.as_bytes_per_sec_f64() * 10.0) as u64);
        let sample = LinkSample { arrived, waiting, ..LinkSample::idle(since, now, capacity) };
        grant = router.tick(0, &sums, &sample).grant.expect("one a tick");
    }
    assert!((router.outlook.flows() - 3.0).abs() < 1e-3, "{}", router.outlook.flows());
    assert!((router.rate / rate - 1.0).abs() < 0.06, "{}", router.rate);
}

/// 1,000 bytes at 400 Gb/s take 5.37 ticks: packets state 5 or 6, and none is slow.
#[test]
fn a_flow_that_fills_400_gbps_is_not_held_elsewhere() {
    let capacity = Rate::from_bps(400_000_000_000);
    let grant = with(LedgerParams::default(), capacity).grant(0.0);
    let flow = |x| {
        let (rate, flow) = (Offer::UNLIMITED, FlowState::new(false, WireRtt::NONE, 0));
        let header = LedgerHeader { rate, x, flow, ..LedgerHeader::default() };
        let mut sums = LedgerSums::default();
        LedgerRouter::arrive(&mut sums, &grant, &header, Train::packet(PACKET));
        sums.elsewhere_x / u64::from(EVEN)
    };
    assert_eq!([5, 6, 7, 8].map(flow), [0, 0, 7, 8]);
}

/// Of five newcomers at one instant the first gets all of S, and counts for two d0. The others get the least and wait: they count
/// as their SYNs for a d0, as flows that follow R about when their first packets come, as these packets for the next (of which there
/// are none here), and again for the third.
#[test]
fn newcomers_are_promised_what_they_were_granted() {
    let mut router = router();
    let grant = router.start(CAPACITY).0;
    let mut used = LedgerRouter::fresh(&grant);
    for n in 1..=5 {
        let (rate, flow) = (Offer::UNLIMITED, FlowState::new(true, WireRtt::NONE, u64::MAX));
        let mut header = LedgerHeader { rate, flow, ..LedgerHeader::default() };
        LedgerRouter::stamp(&grant, &mut used, &mut header, Train::packet(40));
        let granted = header.rate.rate().expect("a rate").as_bps_f64();
        // S is the room: the first has all of it.
        let expected = if n == 1 { 1e8 } else { 0.8 * f64::from(PACKET) * 8.0 / D0.as_secs_f64() };
        close(granted, expected);
    }
    router.on_budget(&used);
    let nothing = LedgerSums::default();
    tick(&mut router, 1, CAPACITY, &nothing, 0);
    router.on_budget(&LedgerBudget::default());
    close(router.outlook.newcomers, 1.0);
    close(router.outlook.waiting, 4.0);
    close(router.outlook.promised, 1e8);
    for i in 2..=16 {
        tick(&mut router, i, CAPACITY, &nothing, 0);
        close(router.outlook.flows(), 5.0);
        assert_eq!(router.outlook.beginning, if i == 16 { 4.0 } else { 0.0 });
    }
    // From a d0 on the first sends, and packets are to count it.
    tick(&mut router, 17, CAPACITY, &nothing, 0);
    close(router.outlook.starting, 2.0 - 16.5 / 16.0);
    close(router.outlook.late, 4.0);
    close(router.outlook.adjustable() - router.outlook.foreseen(), 4.0);
    assert_eq!((router.outlook.newcomers, router.outlook.waiting), (0.0, 0.0));
    tick(&mut router, 18, CAPACITY, &nothing, 0);
    assert_eq!((router.outlook.beginning, router.outlook.late), (0.0, 0.0));
    for i in 19..=40 {
        tick(&mut router, i, CAPACITY, &nothing, 0);
    }
    close(router.outlook.starting, 4.0 * (3.0 - 39.5 / 16.0));
    for i in 41..=49 {
        tick(&mut router, i, CAPACITY, &nothing, 0);
    }
    assert_eq!(router.outlook.flows(), 0.0);
}

/// C = 100 Mb/s, of which an idle link shares 105 with one: 131,250 bytes in a tick of 10 ms.
#[test]
fn classes_are_of_ticks_at_s_over_n() {
    let mut router = router();
    let grant = tick(&mut router, 1, CAPACITY, &LedgerSums::default(), 0);
    let by_hand = [(0, 0), (131_000, 0), (131_300, 1), (262_100, 1), (262_700, 2), (u64::MAX, 8)];
    for (left, class) in by_hand {
        assert_eq!(grant.class_of(BYTES.code(left)), class, "{left}");
    }
}

/// Each tick brings a newcomer that is believed to have no end and has ended, beside twelve flows that send: those are foreseen with
/// 16 newcomers and, of 16 more, half.
#[test]
fn what_is_foreseen_too_often_is_corrected() {
    let mut router = router();
    let mut grant = router.start(CAPACITY).0;
    let mut used = LedgerBudget::default();
    (used.count[CLASSES - 1], used.granted[CLASSES - 1]) = (1, 1_000);
    for i in 1..=1_000 {
        let sums = flows(12, router.rate, &grant);
        router.on_budget(&used);
        grant = tick(&mut router, i, CAPACITY, &sums, Q_STAR as u64);
    }
    assert!((router.outlook.flows() / 12.0 - 1.0).abs() < 0.02, "{}", router.outlook.flows());
    let [promised, all] = [16.0 * 1e5, 16.0 + 8.0 + 12.0];
    assert!((router.outlook.promised / (promised * 12.0 / all) - 1.0).abs() < 0.02);
}

/// Flows that send for less than a tick are load and no flows, foreseen or seen.
#[test]
fn short_flows_correct_nothing() {
    let mut router = router();
    let mut grant = router.start(CAPACITY).0;
    // Of 10 ms for which flows sent, 4 ms were of short ones.
    let used = LedgerBudget { short_ticks: 256 * 2 / 5, ..LedgerBudget::default() };
    for i in 1..=1_000 {
        let mut sums = flows(3, router.rate, &grant);
        sums.x[0] += u64::from(WireRtt::PER_SECOND) * u64::from(EVEN) / 250;
        router.on_budget(&used);
        grant = tick(&mut router, i, CAPACITY, &sums, Q_STAR as u64);
    }
    assert!((router.outlook.flows() / 3.0 - 1.0).abs() < 0.01, "{}", router.outlook.flows());
}

#[test]
fn where_the_capacity_falls_r_falls_at_once() {
    let mut router = router();
    tick(&mut router, 1, CAPACITY, &LedgerSums::default(), 0);
    let less = Rate::from_bps(7_000_000);
    let grant = tick(&mut router, 2, less, &LedgerSums::default(), 0);
    assert_eq!(grant.rate, 70_000);
    close(router.shared, 7e6 * 1.05);
}

#[test]
fn an_interval_of_no_length_adds_nothing_but_the_capacity_may_have_fallen() {
    let mut router = router();
    let grant = tick(&mut router, 1, CAPACITY, &LedgerSums::default(), 0);
    let before = (router.outlook.flows(), router.expected_queue, router.rtt.get());
    let now = Time::ZERO + TICK;
    let less = Rate::from_bps(7_000_000);
    let sums = flows(5, 20e6, &grant);
    let tick = router.tick(0, &sums, &LinkSample::idle(now, now, less));
    let grant = tick.grant.expect("a decision");
    assert_eq!(grant.rate, 70_000);
    assert!(grant.shared <= 2 * 70_000 && grant.room <= 2 * 70_000, "{grant:?}");
    assert_eq!(tick.next, now + TICK);
    assert_eq!(before, (router.outlook.flows(), router.expected_queue, router.rtt.get()));
}

/// The pace of 0.9 of R is the border; 8 bits in a byte.
#[test]
fn a_flow_below_nine_tenths_of_the_least_rate_is_held_elsewhere() {
    let mut router = router();
    let grant = tick(&mut router, 1, CAPACITY, &LedgerSums::default(), 0);
    let x = |rate: f64| (8_000.0 / rate * f64::from(WireRtt::PER_SECOND)) as u64;
    assert!(!grant.is_slow(x(91e6), 1, 1_000) && grant.is_slow(x(89e6), 1, 1_000));
}

/// A packet or SYN at the router between two ticks.
fn packets() -> impl Strategy<Value = Vec<(u32, u32, bool, u32, u64, u16)>> {
    let word = || prop_oneof![any::<u32>(), Just(1), Just(u32::MAX), 1..100_000_u32];
    let left = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), 0..1_000_000_u64];
    prop::collection::vec((word(), word(), any::<bool>(), word(), left, 1..50_u16), 0..30)
}

fn rates() -> impl Strategy<Value = u64> {
    prop_oneof![
        1_000..400_000_000_000_u64,
        Just(1_000),
        Just(400_000_000_000),
        1_000..1_000_000_u64
    ]
}

proptest! {
    /// Any traffic at any link, from 1 kb/s to 400 Gb/s, whatever intervals and queues: numbers stay finite, R stays
    /// within its bounds, and newcomers get no more than S.
    #[test]
    fn every_capacity_interval_and_header_gives_a_rate_that_the_link_has(
        first in rates(),
        ticks in prop::collection::vec((packets(), rates(), 0..20_000_000_000_u64, 0..1_u64 << 40), 1..20),
        size in 40..65_000_u64,
        initial_rtt in prop_oneof![Just(1_000_u64), Just(10_000_000_000), 1_000..10_000_000_000_u64],
    ) {
        let params =
            LedgerParams { initial_rtt: Span::from_nanos(initial_rtt), ..LedgerParams::default() };
        let capacity = Rate::from_bps(first);
        let mut router = LedgerRouter::new(&params, &LinkContext { capacity, packet: Bytes::new(size) });
        let (mut grant, _) = router.start(capacity);
        let mut now = Time::ZERO;
        for (packets, capacity, nanos, waiting) in ticks {
            let (mut sums, mut used) = (LedgerSums::default(), LedgerRouter::fresh(&grant));
            for (rate, x, syn, rtt, left, number) in packets {
                let (asked, rtt) = (Offer::from_units(rate), WireRtt::from_units(rtt));
                let flow = FlowState::new(syn, rtt, left);
                let mut header = LedgerHeader { rate: asked, x, flow, ..LedgerHeader::default() };
                let train = Train::new(u32::from(number) * size as u32, number);
                LedgerRouter::arrive(&mut sums, &grant, &header, train);
                LedgerRouter::stamp(&grant, &mut used, &mut header, train);
                prop_assert!(Offer::NONE < header.rate && header.rate <= asked);
                let most = grant.shared.max(grant.least).max(grant.rate).max(1);
                prop_assert!(u64::from(header.rate.units()) <= most);
            }
            router.on_budget(&used);
            let (since, capacity) = (now, Rate::from_bps(capacity));
            now += Span::from_nanos(nanos);
            let waiting = Bytes::new(waiting);
            let arrived = Bytes::new(sums.bytes);
            let sample = LinkSample { waiting, arrived, ..LinkSample::idle(since, now, capacity) };
            let tick = router.tick(0, &sums, &sample);
            prop_assert!(tick.next > now);
            grant = tick.grant.expect("a decision");
            prop_assert!(grant.rate >= 1 && grant.rate * 100 <= capacity.as_bps());
            prop_assert!(grant.shared * 100 <= 2 * capacity.as_bps(), "{grant:?}");
            prop_assert_eq!(LedgerGrant::from_plain(grant.to_plain()).to_plain(), grant.to_plain());
            let mut finite = true;
            router.metrics(&mut |_, value| finite &= value.is_finite() && value >= 0.0);
            prop_assert!(finite, "{router:?}");
        }
    }
}
