//! Algorithm 1 by hand: 10 Gb/s and T = 10 us, so B T = 12,500 bytes and W_AI = 12,500 * 0.05 / 100 = 6.25.

use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use super::HpccSender;
use crate::WireHeader;
use crate::host::{
    AckEvent, CongestionEvent, HostLaw, PacketKind, RtoEvent, SendEvent, SenderContext,
};
use crate::hpcc::HpccParams;
use crate::telemetry::HopReading;

const FULL: u64 = 12_500;

fn at(micros: u64) -> Time {
    Time::from_nanos(1000 * micros)
}

fn params() -> HpccParams {
    HpccParams { base_rtt: Some(Span::from_micros(10)), ..HpccParams::default() }
}

/// A sender that has its first window.
fn opened(params: &HpccParams) -> HpccSender {
    let mut sender = HpccSender::new(params, &SenderContext::new(Bytes::new(1000), Bytes::new(40)));
    sender.on_ack(&AckEvent {
        kind: PacketKind::SynAck,
        rtt: Some(Span::from_micros(10)),
        ..AckEvent::new(at(0), WireHeader::default())
    });
    sender
}

fn reading(link: u32, micros: u64, sent: u64, queue: u64) -> HopReading {
    let capacity = Rate::from_bps(10_000_000_000);
    HopReading { link, capacity, at: at(micros), sent, queue: Bytes::new(queue) }
}

/// An acknowledgement at `micros` of a packet that left at `sent`.
fn acked(sender: &mut HpccSender, micros: u64, sent: u64, hops: &[HopReading]) {
    sender.on_telemetry(hops);
    sender.on_ack(&AckEvent { sent: at(sent), ..AckEvent::new(at(micros), WireHeader::default()) });
}

fn metric(sender: &HpccSender, wanted: &str) -> f64 {
    let mut found = f64::NAN;
    sender.metrics(&mut |name, value| {
        if name == wanted {
            found = value;
        }
    });
    found
}

#[track_caller]
fn assert_close(found: f64, by_hand: f64) {
    assert!((found - by_hand).abs() < 1e-9 * by_hand, "{found}, by hand {by_hand}");
}

#[track_caller]
fn assert_window(sender: &HpccSender, bytes: f64) {
    assert_close(metric(sender, "cwnd"), bytes / 1000.0);
}

#[test]
fn it_starts_at_line_rate() {
    let sender = opened(&params());
    assert_window(&sender, 12_500.0);
    assert_eq!((sender.window(), sender.rate()), (13, Some(Rate::from_bps(10_000_000_000))));
}

#[test]
fn only_data_packets_ask_for_telemetry() {
    let mut sender = opened(&params());
    let mut header = |kind| sender.header(&SendEvent::new(at(0), kind, 1000)).get()[0];
    assert_eq!(header(PacketKind::Data), 1 << 31);
    assert_eq!(header(PacketKind::Syn), 0);
}

#[test]
fn bytes_in_flight_are_the_queue_and_what_the_link_sends() {
    let mut sender = opened(&params());
    acked(&mut sender, 10, 0, &[reading(0, 5, 0, 5_000)]);
    // The first readings show no rate.
    assert_window(&sender, 12_500.0);
    // The smaller queue, 2500 / 12,500, and a full link: 1.2. The time between readings is T: all of it counts.
    acked(&mut sender, 20, 10, &[reading(0, 15, FULL, 2_500)]);
    assert_close(metric(&sender, "utilization"), 1.2);
    let window = 12_500.0 / (1.2 / 0.95) + 6.25;
    assert_window(&sender, window);
    assert_eq!(sender.window(), 10);
    // R = W / T.
    assert_eq!(sender.rate(), Some(Rate::from_bps_f64(8.0 * window / 10e-6)));
}

#[test]
fn readings_a_part_of_t_apart_count_as_that_part() {
    let mut sender = opened(&params());
    acked(&mut sender, 10, 0, &[reading(0, 5, 0, 0)]);
    // In 2 us a full link sends 2500 bytes; the queue of 0 is the smaller. U = 0.8 * 1 + 0.2 * 1.
    acked(&mut sender, 12, 2, &[reading(0, 7, 2_500, 9_000)]);
    assert_close(metric(&sender, "utilization"), 1.0);
    // 9000 / 12,500 + 1: U = 0.8 * 1 + 0.2 * 1.72.
    acked(&mut sender, 14, 4, &[reading(0, 9, 5_000, 10_000)]);
    assert_close(metric(&sender, "utilization"), 1.144);
    // Longer than T, it counts as T.
    acked(&mut sender, 34, 24, &[reading(0, 29, 17_500, 0)]);
    assert_close(metric(&sender, "utilization"), 0.5);
}

#[test]
fn the_busiest_link_counts() {
    let mut sender = opened(&params());
    acked(&mut sender, 10, 0, &[reading(3, 4, 0, 0), reading(9, 5, 0, 0)]);
    acked(&mut sender, 20, 10, &[reading(3, 14, 5_000, 0), reading(9, 15, 10_000, 0)]);
    assert_close(metric(&sender, "utilization"), 0.8);
}

#[test]
fn the_reference_moves_once_a_round_trip() {
    let mut sender = opened(&params());
    let mut sent = 0;
    let mut busy = |sender: &mut HpccSender, now: u64, left: u64| {
        sent += FULL;
        // U is 1.9: readings are T apart, whatever the acknowledgements are.
        acked(sender, now, left, &[reading(0, sent / FULL * 10, sent, 11_250)]);
    };
    // The first readings show no rate.
    busy(&mut sender, 20, 0);
    busy(&mut sender, 30, 1);
    let once = 12_500.0 / 2.0 + 6.25;
    assert_window(&sender, once);
    // These packets left before W_c moved, at 30 us: the window follows U, but does not compound.
    let twice = once / 2.0 + 6.25;
    busy(&mut sender, 31, 2);
    assert_window(&sender, twice);
    busy(&mut sender, 32, 29);
    assert_window(&sender, twice);
    // This one left later: W_c moves, and the next one once more.
    busy(&mut sender, 40, 30);
    assert_window(&sender, twice);
    busy(&mut sender, 50, 40);
    assert_window(&sender, twice / 2.0 + 6.25);
}

/// A link at half load: additive increase in five round trips, then a multiplicative one.
#[test]
fn five_round_trips_add_and_the_sixth_multiplies() {
    let mut sender = opened(&params());
    let mut round = 0;
    let mut half_loaded = |sender: &mut HpccSender, load: u64| {
        round += 1;
        let hops = [reading(0, 10 * round, load * round, 0)];
        acked(sender, 10 * round + 5, 10 * round - 5, &hops);
    };
    half_loaded(&mut sender, FULL / 2);
    sender.reference = 3_000.0;
    for stage in 1..=5 {
        half_loaded(&mut sender, FULL / 2);
        assert_window(&sender, 3_000.0 + 6.25 * f64::from(stage));
    }
    half_loaded(&mut sender, FULL / 2);
    assert_window(&sender, 3_031.25 * 0.95 / 0.5 + 6.25);
    half_loaded(&mut sender, FULL / 2);
    assert_window(&sender, 3_031.25 * 0.95 / 0.5 + 2.0 * 6.25);
}

#[test]
fn without_stages_it_multiplies_at_once_and_never_exceeds_line_rate() {
    let mut sender = opened(&HpccParams { max_stage: 0, ..params() });
    sender.reference = 3_000.0;
    acked(&mut sender, 10, 0, &[reading(0, 5, 0, 0)]);
    acked(&mut sender, 20, 10, &[reading(0, 15, FULL / 2, 0)]);
    assert_window(&sender, 3_000.0 * 0.95 / 0.5 + 6.25);
    // A nearly idle path.
    acked(&mut sender, 30, 20, &[reading(0, 25, FULL / 2 + 100, 0)]);
    assert_window(&sender, 12_500.0);
}

#[test]
fn readings_of_other_links_or_out_of_order_change_nothing() {
    let mut sender = opened(&params());
    acked(&mut sender, 10, 0, &[reading(0, 5, 0, 5_000)]);
    acked(&mut sender, 20, 10, &[reading(1, 15, FULL, 5_000)]);
    assert_window(&sender, 12_500.0);
    // Older than the last of the same link: the next measures from the newer.
    acked(&mut sender, 21, 9, &[reading(1, 14, FULL - 2_000, 9_000)]);
    assert_window(&sender, 12_500.0);
    acked(&mut sender, 30, 20, &[reading(1, 25, 2 * FULL, 5_000)]);
    assert_close(metric(&sender, "utilization"), 1.4);
}

#[test]
fn neither_losses_nor_time_outs_nor_silent_links_change_the_window() {
    let mut sender = opened(&params());
    acked(&mut sender, 10, 0, &[]);
    acked(&mut sender, 20, 10, &[]);
    sender.on_congestion(&CongestionEvent::new(at(20), 10));
    sender.on_rto(&RtoEvent::new(at(30), 10));
    assert_window(&sender, 12_500.0);
}

/// 1 kb/s to 400 Gb/s, 10 us and 3 s, the knobs at both ends: some packet can always leave.
#[test]
fn the_extremes_keep_a_window_and_a_pace() {
    for bps in [1_000, 10_000_000_000, 400_000_000_000] {
        for rtt in [Span::from_micros(10), Span::from_secs(3)] {
            for (eta, max_stage, flows) in [(0.001, 0, 1), (0.999, 1000, 1_000_000)] {
                let params = HpccParams {
                    eta: Ratio::new(eta),
                    max_stage,
                    flows,
                    base_rtt: Some(rtt),
                    ..HpccParams::default()
                };
                let line_rate = Rate::from_bps(bps);
                let context = SenderContext::new(Bytes::new(1500), Bytes::new(40));
                let mut sender = HpccSender::new(&params, &SenderContext { line_rate, ..context });
                for round in 1..100_u64 {
                    let now = Time::ZERO + rtt * round;
                    let queue = Bytes::new(u64::MAX / 1000);
                    let sent = round * line_rate.bytes_in(rtt).as_u64();
                    let hop = HopReading { link: 0, capacity: line_rate, at: now, sent, queue };
                    sender.on_telemetry(&[hop]);
                    sender.on_ack(&AckEvent {
                        sent: now,
                        ..AckEvent::new(now, WireHeader::default())
                    });
                    assert!(sender.window() >= 1);
                    assert!(sender.rate().unwrap() >= Rate::from_bps(1000));
                    assert!(metric(&sender, "cwnd").is_finite());
                }
            }
        }
    }
}
