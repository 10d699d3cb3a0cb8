use super::*;
use crate::transport::EcnMode;

const CAPABLE_REDUCED: Ecn = Ecn::CAPABLE.with(Ecn::REDUCED);

fn classic(mode: EcnMode) -> Signals {
    Signals::new(mode, EcnFeedback::Classic)
}

#[test]
fn marks_of_one_window_reduce_it_once() {
    let mut sender = classic(EcnMode::Ect0);
    assert!(sender.marked(5, 20));
    assert!((6..=20).all(|ack| !sender.marked(ack, 20 + ack)));
    assert!(sender.marked(21, 40));
}

#[test]
fn echoes_forbid_growth_after_a_reduction_for_a_mark() {
    let mut sender = classic(EcnMode::Ect0);
    assert!(sender.marked(5, 20));
    assert!(sender.forbid_growth(Ecn::ECHO) && !sender.forbid_growth(Ecn::NONE));
    sender.timed_out(20);
    assert!(!sender.forbid_growth(Ecn::ECHO), "no new data can confirm the reduction yet");
    assert!(sender.marked(21, 30));
    assert!(sender.forbid_growth(Ecn::ECHO));
}

#[test]
fn a_loss_and_a_mark_of_one_window_reduce_it_once() {
    let mut sender = classic(EcnMode::Ect0);
    assert!(sender.marked(5, 20));
    assert!(!sender.lost(19, 30), "sent before the window was reduced");
    assert!(sender.lost(20, 30), "sent after it");
    assert!(!sender.marked(30, 40), "the loss has reduced it");
    assert!(sender.marked(31, 40));
}

/// Reno's recovery may find several losses of one window, and each counts (RFC 5681).
#[test]
fn every_loss_counts_that_no_mark_came_before() {
    for mode in [EcnMode::Off, EcnMode::Ect0, EcnMode::Ect1] {
        let mut sender = classic(mode);
        assert!(sender.lost(5, 20) && sender.lost(6, 21));
        sender.timed_out(22);
        assert!(sender.lost(7, 22));
    }
}

#[test]
fn the_first_new_packet_after_a_reduction_says_so() {
    let mut sender = classic(EcnMode::Ect0);
    assert_eq!(sender.of_data(false), Ecn::CAPABLE);
    assert!(sender.lost(5, 20));
    assert_eq!(sender.of_data(true), Ecn::NONE);
    assert_eq!(sender.of_data(false), CAPABLE_REDUCED);
    assert_eq!(sender.of_data(false), Ecn::CAPABLE);
}

#[test]
fn packets_with_ect1_keep_it_and_confirm_nothing_by_it() {
    let mut sender = classic(EcnMode::Ect1);
    let mut receiver = Marks::new(EcnFeedback::Classic);
    assert_eq!(sender.of_data(false), Ecn::ECT1);
    receiver.on_data(Ecn::ECT1.with(Ecn::EXPERIENCED));
    receiver.on_data(Ecn::ECT1);
    assert_eq!(receiver.of_ack(), Ecn::ECHO);
    assert!(sender.marked(5, 20));
    let confirms = sender.of_data(false);
    assert_eq!(confirms, Ecn::ECT1.with(Ecn::REDUCED));
    receiver.on_data(confirms);
    assert_eq!(receiver.of_ack(), Ecn::NONE);
    assert_eq!(sender.of_data(false), Ecn::ECT1);
}

#[test]
fn l4s_packets_are_those_with_ect1_or_ce() {
    let marked = Ecn::CAPABLE.with(Ecn::EXPERIENCED);
    assert!([Ecn::ECT1, marked, Ecn::ECT1.with(Ecn::EXPERIENCED)].map(Ecn::is_l4s) == [true; 3]);
    let classic = [Ecn::NONE, Ecn::CAPABLE, CAPABLE_REDUCED, Ecn::ECHO];
    assert!(classic.map(Ecn::is_l4s) == [false; 4]);
}

#[test]
fn without_ecn_a_sender_neither_sets_nor_uses_marks() {
    let mut sender = classic(EcnMode::Off);
    assert!(!sender.marked(5, 20) && sender.lost(5, 20));
    assert_eq!(sender.of_data(false), Ecn::NONE);
}

#[test]
fn a_mark_is_echoed_until_the_sender_answers() {
    let mut receiver = Marks::new(EcnFeedback::Classic);
    receiver.on_data(Ecn::CAPABLE);
    assert_eq!(receiver.of_ack(), Ecn::NONE);
    receiver.on_data(Ecn::CAPABLE.with(Ecn::EXPERIENCED));
    receiver.on_data(Ecn::CAPABLE);
    assert_eq!(receiver.of_ack(), Ecn::ECHO);
    receiver.on_data(CAPABLE_REDUCED.with(Ecn::EXPERIENCED));
    assert_eq!(receiver.of_ack(), Ecn::ECHO, "a new mark");
    receiver.on_data(CAPABLE_REDUCED);
    assert_eq!(receiver.of_ack(), Ecn::NONE);
}

/// The marks of data packets that arrive, and the bits of the acknowledgement of each.
fn answers<const N: usize>(feedback: EcnFeedback, marks: [bool; N]) -> [Ecn; N] {
    let mut receiver = Marks::new(feedback);
    marks.map(|marked| {
        receiver.on_data(if marked { Ecn::CAPABLE.with(Ecn::EXPERIENCED) } else { Ecn::CAPABLE });
        receiver.of_ack()
    })
}

const MARKS: [bool; 6] = [false, true, true, false, true, false];

#[test]
fn each_mark_is_reported_once() {
    for feedback in [EcnFeedback::Dctcp, EcnFeedback::Accurate] {
        let mut sender = Signals::new(EcnMode::Ect0, feedback);
        let counted = answers(feedback, MARKS).map(|ack| {
            assert!(!sender.marked(u64::MAX, u64::MAX), "no congestion event");
            sender.newly_marked(ack, 1)
        });
        assert_eq!(counted, MARKS.map(u32::from), "{feedback:?}");
    }
}

/// RFC 9768 section 3.2.2: the counter starts at 5 and takes the value of 0 after 7.
#[test]
fn the_counter_of_marked_packets_wraps() {
    let counters = answers(EcnFeedback::Accurate, [true; 12]).map(Ecn::ace);
    assert_eq!(counters, [6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1]);
}

/// Of 20 packets whose acknowledgements were lost but for the last, 3 or 11 or 19 were marked.
#[test]
fn a_counter_that_may_have_cycled_counts_the_most_marks_possible() {
    let mut sender = Signals::new(EcnMode::Ect0, EcnFeedback::Accurate);
    assert_eq!(sender.newly_marked(Ecn::of_ace(0), 20), 19);
    assert_eq!(sender.newly_marked(Ecn::of_ace(2), 7), 2);
    assert_eq!(sender.newly_marked(Ecn::of_ace(2), 20), 16);
    assert_eq!(sender.newly_marked(Ecn::of_ace(5), 0), 3, "by an acknowledgement of nothing new");
}

#[test]
fn a_lost_acknowledgement_hides_no_mark_from_a_counter() {
    let acks = answers(EcnFeedback::Accurate, MARKS);
    let mut sender = Signals::new(EcnMode::Ect0, EcnFeedback::Accurate);
    assert_eq!(sender.newly_marked(acks[5], 6), 3);
}

#[test]
fn a_packet_is_acknowledged_at_once_where_marks_begin_or_end() {
    let marked = Ecn::CAPABLE.with(Ecn::EXPERIENCED);
    for feedback in [EcnFeedback::Dctcp, EcnFeedback::Accurate] {
        let mut receiver = Marks::new(feedback);
        assert!(!receiver.turns(Ecn::CAPABLE) && receiver.turns(marked));
        receiver.on_data(marked);
        assert!(receiver.turns(Ecn::CAPABLE) && !receiver.turns(marked));
        assert!(!receiver.turns(Ecn::NONE), "a probe");
        receiver.on_data(Ecn::NONE);
        assert!(receiver.turns(Ecn::CAPABLE));
    }
    assert!(!Marks::new(EcnFeedback::Classic).turns(marked));
}

#[test]
fn a_sender_that_counts_marks_confirms_none_and_marks_retransmissions_capable() {
    let mut sender = Signals::new(EcnMode::Ect1, EcnFeedback::Accurate);
    sender.timed_out(20);
    assert_eq!([sender.of_data(false), sender.of_data(true)], [Ecn::ECT1; 2]);
    assert!(sender.lost(5, 20) && sender.lost(6, 21), "each loss counts");
}
