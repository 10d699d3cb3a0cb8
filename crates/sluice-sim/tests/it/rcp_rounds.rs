//! RCP's sender with loss recovery in rounds, to the nanosecond: "after transmitting the last
//! unacknowledged packet, the RCP source waits for 2 x RTT", then retransmits all that is missing
//! ("Buffer sizing results for RCP", section 3).
//!
//! One flow that paces at the capacity of its link. On the link, packet 0 is the SYN, 1 + i is data
//! packet i, and retransmissions follow.

use crate::shown::{config, flow, group, pipe, results};
use sluice_laws::rcp::{RcpParams, RcpRecovery};
use sluice_sim::FlowRecord;
use sluice_sim::traffic::Traffic;
use sluice_units::{Ratio, Span, Time};

/// Propagation delay each way.
const DELAY: Span = Span::from_millis(50);
/// Transmission times at 80 Mb/s of a data packet and of a packet of 40 bytes.
const PACKET: Span = Span::from_micros(100);
const CONTROL: Span = Span::from_micros(4);
/// When the SYN-ACK arrives and the first data leave.
const OPEN: Span = Span::from_micros(100_000 + 4 + 4);

fn in_rounds(packets: u64, losses: &[u64]) -> FlowRecord {
    let mut links = pipe(80_000_000, DELAY);
    links[0].losses = losses.to_vec();
    let traffic = Traffic::List(vec![flow(Time::ZERO, packets)]);
    let config = config(links, vec![group(traffic)], Span::from_secs(100));
    // R stays C: nothing fills the link for a whole interval, and no queue lowers it.
    let [initial_rate, beta] = [1.0, 0.0].map(Ratio::new);
    let recovery = Some(RcpRecovery::Rounds);
    let params = RcpParams { recovery, initial_rate, beta, ..RcpParams::default() };
    results(&config, &params).0[0]
}

/// End of the round whose last packet left at `last`. RTT samples are those of the SYN and of data
/// packets alone on the path, 100.008 and 100.104 ms, smoothed with a gain of an eighth.
fn ends(last: Span, answers: u32) -> Span {
    let (syn, data) = (OPEN.as_nanos() as f64, (DELAY * 2 + PACKET + CONTROL).as_nanos() as f64);
    last + Span::from_secs_f64(2e-9 * (data + (syn - data) * (7.0_f64 / 8.0).powi(answers as i32)))
}

#[track_caller]
fn takes(record: FlowRecord, completion: Span, retransmissions: u64) {
    assert_eq!(record.retransmissions, retransmissions);
    let found = record.completion.expect("it finished");
    // SRTT is rounded at each sample.
    assert!(found.as_nanos().abs_diff(completion.as_nanos()) < 20, "{found} is not {completion}");
}

#[test]
fn retransmissions_leave_twice_the_rtt_after_the_last_packet() {
    // Data packets 3 and 5 of 7 are lost: five ACKs, each with an RTT sample.
    let second = ends(OPEN + PACKET * 6, 5);
    takes(in_rounds(7, &[4, 6]), second + PACKET * 2 + DELAY, 2);
}

#[test]
fn a_lost_retransmission_waits_for_a_third_round() {
    let second = ends(OPEN + PACKET * 6, 5);
    // Of the second round, the first packet arrives, and its ACK gives an RTT sample.
    let third = ends(second + PACKET, 6);
    takes(in_rounds(7, &[4, 6, 9]), third + PACKET + DELAY, 3);
}

#[test]
fn a_round_that_outlasts_its_wait_is_not_cut_short() {
    // 5000 packets take 500 ms. Retransmissions start after the last of them. Selective ACKs after
    // the first loss give RTT samples too.
    let second = ends(OPEN + PACKET * 4_999, 4_999);
    takes(in_rounds(5_000, &[1]), second + PACKET + DELAY, 1);
}

#[test]
fn without_loss_there_is_one_round() {
    takes(in_rounds(5_000, &[]), OPEN + PACKET * 5_000 + DELAY, 0);
}
