//! Lossless slow start takes exactly as long as computed by hand.

use crate::shown::{CONTROL, PACKET, config, flow, group, link, results};
use crate::slow_start::{Ends, Network, arrivals};
use sluice_laws::tcp::throughput::slow_start_fct;
use sluice_laws::tcp::{LossRecovery, TcpParams};
use sluice_sim::traffic::Traffic;
use sluice_units::{Bytes, Rate, Span, Time};

const LARGEST: u64 = 4096;
/// RFC 5681 allows 500 ms; [`TcpParams`] has 100 ms.
const ACK_DELAY: f64 = 100e6;

/// The path: capacity in each direction, propagation delay each way.
#[derive(Clone, Copy)]
struct Place {
    out: u64,
    back: u64,
    delay: Span,
}

impl Place {
    const fn new(out: u64, back: u64, delay: Span) -> Self {
        Self { out, back, delay }
    }

    fn by_hand(&self) -> Network {
        let time = |bytes: u64, bps: u64| bytes as f64 * 8e9 / bps as f64;
        Network {
            data: time(PACKET, self.out),
            syn: time(CONTROL, self.out),
            ack: time(CONTROL, self.back),
            delay: self.delay.as_nanos() as f64,
        }
    }

    /// Completion times in nanoseconds of flows of these sizes, far apart in one run.
    fn simulated(&self, tcp: &TcpParams, sizes: &[u64]) -> Vec<u64> {
        let links = vec![link(0, 1, self.out, self.delay), link(1, 0, self.back, self.delay)];
        let apart = Span::from_secs(20);
        let flows = sizes.iter().enumerate();
        let flows = flows.map(|(i, &size)| flow(Time::ZERO + apart * i as u64, size)).collect();
        let length = apart * (sizes.len() as u64 + 1);
        // Over slow links, a window takes longer than the SYN's RTT suggests, and tail loss probes
        // would leave.
        let tcp = TcpParams { recovery: Some(LossRecovery::Sack), ..tcp.clone() };
        let (flows, outcome) =
            results(&config(links, vec![group(Traffic::List(flows))], length), &tcp);
        assert_eq!(outcome.unfinished, 0);
        assert!(flows.iter().all(|flow| flow.retransmissions == 0));
        flows.iter().map(|flow| flow.completion.expect("finished").as_nanos()).collect()
    }
}

/// Every size up to 256 packets, and beyond: each power of two and its neighbours, every 61st.
fn sizes() -> Vec<u64> {
    let powers = (8..=12).flat_map(|n| [(1 << n) - 1, 1 << n, (1 << n) + 1]);
    let mut sizes: Vec<u64> = (1..=256).chain((257..LARGEST).step_by(61)).chain(powers).collect();
    sizes.retain(|&size| size <= LARGEST);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Largest difference in nanoseconds between engine and calculation, over initial windows of 1, 2
/// and 10, with and without delayed ACKs.
fn worst_difference(place: &Place) -> f64 {
    let sizes = sizes();
    let ends = [1, 2, 10].into_iter().flat_map(|window| [(window, false), (window, true)]);
    ends.map(|ends| difference(place, &sizes, ends)).fold(0.0, f64::max)
}

/// The same over some sizes, for one initial window, with or without delayed ACKs.
fn difference(place: &Place, sizes: &[u64], (window, delayed_ack): (u32, bool)) -> f64 {
    let tcp = TcpParams {
        initial_window: Some(window),
        delayed_ack: Some(delayed_ack),
        ..TcpParams::default()
    };
    let ends = Ends { window: window.into(), delayed_ack: delayed_ack.then_some(ACK_DELAY) };
    let by_hand = arrivals(&place.by_hand(), &ends, LARGEST as usize);
    let mut worst = 0.0_f64;
    for (&size, took) in sizes.iter().zip(place.simulated(&tcp, sizes)) {
        let wanted = by_hand[size as usize - 1];
        let off = (took as f64 - wanted).abs();
        assert!(
            off < 1e3,
            "{size} packets, window {window}, delayed ACKs {delayed_ack}: \
             took {took} ns, {wanted} by hand"
        );
        worst = worst.max(off);
    }
    worst
}

/// 800 Mb/s and 100 ms: 10,000 packets in flight at once, more than any flow here has.
const LONG: Place = Place::new(800_000_000, 800_000_000, Span::from_millis(50));

#[test]
fn long_pipes_never_fill() {
    assert_eq!(worst_difference(&LONG), 0.0);
}

#[test]
fn every_size_is_right() {
    let sizes: Vec<u64> = (1..=LARGEST).collect();
    assert_eq!(difference(&LONG, &sizes, (2, false)), 0.0);
}

#[test]
fn short_pipes_fill_and_queue() {
    // 20 packets fill it: from there on the link is busy, and ACKs come at its pace.
    let place = Place::new(80_000_000, 80_000_000, Span::from_millis(1));
    assert_eq!(worst_difference(&place), 0.0);
}

#[test]
fn a_path_without_delay_is_busy_from_the_second_packet() {
    assert_eq!(worst_difference(&Place::new(80_000_000, 80_000_000, Span::ZERO)), 0.0);
}

#[test]
fn slow_acknowledgements_hold_the_window_back() {
    // An ACK takes 160 us back, a packet 100 us out.
    let place = Place::new(80_000_000, 2_000_000, Span::from_millis(10));
    assert_eq!(worst_difference(&place), 0.0);
}

#[test]
fn odd_rates_round_up_once_a_link() {
    // 51,612.903 ns a packet. The engine rounds each departure up to a nanosecond, so a round trip
    // is at most 2 ns long; 4096 packets take 14 round trips and the SYN's before the pipe fills.
    let place = Place::new(155_000_000, 155_000_000, Span::from_millis(40));
    let worst = worst_difference(&place);
    assert!(worst > 0.0 && worst < 30.0, "{worst} ns");
}

/// The paper's formula (PS 3.4, FCT 2) rounds the last half round trip up and counts all of L/C.
/// Exact, on a pipe that does not fill, is (ceil(log2(L + 1)) + 1/2) RTT + what the last round
/// sends / C: so the formula is at most half a round trip below the simulation, and at most half
/// a round trip and L/C above it.
#[test]
fn the_papers_formula_is_within_half_a_round_trip() {
    let sizes = sizes();
    let tcp = TcpParams { initial_window: Some(1), ..TcpParams::default() };
    let (rtt, capacity) = (LONG.delay * 2, Rate::from_bps(LONG.out));
    // The formula omits the transmission of SYN and SYN-ACK, and of a packet and an ACK in each of
    // at most 13 rounds.
    let left_out = 14.0 * (10.0 + 0.4 + 0.4) * 1e3;
    let (mut above, mut below) = (0, 0);
    for (&size, took) in sizes.iter().zip(LONG.simulated(&tcp, &sizes)) {
        let formula = slow_start_fct(size, Bytes::new(PACKET), rtt, capacity);
        let excess = formula.as_nanos() as f64 - took as f64;
        let half = rtt.as_nanos() as f64 / 2.0;
        let all = capacity.time_for(Bytes::new(size * PACKET)).as_nanos() as f64;
        let allowed = -half - left_out..half + all;
        assert!(allowed.contains(&excess), "{size} packets: off by {excess} ns");
        above += u32::from(excess > half * 0.9);
        below += u32::from(excess < -half * 0.9);
    }
    assert!(above > 0 && below > 0, "both ends occur: {above} above, {below} below");
}
