use sluice_units::Ratio;

use super::*;
use crate::router::QueueCounts;
use crate::wire::Spacing;

const CAPACITY: Rate = Rate::from_bps(100_000_000);
const D0: Span = Span::from_millis(125);
const PACKET: u32 = 1_000;

/// Fills the link, so that figures are those of the paper's examples.
fn full(counted: FlowCount) -> NcpParams {
    NcpParams { alpha: Ratio::new(1.0), beta: Ratio::new(0.5), counted, ..NcpParams::default() }
}

fn at(params: &NcpParams, capacity: Rate) -> NcpRouter {
    let packet = Bytes::new(u64::from(PACKET));
    let mut router = NcpRouter::new(params, &LinkContext { capacity, packet });
    router.start(capacity);
    router
}

/// A router whose d0 is 125 ms.
fn router(params: &NcpParams) -> NcpRouter {
    at(&NcpParams { initial_rtt: D0, ..*params }, CAPACITY)
}

/// What flows of these RTTs in milliseconds, each at `rate`, bring in `span`. The RTTs that headers
/// state are all `D0` in the sums of d0, which stays where it is.
fn sums(rtts_ms: &[u64], rate: f64, span: Span) -> NcpSums {
    let mut sums = NcpSums::default();
    for &ms in rtts_ms {
        let rtt = WireRtt::new(Span::from_millis(ms));
        let mut apart = Spacing::default();
        apart.set(f64::from(PACKET) * 8.0 / rate);
        let packets = span.as_secs_f64() * rate / f64::from(PACKET) / 8.0;
        for _ in 0..packets.round() as u64 {
            let header = NcpHeader { x: apart.say(PACKET, PACKET), rtt, ..NcpHeader::default() };
            NcpRouter::arrive(&mut sums, &Offer::NONE, &header, Train::packet(PACKET));
        }
    }
    sums.rtt = crate::rcp::rtt::RttSums::default();
    sums
}

/// The end of an interval.
fn sample(span: Span, arrived: u64, queue: u64) -> LinkSample {
    LinkSample {
        queue: Bytes::new(queue),
        waiting: Bytes::new(queue),
        arrived: Bytes::new(arrived),
        ..LinkSample::idle(Time::ZERO, Time::ZERO + span, CAPACITY)
    }
}

fn close(a: f64, b: f64) {
    assert!((a / b - 1.0).abs() < 1e-6, "{a} is not {b}");
}

#[test]
fn the_packet_in_transmission_is_no_queue_unless_asked() {
    let four = sums(&[125; 4], 16e6, D0);
    let sent = LinkSample { waiting: Bytes::ZERO, ..sample(D0, 1_000_000, 312_500) };
    let rate = |queue_counts| {
        let mut router = router(&NcpParams { queue_counts, ..full(FlowCount::Eq8) });
        router.tick(0, &four, &sent);
        router.rate
    };
    close(rate(QueueCounts::Waiting), 25e6);
    // As in `equation_8_by_hand`.
    close(rate(QueueCounts::Unsent), 22.5e6);
    assert_eq!(NcpParams::default().queue_counts, QueueCounts::Waiting);
}

#[test]
fn equation_8_by_hand() {
    let mut router = router(&full(FlowCount::Eq8));
    close(router.rate, 100e6);
    // Four flows of 16 Mb/s: 250 packets each in d0, so the sum of 1/R_j is 4 x 125 ms.
    let four = sums(&[125; 4], 16e6, D0);
    router.tick(0, &four, &sample(D0, 1_000_000, 0));
    close(router.rate, 25e6);
    // 312,500 bytes of queue are 20 Mb/s over d0, of which beta is a half: 90 / 4.
    router.tick(0, &four, &sample(D0, 1_000_000, 312_500));
    close(router.rate, 22.5e6);
}

#[test]
fn equation_5_by_hand() {
    let mut router = router(&full(FlowCount::Eq5));
    router.tick(0, &sums(&[125; 4], 16e6, D0), &sample(D0, 1_000_000, 312_500));
    close(router.rate, 22.5e6);
}

#[test]
fn equation_6_by_hand() {
    let mut router = router(&full(FlowCount::Eq6));
    // 2.5 MB in 125 ms are 160 Mb/s: 90 x 100 / 160.
    router.tick(0, &NcpSums::default(), &sample(D0, 2_500_000, 312_500));
    close(router.rate, 56.25e6);
    // 640 kb in 125 ms: 100 x 56.25 / 5.12 is more than the link has.
    router.tick(0, &NcpSums::default(), &sample(D0, 80_000, 0));
    close(router.rate, 100e6);
}

/// (8) counts 2 flows, (5) the sum of d0 / RTT_i.
#[test]
fn flows_of_50_and_200_ms_are_two_by_8_and_more_by_5() {
    for (counted, flows) in [(FlowCount::Eq8, 2.0), (FlowCount::Eq5, 3.125)] {
        let mut router = router(&full(counted));
        router.tick(0, &sums(&[50, 200], 16e6, D0), &sample(D0, 0, 0));
        close(router.flows, flows);
        close(router.rate, 100e6 / flows);
    }
}

#[test]
fn an_interval_that_is_not_d0_counts_in_proportion() {
    for counted in [FlowCount::Eq8, FlowCount::Eq5] {
        for span in [D0 / 5, D0 * 2] {
            let mut router = router(&full(counted));
            router.tick(0, &sums(&[125; 4], 16e6, span), &sample(span, 0, 0));
            close(router.rate, 25e6);
        }
    }
}

#[test]
fn a_flow_that_sends_half_of_the_time_is_half_a_flow() {
    let mut router = router(&full(FlowCount::Eq8));
    router.tick(0, &sums(&[125; 5], 16e6, D0 / 2), &sample(D0, 0, 0));
    close(router.flows, 2.5);
}

#[test]
fn an_idle_link_gives_all_that_it_fills() {
    for counted in [FlowCount::Eq8, FlowCount::Eq5, FlowCount::Eq6] {
        let mut router = router(&NcpParams { counted, ..NcpParams::default() });
        close(router.rate, 95e6);
        router.tick(0, &sums(&[125; 40], 16e6, D0), &sample(D0, 10_000_000, 0));
        assert!(router.rate < 20e6, "{}", router.rate);
        // Whatever still stands in the queue.
        router.tick(0, &NcpSums::default(), &sample(D0, 0, 1_000_000));
        close(router.rate, 95e6);
    }
}

#[test]
fn acknowledgements_are_no_flows() {
    let mut sums = NcpSums::default();
    NcpRouter::arrive(
        &mut sums,
        &Offer::NONE,
        &NcpHeader { reverse: Offer::UNLIMITED, ..NcpHeader::default() },
        Train::packet(40),
    );
    assert_eq!(crate::router::Plain::to_plain(sums), [0; 6]);
}

#[test]
fn an_overload_that_leaves_nothing_gives_the_minimum_rate() {
    // beta q/d0 of 100 Mb/s are 3.125 MB. The minimum is a hundredth of a packet in 125 ms.
    for counted in [FlowCount::Eq8, FlowCount::Eq5, FlowCount::Eq6] {
        for queue in [3_125_000, 4_000_000, u64::MAX] {
            let mut router = router(&full(counted));
            router.tick(0, &sums(&[125; 4], 16e6, D0), &sample(D0, 1_000_000, queue));
            close(router.rate, 640.0);
            router.tick(0, &sums(&[125; 4], 640.0, D0 * 100), &sample(D0 * 100, 4_000, 0));
            assert!(router.rate > 1e6, "it rises again: {}", router.rate);
        }
    }
}

/// NCP-S linearises to R_k = alpha C R_(k-1) / (N R_(k-2)), since flows send at the rate granted an
/// RTT before: a swing with a period of 6 intervals, undamped. (8) settles at once.
#[test]
fn ncp_s_swings_with_a_period_of_six_intervals_and_does_not_settle() {
    let history = |counted| {
        let mut router = router(&full(counted));
        let mut rates = vec![12e6, 10e6];
        router.rate = rates[1];
        for k in 2..602 {
            let sent = rates[k - 2];
            let arrived = (10.0 * sent / 8.0 * D0.as_secs_f64()) as u64;
            router.tick(0, &sums(&[125; 10], sent, D0), &sample(D0, arrived, 0));
            rates.push(router.rate);
        }
        rates
    };
    let swinging = history(FlowCount::Eq6);
    for k in 0..swinging.len() - 6 {
        assert!(
            (swinging[k + 6] / swinging[k] - 1.0).abs() < 1e-3,
            "{k}: {:?}",
            &swinging[k..k + 7]
        );
    }
    let last = &swinging[swinging.len() - 6..];
    let (low, high) = last.iter().fold((f64::MAX, 0.0_f64), |(l, h), &r| (l.min(r), h.max(r)));
    assert!(low < 8.5e6 && high > 11.8e6, "{last:?}");
    assert!(history(FlowCount::Eq8)[2..].iter().all(|rate| (rate / 10e6 - 1.0).abs() < 0.01));
}

#[test]
fn d0_follows_the_rtts_of_packets_and_is_the_interval() {
    let mut router = at(&NcpParams::default(), CAPACITY);
    let mut sums = NcpSums::default();
    let header =
        NcpHeader { x: 9, rtt: WireRtt::new(Span::from_millis(40)), ..NcpHeader::default() };
    NcpRouter::arrive(&mut sums, &Offer::NONE, &header, Train::packet(PACKET));
    let end = sample(Span::from_millis(10), 1_000, 0);
    let next = router.tick(0, &sums, &end).next;
    assert!(next.since(end.now).as_nanos().abs_diff(40_000_000) < 10);
}

#[test]
fn a_stamp_lowers_the_requested_rate_only() {
    let grant = Offer::granting(Rate::from_bps(5_000_000));
    let lower = Offer::granting(Rate::from_bps(2_000_000));
    for (asked, stamped) in [(Offer::UNLIMITED, grant), (lower, lower), (Offer::NONE, Offer::NONE)]
    {
        let before = NcpHeader { rate: asked, x: 7, rtt: WireRtt::from_units(8), reverse: lower };
        let mut header = before;
        NcpRouter::stamp(&grant, &mut (), &mut header, Train::packet(PACKET));
        assert_eq!(header, NcpHeader { rate: stamped, ..before });
    }
}

#[test]
fn a_tick_twice_at_one_instant_changes_nothing() {
    let mut router = router(&full(FlowCount::Eq8));
    router.tick(0, &sums(&[125; 4], 16e6, D0), &sample(D0, 1_000_000, 0));
    let end = sample(D0, u64::MAX, u64::MAX);
    let tick = router.tick(0, &sums(&[125; 9], 16e6, D0), &LinkSample { since: end.now, ..end });
    close(router.rate, 25e6);
    assert!(tick.next > end.now);
}

#[test]
fn a_capacity_that_falls_takes_the_rate_with_it_at_once() {
    let mut router = router(&full(FlowCount::Eq8));
    let end = sample(D0, 0, 0);
    let fallen = LinkSample { since: end.now, capacity: Rate::from_bps(1_000_000), ..end };
    router.tick(0, &NcpSums::default(), &fallen);
    close(router.rate, 1e6);
    router.tick(0, &sums(&[125; 4], 16e6, D0), &LinkSample { since: Time::ZERO, ..fallen });
    close(router.rate, 0.25e6);
}

#[test]
fn every_capacity_and_rtt_keeps_the_rate_within_bounds() {
    for counted in [FlowCount::Eq8, FlowCount::Eq5, FlowCount::Eq6] {
        for capacity in [1_000, 1_000_000, 400_000_000_000].map(Rate::from_bps) {
            for ticks in [1, 2_684, u32::MAX] {
                let mut router = at(&NcpParams { counted, ..NcpParams::default() }, capacity);
                for seen in [0, 1_000, u64::MAX, 0, 0] {
                    let mut sums = NcpSums::default();
                    let rtt = WireRtt::from_units(ticks);
                    let header = NcpHeader { x: seen as u32, rtt, ..NcpHeader::default() };
                    NcpRouter::arrive(
                        &mut sums,
                        &Offer::NONE,
                        &header,
                        Train::new(u32::MAX, u16::MAX),
                    );
                    let sample = LinkSample { capacity, ..sample(Span::from_nanos(1), seen, seen) };
                    let tick = router.tick(0, &sums, &sample);
                    assert!(tick.next > sample.now);
                    let granted = tick.grant.and_then(Offer::rate);
                    assert!(granted.is_some_and(|rate| rate > Rate::ZERO && rate <= capacity));
                }
            }
        }
    }
}
