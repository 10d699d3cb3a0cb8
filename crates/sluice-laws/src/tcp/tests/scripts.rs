//! Golden scripts: what each recovery sends, step by step, as the RFCs' rules give it by hand.

use super::{Outcome, TcpSender};
use crate::tcp::{LossRecovery, LossSignal};

const NOTHING: Outcome = Outcome { acked: 0, signal: LossSignal::Nothing };

fn loss(in_flight: u32) -> Outcome {
    Outcome { acked: 0, signal: LossSignal::Loss { in_flight } }
}

fn progress(acked: u32) -> Outcome {
    Outcome { acked, signal: LossSignal::Nothing }
}

fn recovered(acked: u32) -> Outcome {
    Outcome { acked, signal: LossSignal::Recovered }
}

#[test]
fn without_loss_the_window_slides() {
    for recovery in [LossRecovery::Reno, LossRecovery::NewReno, LossRecovery::Sack] {
        let mut s = TcpSender::new(recovery, 2, 5);
        assert_eq!(s.send(), [(0, "new"), (1, "new")]);
        assert_eq!(s.ack(1, &[]), progress(1));
        assert_eq!(s.send(), [(2, "new")]);
        assert_eq!(s.ack(3, &[]), progress(2));
        assert_eq!(s.send(), [(3, "new"), (4, "new")]);
        assert_eq!(s.ack(5, &[]), progress(2));
        assert_eq!(s.send(), []);
        assert_eq!((s.repair.una(), s.repair.nxt(), s.repair.in_flight()), (5, 5, 0));
        assert!(!s.time_out(), "nothing is outstanding");
    }
}

/// Packet 0 of 0..8 is lost. Reno and NewReno act alike on one loss.
#[test]
fn fast_retransmit_and_recovery_of_one_loss() {
    for recovery in [LossRecovery::Reno, LossRecovery::NewReno] {
        let mut s = TcpSender::new(recovery, 8, 100);
        s.send();
        // RFC 3042: a new packet for each of the first two duplicates
        assert_eq!((s.ack(0, &[]), s.send()), (NOTHING, vec![(8, "new")]));
        assert_eq!((s.ack(0, &[]), s.send()), (NOTHING, vec![(9, "new")]));
        // FlightSize without those two
        assert_eq!(s.ack(0, &[]), loss(8));
        s.window = 4;
        assert!(s.repair.recovering());
        assert_eq!(s.send(), [(0, "again")]);
        // cwnd = 4 + 3 against 10 outstanding: duplicates 4 to 6 only close the gap
        for _ in 4..=6 {
            assert_eq!((s.ack(0, &[]), s.send()), (NOTHING, vec![]));
        }
        for new in [10, 11, 12] {
            assert_eq!((s.ack(0, &[]), s.send()), (NOTHING, vec![(new, "new")]));
        }
        assert_eq!(s.ack(10, &[]), recovered(10));
        assert!(!s.repair.recovering());
        assert_eq!((s.repair.in_flight(), s.send()), (3, vec![(13, "new")]));
    }
}

/// Packets 0 and 3 of 0..8 are lost: one episode, and a packet repaired at each partial ACK.
#[test]
fn newreno_repairs_two_losses_with_a_partial_ack() {
    let mut s = TcpSender::new(LossRecovery::NewReno, 8, 100);
    s.send();
    for _ in 1..=3 {
        s.ack(0, &[]);
        if s.repair.recovering() {
            s.window = 4;
        }
        s.send();
    }
    let mut sent = Vec::new();
    for _ in 4..=8 {
        s.ack(0, &[]);
        sent.extend(s.send());
    }
    assert_eq!(sent, [(10, "new"), (11, "new")]);
    // RFC 6582: cwnd = 4 + 8 - 3 + 1 = 10, 9 outstanding: the retransmission and one new packet
    assert_eq!(s.ack(3, &[]), progress(3));
    assert!(s.repair.recovering());
    assert_eq!(s.send(), [(3, "again"), (12, "new")]);
    assert_eq!((s.ack(3, &[]), s.send()), (NOTHING, vec![(13, "new")]));
    assert_eq!(s.ack(10, &[]), recovered(7));
    assert_eq!(s.repair.in_flight(), 4);
}

/// Packets 0, 3 and 5 of 0..8 are lost: the timer starts again at the first partial ACK only, and at
/// the full one.
#[test]
fn newreno_restarts_the_timer_at_the_first_partial_ack() {
    let mut s = TcpSender::new(LossRecovery::NewReno, 8, 100);
    s.send();
    for _ in 1..=3 {
        s.ack(0, &[]);
        s.send();
    }
    assert!(s.repair.recovering() && !s.repair.keeps_timer());
    assert_eq!((s.ack(3, &[]), s.repair.keeps_timer()), (progress(3), false));
    assert_eq!((s.ack(5, &[]), s.repair.keeps_timer()), (progress(2), true));
    let all = s.repair.nxt();
    s.ack(all, &[]);
    assert!(!s.repair.recovering() && !s.repair.keeps_timer());
}

/// Packets 0 and 3 of 0..8 again: Reno leaves fast recovery at the partial ACK and needs three more duplicates.
#[test]
fn reno_leaves_recovery_at_the_first_new_ack_and_may_halve_again() {
    let mut s = TcpSender::new(LossRecovery::Reno, 8, 100);
    s.send();
    for _ in 1..=3 {
        s.ack(0, &[]);
    }
    s.window = 4;
    s.send();
    assert_eq!(s.ack(3, &[]), recovered(3));
    assert_eq!(s.repair.in_flight(), 5);
    assert_eq!(s.send(), []);
    assert_eq!(s.ack(3, &[]), NOTHING);
    assert_eq!(s.ack(3, &[]), NOTHING);
    assert_eq!(s.ack(3, &[]), loss(5));
    assert_eq!(s.repair.choose(2, 100).map(|c| c.seq), Some(3));
}

/// Packets 0, 3 and 6 of 0..10 are lost: all three are repaired in one RTT.
#[test]
fn sack_repairs_three_losses_in_a_window() {
    let mut s = TcpSender::new(LossRecovery::Sack, 10, 100);
    s.send();
    assert_eq!((s.ack(0, &[(1, 2)]), s.send()), (NOTHING, vec![(10, "new")]));
    assert_eq!((s.ack(0, &[(1, 3)]), s.send()), (NOTHING, vec![(11, "new")]));
    assert_eq!(s.ack(0, &[(4, 5), (1, 3)]), loss(10));
    // 12 outstanding, 3 SACKed, packet 0 lost
    assert_eq!(s.repair.in_flight(), 8);
    s.window = 5;
    assert_eq!((s.send(), s.repair.in_flight()), (vec![(0, "again")], 9));
    // Packet 3 is lost when 7 is SACKed (4, 5, 7 lie above it), packet 6 when 9 is.
    for (sack, pipe) in [((4, 6), 8), ((7, 8), 6), ((7, 9), 5)] {
        assert_eq!(s.ack(0, &[sack]), NOTHING);
        assert_eq!((s.repair.in_flight(), s.send()), (pipe, vec![]));
    }
    assert_eq!(s.ack(0, &[(7, 10), (4, 6), (1, 3)]), NOTHING);
    assert_eq!(s.repair.in_flight(), 3);
    assert_eq!(s.send(), [(3, "again"), (6, "again")]);
    assert_eq!((s.ack(0, &[(7, 11)]), s.send()), (NOTHING, vec![(12, "new")]));
    assert_eq!((s.ack(0, &[(7, 12)]), s.send()), (NOTHING, vec![(13, "new")]));
    // The repairs come through.
    assert_eq!((s.ack(3, &[(7, 12)]), s.send()), (progress(3), vec![(14, "new")]));
    assert_eq!((s.ack(6, &[(7, 12)]), s.send()), (progress(3), vec![(15, "new")]));
    assert_eq!(s.ack(12, &[]), recovered(6));
    assert_eq!((s.repair.in_flight(), s.send()), (4, vec![(16, "new")]));
}

/// Packets 0 and 5 of 0..6 are lost, and no SACK can report the last: rule (4) of NextSeg.
#[test]
fn sack_rescues_the_tail_once() {
    let mut s = TcpSender::new(LossRecovery::Sack, 6, 6);
    s.send();
    for end in [2, 3, 4] {
        s.ack(0, &[(1, end)]);
    }
    s.window = 3;
    assert_eq!(s.send(), [(0, "again")]);
    assert_eq!((s.ack(0, &[(1, 5)]), s.send()), (NOTHING, vec![]));
    assert_eq!((s.ack(5, &[]), s.send()), (progress(5), vec![(5, "again")]));
    assert_eq!(s.send(), []);
    assert_eq!(s.ack(6, &[]), recovered(1));
}

/// Rule (4) asks for HighACK *above* RescueRxt: the ACK of the first retransmission alone is no
/// reason for a rescue.
#[test]
fn sack_does_not_rescue_too_early() {
    let mut s = TcpSender::new(LossRecovery::Sack, 6, 6);
    s.send();
    s.ack(0, &[(2, 5)]);
    assert_eq!(s.send(), [(0, "again"), (1, "again")]);
    assert_eq!((s.ack(1, &[(2, 5)]), s.send()), (progress(1), vec![]));
    assert_eq!((s.ack(5, &[]), s.send()), (progress(4), vec![(5, "again")]));
}

#[test]
fn one_ack_may_end_an_episode_and_begin_the_next() {
    let mut s = TcpSender::new(LossRecovery::Sack, 6, 100);
    s.send();
    s.ack(0, &[(1, 4)]);
    s.window = 6;
    assert_eq!(s.send(), [(0, "again"), (6, "new"), (7, "new"), (8, "new")]);
    // Recovery point 6 is reached, and 7, 8 and 9 are there without 6.
    s.window = 7;
    s.send();
    let outcome = s.ack(6, &[(7, 10)]);
    assert_eq!(outcome, Outcome { acked: 6, signal: LossSignal::Loss { in_flight: 4 } });
    assert!(s.repair.recovering());
}

#[test]
fn a_time_out_goes_back_and_duplicates_after_it_are_not_losses() {
    for recovery in [LossRecovery::Reno, LossRecovery::NewReno] {
        let mut s = TcpSender::new(recovery, 4, 100);
        s.send();
        assert!(s.time_out());
        assert_eq!((s.repair.in_flight(), s.repair.recovering()), (0, false));
        s.window = 1;
        assert_eq!(s.send(), [(0, "again")]);
        assert!(!s.time_out(), "the second for packet 0");
        assert_eq!(s.send(), [(0, "again")]);
        assert!(s.clone_after_ack(1).time_out(), "the first for packet 1");
        s.window = 2;
        assert_eq!((s.ack(1, &[]), s.send()), (progress(1), vec![(1, "again"), (2, "again")]));
        for _ in 0..4 {
            assert_eq!((s.ack(1, &[]), s.send()), (NOTHING, vec![]));
        }
        // 1 was all that was missing: 2 is there already, 3 too.
        assert_eq!((s.ack(4, &[]), s.send()), (progress(3), vec![(4, "new"), (5, "new")]));
        // RFC 6582 section 3.2 step 2: the ACK must cover *more* than was out at the time-out.
        for _ in 0..5 {
            assert_eq!(s.ack(4, &[]), NOTHING);
        }
        s.window = 10;
        assert_eq!(s.ack(5, &[]), progress(1));
        s.send();
        s.ack(5, &[]);
        s.ack(5, &[]);
        assert!(matches!(s.ack(5, &[]).signal, LossSignal::Loss { .. }));
    }
}

#[test]
fn a_time_out_forgets_sacks_and_heeds_new_ones() {
    let mut s = TcpSender::new(LossRecovery::Sack, 8, 100);
    s.send();
    s.ack(0, &[(2, 4), (6, 7)]);
    assert!(s.time_out());
    s.window = 2;
    assert_eq!(s.send(), [(0, "again"), (1, "again")]);
    assert_eq!((s.ack(1, &[(6, 7)]), s.send()), (progress(1), vec![(2, "again")]));
    // No fast retransmit below the recovery point, though three packets above 1 are SACKed.
    assert_eq!(s.ack(1, &[(2, 4), (6, 7)]), NOTHING);
    assert_eq!(s.send(), [(4, "again")]);
    s.window = 4;
    assert_eq!((s.ack(4, &[(6, 7)]), s.repair.in_flight()), (progress(3), 1));
    assert_eq!(s.send(), [(5, "again"), (7, "again"), (8, "new")]);
    assert_eq!(s.ack(8, &[]), progress(4));
    assert_eq!(s.repair.in_flight(), 1);
}

#[test]
fn acknowledgements_of_data_never_sent_or_long_past_are_ignored() {
    for recovery in [LossRecovery::Reno, LossRecovery::NewReno, LossRecovery::Sack] {
        let mut s = TcpSender::new(recovery, 4, 100);
        s.send();
        s.ack(2, &[]);
        assert_eq!(s.ack(9, &[(50, 60)]), NOTHING);
        for _ in 0..5 {
            assert_eq!(s.ack(1, &[(0, 1)]), NOTHING);
        }
        assert_eq!((s.repair.una(), s.repair.nxt(), s.repair.in_flight()), (2, 4, 2));
    }
}

/// The example of the buffer paper, section 3: seven packets, of which 4 and 6 are lost, then 6
/// again. Here packets count from 0.
#[test]
fn a_round_sends_all_that_is_missing_and_nothing_else() {
    let mut s = TcpSender::new(LossRecovery::Rounds, u32::MAX, 7);
    assert_eq!(s.send().len(), 7);
    assert_eq!(s.ack(3, &[]), progress(3));
    assert_eq!(s.ack(3, &[(4, 5)]), NOTHING);
    assert_eq!(s.ack(3, &[(6, 7), (4, 5)]), NOTHING);
    assert_eq!((s.send(), s.repair.in_flight()), (vec![], 2));
    assert!(s.repair.keeps_timer() && !s.repair.recovering());

    s.time_out();
    assert_eq!(s.send(), [(3, "again"), (5, "again")]);
    assert_eq!(s.ack(5, &[(6, 7)]), progress(2));
    assert_eq!((s.send(), s.repair.in_flight()), (vec![], 1));

    s.time_out();
    assert_eq!(s.send(), [(5, "again")]);
    assert_eq!(s.ack(7, &[]), progress(2));
    assert_eq!((s.send(), s.repair.in_flight()), (vec![], 0));
    assert!(!s.time_out(), "nothing is outstanding");
}
