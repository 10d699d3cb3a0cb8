use sluice_units::Ratio;

use super::super::router::XcpRouter;
use super::super::rtt_groups::RttGroups;
use super::*;
use crate::router::Plain as _;

const CAPACITY: Rate = Rate::from_bytes_per_sec(1_000_000);
const SHORT: Span = Span::from_millis(125);
const LONG: Span = Span::from_secs(1);

fn params() -> XcpParams {
    XcpParams { rtt_groups: RttGroups::new(&[Span::from_millis(500)]), ..XcpParams::default() }
}

fn link() -> LinkContext {
    LinkContext { capacity: CAPACITY, packet: Bytes::new(1000) }
}

fn header(rate: u32, rtt: Span) -> XcpHeader {
    let rtt = (rtt.as_secs_f64() * f64::from(1 << 28)) as u32;
    XcpHeader { x: (1 << 28) / rate, rtt, delta: i32::MAX, reverse: 0 }
}

/// The sums of packets of 1000 bytes: their number, the packets a second of their flow, its RTT.
fn sums(law: &GroupedRouter, packets: &[(u32, u32, Span)]) -> GroupSums {
    let mut sums = law.sums();
    for &(count, rate, rtt) in packets {
        for _ in 0..count {
            sums.add(&header(rate, rtt), Train::packet(1000));
        }
    }
    sums
}

fn sample(since_ms: u64, now_ms: u64, arrived: u64) -> LinkSample {
    LinkSample {
        arrived: Bytes::new(arrived),
        ..LinkSample::idle(
            Time::ZERO + Span::from_millis(since_ms),
            Time::ZERO + Span::from_millis(now_ms),
            CAPACITY,
        )
    }
}

fn metric(law: &impl RouterLaw, wanted: &str) -> f64 {
    let mut found = f64::NAN;
    law.metrics(&mut |name, value| {
        if name == wanted {
            found = value;
        }
    });
    found
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 1e-4 * expected.abs().max(1.0), "{value}, not {expected}");
}

/// Three flows of 100 packets/s with the short RTT and one of 200 with the long one in 50 ms, with 10 kB of
/// acknowledgements: N is 3 and 1, and of the 800 kB/s that are left the groups have 600 and 200.
#[test]
fn groups_steer_for_their_shares_of_what_others_leave() {
    let mut law = GroupedRouter::new(params(), &link());
    law.start(CAPACITY);
    let passed = sums(&law, &[(15, 100, SHORT), (10, 200, LONG)]);
    law.tick(CONTROL, &passed, &sample(0, 50, 35_000));
    near(metric(&law, "N_0"), 3.0);
    near(metric(&law, "N_1"), 1.0);
    near(metric(&law, "y_0"), 300e3);
    near(metric(&law, "y_1"), 200e3);
    near(law.groups[0].phi, 0.4 * (600e3 - 300e3));
    near(law.groups[1].phi, 0.4 * (200e3 - 200e3));
    near(metric(&law, "phi"), 120e3);
    // Of a queue of 20 kB, each drains its part in its own interval: 15 kB in 125 ms, and 5 kB in 1 s.
    let mut queued = GroupedRouter::new(params(), &link());
    queued.start(CAPACITY);
    queued.tick(1, &passed, &with_queue(250, 20_000));
    queued.tick(CONTROL, &passed, &sample(0, 50, 35_000));
    near(queued.groups[0].phi, 120e3 - 0.226 * 15e3 / 0.125);
    near(queued.groups[1].phi, -0.226 * 5e3);
}

/// A tick of the queues' timer, which saw this least queue in bytes.
fn with_queue(now_ms: u64, least: u64) -> LinkSample {
    LinkSample { min_queue: Bytes::new(least), ..sample(0, now_ms, 0) }
}

/// T_q is half of 50 ms for the short group at first, and half of 500 ms for the long one.
#[test]
fn each_group_takes_the_least_queue_over_half_of_its_own_rtt() {
    let mut law = GroupedRouter::new(params(), &link());
    let (_, first) = law.start(CAPACITY);
    let none = law.sums();
    let mut at = first[1];
    let mut seen = Vec::new();
    while at <= Time::ZERO + Span::from_millis(250) {
        let ms = at.since(Time::ZERO).as_nanos() / 1_000_000;
        at = law.tick(1, &none, &with_queue(ms, 1_000_000 - ms)).next;
        seen.push((ms, law.groups[0].queue, law.groups[1].queue));
    }
    assert_eq!(seen.first(), Some(&(25, 999_975.0, 0.0)));
    assert_eq!(seen.last(), Some(&(250, 999_750.0, 999_750.0)));
    assert_eq!(seen.len(), 10, "{seen:?}");
    // The next interval begins with its own least.
    law.tick(1, &none, &with_queue(500, 3_000_000));
    near(law.groups[1].queue, 3e6);
}

/// The link sends nothing for 10 s: the interval that the group saw is that after it.
#[test]
fn an_outage_is_no_part_of_an_interval() {
    let mut law = GroupedRouter::new(params(), &link());
    law.start(CAPACITY);
    let passed = sums(&law, &[(15, 100, SHORT)]);
    law.tick(CONTROL, &passed, &sample(10_000, 10_050, 15_000));
    near(metric(&law, "N_0"), 3.0);
    near(metric(&law, "y_0"), 300e3);
}

/// Each group decides by its own RTT.
#[test]
fn groups_have_intervals_of_their_own() {
    let mut law = GroupedRouter::new(params(), &link());
    let (_, first) = law.start(CAPACITY);
    assert_eq!(first[CONTROL], Time::ZERO + Span::from_millis(50));
    let passed = sums(&law, &[(15, 100, SHORT), (10, 200, LONG)]);
    let mut at = first[CONTROL];
    let next = |_| {
        let here = LinkSample { now: at, ..sample(0, 0, 25_000) };
        at = law.tick(CONTROL, &passed, &here).next;
        at.since(Time::ZERO).as_nanos() / 1_000_000
    };
    let found: Vec<u64> = (0..10).map(next).collect();
    assert_eq!(found, [175, 300, 425, 550, 675, 800, 925, 1050, 1175, 1300]);
    assert_eq!(law.groups[1].due, Time::ZERO + Span::from_millis(2050));
}

/// All flows in the first group: what it decides is what XCP's router decides.
#[test]
fn one_group_is_plain_xcp() {
    let plain = XcpParams { rtt_groups: RttGroups::default(), ..params() };
    let (mut grouped, mut single) =
        (GroupedRouter::new(params(), &link()), XcpRouter::<XcpSums>::new(plain, &link()));
    grouped.start(CAPACITY);
    single.start(CAPACITY);
    let mut since = Time::ZERO;
    for (packets, queue) in [(6, 0), (30, 0), (150, 3_000), (140, 90_000)] {
        let all = sums(&grouped, &[(packets, 100, SHORT)]);
        let due = grouped.groups[0].queue_due;
        let at = LinkSample { now: due, min_queue: Bytes::new(queue), ..sample(0, 0, 0) };
        grouped.tick(1, &all, &at);
        single.tick(1, all.of(0), &at);
        let now = grouped.groups[0].due;
        // The second group's timer runs by itself; here both are due together.
        grouped.groups[1].due = now;
        let arrived = Bytes::new(1000 * u64::from(packets));
        let at = LinkSample { now, since, arrived, ..at };
        let [ours, theirs] = [
            grouped.tick(CONTROL, &all, &at).grant.map(|grant| grant.to_plain()[4..8].to_vec()),
            {
                let tick = single.tick(CONTROL, all.of(0), &at);
                assert_eq!(grouped.groups[0].due, tick.next);
                tick.grant.map(|grant| grant.to_plain().to_vec())
            },
        ];
        assert_eq!(ours, theirs, "{packets} packets");
        since = now;
    }
}

/// A decision of one group leaves what another one may still hand out.
#[test]
fn a_decision_renews_the_residue_of_its_group_alone() {
    let mut law = GroupedRouter::new(params(), &link());
    law.start(CAPACITY);
    let passed = [(15, 100, SHORT), (10, 200, LONG)];
    let both = law.tick(CONTROL, &sums(&law, &passed), &sample(0, 50, 25_000)).grant;
    let both = both.expect("a control decision");
    let mut left = GroupedRouter::fresh(&both);
    let granted = |grant: &GroupGrant, left: &mut GroupResidue, rtt: Span| {
        let mut header = header(100, rtt);
        GroupedRouter::stamp(grant, left, &mut header, Train::packet(1000));
        header.delta
    };
    // The long group's phi is 0.4 (1 MB/s / 4 - 200 kB/s); its packets take all of it, and all that is shuffled.
    let first: i32 = (0..40).map(|_| granted(&both, &mut left, LONG)).sum();
    let short = granted(&both, &mut left, SHORT);
    assert!(first > 0 && short > 0, "{first}, {short}");
    assert!(granted(&both, &mut left, LONG) <= 0, "the long group has nothing left");
    // 125 ms later the short group decides, the long one does not.
    let next = law.tick(CONTROL, &sums(&law, &[(40, 100, SHORT)]), &sample(50, 175, 40_000)).grant;
    let next = next.expect("a control decision");
    let mut renewed = GroupedRouter::renew(&next, &left);
    assert!(granted(&next, &mut renewed, LONG) <= 0, "nor has it after the short one's decision");
    assert_eq!(GroupedRouter::fresh(&next).to_plain()[1..4], renewed.to_plain()[1..4]);
    assert_ne!(GroupedRouter::fresh(&next), renewed);
}

#[test]
fn words_survive_a_kernels_maps() {
    let mut law = GroupedRouter::new(params(), &link());
    let passed = sums(&law, &[(15, 100, SHORT), (10, 200, LONG)]);
    assert_eq!(GroupSums::from_plain(passed.to_plain()), passed);
    law.start(CAPACITY);
    let grant = law.tick(CONTROL, &passed, &sample(0, 50, 25_000)).grant.expect("a decision");
    assert_eq!(GroupGrant::from_plain(grant.to_plain()), grant);
    let residue = GroupedRouter::fresh(&grant);
    assert_eq!(GroupResidue::from_plain(residue.to_plain()), residue);
}

/// Of shuffling alone, each group keeps what it has: 20 flows of 25 kB/s in each.
#[test]
fn nothing_moves_between_groups_that_have_their_shares() {
    let gamma = Ratio::new(1.0);
    let mut law = GroupedRouter::new(XcpParams { gamma, ..params() }, &link());
    law.start(CAPACITY);
    let passed = sums(&law, &[(25, 25, SHORT), (25, 25, LONG)]);
    let tick = law.tick(CONTROL, &passed, &sample(0, 50, 50_000));
    near(metric(&law, "phi"), 0.0);
    near(metric(&law, "h"), 1e6);
    let grant = tick.grant.expect("a control decision");
    let mut left = GroupedRouter::fresh(&grant);
    for rtt in [SHORT, LONG] {
        let mut header = header(25, rtt);
        GroupedRouter::stamp(&grant, &mut left, &mut header, Train::packet(1000));
        assert!(header.delta.abs() <= 1, "{}", header.delta);
    }
}
