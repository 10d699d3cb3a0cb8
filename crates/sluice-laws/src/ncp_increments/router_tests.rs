use super::*;
use crate::ncp::{NcpParams, NcpSums, header::NcpHeader, router::NcpRouter};
use crate::router::{LawHeader as _, Plain as _};
use crate::wire::{Offer, Spacing, WireRtt};
use crate::xcp::XcpParams;
use crate::xcp::feedback::{XcpGrant, XcpSums};
use crate::xcp::header::XcpHeader;
use crate::xcp::router::XcpRouter;
use sluice_units::Ratio;

const PACKET: u32 = 1_000;
const D0: Span = Span::from_millis(100);
const CAPACITY: Rate = Rate::from_bps(100_000_000);
const LINK: LinkContext = LinkContext { capacity: CAPACITY, packet: Bytes::new(1_000) };

/// With the gains that section 8.2 has, none.
fn full(sharing: Sharing) -> NcpIncrementsParams {
    let one = Ratio::new(1.0);
    NcpIncrementsParams {
        alpha: one,
        beta: one,
        sharing,
        initial_rtt: D0,
        ..NcpIncrementsParams::default()
    }
}

/// The packets of a flow of `rate` in a d0.
fn headers(rate: f64) -> Vec<IncrementHeader> {
    let mut apart = Spacing::default();
    apart.set(f64::from(PACKET) * 8.0 / rate);
    let rtt = WireRtt::new(D0).units();
    let packets = rate * D0.as_secs_f64() / 8.0 / f64::from(PACKET);
    let header = |_| {
        IncrementHeader(XcpHeader {
            x: apart.say(PACKET, PACKET),
            rtt,
            delta: i32::MAX,
            reverse: 0,
        })
    };
    (0..packets.round() as u64).map(header).collect()
}

fn sample(rates: &[f64], queue: u64) -> LinkSample {
    let arrived = rates.iter().sum::<f64>() * D0.as_secs_f64() / 8.0;
    LinkSample {
        arrived: Bytes::new(arrived as u64),
        queue: Bytes::new(queue),
        waiting: Bytes::new(queue),
        min_queue: Bytes::new(queue),
        ..LinkSample::idle(Time::ZERO, Time::ZERO + D0, CAPACITY)
    }
}

/// The rates by which flows change that send at `rates` for a d0, and again for the next.
fn changes(params: &NcpIncrementsParams, rates: &[f64], queue: u64) -> Vec<f64> {
    let mut router = IncrementRouter::new(params, &LINK);
    let mut sums = IncrementSums::default();
    for header in rates.iter().flat_map(|&rate| headers(rate)) {
        IncrementRouter::arrive(
            &mut sums,
            &IncrementGrant::default(),
            &header,
            Train::packet(PACKET),
        );
    }
    let grant = router.tick(0, &sums, &sample(rates, queue)).grant.expect("a decision");
    let mut carry = Carry::default();
    let mut change = |rate: &f64| -> f64 {
        headers(*rate)
            .into_iter()
            .map(|mut header| {
                IncrementRouter::stamp(&grant, &mut carry, &mut header, Train::packet(PACKET));
                f64::from(header.0.delta) * 8.0
            })
            .sum()
    };
    rates.iter().map(&mut change).collect()
}

fn all_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 2e-3 * b.abs().max(1e6), "{found:?} is not {expected:?}");
    }
}

#[test]
fn equation_20_by_hand() {
    // S = 100 - 60, for two; with a queue of 125 kB, 10 Mb/s of a d0 less. Then S = 100 - 120.
    all_close(&changes(&full(Sharing::Equal), &[40e6, 20e6], 0), &[20e6, 20e6]);
    all_close(&changes(&full(Sharing::Equal), &[40e6, 20e6], 125_000), &[15e6, 15e6]);
    all_close(&changes(&full(Sharing::Equal), &[80e6, 40e6], 0), &[-10e6, -10e6]);
    all_close(&changes(&NcpIncrementsParams::default(), &[40e6, 20e6], 0), &[8e6, 8e6]);
}

#[test]
fn r_j_over_r_keeps_rates_in_proportion() {
    // Delta R = 20 of R = 50: each rate by 2/5. Delta R = -10: by -1/5.
    all_close(&changes(&full(Sharing::Proportional), &[40e6, 20e6], 0), &[16e6, 8e6]);
    all_close(&changes(&full(Sharing::Proportional), &[80e6, 40e6], 0), &[-16e6, -8e6]);
    // R is nothing with a queue of a bandwidth-delay product, and no flow loses more than it has.
    all_close(&changes(&full(Sharing::Proportional), &[80e6, 40e6], 1_250_000), &[-80e6, -40e6]);
}

/// Half of R - R_j + Delta R R / R_j, with a factor of 1 at most. By hand, of R = 50 and Delta R = 20: 0.5 (50 - 40 + 20) and
/// 0.5 (50 - 20 + 20); of Delta R = 10 for 60 and 20: 0.5 (50 - 60 + 10 x 5/6) and 0.5 (50 - 20 + 10).
#[test]
fn r_over_r_j_moves_rates_to_the_equal_share() {
    all_close(&changes(&full(Sharing::EqualShare), &[40e6, 20e6], 0), &[15e6, 25e6]);
    all_close(&changes(&full(Sharing::EqualShare), &[60e6, 20e6], 0), &[-0.8333e6, 20e6]);
    // On a full link, half of the way; the whole way would be NCP's rate.
    all_close(&changes(&full(Sharing::EqualShare), &[60e6, 40e6], 0), &[-5e6, 5e6]);
}

/// "If this value is known and the same for all flows then NCP, XCP and RCP all have the same performance": (21)
/// and XCP's feedback lead to NCP's rate in one interval, whatever the load and the queue.
#[test]
fn equal_rates_get_ncps_rate_by_21_and_by_xcp() {
    for (flows, rate, queue) in [(1, 20e6, 0), (4, 24e6, 0), (4, 40e6, 300_000), (10, 2e6, 50_000)]
    {
        let rates = vec![rate; flows];
        let by_21 = rate + changes(&full(Sharing::Equal), &rates, queue)[0];
        assert!((by_21 / ncps_rate(&rates, queue) - 1.0).abs() < 1e-3, "{by_21}");
        assert!((rate + xcps_change(&rates, queue) - by_21).abs() < 1e-3 * by_21);
    }
    // Of unequal ones, the mean gets it.
    let rates = [60e6, 20e6];
    let by_21: Vec<f64> =
        rates.iter().zip(changes(&full(Sharing::Equal), &rates, 0)).map(|(r, c)| r + c).collect();
    all_close(&[(by_21[0] + by_21[1]) / 2.0, by_21[0] - by_21[1]], &[ncps_rate(&rates, 0), 40e6]);
}

/// NCP's R with alpha = beta = 1.
fn ncps_rate(rates: &[f64], queue: u64) -> f64 {
    let one = Ratio::new(1.0);
    let params = NcpParams { alpha: one, beta: one, initial_rtt: D0, ..NcpParams::default() };
    let mut router = NcpRouter::new(&params, &LINK);
    let mut sums = NcpSums::default();
    for IncrementHeader(header) in rates.iter().flat_map(|&rate| headers(rate)) {
        let rtt = WireRtt::from_units(header.rtt);
        let header = NcpHeader { x: header.x, rtt, ..NcpHeader::default() };
        NcpRouter::arrive(&mut sums, &Offer::NONE, &header, Train::packet(PACKET));
    }
    let granted = router.tick(0, &sums, &sample(rates, queue)).grant.expect("a decision");
    granted.rate().expect("a rate").as_bps_f64()
}

/// The change of a flow, one of equals, by XCP with gains of 1 and no shuffling.
fn xcps_change(rates: &[f64], queue: u64) -> f64 {
    let one = Ratio::new(1.0);
    let params = XcpParams {
        alpha: one,
        beta: one,
        gamma: Ratio::new(0.0),
        first_interval: D0,
        ..XcpParams::default()
    };
    let mut router = XcpRouter::<XcpSums>::new(params, &LINK);
    let mut sums = XcpSums::default();
    let all: Vec<XcpHeader> =
        rates.iter().flat_map(|&rate| headers(rate)).map(|header| header.0).collect();
    for header in &all {
        XcpRouter::<XcpSums>::arrive(
            &mut sums,
            &XcpGrant::default(),
            header,
            Train::packet(PACKET),
        );
    }
    let sample = sample(rates, queue);
    router.tick(1, &sums, &sample);
    let grant = router.tick(0, &sums, &sample).grant.expect("a decision");
    let mut residue = XcpRouter::<XcpSums>::fresh(&grant);
    let total: f64 = all
        .into_iter()
        .map(|mut header| {
            XcpRouter::<XcpSums>::stamp(&grant, &mut residue, &mut header, Train::packet(PACKET));
            f64::from(header.delta) * 8.0
        })
        .sum();
    total / rates.len() as f64
}

#[test]
fn a_path_changes_rates_by_the_least_of_its_links_and_what_is_cut_off_is_not_lost() {
    let grant =
        |change| IncrementGrant { by_time: Slope::per_second(change), ..IncrementGrant::default() };
    let [up, down] = [5_120.0, -2_560.0].map(grant);
    // A tick of 2^-10 s: 5 and -2.5 bytes a second for each packet.
    let fresh =
        IncrementHeader(XcpHeader { x: 1 << 18, rtt: 1 << 25, delta: i32::MAX, reverse: 7 });
    for order in [[up, down], [down, up]] {
        let mut carries = [Carry::default(); 2];
        let total: i32 = (0..1_024)
            .map(|_| {
                let mut header = fresh;
                for (grant, carry) in order.iter().zip(&mut carries) {
                    grant.stamp(carry, &mut header, Train::packet(PACKET));
                }
                assert_eq!(IncrementHeader(XcpHeader { delta: i32::MAX, ..header.0 }), fresh);
                header.0.delta
            })
            .sum();
        assert_eq!(total, -2_560);
    }
    let train = Train::new(40 * PACKET, 40);
    let (mut header, mut carry) = (fresh, Carry::default());
    down.stamp(&mut carry, &mut header, train);
    assert_eq!(
        (header.0.delta, carry),
        (-3, Carry::from_plain([(40 * 3 * 256 - 40 * 640) as u64]))
    );
}

#[test]
fn without_a_rate_there_is_nothing_to_change() {
    let grant = IncrementGrant { by_time: Slope::per_second(1e9), ..IncrementGrant::default() };
    for header in [
        XcpHeader { delta: 9, ..XcpHeader::default() },
        XcpHeader { x: 5, delta: 9, ..XcpHeader::default() },
    ] {
        let mut stamped = IncrementHeader(header);
        grant.stamp(&mut Carry::default(), &mut stamped, Train::packet(40));
        assert_eq!(stamped.0, XcpHeader { delta: 0, ..header });
    }
}

#[test]
fn without_time_or_capacity_nothing_grows() {
    let mut router = IncrementRouter::new(&full(Sharing::Equal), &LINK);
    let sums = IncrementSums::default();
    assert_ne!(router.tick(0, &sums, &sample(&[], 0)).grant, Some(IncrementGrant::default()));
    let cut = LinkSample { capacity: Rate::ZERO, ..sample(&[], 0) };
    assert_eq!(router.tick(0, &sums, &cut).grant, Some(IncrementGrant::default()));
    let no_time = LinkSample { since: cut.now, ..sample(&[], 0) };
    assert_eq!(router.tick(0, &sums, &no_time).grant, None);
}

#[test]
fn every_capacity_rtt_and_header_gives_finite_changes() {
    for sharing in [Sharing::Equal, Sharing::Proportional, Sharing::EqualShare] {
        for capacity in [1_000, 1_000_000, 400_000_000_000].map(Rate::from_bps) {
            for rtt in [1, 2_684, u32::MAX] {
                let link = LinkContext { capacity, ..LINK };
                let mut router = IncrementRouter::new(&full(sharing), &link);
                for (x, seen) in [(1, 0), (u32::MAX, u64::MAX), (1, u64::MAX), (u32::MAX, 0)] {
                    let mut header =
                        IncrementHeader(XcpHeader { x, rtt, delta: i32::MAX, reverse: 0 });
                    let mut sums = IncrementSums::default();
                    let train = Train::new(u32::MAX, u16::MAX);
                    IncrementRouter::arrive(&mut sums, &IncrementGrant::default(), &header, train);
                    let sample = LinkSample { capacity, ..sample(&[], seen) };
                    let sample = LinkSample { arrived: Bytes::new(seen), ..sample };
                    let tick = router.tick(0, &sums, &sample);
                    assert!(tick.next > sample.now);
                    let grant = tick.grant.expect("a decision");
                    assert_eq!(IncrementGrant::from_plain(grant.to_plain()), grant);
                    let mut carry = Carry::default();
                    for train in [train, Train::packet(1), Train::packet(0)] {
                        IncrementRouter::stamp(&grant, &mut carry, &mut header, train);
                    }
                    router.metrics(&mut |name, value| assert!(value.is_finite(), "{name}"));
                }
            }
        }
    }
    assert_eq!(IncrementHeader::FORM.law, 6);
}
