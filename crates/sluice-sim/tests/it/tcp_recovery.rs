//! Time-outs, fast retransmit and SACK recovery at the times the RFCs give, to the nanosecond.
//!
//! One flow whose data all leave in one window, so that every packet on the forward link has a
//! known number: 0 is the SYN, 1 + i is data packet i, and retransmissions follow.

use crate::common::run_to_end;
use crate::shown::{config, flow, group, pipe, results};
use crate::slow_start::{Ends, Network, arrivals};
use sluice_laws::tcp::LossRecovery::{NewReno, Rack, Reno, Sack};
use sluice_laws::tcp::{LossRecovery, RecoveryVariant, Rto, TcpParams};
use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, FlowMetrics, FlowRecord, LinkConfig};
use sluice_units::{Span, Time};

/// The recoveries that follow the RFCs before RACK-TLP.
const ALL: [LossRecovery; 3] = [Reno, NewReno, Sack];

/// Propagation delay each way.
const DELAY: Span = Span::from_millis(50);
/// Transmission times at 80 Mb/s of a data packet and of a packet of 40 bytes.
const PACKET: Span = Span::from_micros(100);
const CONTROL: Span = Span::from_micros(4);
/// From the departure of a packet alone on the path to its ACK's arrival.
const RTT: Span = Span::from_micros(100_000 + 100 + 4);
/// When the SYN-ACK arrives and the first data leave.
const OPEN: Span = Span::from_micros(100_000 + 4 + 4);
/// RFC 6298 (2.1) and (2.4): the initial and the minimum RTO.
const RTO: Span = Span::from_secs(1);

/// When a packet that leaves alone at `sent` arrives.
fn arrives(sent: Span) -> Span {
    sent + PACKET + DELAY
}

/// Arrival of the ACK of data packet `seq` of the first window.
fn answered(seq: u64) -> Span {
    OPEN + PACKET * (seq + 1) + DELAY + CONTROL + DELAY
}

fn tcp(recovery: LossRecovery, window: u64) -> TcpParams {
    let initial_window = Some(window as u32);
    TcpParams { recovery: Some(recovery), initial_window, ..TcpParams::default() }
}

fn one_flow(links: Vec<LinkConfig>, packets: u64) -> Config {
    let traffic = Traffic::List(vec![flow(Time::ZERO, packets)]);
    config(links, vec![group(traffic)], Span::from_secs(100))
}

/// A flow of one window of `packets`, whose forward link loses the packets with these numbers.
fn window(recovery: LossRecovery, packets: u64, losses: &[u64]) -> FlowRecord {
    let mut links = pipe(80_000_000, DELAY);
    links[0].losses = losses.to_vec();
    results(&one_flow(links, packets), &tcp(recovery, packets)).0[0]
}

/// Numbers of the first transmissions of these data packets.
fn data(lost: impl IntoIterator<Item = u64>) -> Vec<u64> {
    lost.into_iter().map(|seq| 1 + seq).collect()
}

#[track_caller]
fn takes(record: &FlowRecord, completion: Span, retransmissions: u64) {
    assert_eq!((record.completion, record.retransmissions), (Some(completion), retransmissions));
}

/// RFC 5681 section 3.2: the third duplicate ACK triggers the retransmission at once; RFC 8985
/// (section 6.2 step 4) agrees.
#[test]
fn the_third_duplicate_repeats_the_packet() {
    for recovery in [Reno, NewReno, Sack, Rack] {
        for lost in [0, 2, 6] {
            let record = window(recovery, 10, &data([lost]));
            takes(&record, arrives(answered(lost + 3)), 1);
        }
    }
}

/// Two duplicates do not trigger one: the timer runs from the last ACK of new data (RFC 6298
/// (5.3)).
#[test]
fn fewer_duplicates_wait_for_the_timer() {
    for recovery in ALL {
        for lost in [7, 8, 9] {
            let record = window(recovery, 10, &data([lost]));
            takes(&record, arrives(answered(lost - 1) + RTO), 1);
        }
    }
}

/// RFC 8985 section 6.2: below three SACKs, a quarter of the minimum RTT, the SYN's, detects the
/// loss.
#[test]
fn by_time_fewer_duplicates_wait_for_a_quarter_of_the_rtt() {
    for lost in [7, 8] {
        let record = window(Rack, 10, &data([lost]));
        takes(&record, arrives(answered(9) + OPEN / 4), 1);
    }
}

/// RFC 8985 section 7.2: the probe leaves twice the smoothed RTT after the last acknowledgement, and
/// repairs the loss of the last packet.
#[test]
fn a_probe_repeats_the_last_packet() {
    let mut rto = Rto::new(RTO, RTO);
    rto.sample(OPEN);
    for seq in 0..9 {
        rto.sample(answered(seq) - OPEN);
    }
    // One packet is in flight, whose acknowledgement might be delayed.
    let probe_timeout = rto.srtt().expect("it was sampled") * 2 + Span::from_millis(200);
    let record = window(Rack, 10, &data([9]));
    takes(&record, arrives(answered(8) + probe_timeout), 1);
}

/// RFC 6582: each partial ACK triggers the next retransmission, so k losses take k - 1 more round
/// trips.
#[test]
fn new_reno_repairs_a_packet_each_round_trip() {
    for losses in 1..=5 {
        let record = window(NewReno, 20, &data(2..2 + losses));
        let first = answered(2 + losses + 2);
        takes(&record, arrives(first + RTT * (losses - 1)), losses);
    }
}

/// RFC 6675: with packets 2 to 6 of 20 lost, the SACK of packet 9 is the third and marks all five
/// lost. 18 packets are outstanding, of which 3 are SACKed and 5 lost: Pipe is 10, and 11 with the
/// first retransmission. The window is 18 / 2 = 9, so the third SACK after that (Pipe 8) releases
/// the next packet, and each further SACK one more. The fifth leaves with the sixth SACK, within
/// the round trip that NewReno needs for one packet.
#[test]
fn sack_repairs_a_window_within_a_round_trip() {
    let record = window(Sack, 20, &data(2..7));
    takes(&record, arrives(answered(9 + 6)), 5 + RESCUE);
}

/// The same with three lost: Pipe is 12, 13 with the first, 8 after five SACKs.
#[test]
fn sack_sends_what_half_the_window_allows() {
    let record = window(Sack, 20, &data(2..5));
    takes(&record, arrives(answered(7 + 5 + 1)), 3 + RESCUE);
}

/// Rule (4) of NextSeg: when nothing else is left to send, the highest unSACKed packet is sent once
/// more, even if it was retransmitted already.
const RESCUE: u64 = 1;

/// RFC 5681 ends fast recovery at any new ACK. The second loss then gets no more duplicates, and
/// waits for the timer that this ACK restarted.
#[test]
fn reno_times_out_on_the_second_loss_of_a_window() {
    let record = window(Reno, 20, &data([2, 3]));
    let partial = answered(6) + RTT;
    takes(&record, arrives(partial + RTO), 2);
}

/// Only the timer, which runs since the last new ACK, detects a lost retransmission.
#[test]
fn a_lost_retransmission_waits_for_the_timer() {
    for recovery in ALL {
        let record = window(recovery, 10, &[1 + 2, 1 + 10]);
        takes(&record, arrives(answered(1) + RTO), 2);
    }
}

/// As in ns-2, if fast retransmit, at the third duplicate, restarts the timer.
#[test]
fn fast_retransmit_may_restart_the_timer() {
    for recovery in ALL {
        let mut links = pipe(80_000_000, DELAY);
        links[0].losses = vec![1 + 2, 1 + 10];
        let variant = RecoveryVariant {
            restart_timer_at_fast_retransmit: true,
            ..RecoveryVariant::default()
        };
        let params = TcpParams { variant, ..tcp(recovery, 10) };
        let record = results(&one_flow(links, 10), &params).0[0];
        takes(&record, arrives(answered(5) + RTO), 2);
    }
}

/// RACK detects it when a packet that left after it arrives, one round trip later, where RFC 6675
/// waits for the time-out.
#[test]
fn by_time_a_lost_retransmission_is_repeated_within_a_round_trip() {
    let [sack, rack] = [Sack, Rack].map(|recovery| {
        let mut links = pipe(80_000_000, DELAY);
        // Before the retransmission, 10 packets leave, 4 for two acknowledgements in slow start,
        // and 2 by limited transmit.
        links[0].losses = vec![1 + 2, 1 + 10 + 4 + 2];
        let record = results(&one_flow(links, 100), &tcp(recovery, 10)).0[0];
        assert!(record.retransmissions >= 2, "{record:?}");
        record.completion.expect("it finished")
    });
    assert!(rack + RTO - RTT * 2 < sack, "{rack} by time, {sack} by RFC 6675");
}

/// With nothing left to send after it, the timer detects the loss, and runs from the
/// retransmission.
#[test]
fn by_time_the_timer_runs_from_the_retransmission() {
    let record = window(Rack, 10, &[1 + 2, 1 + 10]);
    takes(&record, arrives(answered(5) + RTO), 2);
}

/// A flow with a long steady round trip of 300 ms meets a queue of up to 220 ms, from 110 flows
/// that start at once, and nothing is lost. As in Linux, the time-out exceeds the smoothed RTT by
/// the minimum RTO.
#[test]
fn a_queue_that_grows_after_a_steady_round_trip_causes_no_time_out() {
    let repeated = |margin: Option<Span>, begins_ms: u64| {
        let begins = Time::ZERO + Span::from_millis(begins_ms);
        let crowd = (0..110).map(|_| flow(begins, 2));
        let flows = std::iter::once(flow(Time::ZERO, 3_000)).chain(crowd).collect();
        let mut config = config(
            pipe(8_000_000, Span::from_millis(150)),
            vec![group(Traffic::List(flows))],
            Span::from_secs(100),
        );
        config.parameters.transport.min_rto = Span::from_millis(200);
        config.parameters.transport.rto_margin = margin;
        let params = TcpParams { initial_ssthresh: Some(2), ..tcp(Sack, 2) };
        let (records, outcome) = results(&config, &params);
        assert_eq!(outcome.totals.dropped, 0);
        records.iter().map(|record| record.retransmissions).sum::<u64>()
    };
    // At any phase of the round trip at which the queue meets the flow.
    let over_a_round_trip =
        |margin| (20_000..20_300).step_by(50).map(move |ms| repeated(margin, ms));
    assert_eq!(over_a_round_trip(None).max(), Some(0));
    assert!(over_a_round_trip(Some(Span::ZERO)).max() > Some(0), "without a margin it must expire");
}

/// RFC 6298 (5.5): the time-out doubles until something new is acknowledged.
#[test]
fn time_outs_double() {
    for recovery in ALL {
        for lost in 0..=5 {
            // The last packet of 10 and its first `lost` retransmissions.
            let record = window(recovery, 10, &data(9..=9 + lost));
            takes(&record, arrives(answered(8) + RTO * ((2 << lost) - 1)), lost + 1);
        }
    }
}

/// All of a window lost: the timer runs since the first packet left (RFC 6298 (5.1)), and slow
/// start from one packet sends all again (RFC 5681 section 3.1).
#[test]
fn a_lost_window_starts_slowly_again() {
    let network = Network { data: 100e3, syn: 4e3, ack: 4e3, delay: 50e6 };
    let slowly = arrivals(&network, &Ends { window: 1, delayed_ack: None }, 10);
    for recovery in ALL {
        let record = window(recovery, 10, &data(0..10));
        takes(&record, Span::from_nanos(slowly[9] as u64) + RTO, 10);
    }
}

/// Cumulative acknowledgements: a later ACK makes up for lost ones.
#[test]
fn lost_acknowledgements_cost_nothing() {
    for recovery in ALL {
        let mut links = pipe(80_000_000, DELAY);
        links[1].losses = (1..10).collect(); // all but the SYN-ACK and the last
        let config = one_flow(links, 10);
        let record = results(&config, &tcp(recovery, 10)).0[0];
        takes(&record, OPEN + PACKET * 10 + DELAY, 0);
    }
}

/// A lost SYN or SYN-ACK is repeated after the initial RTO, which then doubles.
#[test]
fn a_lost_syn_is_repeated() {
    for (out, back, waited) in [
        (&[0][..], &[][..], RTO),
        (&[], &[0], RTO),
        (&[0, 1], &[], RTO * 3),
        (&[0], &[0], RTO * 3),
        (&[0, 1, 2], &[], RTO * 7),
    ] {
        let mut links = pipe(80_000_000, DELAY);
        links[0].losses = out.to_vec();
        links[1].losses = back.to_vec();
        let record = results(&one_flow(links, 1), &tcp(Sack, 2)).0[0];
        takes(&record, arrives(waited + OPEN), 0);
    }
}

/// RFC 5681 section 3.1: "if the SYN or SYN/ACK is lost, the initial window used by a sender after
/// a correctly transmitted SYN MUST be one segment".
#[test]
fn after_a_lost_syn_the_window_is_one_packet() {
    let mut links = pipe(80_000_000, DELAY);
    links[0].losses = vec![0];
    let record = results(&one_flow(links, 2), &tcp(Sack, 2)).0[0];
    takes(&record, arrives(RTO + OPEN + RTT), 0);
}

/// The flow's sampled `column` at `time`.
fn probed(recovery: LossRecovery, losses: &[u64], column: &str, time: Span) -> f64 {
    let mut links = pipe(80_000_000, DELAY);
    links[0].losses = losses.to_vec();
    let mut config = one_flow(links, 1000);
    let every = Span::from_micros(50);
    config.flow_metrics = vec![FlowMetrics { group: 0, index: 0, every }];
    let tcp = TcpParams { initial_ssthresh: Some(20), ..tcp(recovery, 20) };
    let series = &run_to_end(&config, &tcp).series[0];
    let row = series.times.partition_point(|&at| at.since(Time::ZERO) <= time) - 1;
    series.column(column)[row]
}

/// RFC 5681 eq. (4) and section 3.2: a window of 20 halves at the third duplicate, once for all
/// losses of that window, and stays until the repair is acknowledged.
#[test]
fn the_window_halves_once() {
    for recovery in [NewReno, Sack] {
        for losses in [data([2]), data([2, 3, 4])] {
            let found = answered(2 + losses.len() as u64 + 2);
            let window = |at| probed(recovery, &losses, "cwnd", at).floor();
            assert_eq!(window(found - PACKET), 20.0);
            assert_eq!(window(found + PACKET), 10.0);
            assert_eq!(window(found + RTT), 10.0);
        }
    }
}

/// RFC 5681 section 3.1: a time-out leaves a window of one, and slow start up to half the flight
/// size.
#[test]
fn a_time_out_leaves_one_packet() {
    for recovery in ALL {
        let losses = data(0..20);
        let at = OPEN + RTO;
        assert_eq!(probed(recovery, &losses, "cwnd", at - PACKET), 20.0);
        assert_eq!(probed(recovery, &losses, "cwnd", at + PACKET), 1.0);
        assert_eq!(probed(recovery, &losses, "ssthresh", at + PACKET), 10.0);
    }
}
