//! Bounds of RCP's d0 and R that hold at every tick, whatever headers state and links see.

use proptest::prelude::*;
use sluice_laws::protocol::LinkContext;
use sluice_laws::rcp::RcpParams;
use sluice_laws::rcp::header::RcpHeader;
use sluice_laws::rcp::router::RcpRouter;
use sluice_laws::rcp::rtt::{RttFilter, RttSums};
use sluice_laws::router::{LinkSample, RouterLaw, Train};
use sluice_laws::wire::{Offer, WireRtt};
use sluice_units::{Bytes, Rate, Span, Time};

use crate::fluid::metric;

const PACKET: u32 = 1_500;
const CAPACITY: Rate = Rate::from_bps(100_000_000);
/// What honest hosts state.
const RTT: Span = Span::from_millis(10);

/// What reaches the router in an interval.
#[derive(Clone, Debug)]
struct Interval {
    /// Words of headers, with the packets and bytes of trains.
    trains: Vec<(u32, u32, u16, u32)>,
    queue: u64,
    arrived: u64,
    length: Span,
}

fn interval() -> impl Strategy<Value = Interval> {
    let word = prop_oneof![Just(0), Just(1), Just(u32::MAX), any::<u32>(), 1_u32..10_000_000];
    let train = (word.clone(), word, any::<u16>(), any::<u32>());
    let bytes = prop_oneof![Just(0), Just(u64::MAX), 0_u64..10_000_000];
    let length = (1_u64..1_000_000_000).prop_map(Span::from_nanos);
    (prop::collection::vec(train, 0..20), bytes.clone(), bytes, length)
        .prop_map(|(trains, queue, arrived, length)| Interval { trains, queue, arrived, length })
}

fn router(rtt_filter: RttFilter) -> (RcpRouter, Offer) {
    let params = RcpParams { rtt_filter, ..RcpParams::default() };
    let link = LinkContext { capacity: CAPACITY, packet: Bytes::new(PACKET.into()) };
    let mut router = RcpRouter::new(&params, &link);
    let (grant, _) = router.start(CAPACITY);
    (router, grant)
}

/// Ends an interval with these sums; returns the grant.
fn tick(router: &mut RcpRouter, now: &mut Time, sums: &RttSums, interval: &Interval) -> Offer {
    let since = *now;
    *now = since + interval.length;
    let queue = Bytes::new(interval.queue);
    let sample = LinkSample {
        queue,
        waiting: queue,
        arrived: Bytes::new(interval.arrived),
        ..LinkSample::idle(since, *now, CAPACITY)
    };
    router.tick(0, sums, &sample).grant.expect("RCP grants at each tick")
}

/// The most lies in an interval.
const LIES: usize = 50;

fn filter() -> impl Strategy<Value = RttFilter> {
    prop_oneof![Just(RttFilter::PerPacket), Just(RttFilter::PerInterval)]
}

proptest! {
    /// R is within [a hundredth of a packet a d0, C], of which the former is at most a hundredth of C. A tick raises it by alpha at most.
    #[test]
    fn d0_and_r_stay_within_their_bounds(
        filter in filter(),
        intervals in prop::collection::vec(interval(), 1..40),
    ) {
        let (mut router, mut grant) = router(filter);
        let transmission = f64::from(PACKET) * 8.0 / CAPACITY.as_bps_f64();
        let mut now = Time::ZERO;
        for interval in intervals {
            let mut sums = RttSums::default();
            for &(rate, rtt, packets, bytes) in &interval.trains {
                let (rate, rtt) = (Offer::from_units(rate), WireRtt::from_units(rtt));
                let mut header = RcpHeader { rate, rtt, ..RcpHeader::default() };
                let train = Train::new(bytes, packets);
                RcpRouter::arrive(&mut sums, &grant, &header, train);
                RcpRouter::stamp(&grant, &mut (), &mut header, train);
                prop_assert_eq!(header.rate, rate.min(grant));
            }
            let before = metric(&router, "R");
            grant = tick(&mut router, &mut now, &sums, &interval);
            let (d0, r) = (metric(&router, "d0"), metric(&router, "R"));
            prop_assert!((transmission..=10.0).contains(&d0), "d0 = {} s", d0);
            let least = (0.01 * f64::from(PACKET) * 8.0 / d0).max(100.0);
            prop_assert!(least <= 0.01 * CAPACITY.as_bps_f64() * 1.000_001);
            prop_assert!((least..=CAPACITY.as_bps_f64()).contains(&r), "R = {} b/s", r);
            prop_assert!(r <= least.max(before * 1.1 * 1.000_001), "R rose from {} to {}", before, r);
        }
    }

    /// Requests are in no sum: whatever hosts ask for, R and d0 are the same.
    #[test]
    fn requests_move_neither_d0_nor_r(
        filter in filter(),
        intervals in prop::collection::vec(interval(), 1..20),
    ) {
        let ((mut asking, mut grant), (mut silent, _)) = (router(filter), router(filter));
        let (mut now, mut then) = (Time::ZERO, Time::ZERO);
        for interval in intervals {
            let [mut asked, mut none] = [RttSums::default(); 2];
            for &(rate, rtt, packets, bytes) in &interval.trains {
                let train = Train::new(bytes, packets);
                let header = RcpHeader { rtt: WireRtt::from_units(rtt), ..RcpHeader::default() };
                RcpRouter::arrive(&mut none, &grant, &header, train);
                let header = RcpHeader { rate: Offer::from_units(rate), ..header };
                RcpRouter::arrive(&mut asked, &grant, &header, train);
            }
            grant = tick(&mut asking, &mut now, &asked, &interval);
            prop_assert_eq!(grant, tick(&mut silent, &mut then, &none, &interval));
            prop_assert_eq!(metric(&asking, "d0"), metric(&silent, "d0"));
        }
    }

    /// Lies in a share of the packets that state an RTT move d0 by that share of the way to 10 s, or to 0, by either filter.
    #[test]
    fn lies_move_d0_by_their_share(
        filter in filter(),
        honest in 1_u16..100,
        count in 0_usize..LIES,
        lies in prop::collection::vec(
            prop_oneof![2 => Just(u32::MAX), 1 => any::<u32>(), 1 => Just(1)], LIES * 40),
        milliseconds in 1_u64..1_000,
    ) {
        let (mut router, grant) = router(filter);
        let mut now = Time::ZERO;
        let length = Span::from_millis(milliseconds);
        let idle = Interval { trains: Vec::new(), queue: 0, arrived: 0, length };
        let arrive = |sums: &mut RttSums, rtt, packets| {
            let header = RcpHeader { rtt, ..RcpHeader::default() };
            let train = Train::new(PACKET * u32::from(packets), packets);
            RcpRouter::arrive(sums, &grant, &header, train);
        };
        let truth = WireRtt::new(RTT);
        let mut rest = metric(&router, "d0");
        let share = count as f64 / (count as f64 + f64::from(honest));
        for lies in lies.chunks(LIES) {
            let mut sums = RttSums::default();
            arrive(&mut sums, truth, honest);
            for &lie in &lies[..count] {
                arrive(&mut sums, WireRtt::from_units(lie), 1);
            }
            tick(&mut router, &mut now, &sums, &idle);
            let (d0, rtt) = (metric(&router, "d0"), RTT.as_secs_f64());
            let least = (1.0 - share) * rtt * 0.999;
            let most = ((1.0 - share) * rtt + share * 10.0) * 1.001;
            // What is assumed at first goes at the first packet, or slowly.
            prop_assert!((least..=most.max(rest)).contains(&d0), "{} of {}..{}", d0, least, most);
            rest = rest.min(d0);
        }
    }
}
