use proptest::prelude::*;

use super::*;
use crate::queue::arrival::TrafficClass;
use crate::queue::test_link::{Arriving, at_once, send_all};
use sluice_units::{Bytes, Limit};

/// When a fluid server of a byte a nanosecond finishes each packet: by small steps of what happens
/// next, without virtual time.
fn fluid(arrivals: &[Arriving]) -> Vec<f64> {
    let mut finished = vec![f64::NAN; arrivals.len()];
    // For each flow: its packets with what remains of each, and its weight.
    let mut backlog = std::collections::BTreeMap::<u32, (Vec<(usize, f64)>, f64)>::new();
    let (mut now, mut next) = (0.0, 0);
    while next < arrivals.len() || !backlog.is_empty() {
        let weights: f64 = backlog.values().map(|(_, weight)| weight).sum();
        let first = |(packets, weight): &(Vec<(usize, f64)>, f64)| packets[0].1 * weights / weight;
        let empties = backlog.values().map(first).fold(f64::INFINITY, f64::min);
        let arrives = arrivals.get(next).map_or(f64::INFINITY, |arriving| arriving.at as f64);
        let step = empties.min(arrives - now);
        for (packets, weight) in backlog.values_mut() {
            packets[0].1 -= step * *weight / weights;
        }
        now += step;
        backlog.retain(|_, (packets, _)| {
            while packets.first().is_some_and(|&(_, rest)| rest < 1e-6) {
                finished[packets.remove(0).0] = now;
            }
            !packets.is_empty()
        });
        if arrives - now < 1e-9 {
            let Arriving { flow, bytes, traffic, .. } = arrivals[next];
            let (packets, _) = backlog.entry(flow).or_insert((Vec::new(), traffic.weight));
            packets.push((next, f64::from(bytes)));
            next += 1;
        }
    }
    finished
}

fn arrivals() -> impl Strategy<Value = Vec<Arriving>> {
    let packet = (0_u64..2000, 0_u32..5, 1_u32..=1000);
    (prop::collection::vec(packet, 1..80), prop::collection::vec(1_u32..8, 5)).prop_map(
        |(packets, weights)| {
            let mut at = 0;
            let arriving = |(gap, flow, bytes): (u64, u32, u32)| {
                // Often at one instant, and often while others wait.
                at += gap.saturating_sub(1000);
                let weight = f64::from(weights[flow as usize]);
                let traffic = TrafficClass { weight, ..TrafficClass::default() };
                Arriving { at, flow, bytes, traffic, ..Arriving::default() }
            };
            packets.into_iter().map(arriving).collect()
        },
    )
}

proptest! {
    /// Parekh and Gallager, theorem 1.
    #[test]
    fn no_packet_is_later_than_the_fluid_server_by_more_than_the_largest(arrivals in arrivals()) {
        let link = send_all(&Wfq {}, Limit::None, &arrivals);
        prop_assert_eq!(link.sent.len(), arrivals.len());
        let fluid = fluid(&arrivals);
        let largest = arrivals.iter().map(|arriving| arriving.bytes).max().unwrap_or(0);
        for sent in &link.sent {
            let late = sent.to as f64 - fluid[sent.packet];
            prop_assert!(late <= f64::from(largest) + 1e-3, "packet {} is {late} late", sent.packet);
        }
    }
}

#[test]
fn flows_with_packets_share_by_weight() {
    let arriving = |place: u32| {
        let flow = place % 2;
        let weight = if flow == 0 { 3.0 } else { 1.0 };
        let traffic = TrafficClass { weight, ..TrafficClass::default() };
        Arriving { flow, bytes: 1000, traffic, ..Arriving::default() }
    };
    let arrivals: Vec<_> = (0..80).map(arriving).collect();
    let link = send_all(&Wfq {}, Limit::None, &arrivals);
    let first = link.sent[..40].iter().filter(|sent| arrivals[sent.packet].flow == 0).count();
    assert!((29..=31).contains(&first), "{first} of the first 40 are of the flow with weight 3");
}

/// The share of flow 1 over a buffer of 50 packets that flows 0 and 1 fill, which arrive at `rates` times
/// the capacity.
fn share_at_a_full_buffer(rates: [f64; 2], weights: [f64; 2]) -> f64 {
    let mut arrivals = Vec::new();
    for flow in [0, 1] {
        let traffic = TrafficClass { weight: weights[flow], ..TrafficClass::default() };
        let gap = 1000.0 / rates[flow];
        let times = (1..).map(|i| (f64::from(i) * gap) as u64).take_while(|&at| at < 1_000_000);
        let flow = flow as u32;
        arrivals.extend(times.map(|at| Arriving {
            at,
            flow,
            bytes: 1000,
            traffic,
            ..at_once(0, 0)
        }));
    }
    arrivals.sort_by_key(|arriving| (arriving.at, arriving.flow));
    let link = send_all(&Wfq {}, Limit::Bytes(Bytes::new(50_000)), &arrivals);
    let measured = link.sent.iter().filter(|sent| (200_000..1_000_000).contains(&sent.from));
    let flows: Vec<u32> = measured.map(|sent| arrivals[sent.packet].flow).collect();
    flows.iter().sum::<u32>() as f64 / flows.len() as f64
}

/// Flows that do not respond share by weight however much more of them arrives: nobody pays for packets
/// that others took from him.
#[test]
fn flows_share_by_weight_at_a_full_buffer() {
    for (rates, weights, share) in [
        ([10.0, 0.9], [1.0, 1.0], 0.5),
        ([10.0, 10.0], [1.0, 1.0], 0.5),
        ([10.0, 10.0], [1.0, 4.0], 0.8),
        ([10.0, 0.9], [1.0, 4.0], 0.8),
        ([10.0, 0.9], [4.0, 1.0], 0.2),
        ([10.0, 0.1], [1.0, 1.0], 0.1),
    ] {
        let found = share_at_a_full_buffer(rates, weights);
        assert!(
            (found - share).abs() < 0.01,
            "{rates:?} by {weights:?}: {found} instead of {share}"
        );
    }
}
