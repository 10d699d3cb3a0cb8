//! Golden scripts for recovery by time: what leaves and when, as RFC 8985 gives it by hand. The RTT
//! is 100 ms, and the minimum RTT, so that the reordering window is 25 ms.

use sluice_units::{Span, Time};

use super::{Outcome, TcpSender, constant};
use crate::tcp::{LossRecovery, LossSignal};

const NOTHING: Outcome = Outcome { acked: 0, signal: LossSignal::Nothing };

fn at(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

fn loss(acked: u32, in_flight: u32) -> Outcome {
    Outcome { acked, signal: LossSignal::Loss { in_flight } }
}

/// A sender that sent `packets` a millisecond apart, from 0 on.
fn sent(packets: u64, end: u64) -> TcpSender {
    let mut s = TcpSender::new(LossRecovery::Rack, 0, end);
    for seq in 0..packets {
        (s.now, s.window) = (at(seq), seq as u32 + 1);
        assert_eq!(s.send(), [(seq, "new")]);
    }
    s
}

impl TcpSender {
    /// An acknowledgement of a packet that left at `sent` ms, an RTT later.
    fn hear(&mut self, sent: u64, cumulative: u64, sacks: &[(u64, u64)]) -> Outcome {
        self.now = at(sent + 100);
        self.ack_of(at(sent), cumulative, sacks)
    }
}

/// Packet 0 of 8 is lost: the third SACK ends the reordering window (section 6.2 step 4).
#[test]
fn three_sacked_packets_prove_a_loss() {
    let mut s = sent(8, 8);
    assert_eq!(s.hear(1, 0, &[(1, 2)]), NOTHING);
    assert_eq!(s.hear(2, 0, &[(1, 3)]), NOTHING);
    assert_eq!(s.send(), []);
    assert_eq!(s.hear(3, 0, &[(1, 4)]), loss(0, 8));
    s.window = 4;
    assert_eq!(s.send(), [(0, "again")]);
    assert_eq!(s.repair.in_flight(), 5); // 0, and 4 to 7
}

/// Packet 0 of 2 is lost: time proves it, a reordering window after the SACK of packet 1.
#[test]
fn a_quarter_of_the_rtt_proves_a_loss() {
    let mut s = sent(2, 2);
    assert_eq!(s.hear(1, 0, &[(1, 2)]), NOTHING);
    assert_eq!(s.repair.due(), Some(at(1 + 100 + 25)));
    s.now = at(126);
    assert_eq!(s.repair.expired(s.now, constant(100)), LossSignal::Loss { in_flight: 2 });
    s.window = 1;
    assert_eq!((s.send(), s.repair.due()), (vec![(0, "again")], None));
}

/// Packet 0 comes 10 ms late: nothing is sent again, and from then on three SACKs prove nothing.
#[test]
fn reordering_that_was_seen_is_waited_for() {
    let mut s = sent(8, 8);
    s.hear(1, 0, &[(1, 2)]);
    s.now = at(110);
    assert_eq!(s.ack_of(at(0), 2, &[]), Outcome { acked: 2, signal: LossSignal::Nothing });
    assert_eq!(s.repair.due(), None);
    for sack in 3..=7 {
        s.now = at(sack + 110);
        assert_eq!(s.ack_of(at(sack), 2, &[(3, sack + 1)]), NOTHING);
    }
    assert_eq!(s.send(), []);
    // Packet 2 left no later than packet 3, whose RTT is 110 ms as that of the packets after it.
    assert_eq!(s.repair.due(), Some(at(3 + 110 + 25)));
}

/// Packet 0 comes 4 ms late, just after it was sent again, which its time stamp shows: from then on a packet
/// that was overtaken has twice as long, half the RTT.
#[test]
fn a_spurious_retransmission_widens_the_reordering_window() {
    let mut s = sent(8, 8);
    for sack in 1..=3 {
        s.hear(sack, 0, &[(1, sack + 1)]);
    }
    s.window = 4;
    assert_eq!(s.send(), [(0, "again")]); // at 103 ms
    s.now = at(104);
    assert_eq!(s.ack_of(at(0), 4, &[]), Outcome { acked: 4, signal: LossSignal::Nothing });
    assert_eq!(s.hear(5, 4, &[(5, 6)]), NOTHING);
    assert_eq!(s.repair.due(), Some(at(5 + 100 + 50)));
}

/// Section 6.2 step 4: the window stays wide for 16 recoveries without a spurious retransmission. The one in
/// which it widened does not count.
#[test]
fn a_wide_reordering_window_lasts_for_16_recoveries() {
    let mut s = sent(8, 1_000);
    for sack in 1..=3 {
        s.hear(sack, 0, &[(1, sack + 1)]);
    }
    s.window = 4;
    assert_eq!(s.send(), [(0, "again")]);
    s.now = at(104);
    s.ack_of(at(0), 8, &[]);
    let mut waited = Vec::new();
    for recovery in 1..=17 {
        let (start, una) = (1_000 * recovery, s.repair.una());
        (s.now, s.window) = (at(start), 2);
        assert_eq!(s.send(), [(una, "new"), (una + 1, "new")]);
        assert_eq!(s.hear(start, una, &[(una + 1, una + 2)]), NOTHING);
        let due = s.repair.due().expect("packet una was overtaken");
        waited.push(due.since(at(start + 100)).as_nanos() / 1_000_000);
        (s.now, s.window) = (due, 1);
        assert_eq!(s.repair.expired(due, constant(100)), LossSignal::Loss { in_flight: 2 });
        assert_eq!(s.send(), [(una, "again")]);
        s.now = due + Span::from_millis(100);
        assert_eq!(s.ack_of(due, una + 2, &[]).signal, LossSignal::Recovered);
    }
    assert_eq!(waited, [[50; 16].as_slice(), &[25]].concat());
}

/// Packets 0 and 2 were sent again, at 104 and 105 ms. One acknowledgement, of packet 0 as it was sent again,
/// covers packet 2 too, which had thus been on its way when it was sent again.
#[test]
fn an_acknowledgement_of_a_needed_retransmission_can_show_another_to_be_spurious() {
    let mut s = sent(10, 1_000);
    s.hear(1, 0, &[(1, 2)]);
    s.hear(3, 0, &[(3, 4), (1, 2)]);
    s.hear(4, 0, &[(3, 5), (1, 2)]);
    s.window = 5;
    assert_eq!(s.send(), [(0, "again")]);
    s.hear(5, 0, &[(3, 6), (1, 2)]);
    s.window = 10;
    assert_eq!(s.send()[0], (2, "again"));
    s.now = at(204);
    s.ack_of(at(104), s.repair.nxt(), &[]);
    let una = s.repair.una();
    (s.now, s.window) = (at(1_000), 2);
    assert_eq!(s.send(), [(una, "new"), (una + 1, "new")]);
    assert_eq!(s.hear(1_000, una, &[(una + 1, una + 2)]), NOTHING);
    assert_eq!(s.repair.due(), Some(at(1_000 + 100 + 50)));
}

/// Packet 0 was lost, and is acknowledged as it was sent again.
#[test]
fn a_retransmission_that_was_needed_widens_nothing() {
    let mut s = sent(8, 8);
    for sack in 1..=3 {
        s.hear(sack, 0, &[(1, sack + 1)]);
    }
    s.window = 4;
    assert_eq!(s.send(), [(0, "again")]); // at 103 ms
    s.now = at(203);
    s.ack_of(at(103), 4, &[]);
    // All that left once before it is lost: nothing is waited for.
    assert_eq!(s.repair.due(), None);
}

/// Packet 0 is lost, and again as it is sent again: the next packet that arrives shows it.
#[test]
fn a_lost_retransmission_is_found_within_a_round_trip() {
    let mut s = sent(8, 100);
    for sack in 1..=3 {
        s.hear(sack, 0, &[(1, sack + 1)]);
    }
    s.window = 5;
    assert_eq!(s.send(), [(0, "again")]); // at 103 ms
    assert_eq!(s.hear(4, 0, &[(1, 5)]), NOTHING);
    assert_eq!(s.send(), [(8, "new")]); // at 104 ms
    for sack in 5..=7 {
        assert_eq!(s.hear(sack, 0, &[(1, sack + 1)]), NOTHING);
        s.send();
    }
    assert_eq!(s.hear(104, 0, &[(1, 9)]), NOTHING, "no second reduction");
    assert_eq!(s.send()[0], (0, "again"));
    assert!(s.repair.recovering());
}

/// Time-outs keep what was SACKed, and send one packet before they know more.
#[test]
fn a_time_out_retransmits_missing_packets() {
    let mut s = sent(8, 8);
    s.hear(2, 0, &[(2, 3)]);
    s.hear(5, 0, &[(5, 6), (2, 3)]);
    s.now = at(1000);
    assert!(s.time_out());
    s.window = 10;
    assert_eq!((s.send(), s.repair.in_flight()), (vec![(0, "again")], 1));
    assert!(!s.repair.recovering(), "slow start");
    assert_eq!(s.hear(1000, 1, &[]).acked, 1);
    let again = [1, 3, 4, 6, 7].map(|seq| (seq, "again"));
    assert_eq!(s.send(), again);
}

/// A time-out that was too early: the answers to what left before it show that nothing was lost.
#[test]
fn a_spurious_time_out_repeats_one_packet() {
    let mut s = sent(8, 8);
    s.now = at(200);
    s.time_out();
    s.window = 10;
    assert_eq!(s.send(), [(0, "again")]);
    s.now = at(210);
    assert_eq!(s.ack_of(at(0), 1, &[]).acked, 1);
    assert_eq!((s.send(), s.repair.in_flight()), (vec![], 7));
    s.now = at(217);
    assert_eq!(s.ack_of(at(7), 8, &[]), Outcome { acked: 7, signal: LossSignal::Nothing });
}

/// Packets 6 and 7 of 8 are lost, the tail: the probe repeats 7, whose SACK shows that 6 is lost.
#[test]
fn a_probe_finds_the_loss_of_the_tail() {
    let mut s = sent(8, 8);
    s.hear(5, 6, &[]);
    s.now = at(305);
    assert!(s.repair.may_probe());
    s.repair.probe(at(7));
    assert_eq!(s.send(), [(7, "again")]);
    assert!(!s.repair.may_probe(), "one probe at a time");
    assert_eq!(s.hear(305, 6, &[(7, 8)]), loss(0, 2));
    s.window = 1;
    assert_eq!(s.send(), [(6, "again")]);
}

/// Packets 2 and 9 of 10 are lost, the last one: the answer to the copy of 2, which left after 9, shows
/// it.
#[test]
fn a_retransmission_that_arrives_shows_the_loss_of_the_tail() {
    let mut s = sent(10, 10);
    s.hear(1, 2, &[]);
    for sack in 3..=5 {
        s.hear(sack, 2, &[(3, sack + 1)]);
    }
    s.window = 20;
    assert_eq!(s.send(), [(2, "again")]);
    s.hear(8, 2, &[(3, 9)]);
    assert_eq!(s.hear(105, 9, &[]), Outcome { acked: 7, signal: LossSignal::Nothing });
    assert_eq!(s.send(), [(9, "again")]);
}

/// What was known to be lost before a spurious time-out stays lost.
#[test]
fn a_spurious_time_out_takes_back_its_own_marks_alone() {
    let mut s = sent(8, 8);
    s.now = at(300);
    s.time_out();
    s.window = 1;
    assert_eq!(s.send(), [(0, "again")]);
    s.now = at(400);
    assert_eq!(s.ack_of(at(300), 1, &[]).acked, 1);
    assert_eq!(s.send(), [(1, "again")]);
    s.now = at(700);
    s.time_out();
    assert_eq!(s.send(), [(1, "again")]);
    s.now = at(701);
    s.ack_of(at(400), 2, &[]);
    s.window = 6;
    assert_eq!(s.send(), [2, 3, 4, 5, 6, 7].map(|seq| (seq, "again")));
}

/// With data to send the probe is new data, though the window is full.
#[test]
fn a_probe_is_new_data_where_there_is_some() {
    let mut s = sent(4, 100);
    s.now = at(200);
    assert_eq!(s.send(), []);
    s.repair.probe(at(3));
    assert_eq!((s.send(), s.repair.in_flight()), (vec![(4, "new")], 5));
}

/// A packet of 20 is lost and the window halves: a packet leaves for every other one delivered.
#[test]
fn the_window_falls_in_proportion() {
    let mut s = sent(20, 100);
    for sack in 1..=3 {
        let heard = s.hear(sack, 0, &[(1, sack + 1)]);
        if heard == loss(0, 20) {
            s.window = 10;
            s.repair.reduced(1);
        }
        s.window = if sack < 3 { 0 } else { 10 };
    }
    assert_eq!(s.send(), [(0, "again")]);
    let mut left = Vec::new();
    for sack in 4..20 {
        s.hear(sack, 0, &[(1, sack + 1)]);
        left.extend(s.send().iter().map(|_| sack));
    }
    // 18 were not SACKed before the loss was found: ceil(10 / 18) of what is delivered leaves, the
    // retransmission included, until the pipe is 10 with the 16th of them.
    assert_eq!(left, [4, 6, 8, 10, 12, 13, 15, 18, 19]);
    assert_eq!(s.repair.in_flight(), 10);
}
