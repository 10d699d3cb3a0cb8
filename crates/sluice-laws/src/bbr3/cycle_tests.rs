use super::*;
use crate::bbr::testing::{CONTEXT, Fed, RTT};
use crate::bbr3::Bbr3Params;

/// A sender in that phase, over a pipe of 1000 packets a second and 100 ms, with a bound of 120 packets.
fn cycling(state: State) -> Fed<Bbr3Sender> {
    let mut fed = Fed::open(Bbr3Sender::new(&Bbr3Params::default(), &CONTEXT));
    (fed.in_flight, fed.tx_in_flight) = (100, 100);
    for _ in 0..5 {
        fed.round(1000);
    }
    assert!(fed.law.is_in_probe_bw());
    fed.law.start_down(fed.now);
    fed.law.cycle.ack_phase = AckPhase::Init;
    (fed.law.state, fed.law.window.cwnd) = (state, 120);
    fed.law.bounds.inflight_longterm = 120.0;
    fed
}

/// Section 5.3.3.8.3: 2 s to 3 s, and a Reno flow's rounds less 0 or 1.
#[test]
fn the_time_to_the_next_probe_is_drawn() {
    let mut fed = cycling(State::Cruise);
    let mut waits: Vec<f64> = Vec::new();
    let mut early = 0;
    for nanos in 0..2000 {
        fed.law.start_down(fed.now + Span::from_nanos(nanos));
        waits.push(fed.law.cycle.bw_probe_wait.as_secs_f64());
        early += fed.law.cycle.rounds_since_probe_up;
    }
    assert!(waits.iter().all(|wait| (2.0..3.0).contains(wait)));
    let mean = waits.iter().sum::<f64>() / 2000.0;
    // The error of the mean is 1 / sqrt(12 x 2000) = 0.0065; that of the count 22.
    assert!((mean - 2.5).abs() < 0.02, "{mean}");
    assert!((930..1070).contains(&early), "{early}");
}

#[test]
fn a_probe_comes_after_its_wait_or_63_rounds() {
    let mut fed = cycling(State::Cruise);
    fed.now += fed.law.cycle.bw_probe_wait;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::Cruise);
    fed.now += Span::NANO;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::Refill);

    let mut fed = cycling(State::Cruise);
    let first = fed.law.cycle.rounds_since_probe_up;
    for n in first + 1..=63 {
        assert_eq!(fed.law.state, State::Cruise, "{n}");
        fed.ack(1, 1000, true);
    }
    assert_eq!(fed.law.state, State::Refill);
}

/// A Reno flow with 20 packets grows by as much in 20 rounds.
#[test]
fn a_small_flow_probes_as_often_as_a_reno_flow() {
    let mut fed = cycling(State::Cruise);
    let first = fed.law.cycle.rounds_since_probe_up;
    for _ in first + 1..20 {
        fed.law.window.cwnd = 20;
        fed.in_flight = 20;
        fed.ack(0, 1000, false);
        fed.law.cycle.rounds_since_probe_up += 1;
        assert_eq!(fed.law.state, State::Cruise);
    }
    fed.law.window.cwnd = 20;
    fed.law.cycle.rounds_since_probe_up += 1;
    fed.ack(0, 1000, false);
    assert_eq!(fed.law.state, State::Refill);
}

/// Section 5.3.3.1: a product of 100 packets is not enough where the bound leaves 0.85 x 110 = 93.5.
#[test]
fn down_ends_with_headroom() {
    let mut fed = cycling(State::Down);
    fed.law.bounds.inflight_longterm = 110.0;
    fed.tx_in_flight = 100;
    fed.in_flight = 94;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::Down);
    fed.in_flight = 93;
    fed.ack(1, 1000, false);
    assert_eq!((fed.law.state, fed.law.window.cwnd), (State::Cruise, 93));
}

/// "if (RS.tx_in_flight > BBR.inflight_longterm)": what was safe was no bound.
#[test]
fn a_volume_without_loss_raises_the_bound() {
    let mut fed = cycling(State::Cruise);
    fed.tx_in_flight = 130;
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.bounds.inflight_longterm, 130.0);
}

/// Section 5.3.3.5: by 1, 2, 4 and 8 packets a round, if the window is the limit.
#[test]
fn the_bound_rises_by_powers_of_two() {
    let mut fed = cycling(State::Refill);
    fed.ack(1, 1000, true);
    assert_eq!(fed.law.state, State::Up);
    for growth in [1.0, 2.0, 4.0, 8.0] {
        let bound = fed.law.bounds.inflight_longterm;
        fed.law.window.cwnd = bound as u32;
        let cwnd = fed.law.window.cwnd;
        fed.law.cycle.probe_up_acked_per_inc = f64::from(cwnd) / growth;
        fed.law.cycle.bw_probe_up_acked = 0.0;
        for _ in 0..cwnd {
            fed.send(cwnd);
            fed.law.window.cwnd = fed.law.bounds.inflight_longterm as u32;
            fed.ack(1, 1000, false);
        }
        assert_eq!(fed.law.bounds.inflight_longterm - bound, growth);
    }
    let rounds = fed.law.cycle.bw_probe_up_rounds;
    fed.send(fed.law.window.cwnd);
    fed.ack(1, 1000, true);
    assert_eq!(fed.law.cycle.bw_probe_up_rounds, rounds + 1);
    let mut fed = cycling(State::Up);
    for _ in 0..500 {
        fed.ack(1, 1000, false); // the window is not used
    }
    assert_eq!(fed.law.bounds.inflight_longterm, 120.0);
}

/// Section 5.3.3.6: after a probe that lost too much, the next one ends as it comes to the bound, and the one
/// after it follows at once.
#[test]
fn a_probe_after_losses_is_precautionary() {
    let mut fed = cycling(State::Up);
    fed.law.bounds.prev_probe_too_high = true;
    fed.law.pipe.restart(0.0);
    fed.send(118);
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::Up);
    fed.send(119);
    fed.ack(1, 1000, false);
    assert_eq!(fed.law.state, State::Down);
    assert!(fed.law.cycle.prev_probe_precautionary && !fed.law.bounds.prev_probe_too_high);
    fed.in_flight = 119;
    fed.now += RTT;
    fed.ack(1, 1000, true);
    assert_eq!(fed.law.state, State::Refill);
}

/// Section 5.3.3.7: three rounds without growth, unless the bound was in the way.
#[test]
fn up_ends_at_a_plateau() {
    for limited in [false, true] {
        let mut fed = cycling(State::Refill);
        fed.ack(1, 1000, true);
        fed.in_flight = 119;
        for _ in 0..3 {
            assert_eq!(fed.law.state, State::Up);
            fed.law.window.cwnd = fed.law.bounds.inflight_longterm as u32;
            if limited {
                fed.send(fed.law.window.cwnd);
            }
            fed.ack(1, 1000, true);
        }
        assert_eq!(fed.law.state == State::Up, limited);
    }
}

/// Section 5.5.6: the best of two cycles is forgotten with the third.
#[test]
fn the_bandwidth_is_the_maximum_of_two_cycles() {
    let mut fed = cycling(State::Cruise);
    for (cycle, max) in [(1, 1000.0), (2, 600.0)] {
        fed.law.start_down(fed.now);
        fed.ack(1, 600, true);
        fed.ack(1, 600, true);
        assert_eq!(fed.law.bounds.max_bw.max(), max, "cycle {cycle}");
    }
}
