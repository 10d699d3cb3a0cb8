use super::*;
use crate::bbr::testing::{CONTEXT, Fed, RTT, near};

fn opened() -> Fed<Bbr1Sender> {
    Fed::open(Bbr1Sender::new(&Bbr1Params::default(), &CONTEXT))
}

/// One that has filled a pipe of 1000 packets a second and 100 ms, 100 packets, and drains.
fn filled() -> Fed<Bbr1Sender> {
    let mut fed = opened();
    fed.in_flight = 200;
    for _ in 0..4 {
        fed.round(1000);
    }
    assert_eq!(fed.law.state, State::Drain);
    fed
}

/// The same in ProbeBW, at that phase of the cycle, which begins now.
fn cycling(index: usize) -> Fed<Bbr1Sender> {
    let mut fed = filled();
    fed.in_flight = 100;
    fed.round(1000);
    assert!(matches!(fed.law.state, State::ProbeBw(_)));
    (fed.law.state, fed.law.cycle_stamp) = (State::ProbeBw(index), fed.now);
    fed
}

/// Section 4.2.1: 2.885 x 10 packets x 8000 bits in 1 ms, then in the RTT of 100 ms.
#[test]
fn the_first_pace_by_hand() {
    let law = Bbr1Sender::new(&Bbr1Params::default(), &CONTEXT);
    let pace = law.rate().map_or(0.0, |rate| rate.as_bps_f64());
    assert!(near(pace, 230_831_207.0), "{pace}");
    assert!(near(opened().pace(), 2_308_312.0));
}

/// Section 4.3.2.2: three rounds in which BtlBw grows by less than a quarter.
#[test]
fn three_rounds_without_growth_end_startup() {
    let mut fed = opened();
    fed.in_flight = 1000;
    for bw in [100, 200, 249, 260, 400, 499, 499] {
        fed.round(bw);
        assert_eq!(fed.law.state, State::Startup, "{bw}");
    }
    assert!(near(fed.pace(), HIGH_GAIN * 499.0 * 8000.0), "the rate follows its maximum");
    fed.round(499);
    assert_eq!(fed.law.state, State::Drain);
    assert!(near(fed.pace(), 499.0 * 8000.0 / HIGH_GAIN));
}

#[test]
fn acknowledgements_within_a_round_and_app_limited_rounds_do_not_count() {
    let mut fed = opened();
    fed.round(100);
    for _ in 0..10 {
        fed.ack(1, 100, false);
    }
    fed.app_limited = true;
    for _ in 0..10 {
        fed.round(50);
    }
    assert_eq!((fed.law.state, fed.law.btl_bw.max()), (State::Startup, 100.0));
    fed.round(120); // more than was known, application-limited or not
    assert_eq!(fed.law.btl_bw.max(), 120.0);
}

/// Section 4.1.1: the best of ten rounds is forgotten with the eleventh.
#[test]
fn the_bandwidth_is_the_maximum_of_ten_rounds() {
    let mut fed = opened();
    fed.round(500);
    for _ in 0..9 {
        fed.round(300);
        assert_eq!(fed.law.btl_bw.max(), 500.0);
    }
    fed.round(300);
    assert_eq!(fed.law.btl_bw.max(), 300.0);
}

/// Sections 4.3.3 and 4.2.3.2: until a product of 100 packets and three quanta are in flight.
#[test]
fn drain_ends_at_a_bandwidth_delay_product() {
    let mut fed = filled();
    fed.in_flight = 104;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::Drain);
    fed.in_flight = 103;
    fed.ack(1, 1000, false);
    assert!(matches!(fed.law.state, State::ProbeBw(_)));
}

/// Section 4.3.4.2: any phase but the second, each as often.
#[test]
fn the_cycle_begins_at_a_drawn_phase() {
    let mut phases = [0; 8];
    for nanos in 0..7000 {
        let mut fed = filled();
        fed.law.enter_probe_bw(fed.now + Span::from_nanos(nanos));
        if let State::ProbeBw(index) = fed.law.state {
            phases[index] += 1;
        }
    }
    assert_eq!(phases[1], 0);
    assert!(
        phases.iter().enumerate().all(|(i, n)| i == 1 || (880..1120).contains(n)),
        "{phases:?}"
    );
}

/// Section 4.3.4.3: at 5/4 until that much is in flight, or a packet is lost.
#[test]
fn the_probing_phase_waits_for_its_volume_or_a_loss() {
    for lost in [0, 1] {
        let mut fed = cycling(0);
        assert!(near(fed.law.pacing_gain(), 1.25));
        fed.now += RTT * 2;
        fed.in_flight = 127;
        fed.ack(1, 1000, false); // 100 were in flight as it arrived
        assert_eq!(fed.law.state, State::ProbeBw(0));
        fed.lose(lost);
        fed.ack(1, 1000, false);
        assert_eq!(fed.law.state, State::ProbeBw(lost as usize));
        fed.send(127); // 128 = 1.25 x 100 + 3
        fed.ack(1, 1000, false);
        assert_eq!(fed.law.state, State::ProbeBw(1));
    }
}

#[test]
fn the_draining_phase_ends_early_and_cruising_lasts_rtprop() {
    let mut fed = cycling(1);
    fed.send(103);
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::ProbeBw(1));
    fed.send(102);
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::ProbeBw(2));
    fed.now += RTT;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::ProbeBw(2));
    fed.now += Span::NANO;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::ProbeBw(3));
    let mut fed = cycling(7);
    fed.now += RTT + Span::NANO;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::ProbeBw(0));
}

/// Section 4.2.3.6: no more than is acknowledged, up to 2 x 100 + 3 packets and one that is aggregated, as
/// each acknowledgement is by itself.
#[test]
fn the_window_approaches_its_target() {
    let mut fed = cycling(2);
    fed.law.window.cwnd = 50;
    fed.ack(20, 1000, false);
    assert_eq!(fed.law.window(), 70);
    fed.law.aggregation = Aggregation::new();
    fed.law.aggregation.begin(fed.now);
    fed.law.window.cwnd = 300;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.window(), 204);
    for _ in 0..20 {
        fed.now += Span::from_secs(1);
        fed.ack(1, 1, true); // 0.1 packets in a round trip
    }
    assert_eq!(fed.law.window(), MIN_PIPE_CWND);
}

/// Linux: what arrives beyond the bandwidth is added, up to 100 ms of it.
#[test]
fn aggregated_acknowledgements_widen_the_window_by_100_ms_at_most() {
    let mut fed = cycling(2);
    fed.law.window.cwnd = 300;
    fed.now += RTT;
    fed.ack(60, 1000, true);
    fed.ack(200, 1000, false);
    assert_eq!(fed.law.window(), 303);
}

/// Section 4.3.5: after 10 s without a lower RTT; four packets for 200 ms and a round.
#[test]
fn probe_rtt_by_the_clock() {
    let mut fed = cycling(2);
    fed.ack(150, 1000, false);
    let window = fed.law.window();
    fed.rtt = RTT + Span::NANO;
    fed.now += Span::from_secs(10);
    fed.ack(1, 1000, true);
    assert!(matches!(fed.law.state, State::ProbeBw(_)));
    fed.now += Span::NANO;
    fed.in_flight = 100;
    fed.ack(1, 1000, true);
    assert_eq!((fed.law.state, fed.law.window()), (State::ProbeRtt, 4));
    assert_eq!(fed.law.rtprop, Some(fed.rtt), "the sample that came as the old one expired");
    fed.now += Span::from_secs(1); // does not count before it drained
    fed.ack(1, 1000, true);
    fed.in_flight = 4;
    fed.ack(1, 1000, false);
    fed.now += Span::from_millis(200);
    fed.ack(1, 1000, true);
    assert_eq!(fed.law.state, State::ProbeRtt);
    fed.now += Span::NANO;
    fed.ack(1, 1000, false);
    assert!(matches!(fed.law.state, State::ProbeBw(_)));
    assert!(fed.law.window() >= window, "{} {window}", fed.law.window());
}

#[test]
fn an_equal_rtt_puts_probe_rtt_off() {
    let mut fed = cycling(2);
    fed.now += Span::from_secs(5);
    fed.ack(1, 1000, true);
    fed.rtt = RTT * 2;
    fed.now += Span::from_secs(9);
    fed.ack(1, 1000, true);
    assert!(matches!(fed.law.state, State::ProbeBw(_)));
    fed.now += Span::from_secs(1) + Span::NANO;
    fed.ack(1, 1000, true);
    assert_eq!(fed.law.state, State::ProbeRtt);
}

/// "Ignore low rate samples during ProbeRTT": what leaves with four packets in flight measures nothing.
#[test]
fn samples_of_probe_rtt_are_application_limited() {
    let mut fed = cycling(2);
    fed.rtt = RTT * 2;
    fed.now += Span::from_secs(11);
    fed.in_flight = 4;
    fed.ack(1, 1000, true);
    assert_eq!(fed.law.state, State::ProbeRtt);
    for _ in 0..20 {
        fed.now += Span::from_millis(5);
        fed.ack(1, 20, true);
    }
    assert_eq!(fed.law.btl_bw.max(), 1000.0);
}

/// Section 4.2.3.4: what is delivered may leave again for a round, then the window grows, and after the
/// repair it is what it was.
#[test]
fn recovery_conserves_packets_for_a_round() {
    let mut fed = cycling(2);
    fed.ack(150, 1000, false);
    let before = fed.law.window();
    fed.lose(20);
    fed.law.on_congestion(&CongestionEvent::new(fed.now, 120));
    assert_eq!(fed.law.window(), before, "it follows with the acknowledgement");
    (fed.recovering, fed.in_flight) = (true, 80);
    fed.ack(2, 1000, false);
    assert_eq!(fed.law.window(), 82);
    fed.in_flight = 70;
    fed.ack(3, 1000, false);
    assert_eq!(fed.law.window(), 82, "the larger of the window and 73");
    fed.lose(5);
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.window(), 77, "less what was lost");
    fed.round(1000);
    assert_eq!(fed.law.window(), 78, "slow start after a round");
    fed.law.on_recovered();
    fed.recovering = false;
    fed.ack(1, 1000, false);
    assert!(fed.law.window() >= before);
}

/// A window of one packet, and the old one when all that was outstanding is acknowledged.
#[test]
fn a_time_out_leaves_one_packet() {
    let mut fed = cycling(2);
    fed.ack(150, 1000, false);
    let before = fed.law.window();
    fed.time_out(30);
    assert_eq!(fed.law.window(), 1);
    fed.in_flight = 0;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.window(), MIN_PIPE_CWND);
    fed.time_out(29); // again: what was known to be good stays so
    fed.ack(20, 1000, false);
    assert_eq!(fed.law.window(), 21);
    fed.ack(9, 1000, false);
    assert!(fed.law.window() >= before);
    let mut fed = opened();
    fed.time_out(0); // a SYN
    assert!(!fed.law.connection.is_recovering());
}

/// Section 4.3.4.4: at exactly BtlBw, and no ProbeRTT, since silence has drained the queue.
#[test]
fn after_idleness_it_paces_at_the_bandwidth() {
    let mut fed = cycling(0);
    fed.app_limited = true;
    fed.ack(1, 1000, false);
    assert!(near(fed.pace(), 1.25 * 8e6));
    fed.now += Span::from_secs(20);
    fed.send(0);
    assert!(near(fed.pace(), 8e6));
    assert!(fed.law.idle_restart);
    fed.rtt = RTT * 2;
    fed.ack(1, 1000, false);
    assert!(matches!(fed.law.state, State::ProbeBw(_)));
    assert!(!fed.law.idle_restart);
}

#[test]
fn the_extremes_stay_finite_and_send() {
    for bw in [1, u32::MAX] {
        for rtt in [Span::NANO, Span::from_secs(1_000_000)] {
            let mut fed = opened();
            fed.rtt = rtt;
            for _ in 0..30 {
                fed.round(bw);
                assert!(fed.law.window() >= 1 && fed.pace() >= 1.0);
                fed.law.metrics(&mut |name, value| assert!(value.is_finite(), "{name}"));
            }
        }
    }
}
