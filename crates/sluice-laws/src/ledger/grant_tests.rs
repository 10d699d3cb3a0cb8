use super::*;
use crate::ledger::header::{EVEN, FlowState};
use crate::ledger::sums::LedgerSums;
use crate::router::{Sums as _, Train};
use crate::wire::WireRtt;
use proptest::prelude::*;

/// A byte a d0 is a unit of rates: d0 = 80 ms. N = 4, and a flow sends 2^14 bytes in a tick of 5 ms at S / N.
const GRANT: LedgerGrant = LedgerGrant {
    rate: 300_000,
    shared: 1 << 20,
    flows: 4 * ONE,
    room: 1 << 20,
    least: 7,
    ticks_per_byte: 1 << 26,
    byte_a_d0: 1 << 32,
    byte_a_tick: 16 << 32,
    slow: 3 << 16,
    below_a_tick: BYTES.code(1 << 13) as u64,
    stretch: EVEN as u64,
};
/// A tick of x that no queue stretched, in the unit of sums.
const ONE_X: u64 = EVEN as u64;
/// S / 5, S / 6 and S / 7: what the first newcomers get that go on.
const SHARES: [u32; 3] = [209_715, 174_762, 149_796];

fn data(rate: u32, x: u32, left: u64) -> LedgerHeader {
    let flow = FlowState::new(false, WireRtt::NONE, left);
    LedgerHeader { rate: Offer::from_units(rate), x, flow, ..LedgerHeader::default() }
}

fn syn(rate: u32, left: u64) -> LedgerHeader {
    LedgerHeader { flow: FlowState::new(true, WireRtt::NONE, left), ..data(rate, 0, left) }
}

/// The rate that `grant` leaves in a header. What hosts state of the flow stays.
fn granted(grant: &LedgerGrant, used: &mut LedgerBudget, mut header: LedgerHeader) -> u32 {
    let asked = header;
    grant.stamp(used, &mut header);
    let stated = |header: LedgerHeader| {
        (header.x, header.flow.is_syn(), header.flow.rtt(), header.flow.left(), header.reverse)
    };
    assert_eq!(stated(header), stated(asked));
    header.rate.units()
}

#[test]
fn data_get_r_or_what_they_request_and_use_up_nothing() {
    let mut used = LedgerBudget::default();
    for (asked, got) in [(u32::MAX, 300_000), (300_001, 300_000), (299_999, 299_999), (1, 1)] {
        assert_eq!(granted(&GRANT, &mut used, data(asked, 5, 1_000)), got);
    }
    assert_eq!(granted(&GRANT, &mut used, data(0, 5, 1_000)), 0, "nothing requested");
    assert_eq!(granted(&GRANT, &mut used, syn(0, 1_000)), 0, "nothing requested");
    assert_eq!(used.to_plain(), LedgerBudget::default().to_plain());
}

/// By half, for all data that request something.
#[test]
fn a_queue_that_grows_stretches_x() {
    let grant = LedgerGrant { stretch: u64::from(EVEN) * 3 / 2, ..GRANT };
    for (before, stretch) in [(data(9, 8, 5), 96), (syn(9, 5), 64), (data(0, 8, 5), 64)] {
        let mut header = before;
        grant.stamp(&mut LedgerBudget::default(), &mut header);
        assert_eq!((header.flow.stretch(), header.x), (stretch, before.x));
    }
}

#[test]
fn newcomers_get_equal_shares_as_if_all_before_them_sent() {
    let mut used = LedgerBudget::default();
    for share in SHARES {
        assert_eq!(granted(&GRANT, &mut used, syn(u32::MAX, u64::MAX)), share);
    }
    assert_eq!(used.newcomers, 3 * ONE);
    assert_eq!(used.booked, SHARES.map(u64::from).iter().sum::<u64>());
}

/// 4,096 bytes are a quarter of a tick at S / N, 2^14 bytes are one: S / (4 + 1/4 + 1), S / (4 + 5/4 + 1).
#[test]
fn a_newcomer_counts_as_the_part_of_a_tick_that_it_sends_for() {
    let mut used = LedgerBudget::default();
    let mut counted = |left, newcomers, share| {
        assert_eq!(granted(&GRANT, &mut used, syn(u32::MAX, left)), share);
        assert_eq!(used.newcomers, newcomers, "{left}");
    };
    counted(4_096, 64, SHARES[0]);
    counted(1 << 14, 64 + 256, 199_728);
    counted(1 << 20, 64 + 2 * 256, 167_772);
    counted(0, 64 + 2 * 256, 144_631);
}

#[test]
fn a_newcomer_books_its_rate_or_its_data_if_that_is_less() {
    let mut used = LedgerBudget::default();
    granted(&GRANT, &mut used, syn(u32::MAX, 49_152));
    assert_eq!(used.booked, 49_152);
    granted(&GRANT, &mut used, syn(u32::MAX, 1 << 30));
    assert_eq!(used.booked, 49_152 + u64::from(SHARES[1]));
}

#[test]
fn when_the_room_is_booked_the_least_is_left() {
    let grant = LedgerGrant { room: 300_000, ..GRANT };
    let mut used = LedgerBudget::default();
    let rates = [SHARES[0], 300_000 - SHARES[0], 7, 7];
    for rate in rates {
        assert_eq!(granted(&grant, &mut used, syn(u32::MAX, u64::MAX)), rate);
    }
    assert_eq!(used.booked, rates.map(u64::from).iter().sum::<u64>());
    assert_eq!(used.below_largest, u64::from(u32::MAX) - 7);
    assert_eq!((used.waiting, used.count.iter().sum::<u64>()), (2, 2));
    // One that has no more than a packet, of which 7 is 0.8, need not wait.
    granted(&grant, &mut used, syn(u32::MAX, 9));
    assert_eq!((used.waiting, used.short), (2, 9));
    granted(&grant, &mut used, syn(u32::MAX, 18));
    assert_eq!((used.waiting, used.short), (3, 9));
}

/// Whoever holds the flow below its share is not this link: [`LedgerGrant::slow`] follows what was offered.
#[test]
fn a_flow_that_desires_less_books_less_and_was_offered_more() {
    let mut used = LedgerBudget::default();
    assert_eq!(granted(&GRANT, &mut used, syn(1_000, u64::MAX)), 1_000);
    assert_eq!((used.booked, used.granted[CLASSES - 1]), (1_000, 1_000));
    assert_eq!(used.below_largest, u64::from(u32::MAX - SHARES[0]));
    granted(&GRANT, &mut used, syn(1_000, u64::MAX));
    assert_eq!(used.below_largest, u64::from(u32::MAX - SHARES[1]), "that of the least offer");
    // n fell by no flow: a later offer is no higher, but a larger one would not raise the least again.
    let wide = LedgerGrant { flows: 0, ..GRANT };
    granted(&wide, &mut used, syn(u32::MAX, u64::MAX));
    assert_eq!(used.below_largest, u64::from(u32::MAX - SHARES[1]));
}

/// By ticks at the rate granted: left / rate d0, in sixteenths. Of 209,715 units a tick has 13,107.2 bytes.
#[test]
fn newcomers_are_counted_by_the_ticks_for_which_they_will_send() {
    let one = |left| {
        let mut used = LedgerBudget::default();
        let rate = granted(&GRANT, &mut used, syn(u32::MAX, left));
        assert_eq!(rate, SHARES[0]);
        used
    };
    for left in [0, 1, 12_800] {
        let used = one(left);
        assert_eq!((used.short, used.count, used.granted), (left, [0; CLASSES], [0; CLASSES]));
    }
    for (left, class) in
        [(13_312, 1), (26_624, 2), (212_992, 5), (8 * 212_992, 8), (1 << 40, 8), (u64::MAX, 8)]
    {
        let used = one(left);
        let mut alone = [0; CLASSES];
        alone[class] = 1;
        assert_eq!((used.short, used.count), (0, alone), "{left}");
        assert_eq!(used.granted, alone.map(|flows| flows * u64::from(SHARES[0])), "{left}");
    }
    // At a thousandth of the rate, the same data take 128 ticks and more.
    let mut used = LedgerBudget::default();
    granted(&GRANT, &mut used, syn(100, 12_800));
    assert_eq!((used.short, used.count[CLASSES - 1]), (0, 1));
}

#[test]
fn several_short_newcomers_add_their_bytes() {
    let mut used = LedgerBudget::default();
    for left in [3_072, 4_096, 4_992] {
        granted(&GRANT, &mut used, syn(u32::MAX, left));
    }
    assert_eq!((used.short, used.count), (12_160, [0; CLASSES]));
}

fn sums(grant: &LedgerGrant, packets: &[(LedgerHeader, Train)]) -> LedgerSums {
    let mut sums = LedgerSums::default();
    packets.iter().for_each(|(header, train)| sums.add(grant, header, *train));
    sums
}

/// 3/4 of a tick, one, 3/2, and one without an end.
#[test]
fn x_adds_up_by_what_flows_have_left() {
    let packet = Train::packet(1_000);
    let of = |left| (data(9, 10, left), packet);
    let sums = sums(&GRANT, &[of(12_288), of(1 << 14), of(24_576), of(u64::MAX), of(0)]);
    let mut x = [0; CLASSES];
    (x[0], x[1], x[CLASSES - 1]) = (20 * ONE_X, 20 * ONE_X, 10 * ONE_X);
    assert_eq!((sums.x, sums.bytes), (x, 5_000));
    assert_eq!((sums.elsewhere_bytes, sums.elsewhere_x), (0, 0));
}

/// A queue that grew by half of what its link sent, one that shrank by a quarter, and a header without a stretch, which states nothing.
/// Whether the flow follows R is decided by x alone.
#[test]
fn x_counts_as_queues_stretched_it() {
    let packet = Train::packet(1_000);
    let behind = |x, by| {
        let mut header = data(9, x, 0);
        header.flow.stretch_by(by);
        sums(&GRANT, &[(header, packet)])
    };
    for (by, times) in [(96, 96), (48, 48), (0, 0)] {
        let sums = behind(3_001, by);
        assert_eq!((sums.x[0], sums.elsewhere_bytes), (3_001 * times, 0));
        let sums = behind(3_002, by);
        assert_eq!((sums.elsewhere_x, sums.elsewhere_bytes), (3_002 * times, 1_000));
    }
}

/// Above 3 ticks of 2^-28 s a byte; as x is in whole ticks, it may be one more than it is on average.
#[test]
fn slower_flows_are_held_elsewhere_and_the_border_is_not() {
    let packet = Train::packet(1_000);
    assert!(!GRANT.is_slow(3_001, 1, 1_000) && GRANT.is_slow(3_002, 1, 1_000));
    assert!(!GRANT.is_slow(0, 1, 1) && !GRANT.is_slow(1, 1, 1));
    let sums = sums(&GRANT, &[(data(9, 3_001, 0), packet), (data(9, 3_002, 0), packet)]);
    assert_eq!(sums.x[0], 3_001 * ONE_X);
    assert_eq!((sums.elsewhere_bytes, sums.elsewhere_x), (1_000, 3_002 * ONE_X));
    assert_eq!(sums.bytes, 2_000);
}

#[test]
fn packets_without_a_request_are_not_seen_and_those_without_x_count_bytes() {
    let packet = Train::packet(1_000);
    let rtt = WireRtt::from_units(5);
    let flow = FlowState::new(false, rtt, 0);
    let foreign = LedgerHeader { flow, ..data(0, 10, 0) };
    assert_eq!(sums(&GRANT, &[(foreign, packet)]).to_plain(), [0; 5 + CLASSES]);
    let silent = LedgerHeader { flow, ..data(9, 0, 0) };
    let sums = sums(&GRANT, &[(silent, packet)]);
    assert_eq!((sums.bytes, sums.x, sums.elsewhere_x), (1_000, [0; CLASSES], 0));
    assert_eq!(sums.rtt.to_plain(), [1, 5]);
}

#[test]
fn a_train_counts_as_its_packets() {
    for x in [2_000, 4_000] {
        let flow = FlowState::new(false, WireRtt::from_units(8), 1 << 15);
        let header = LedgerHeader { flow, ..data(9, x, 0) };
        let train = sums(&GRANT, &[(header, Train::new(40_000, 40))]);
        let packets = sums(&GRANT, &[(header, Train::packet(1_000)); 40]);
        assert_eq!(train.to_plain(), packets.to_plain());
        assert_eq!(train.x[2] + train.elsewhere_x, 40 * u64::from(x) * ONE_X);
    }
}

fn words<const N: usize>() -> impl Strategy<Value = [u64; N]> {
    let word = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), 0..1_000_000_u64];
    prop::collection::vec(word, N).prop_map(|words| words.try_into().expect("as many"))
}

fn header() -> impl Strategy<Value = LedgerHeader> {
    let word = || prop_oneof![any::<u32>(), Just(0), Just(1), Just(u32::MAX)];
    let left = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), 0..1_000_000_u64];
    (word(), word(), any::<bool>(), word(), left).prop_map(|(rate, x, syn, rtt, left)| {
        let flow = FlowState::new(syn, WireRtt::from_units(rtt), left);
        LedgerHeader { flow, ..data(rate, x, 0) }
    })
}

proptest! {
    /// R is a rate of a header, the other words of a grant are any.
    #[test]
    fn a_grant_is_at_most_the_request_and_never_nothing(
        plain in words(), rate in 1..=u32::MAX, headers in prop::collection::vec(header(), 1..50)
    ) {
        let grant = LedgerGrant { rate: rate.into(), ..LedgerGrant::from_plain(plain) };
        let (mut used, mut sums) = (LedgerBudget::default(), LedgerSums::default());
        for header in headers {
            let before = used;
            sums.add(&grant, &header, Train::new(u32::MAX, u16::MAX));
            let got = granted(&grant, &mut used, header);
            prop_assert!(got <= header.rate.units());
            prop_assert_eq!(got == 0, header.rate == Offer::NONE);
            if !header.flow.is_syn() {
                prop_assert!(got <= rate);
                prop_assert_eq!(used.to_plain(), before.to_plain());
            }
            prop_assert!(used.newcomers - before.newcomers <= ONE);
            prop_assert!(used.booked >= before.booked && used.short >= before.short);
        }
    }

    /// Each newcomer is granted what is left of the room, or the least.
    #[test]
    fn newcomers_book_no_more_than_the_room_and_the_least(
        room in 0..1_u64 << 21, lefts in prop::collection::vec(any::<u64>(), 1..50)
    ) {
        let grant = LedgerGrant { room, ..GRANT };
        let mut used = LedgerBudget::default();
        for &left in &lefts {
            granted(&grant, &mut used, syn(u32::MAX, left));
        }
        prop_assert!(used.booked <= room + grant.least * lefts.len() as u64);
    }

    #[test]
    fn what_words_state_they_state_again(grant in words(), budget in words(), sums in words()) {
        prop_assert_eq!(LedgerGrant::from_plain(grant).to_plain(), grant);
        prop_assert_eq!(LedgerBudget::from_plain(budget).to_plain(), budget);
        prop_assert_eq!(LedgerSums::from_plain(sums).to_plain(), sums);
    }

    /// Sums that wrap since a mark, and those of two CPUs.
    #[test]
    fn sums_wrap_and_differ_by_what_was_added(start in words(), headers in prop::collection::vec(header(), 0..20)) {
        let start = LedgerSums::from_plain(start);
        let packets: Vec<_> =
            headers.into_iter().map(|header| (header, Train::new(9_000, 3))).collect();
        let mut later = start;
        packets.iter().for_each(|(header, train)| later.add(&GRANT, header, *train));
        let grown = sums(&GRANT, &packets);
        prop_assert_eq!(later.since(&start).to_plain(), grown.to_plain());
        prop_assert_eq!(start.plus(&grown).to_plain(), later.to_plain());
    }
}
