//! Rules of other simulators, by hand, each beside the RFCs'.

use super::{Outcome, TcpSender};
use crate::tcp::{LossRecovery, LossSignal, RecoveryVariant, Repair};

const RFC: RecoveryVariant = RecoveryVariant {
    restart_timer_at_fast_retransmit: false,
    avoid_multiple_fast_retransmits: false,
    limited_transmit_after_time_out: false,
    pipe_counts_acks: false,
    ignore_sacks_after_time_out: false,
    forget_sacks_at_new_ack: false,
};

/// A sender whose first window has left.
fn sender(recovery: LossRecovery, variant: RecoveryVariant, window: u32) -> TcpSender {
    let repair = Repair::of_variant(recovery, variant);
    let mut sender = TcpSender { repair, ..TcpSender::new(recovery, window, 100) };
    sender.send();
    sender
}

fn is_loss(outcome: Outcome) -> bool {
    matches!(outcome.signal, LossSignal::Loss { .. })
}

#[test]
fn the_rfcs_are_the_default() {
    assert_eq!(RecoveryVariant::default(), RFC);
}

#[test]
fn a_variant_of_the_timer_is_for_recoveries_that_count() {
    let variant = RecoveryVariant { restart_timer_at_fast_retransmit: true, ..RFC };
    for (recovery, restarts) in [
        (LossRecovery::Reno, true),
        (LossRecovery::NewReno, true),
        (LossRecovery::Sack, true),
        (LossRecovery::Rack, false),
    ] {
        assert_eq!(Repair::of_variant(recovery, variant).restarts_timer(), restarts);
        assert!(!Repair::new(recovery).restarts_timer());
    }
}

/// Packets 0 and 3 of 0..8 are lost: Reno's second fast retransmit, or none.
#[test]
fn reno_halves_once_a_window_if_multiple_fast_retransmits_are_avoided() {
    for avoid in [false, true] {
        let variant = RecoveryVariant { avoid_multiple_fast_retransmits: avoid, ..RFC };
        let mut s = sender(LossRecovery::Reno, variant, 8);
        s.ack(0, &[]);
        s.ack(0, &[]);
        assert!(is_loss(s.ack(0, &[])));
        s.window = 4;
        s.send();
        assert_eq!(s.ack(3, &[]).signal, LossSignal::Recovered);
        s.ack(3, &[]);
        s.ack(3, &[]);
        assert_eq!(is_loss(s.ack(3, &[])), !avoid);
    }
}

/// All of 0..8 counts as lost. Each of the first two duplicates lets go-back-N move on.
#[test]
fn duplicates_after_a_time_out_let_two_packets_leave_at_most() {
    for recovery in [LossRecovery::Reno, LossRecovery::NewReno] {
        for limited in [false, true] {
            let variant = RecoveryVariant { limited_transmit_after_time_out: limited, ..RFC };
            let mut s = sender(recovery, variant, 8);
            s.time_out();
            s.window = 1;
            assert_eq!(s.send(), [(0, "again")]);
            let mut sent = Vec::new();
            for _ in 0..4 {
                s.ack(0, &[]);
                sent.extend(s.send());
            }
            let expected = if limited { vec![(1, "again"), (2, "again")] } else { vec![] };
            assert_eq!(sent, expected);
            // What leaves next is what the acknowledgement allows.
            s.ack(1, &[]);
            assert_eq!(s.send(), if limited { vec![] } else { vec![(1, "again")] });
        }
    }
}

/// Packets 0 and 4 of 0..8 are lost, the third SACK arrives: by RFC 6675 Pipe is without packet 0, and
/// packet 4 waits for three SACKs above it.
#[test]
fn pipe_keeps_lost_packets_if_it_counts_acks_and_any_hole_is_sent_again() {
    for stay in [false, true] {
        let variant = RecoveryVariant { pipe_counts_acks: stay, ..RFC };
        let mut s = sender(LossRecovery::Sack, variant, 8);
        s.window = 0; // no limited transmit
        s.ack(0, &[(1, 2)]);
        s.ack(0, &[(1, 3)]);
        assert!(is_loss(s.ack(0, &[(1, 4)])));
        assert_eq!(s.repair.in_flight(), if stay { 5 } else { 4 });
        assert_eq!(s.send(), [(0, "again")]);
        s.ack(0, &[(1, 4), (5, 6)]);
        s.window = s.repair.in_flight() + 1;
        assert_eq!(s.send(), if stay { [(4, "again")] } else { [(8, "new")] });
        // The packet and its copy leave pipe together, whether the copy was counted or not.
        let before = s.repair.in_flight();
        s.ack(4, &[(5, 6)]);
        assert_eq!(before - s.repair.in_flight(), if stay { 2 } else { 1 });
    }
}

/// Packets 1 and 2 have arrived; after the time-out they are sent again all the same.
#[test]
fn sacks_after_a_time_out_are_ignored_until_all_is_acknowledged() {
    for ignore in [false, true] {
        let variant = RecoveryVariant { ignore_sacks_after_time_out: ignore, ..RFC };
        let mut s = sender(LossRecovery::Sack, variant, 6);
        s.time_out();
        s.window = 1;
        s.send();
        s.ack(0, &[(1, 3)]);
        s.window = 4;
        let sent: Vec<_> = s.send().into_iter().map(|(seq, _)| seq).collect();
        assert_eq!(sent, if ignore { [1, 2, 3] } else { [3, 4, 5] });
        s.ack(6, &[]);
        s.send();
        s.ack(6, &[(7, 8)]);
        s.ack(6, &[(7, 9)]);
        assert!(is_loss(s.ack(6, &[(7, 10)])), "SACKs count again");
    }
}

/// One less for each ACK, two for one of new data; one more for each packet sent but the first copy.
#[test]
fn pipe_counts_acks_whatever_they_acknowledge() {
    let variant = RecoveryVariant { pipe_counts_acks: true, ..RFC };
    let mut s = sender(LossRecovery::Sack, variant, 10);
    s.window = 0;
    for end in 3..6 {
        s.ack(0, &[(2, end)]);
    }
    assert_eq!(s.repair.in_flight(), 10 - 3);
    assert_eq!(s.send(), [(0, "again")]);
    assert_eq!(s.repair.in_flight(), 7);
    s.window = 8;
    assert_eq!(s.send(), [(1, "again")]);
    s.ack(0, &[(2, 8)]); // packets 5, 6 and 7
    assert_eq!(s.repair.in_flight(), 8 - 1);
    s.ack(1, &[(2, 8)]);
    assert_eq!(s.repair.in_flight(), 7 - 2);
    // As the episode ends, what is outstanding is counted.
    s.send();
    let new = u32::try_from(s.repair.nxt()).unwrap() - 10;
    s.ack(10, &[]);
    assert_eq!(s.repair.in_flight(), new);
}

/// Packets 0 and 8 are lost. As the recovery of the first ends, 9 and 10 are SACKed already: by RFC 6675
/// one more makes three, and 8 is lost; ns-2 wants three duplicates more.
#[test]
fn sacks_are_forgotten_as_new_data_is_acknowledged() {
    for forget in [false, true] {
        let variant = RecoveryVariant { forget_sacks_at_new_ack: forget, ..RFC };
        let mut s = sender(LossRecovery::Sack, variant, 8);
        s.window = 0;
        for end in 2..5 {
            s.ack(0, &[(1, end)]);
        }
        s.window = 9;
        s.send(); // 0 again, 8 to 11
        assert_eq!(s.repair.nxt(), 12);
        s.ack(0, &[(1, 8), (9, 11)]);
        assert_eq!(s.ack(8, &[(9, 11)]).signal, LossSignal::Recovered);
        assert_eq!(s.repair.in_flight(), if forget { 4 } else { 2 });
        s.send(); // 12 and more
        let found: Vec<_> = (12..15).map(|end| is_loss(s.ack(8, &[(9, end)]))).collect();
        assert_eq!(found, if forget { [false, false, true] } else { [true, false, false] });
    }
}
