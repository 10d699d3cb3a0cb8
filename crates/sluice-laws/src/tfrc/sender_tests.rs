use super::*;

const RTT: Span = Span::from_millis(100);

/// A sender of packets of 1250 bytes, 10,000 bits, whose RTT is 100 ms.
fn opened(initial_window: u32) -> TfrcSender {
    let context = SenderContext::new(Bytes::new(1250), Bytes::new(40));
    let context = SenderContext { initial_window, ..context };
    let mut law = TfrcSender::new(&TfrcParams::default(), &context);
    assert_eq!(law.rate(), Some(Rate::from_bps(10_000)), "a packet a second without an RTT");
    law.on_ack(&reply(0, 0));
    law
}

fn at(millis: u64) -> Time {
    Time::ZERO + Span::from_millis(millis)
}

fn reply(millis: u64, delivered: u32) -> AckEvent {
    let event = AckEvent::new(at(millis), WireHeader::default());
    AckEvent { rtt: Some(RTT), delivered, ..event }
}

/// Packets a second.
fn pace(law: &TfrcSender) -> f64 {
    law.rate().unwrap().as_bps_f64() / 10_000.0
}

/// Acknowledges `packets` at the end of each millisecond of `millis`.
fn deliver(law: &mut TfrcSender, millis: core::ops::Range<u64>, packets: u32) {
    millis.for_each(|ms| law.on_ack(&reply(ms, packets)));
}

fn metric(law: &TfrcSender, name: &str) -> f64 {
    let mut found = None;
    law.metrics(&mut |metric, value| {
        if metric == name {
            found = Some(value);
        }
    });
    found.unwrap()
}

#[test]
fn the_first_rate_is_the_initial_window_in_an_rtt() {
    assert_eq!(opened(3).rate(), Some(Rate::from_bps(300_000)));
}

/// One packet a millisecond is an X_recv of 1000 packets a second.
#[test]
fn x_recv_is_measured_over_a_round_trip() {
    let mut law = opened(100);
    deliver(&mut law, 101..501, 1);
    assert_eq!(metric(&law, "receive_rate"), 10_000_000.0);
    assert_eq!((metric(&law, "loss_event_rate"), metric(&law, "loss_interval")), (0.0, 0.0));
}

/// The first loss interval gives X_target = max X_recv = 1000 packets a second, 100 a round trip. By hand:
/// f(p) = 0.0099866 + 0.0000134 = 0.01 at p = 0.0001496.
#[test]
fn the_first_loss_gives_the_equation_the_receive_rate() {
    let mut law = opened(100);
    deliver(&mut law, 101..501, 1);
    assert!(pace(&law) > 1_900.0, "slow start: {}", pace(&law));
    law.on_packets_lost(1);
    law.on_ack(&reply(550, 50));
    assert!((pace(&law) - 1_000.0).abs() < 1.0, "{}", pace(&law));
    let p = metric(&law, "loss_event_rate");
    assert!((p / 0.000_149_6 - 1.0).abs() < 0.01, "{p}");
    assert!((metric(&law, "loss_interval") * p - 1.0).abs() < 1e-9);
}

/// The report is due at the loss, not an RTT after the last.
#[test]
fn a_loss_event_is_reported_at_once_and_those_of_its_round_trip_are_not() {
    let mut law = opened(100);
    deliver(&mut law, 101..520, 1);
    law.on_packets_lost(1);
    law.on_ack(&reply(520, 1));
    let after = pace(&law);
    assert!((after - 1_000.0).abs() < 15.0, "{after}");
    law.on_packets_lost(40);
    law.on_ack(&reply(560, 1));
    assert_eq!(pace(&law), after);
    law.on_packets_lost(41);
    law.on_ack(&reply(621, 1));
    assert!(pace(&law) < after, "{} {after}", pace(&law));
}

/// Nothing was received: X_target is half of 1000 packets a second.
#[test]
fn a_loss_before_any_feedback_halves_the_rate() {
    let mut law = opened(100);
    law.on_packets_lost(1);
    law.on_ack(&reply(50, 0));
    assert_eq!(metric(&law, "receive_rate"), 0.0);
    assert!((1.0 / metric(&law, "loss_interval") / loss_event_rate(500.0, 0.1) - 1.0).abs() < 1e-9);
}

#[test]
fn a_mark_begins_a_loss_event() {
    let mut law = opened(100);
    deliver(&mut law, 101..501, 1);
    law.on_ack(&AckEvent { marked: 1, ..reply(550, 50) });
    assert!((pace(&law) - 1_000.0).abs() < 1.0, "{}", pace(&law));
}

/// 0.9 x 10 + 0.1 x 15 = 10.5 over 15, of X = W_init / R doubled.
#[test]
fn a_longer_rtt_lowers_the_rate_at_once() {
    let longer = Some(Span::from_millis(225));
    let mut law = opened(10);
    law.on_ack(&AckEvent { rtt: longer, ..reply(120, 1) });
    assert!((pace(&law) - 0.7 * 200.0).abs() < 0.01, "{}", pace(&law));

    let context = SenderContext::new(Bytes::new(1250), Bytes::new(40));
    let params = TfrcParams { reduce_oscillations: false, ..TfrcParams::default() };
    let mut law = TfrcSender::new(&params, &context);
    law.on_ack(&reply(0, 0));
    law.on_ack(&AckEvent { rtt: longer, ..reply(120, 1) });
    assert_eq!(pace(&law), 200.0);
}

/// X = 200 from 100 ms on: 100 after 4 R of silence, seen at the time-out, and 50 at the next.
#[test]
fn silence_halves_the_rate_at_time_outs() {
    let mut law = opened(10);
    law.on_ack(&reply(100, 1));
    let paces = [499, 500, 900].map(|millis| {
        law.on_rto(&RtoEvent::new(at(millis), 5));
        pace(&law)
    });
    assert_eq!(paces, [200.0, 100.0, 50.0]);
}

/// The rest of the flow is in flight: what arrives of it says nothing of the path.
#[test]
fn the_end_of_a_flow_lowers_no_rate() {
    let mut law = opened(100);
    let sample = |app_limited| RateSample {
        sent: at(0),
        delivered: 1,
        prior_delivered: 0,
        interval: Some(RTT),
        app_limited,
        in_flight_at_send: 1,
        lost: 0,
        newly_lost: 0,
    };
    deliver(&mut law, 101..601, 1);
    let before = pace(&law);
    for ms in [700, 800, 900, 1_000] {
        law.on_rate_sample(&sample(true));
        law.on_ack(&reply(ms, 1));
    }
    assert!((pace(&law) - before).abs() < 30.0, "{} {before}", pace(&law));
    for ms in [1_100, 1_200, 1_300, 1_400] {
        law.on_rate_sample(&sample(false));
        law.on_ack(&reply(ms, 1));
    }
    assert!(pace(&law) < before / 1.5, "{} {before}", pace(&law));
}

/// 4 R at X, 4 R at X / 2, ...: 8 R at X.
#[test]
fn what_leaves_in_silence_fits_into_the_window() {
    assert_eq!(opened(100).window(), 800);
    assert_eq!(opened(1).window(), 16);
}

#[test]
fn a_sender_without_an_rtt_heeds_nothing() {
    let context = SenderContext::new(Bytes::new(1250), Bytes::new(40));
    let mut law = TfrcSender::new(&TfrcParams::default(), &context);
    law.on_rto(&RtoEvent::new(at(1_000), 0));
    law.on_congestion(&CongestionEvent::new(at(1_000), 0));
    assert_eq!((law.window(), pace(&law)), (context.initial_window, 1.0));
}
