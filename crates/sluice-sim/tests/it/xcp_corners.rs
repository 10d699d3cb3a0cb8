//! Corners of XCP's controllers: buffers of a packet, RTTs of 10 us and of 3 s, flows that start at one
//! instant, overload and losses, with options at both ends of their ranges. All flows finish, no more than three
//! times later than under plain XCP.

use crate::shown::{config, flow, group, pipe, results};
use sluice_laws::alpha_fair::{AlphaFairParams, PriceControl};
use sluice_laws::protocol::Protocol;
use sluice_laws::xcp::{Efficiency, RttGroups, Shuffle, XcpParams};
use sluice_sim::Config;
use sluice_sim::traffic::Traffic;
use sluice_units::{BufferSize, Ratio, Span, Time};

/// Flows that start at one instant, over a link that loses a packet in a hundred.
fn burst(rtt: Span, buffer: BufferSize, flows: usize) -> Config {
    let mut links = pipe(100_000_000, rtt / 2);
    (links[0].buffer, links[0].error) = (buffer, Ratio::new(0.01));
    let listed = vec![flow(Time::ZERO, 60); flows];
    let mut config = config(links, vec![group(Traffic::List(listed))], Span::from_secs(1));
    config.limit = Time::ZERO + Span::from_secs(3_000);
    config
}

/// How many times as long as plain XCP a variant may take.
const MOST: u64 = 3;

fn variants() -> Vec<Box<dyn Protocol>> {
    let plain = XcpParams::default();
    let ratio = |value| Some(Ratio::new(value));
    let groups = |bounds: &[Span]| RttGroups::new(bounds);
    let span = Span::from_micros;
    let all = [
        XcpParams { measure_capacity: true, ..plain },
        XcpParams { configured_capacity: ratio(0.01), ..plain },
        XcpParams { configured_capacity: ratio(100.0), ..plain },
        XcpParams { efficiency: Efficiency::Queue, increase: Ratio::new(1.0), ..plain },
        XcpParams { efficiency: Efficiency::Queue, increase: Ratio::new(1e-4), ..plain },
        XcpParams { shuffle: Shuffle::Need, gamma: Ratio::new(0.0), ..plain },
        XcpParams { shuffle: Shuffle::Need, max_gamma: Ratio::new(1.0), ..plain },
        XcpParams { rtt_groups: groups(&[span(1)]), ..plain },
        XcpParams { rtt_groups: groups(&[Span::from_secs(16)]), ..plain },
        XcpParams { rtt_groups: groups(&[1, 10, 100, 1_000, 10_000].map(span)), ..plain },
    ];
    let fair = AlphaFairParams { efficiency: PriceControl::Xcp, ..AlphaFairParams::default() };
    let mut all: Vec<Box<dyn Protocol>> =
        all.into_iter().map(|params| Box::new(params) as Box<dyn Protocol>).collect();
    all.push(Box::new(fair.clone()));
    all.push(Box::new(AlphaFairParams { initial_rate: Ratio::new(1.0), ..fair }));
    all
}

/// When the last of the flows finishes; all do.
fn last(config: &Config, protocol: &dyn Protocol) -> Span {
    let (flows, _) = results(config, protocol);
    let ends = flows.iter().map(|flow| flow.completion.expect("it finishes"));
    ends.max().expect("there are flows")
}

#[test]
fn all_flows_finish_at_any_corner() {
    let rtts = [Span::from_micros(10), Span::from_millis(40), Span::from_secs(3)];
    let buffers = [BufferSize::Packets(1), BufferSize::Packets(20), BufferSize::Unlimited];
    for rtt in rtts {
        for buffer in buffers {
            for count in [1, 30] {
                let config = burst(rtt, buffer, count);
                let plain = last(&config, &XcpParams::default());
                for (number, protocol) in variants().iter().enumerate() {
                    let own = last(&config, &**protocol);
                    // A flow of 60 packets takes 60 RTTs if its window never grows.
                    let most = plain * MOST + rtt * 60;
                    assert!(own <= most, "variant {number}, {rtt:?}, {buffer:?}: {own}, {plain}");
                }
            }
        }
    }
}
