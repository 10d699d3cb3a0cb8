//! R_u, R_r and the sum of profiles of section 6.4.4, against sums over the packets that cross the link.

use proptest::prelude::*;
use sluice_laws::xcp_guaranteed::XcpGuaranteedParams;
use sluice_sim::{LinkMetrics, PacketAction};
use sluice_units::Span;

use super::properties::{Case, case};
use super::retries::AtLink;
use super::sampled;
use crate::common::runner;

/// What the packets of an interval add up to, in bits a second.
#[derive(Clone, Copy, Default)]
struct Interval {
    used: f64,
    admitted: f64,
    profiles: f64,
}

/// By interval of estimates, from the headers of guaranteed packets.
fn exact(case: &Case, seconds: f64) -> Vec<Interval> {
    let events = AtLink::of(&case.config()).0;
    let mut all = vec![Interval::default(); (case.seconds() as f64 / seconds) as usize + 1];
    let mut asked = Vec::new();
    for event in events.iter().filter(|event| event.packet.group == 1) {
        let packet = &event.packet;
        let [profile, x, request, _] = packet.header.get();
        let name = (packet.index, packet.kind);
        let time = event.time.since(super::at(0)).as_secs_f64();
        let is_best_effort = packet.service != sluice_laws::host::Service::Own;
        if is_best_effort || profile == 0 {
            continue;
        }
        let interval = &mut all[(time / seconds) as usize];
        match event.what {
            PacketAction::Enqueued => {
                interval.used += packet.bytes.as_f64() * 8.0 / seconds;
                interval.profiles +=
                    f64::from(profile) * 100.0 * f64::from(x) / f64::from(1 << 28) / seconds;
                if request == 1 {
                    asked.push((name, time));
                }
            }
            // The law has seen a request as it arrived.
            PacketAction::Dequeued => {
                let place = asked.iter().position(|&(asks, _)| asks == name);
                if let Some(place) = place {
                    let (_, time) = asked.remove(place);
                    let admitted = f64::from(request) * f64::from(profile) * 100.0;
                    all[(time / seconds) as usize].admitted += admitted;
                }
            }
            _ => {}
        }
    }
    all
}

proptest! {
    #![proptest_config(runner(12))]

    #[test]
    fn estimates_are_the_sums_over_packets(case in case()) {
        let every = XcpGuaranteedParams::default().interval;
        let sums = exact(&case, every.as_secs_f64());
        let mut config = case.config();
        config.link_metrics = vec![LinkMetrics { link: 0, every }];
        let found = ["R_u", "R_r", "estimate", "R_g"]
            .map(|name| sampled(&mut config, &format!("class_1_{name}")));
        // Samples are every 100 ms, and each third follows an estimate.
        let mut reserved = 0.0;
        for (number, interval) in sums.iter().enumerate() {
            let place = 3 * number + 2;
            let Some(&(time, used)) = found[0].get(place) else { break };
            let of = |quantity: usize| found[quantity][place].1;
            prop_assert!((time - (number + 1) as f64 * every.as_secs_f64()).abs() < 1e-6);
            let near = |found: f64, expected: f64| (found - expected).abs() <= 1e-6 * expected + 200.0;
            prop_assert!(near(used, interval.used), "R_u {used}, not {}", interval.used);
            prop_assert!(near(of(1), interval.admitted), "R_r {}, not {}", of(1), interval.admitted);
            let estimate = interval.profiles.max(interval.used) + interval.admitted;
            prop_assert!(near(of(2), estimate), "{}, not {estimate}", of(2));
            // The average, with what was admitted meanwhile.
            let before = reserved + interval.admitted;
            let fall = 0.4 * estimate + 0.6 * before;
            reserved = if estimate >= before { estimate } else { fall };
            prop_assert!(near(of(3), reserved), "R_g {}, not {reserved}", of(3));
        }
    }
}

/// Samples come after estimates of the same instant, as the comparison requires.
#[test]
fn intervals_of_estimates_are_three_samples() {
    assert_eq!(XcpGuaranteedParams::default().interval, Span::from_millis(100) * 3);
}
