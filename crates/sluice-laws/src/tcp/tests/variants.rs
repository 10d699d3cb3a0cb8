//! Rules of other simulators, by hand, each beside the RFCs'.

use super::{Heard, Sender};
use crate::tcp::{Found, Recovery, Repair, Variant};

const RFC: Variant = Variant {
    restart_timer_at_fast_retransmit: false,
    avoid_multiple_fast_retransmits: false,
    limited_transmit_after_time_out: false,
    lost_stay_in_pipe: false,
    ignore_sacks_after_time_out: false,
};

/// A sender whose first window has left.
fn sender(recovery: Recovery, variant: Variant, window: u32) -> Sender {
    let repair = Repair::of_variant(recovery, variant);
    let mut sender = Sender { repair, ..Sender::new(recovery, window, 100) };
    sender.send();
    sender
}

fn is_loss(heard: Heard) -> bool {
    matches!(heard.found, Found::Loss { .. })
}

#[test]
fn the_rfcs_are_the_default() {
    assert_eq!(Variant::default(), RFC);
}

#[test]
fn a_variant_of_the_timer_is_for_recoveries_that_count() {
    let variant = Variant { restart_timer_at_fast_retransmit: true, ..RFC };
    for (recovery, restarts) in [
        (Recovery::Reno, true),
        (Recovery::NewReno, true),
        (Recovery::Sack, true),
        (Recovery::Rack, false),
    ] {
        assert_eq!(Repair::of_variant(recovery, variant).restarts_timer(), restarts);
        assert!(!Repair::new(recovery).restarts_timer());
    }
}

/// Packets 0 and 3 of 0..8 are lost: Reno's second fast retransmit, or none.
#[test]
fn reno_halves_once_a_window_if_multiple_fast_retransmits_are_avoided() {
    for avoid in [false, true] {
        let variant = Variant { avoid_multiple_fast_retransmits: avoid, ..RFC };
        let mut s = sender(Recovery::Reno, variant, 8);
        s.ack(0, &[]);
        s.ack(0, &[]);
        assert!(is_loss(s.ack(0, &[])));
        s.window = 4;
        s.send();
        assert_eq!(s.ack(3, &[]).found, Found::Recovered);
        s.ack(3, &[]);
        s.ack(3, &[]);
        assert_eq!(is_loss(s.ack(3, &[])), !avoid);
    }
}

/// All of 0..8 counts as lost. Each of the first two duplicates lets go-back-N move on.
#[test]
fn duplicates_after_a_time_out_let_two_packets_leave_at_most() {
    for recovery in [Recovery::Reno, Recovery::NewReno] {
        for limited in [false, true] {
            let variant = Variant { limited_transmit_after_time_out: limited, ..RFC };
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
fn lost_packets_stay_in_pipe_and_any_hole_is_sent_again() {
    for stay in [false, true] {
        let variant = Variant { lost_stay_in_pipe: stay, ..RFC };
        let mut s = sender(Recovery::Sack, variant, 8);
        s.window = 0; // no limited transmit
        s.ack(0, &[(1, 2)]);
        s.ack(0, &[(1, 3)]);
        assert!(is_loss(s.ack(0, &[(1, 4)])));
        assert_eq!(s.repair.in_flight(), if stay { 5 } else { 4 });
        assert_eq!(s.send(), [(0, "again")]);
        s.ack(0, &[(1, 4), (5, 6)]);
        s.window = s.repair.in_flight() + 1;
        assert_eq!(s.send(), if stay { [(4, "again")] } else { [(8, "new")] });
        // The packet and its copy leave pipe together.
        let before = s.repair.in_flight();
        s.ack(4, &[(5, 6)]);
        assert_eq!(before - s.repair.in_flight(), if stay { 2 } else { 1 });
    }
}

/// Packets 1 and 2 have arrived; after the time-out they are sent again all the same.
#[test]
fn sacks_after_a_time_out_are_ignored_until_all_is_acknowledged() {
    for ignore in [false, true] {
        let variant = Variant { ignore_sacks_after_time_out: ignore, ..RFC };
        let mut s = sender(Recovery::Sack, variant, 6);
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
