use super::*;
use crate::bbr::Rounds;
use crate::bbr::testing::{CONTEXT, Fed, RTT, near};
use crate::bbr3::Bbr3Params;

fn opened() -> Fed<Bbr3Sender> {
    Fed::open(Bbr3Sender::new(&Bbr3Params::default(), &CONTEXT))
}

/// One that has filled a pipe of 1000 packets a second and 100 ms, 100 packets, and drains.
fn filled() -> Fed<Bbr3Sender> {
    let mut fed = opened();
    (fed.in_flight, fed.tx_in_flight) = (200, 200);
    for _ in 0..4 {
        fed.round(1000);
    }
    assert_eq!(fed.law.state, State::Drain);
    fed
}

/// The same in a ProbeBW phase that begins now, with a window of 150.
fn cycling(state: State) -> Fed<Bbr3Sender> {
    let mut fed = filled();
    fed.in_flight = 100;
    fed.round(1000);
    assert!(fed.law.is_in_probe_bw());
    fed.law.start_down(fed.now);
    (fed.law.state, fed.law.window.cwnd) = (state, 150);
    (fed.law.cycle.ack_phase, fed.law.rounds) = (AckPhase::Init, Rounds::default());
    fed.law.rounds.begin(u64::MAX); // no round begins unless a test says so
    fed
}

/// Section 5.6.2: 4 ln 2 x 10 packets x 8000 bits in 100 ms.
#[test]
fn the_first_pace_by_hand() {
    assert!(near(opened().pace(), 2_218_070.978));
}

/// Section 5.3.1.2, and a pace of 99 % of 0.5 x 1000 packets a second in Drain.
#[test]
fn a_plateau_of_the_delivery_rate_ends_startup() {
    let mut fed = opened();
    fed.in_flight = 1000;
    for bw in [100, 200, 249, 240, 300, 370, 370] {
        fed.round(bw);
        assert_eq!(fed.law.state, State::Startup, "{bw}");
    }
    fed.round(374);
    assert_eq!(fed.law.state, State::Drain);
    assert!(near(filled().pace(), 0.5 * 0.99 * 8e6));
}

/// Section 5.3.1.3: a round in fast recovery, 2 % lost, in six bursts at least.
#[test]
fn losses_end_startup_at_the_volume_delivered() {
    for (bursts, packets, ends) in [(6, 1, true), (5, 2, false), (6, 0, false)] {
        let mut fed = opened();
        (fed.in_flight, fed.tx_in_flight) = (300, 200);
        fed.round(100);
        fed.lose(1);
        fed.law.on_congestion(&CongestionEvent::new(fed.now, 300));
        fed.recovering = true;
        fed.ack(1, 130, false);
        fed.round(170);
        fed.lost_before = fed.lost;
        for _ in 0..bursts {
            fed.lose(packets);
            fed.ack(1, 220, false);
        }
        fed.round(290);
        assert_eq!(fed.law.pipe.reached, ends, "{bursts} x {packets}");
        assert_eq!(fed.law.state == State::Drain, ends);
        if ends {
            // The most delivered over a round trip; the product is 22 packets.
            assert_eq!(fed.law.bounds.inflight_longterm, 290.0);
        }
    }
}

/// Section 5.3.2: until the product of 100 packets is in flight, or after three rounds.
#[test]
fn drain_ends_at_a_bandwidth_delay_product_or_in_time() {
    let mut fed = filled();
    fed.in_flight = 101;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::Drain);
    fed.in_flight = 100;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::Cruise, "DOWN is over at once");
    let mut fed = filled();
    for _ in 0..3 {
        fed.round(1000);
        assert_eq!(fed.law.state, State::Drain);
    }
    fed.round(1000);
    assert_eq!(fed.law.state, State::Down);
}

/// Section 5.6.1.
#[test]
fn the_gains_of_the_phases() {
    for (state, pacing, window) in
        [(State::Down, 0.9, 2.0), (State::Cruise, 1.0, 2.0), (State::Up, 1.25, 2.25)]
    {
        let mut fed = cycling(state);
        fed.in_flight = 140; // nothing to drain yet
        fed.law.pipe.restart(1e9);
        fed.ack(500, 1000, false);
        assert_eq!(fed.law.state, state);
        assert!(near(fed.pace(), pacing * 0.99 * 8e6), "{}", fed.pace());
        let budget = if state == State::Up { 2.0 } else { 0.0 };
        let target = window * 100.0 + budget + fed.law.aggregation.extra();
        assert_eq!(fed.law.window(), packets(target), "{state:?}");
    }
}

/// Section 5.5.10.2 by hand: of 100 packets in flight 5 are lost, 4 of them in the last burst. Losses reach
/// 2 % at 96 + (0.02 x 96 - 1) / 0.98 = 96.9 packets.
#[test]
fn a_probe_that_loses_too_much_bounds_the_volume() {
    let mut fed = cycling(State::Up);
    fed.law.bounds.is_bw_probe_sample = true;
    fed.tx_in_flight = 100;
    fed.lose(1);
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.bounds.inflight_longterm, f64::INFINITY, "1 % may be lost");
    fed.lose(4);
    fed.ack(1, 1000, false);
    assert_eq!((fed.law.bounds.inflight_longterm, fed.law.state), (96.0, State::Down));
    assert_eq!(fed.law.window(), 96);
    fed.lose(50);
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.bounds.inflight_longterm, 96.0, "once for each probe");
}

/// "max(RS.tx_in_flight, TargetInflight() * BBR.Beta)".
#[test]
fn the_volume_falls_to_beta_of_the_target_at_most() {
    for time_out in [false, true] {
        let mut fed = cycling(State::Up);
        fed.law.bounds.is_bw_probe_sample = true;
        if time_out {
            fed.time_out(100);
            assert_eq!(fed.law.window(), 1);
            // The window of the time-out is not that of the target.
            assert_eq!(fed.law.bounds.inflight_longterm, 70.0);
        } else {
            (fed.tx_in_flight, fed.lost) = (20, 0);
            fed.lose(10);
            fed.ack(1, 1000, false);
            assert_eq!(fed.law.bounds.inflight_longterm, 70.0);
        }
    }
}

/// Section 5.5.10.3: at the end of a round with losses, the latest rate and volume or 0.7 of what was.
#[test]
fn a_round_with_losses_lowers_the_short_term_bounds() {
    let mut fed = cycling(State::Cruise);
    fed.lose(1);
    fed.law.rounds.begin(0);
    fed.ack(1, 600, false);
    assert_eq!(fed.law.bounds.bw_shortterm, f64::INFINITY, "not before the round is over");
    fed.law.window.cwnd = 150;
    fed.round(650);
    assert_eq!(fed.law.bounds.bw_shortterm, 700.0, "0.7 x 1000, more than 650");
    assert_eq!(fed.law.bounds.inflight_shortterm, 650.0, "more than 0.7 x 150");
    assert!(near(fed.pace(), 0.99 * 700.0 * 8000.0));
    fed.round(650);
    assert_eq!(fed.law.bounds.bw_shortterm, 700.0, "nothing was lost");
}

/// Neither in Startup nor while it probes.
#[test]
fn probing_ignores_single_losses() {
    for state in [State::Startup, State::Refill, State::Up] {
        let mut fed = cycling(state);
        fed.lose(1);
        fed.ack(1, 600, false);
        fed.round(650);
        assert_eq!(fed.law.bounds.bw_shortterm, f64::INFINITY, "{state:?}");
    }
}

/// Section 5.3.4.3: every 5 s, at half a product, for 200 ms and a round.
#[test]
fn probe_rtt_by_the_clock() {
    let mut fed = cycling(State::Cruise);
    fed.law.probe_wait = Span::from_secs(1000);
    fed.rtt = RTT + Span::NANO;
    fed.in_flight = 99;
    fed.now = Time::ZERO + RTT + Span::from_secs(5);
    fed.law.start_down(fed.now);
    fed.ack(1, 1000, false);
    assert_ne!(fed.law.state, State::ProbeRtt);
    fed.now += Span::NANO;
    fed.ack(1, 1000, false);
    assert_eq!((fed.law.state, fed.law.window()), (State::ProbeRtt, 50));
    assert_eq!(fed.law.min_rtt, Some(RTT), "kept for 10 s");
    fed.in_flight = 50;
    fed.ack(1, 1000, false);
    fed.now += Span::from_millis(200) + Span::NANO;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::ProbeRtt, "no round yet");
    fed.ack(1, 1000, true);
    assert_eq!(fed.law.state, State::Cruise);
    assert!(fed.law.window() >= 150);
}

/// The estimate is the lowest of 10 s, although ProbeRTT comes every 5 s.
#[test]
fn min_rtt_is_the_minimum_of_ten_seconds() {
    let mut fed = cycling(State::Cruise);
    fed.rtt = RTT * 2;
    for (seconds, min) in [(6, RTT), (9, RTT), (12, RTT * 2)] {
        fed.now = Time::ZERO + Span::from_secs(seconds);
        fed.ack(1, 1000, false);
        assert_eq!(fed.law.min_rtt, Some(min), "at {seconds} s");
    }
}

/// Section 5.6.4.4.
#[test]
fn recovery_restores_the_window() {
    let mut fed = cycling(State::Cruise);
    fed.law.on_congestion(&CongestionEvent::new(fed.now, 150));
    fed.recovering = true;
    fed.time_out(40);
    assert_eq!(fed.law.window(), 1);
    fed.ack(39, 1000, false);
    assert_eq!(fed.law.window(), 40);
    fed.ack(1, 1000, false);
    assert!(fed.law.window() >= 150);
}

/// Section 5.4.1.
#[test]
fn after_idleness_it_paces_at_the_bandwidth() {
    let mut fed = cycling(State::Down);
    fed.in_flight = 140;
    fed.app_limited = true;
    fed.ack(1, 1000, false);
    assert!(near(fed.pace(), 0.9 * 0.99 * 8e6));
    fed.now += Span::from_secs(20);
    fed.send(0);
    assert!(near(fed.pace(), 0.99 * 8e6));
    fed.ack(1, 1000, false);
    assert_ne!(fed.law.state, State::ProbeRtt);
}

/// Without selective acknowledgements any loss of a probe is too much (section 5.5.10.2).
#[test]
fn without_selective_acknowledgements_one_loss_is_too_much() {
    let mut fed = cycling(State::Up);
    fed.law.has_selective_acks = false;
    fed.law.bounds.is_bw_probe_sample = true;
    (fed.in_flight, fed.tx_in_flight) = (145, 140);
    fed.lose(1);
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::Down);
}

#[test]
fn the_extremes_stay_finite_and_send() {
    for bw in [1, u32::MAX] {
        for rtt in [Span::NANO, Span::from_secs(1_000_000)] {
            let mut fed = opened();
            fed.rtt = rtt;
            for n in 0..60 {
                fed.lose(u64::from(n % 3 == 0) * 50);
                fed.round(bw);
                assert!(fed.law.window() >= 1 && fed.pace() >= 1.0);
                fed.law.metrics(&mut |name, value| assert!(value.is_finite(), "{name}"));
            }
        }
    }
}
