//! Events that a trace could miss: on a link that is idle while others are busy, and changes of a
//! window without an ACK.

use crate::common::series::{self, Series};
use crate::shown::{config, flow, group, link, pipe};
use sluice_laws::protocol::Protocol;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::traffic::Traffic;
use sluice_sim::{
    Config, FlowMetrics, FlowRecord, GroupConfig, Observer, Outcome, PacketEvent, Progress,
    Samples, SenderEvent, TraceConfig, run,
};
use sluice_units::{Span, Time};

#[derive(Default)]
struct Traced {
    /// Time of the last packet event, number of events, and number out of order.
    last: Time,
    packets: u64,
    disorder: u64,
    senders: Vec<SenderEvent>,
    series: Vec<Series>,
    ticks: u64,
}

impl Observer for Traced {
    fn flow(&mut self, _: &FlowRecord) {}

    fn tick(&mut self, _: Progress) -> bool {
        self.ticks += 1;
        true
    }

    fn samples(&mut self, samples: &Samples<'_>) {
        series::add(&mut self.series, samples);
    }

    fn packet(&mut self, event: &PacketEvent) {
        self.packets += 1;
        self.disorder += u64::from(event.time < self.last);
        self.last = event.time;
    }

    fn sender(&mut self, event: &SenderEvent) {
        self.senders.push(*event);
    }
}

fn traced(config: &Config, protocol: &dyn Protocol) -> (Outcome, Traced) {
    let series = series::empty_series(config);
    let mut watch = Traced { series, ..Traced::default() };
    let outcome = run(config, protocol, &mut watch).expect("a valid configuration");
    (outcome, watch)
}

/// XCP's router holds packets until they depart. Where no packet follows, they are stamped late,
/// while another link is busy all the time.
#[test]
fn packets_are_reported_in_order_while_their_link_is_idle() {
    let delay = Span::from_millis(50);
    let mut links = pipe(1_000_000_000, Span::from_micros(10));
    links.extend([link(2, 3, 1_000_000, delay), link(3, 2, 1_000_000, delay)]);
    // Eight flows at once build a queue, and get no ACK for 100 ms.
    let bursts = (0..64).map(|i| flow(Time::ZERO + Span::from_millis(311 * (i / 8)), 3));
    let groups = vec![
        group(Traffic::List(vec![flow(Time::ZERO, 1_000_000)])),
        GroupConfig {
            name: "bursts".into(),
            from: 2,
            to: 3,
            ..group(Traffic::List(bursts.collect()))
        },
    ];
    let config = Config {
        trace: TraceConfig { links: vec![1, 2], groups: Vec::new() },
        ..config(links, groups, Span::from_secs(3))
    };
    let (_, traced) = traced(&config, Parameters::default().protocol(ProtocolName::Xcp));
    assert!(traced.ticks > 5 && traced.packets > 100_000, "{} ticks", traced.ticks);
    assert_eq!(traced.disorder, 0);
}

/// Time-outs, and windows that decay while nothing is in flight.
#[test]
fn a_window_that_changes_without_an_ack_is_reported() {
    let every = Span::from_micros(1_003);
    use ProtocolName::{Cubic, Dctcp, Ncp, Prague, Swift, Tcp, Xcp};
    for name in [Tcp, Cubic, Dctcp, Prague, Swift, Xcp, Ncp] {
        let mut links = pipe(10_000_000, Span::from_millis(20));
        // More than a window.
        links[0].losses = (100..300).collect();
        let config = Config {
            flow_metrics: vec![FlowMetrics { group: 0, index: 0, every }],
            trace: TraceConfig { links: Vec::new(), groups: vec![0] },
            ..config(
                links,
                vec![group(Traffic::List(vec![flow(Time::ZERO, 400)]))],
                Span::from_secs(60),
            )
        };
        let (_, traced) = traced(&config, Parameters::default().protocol(name));
        let series = &traced.series[0];
        let mut compared = 0;
        for (time, cwnd) in series.times.iter().zip(series.column("cwnd")) {
            let before = traced.senders.partition_point(|event| event.time < *time);
            let at = traced.senders.partition_point(|event| event.time <= *time);
            if before == at && before > 0 {
                assert_eq!(traced.senders[before - 1].cwnd, Some(cwnd), "{name}, {time}");
                compared += 1;
            }
        }
        assert!(compared > 100, "{name}: {compared}");
    }
}
