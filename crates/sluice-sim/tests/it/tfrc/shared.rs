//! Flows of TFRC and TCP over one bottleneck.

use sluice_laws::registry::ProtocolName;
use sluice_laws::tfrc::TfrcParams;
use sluice_laws::transport::{EcnMode, Transport};
use sluice_sim::queue::{Discipline, Red};
use sluice_sim::{Config, FlowMetrics, GroupConfig};
use sluice_units::{BufferSize, Span, Time};

use super::long;
use crate::common::run_to_end;
use crate::shown::{alone, config, mean, pipe, results};

/// With 60 ms, 112 packets of 1000 bytes.
const BPS: u64 = 15_000_000;

/// `each` flows of TFRC and of TCP.
fn shared(each: u64, queue: Discipline, seconds: u64) -> Config {
    let mut links = pipe(BPS, Span::from_millis(30));
    links[0].queue = queue;
    links[0].buffer = BufferSize::Packets(110);
    let groups = [ProtocolName::Tfrc, ProtocolName::Tcp].map(|protocol| GroupConfig {
        name: protocol.as_str().to_owned(),
        protocol: Some(protocol),
        ..long(each)
    });
    let mut config = config(links, groups.to_vec(), Span::from_secs(seconds));
    config.parameters.transport = Transport::DEFAULT;
    config.warm_up = Time::ZERO + Span::from_secs(30);
    config
}

/// The throughput of TFRC's flows over that of TCP's.
fn ratio(config: &Config) -> f64 {
    let (flows, outcome) = results(config, &TfrcParams::default());
    assert!(outcome.links[0].utilization > 0.85, "{:?}", outcome.links[0]);
    let [tfrc, tcp] = [0, 1].map(|group| -> f64 {
        let of_group = flows.iter().filter(|flow| flow.group == group);
        of_group.map(|flow| flow.delivered.as_f64()).sum()
    });
    tfrc / tcp
}

/// Floyd, Handley, Padhye and Widmer, "Equation-based congestion control for unicast applications" (SIGCOMM
/// 2000): about TCP's throughput. Here within a factor of 1.5.
#[test]
fn shares_are_those_of_tcp() {
    for queue in [Discipline::default(), Discipline::Red(Red::default())] {
        for each in [1, 2, 4, 8, 16] {
            let ratio = ratio(&shared(each, queue, 150));
            assert!((1.0 / 1.5..1.5).contains(&ratio), "{each} flows each, {queue:?}: {ratio}");
        }
    }
}

/// The same paper: the coefficient of variation of the throughput over a few round trips is
/// lower than TCP's.
#[test]
fn the_throughput_is_smoother_than_that_of_tcp() {
    for each in [4, 8, 16] {
        let mut config = shared(each, Discipline::default(), 150);
        let every = Span::from_millis(200);
        config.flow_metrics = (0..2).map(|group| FlowMetrics { group, index: 0, every }).collect();
        let result = run_to_end(&config, &TfrcParams::default());
        let [tfrc, tcp] = [0, 1].map(|group: usize| {
            let acked = &result.series[group].column("acked_packets")[150..];
            variation(&acked.windows(2).map(|two| two[1] - two[0]).collect::<Vec<_>>())
        });
        assert!(tfrc < 0.75 * tcp, "{each} flows each: {tfrc}, TCP {tcp}");
    }
}

/// Marks in place of drops.
#[test]
fn marks_count_as_losses() {
    let mut config = shared(4, Discipline::Red(Red::default()), 150);
    config.links[0].buffer = BufferSize::Packets(1_000);
    config.parameters.transport.ecn = EcnMode::Ect0;
    let (_, outcome) = results(&config, &TfrcParams::default());
    assert!(outcome.links[0].marks > 0 && outcome.links[0].drops == 0, "{:?}", outcome.links[0]);
    let ratio = ratio(&config);
    assert!((1.0 / 1.5..1.5).contains(&ratio), "{ratio}");
}

/// RFC 5348 section 4.5: with one flow, what is in flight oscillates less.
#[test]
fn a_rate_that_falls_with_the_rtt_damps_oscillations() {
    let [damped, plain] = [true, false].map(|reduce_oscillations| {
        let mut config =
            alone(BPS, Span::from_millis(60), BufferSize::Packets(110), Span::from_secs(200));
        let every = Span::from_millis(20);
        config.flow_metrics = vec![FlowMetrics { group: 0, index: 0, every }];
        let params = TfrcParams { reduce_oscillations, ..TfrcParams::default() };
        let result = run_to_end(&config, &params);
        let in_flight = result.series[0].column("in_flight_packets");
        variation(&in_flight[in_flight.len() / 2..])
    });
    assert!(damped < 0.7 * plain, "{damped}, without {plain}");
}

/// The coefficient of variation.
fn variation(samples: &[f64]) -> f64 {
    let mean = mean(samples);
    let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
    (squares / samples.len() as f64).sqrt() / mean
}
