//! When retransmissions and drops are counted: both over the same time.

use crate::shown::{config, flow, group, pipe, results};
use sluice_laws::tcp::TcpParams;
use sluice_sim::traffic::Traffic;
use sluice_sim::{FlowRecord, Outcome};
use sluice_units::{BufferSize, Span, Time};

/// A flow that is too large to finish, at a link with too little buffer for it, measured between
/// two times in milliseconds.
fn between(warm_up: u64, stop: u64) -> (Vec<FlowRecord>, Outcome) {
    let mut links = pipe(10_000_000, Span::from_millis(10));
    links[0].buffer = BufferSize::Packets(5);
    let traffic = Traffic::List(vec![flow(Time::ZERO, 1_000_000)]);
    let mut config = config(links, vec![group(traffic)], Span::from_millis(stop));
    config.warm_up = Time::ZERO + Span::from_millis(warm_up);
    results(&config, &TcpParams::default())
}

/// Drops and retransmissions in the measured time.
fn counts((_, outcome): &(Vec<FlowRecord>, Outcome)) -> [u64; 2] {
    [outcome.links[0].drops, outcome.resent]
}

#[test]
fn packets_are_sent_again_and_dropped_in_the_same_time() {
    let (first, second, whole) = (between(0, 4_000), between(4_000, 10_000), between(0, 10_000));
    let [dropped, resent] = counts(&second);
    // All that is dropped is sent again within a round trip or two: one loss of a window at most
    // falls on either side of the edges.
    assert!(dropped > 10 && dropped.abs_diff(resent) <= 5, "{dropped} dropped, {resent} resent");
    let sum = [0, 1].map(|i| counts(&first)[i] + counts(&second)[i]);
    assert_eq!(sum, counts(&whole), "two parts are the whole");
    // The flow of the warm-up, which never ends, has no record, and counts all the same.
    assert!(second.0.is_empty() && resent > 0);
    let record = whole.0[0];
    assert_eq!((record.resent, record.retransmissions), (whole.1.resent, whole.1.resent));
}

#[test]
fn a_flow_has_both_counts() {
    let mut links = pipe(10_000_000, Span::from_millis(10));
    links[0].buffer = BufferSize::Packets(5);
    // One that ends long after the time measured.
    let traffic = Traffic::List(vec![flow(Time::ZERO, 2_000)]);
    let mut config = config(links, vec![group(traffic)], Span::from_secs(1));
    config.limit = Time::ZERO + Span::from_secs(60);
    let (records, outcome) = results(&config, &TcpParams::default());
    let FlowRecord { resent, retransmissions, completion, .. } = records[0];
    assert!(completion.is_some() && resent == outcome.resent, "{records:?}");
    assert!(resent > 0 && retransmissions > resent, "{resent} of {retransmissions}");
}
