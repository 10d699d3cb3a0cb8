//! XCP's check of receivers in networks that lose, delay and reorder packets.

use crate::common::run_to_end;
use crate::shown::{config, group, link};
use sluice_laws::conduct::Conduct;
use sluice_laws::transport::LossRecovery;
use sluice_laws::xcp::XcpParams;
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, FlowMetrics, GroupConfig, Routing};
use sluice_units::{BufferSize, Rate, Ratio, Span, Time};

const FLOWS: u64 = 6;
/// Parallel links of 12 Mb/s together, whose queues differ.
const SPEEDS: [u64; 3] = [6_000_000, 4_000_000, 2_000_000];

/// Flows of this conduct, whose packets take three links in turn, over which 1 % of packets get lost each way.
fn sprayed(conduct: Conduct, recovery: LossRecovery, delayed_ack: bool) -> Config {
    let (near, far) = (2, 3 + SPEEDS.len());
    let mut links = vec![
        link(0, near, 100_000_000, Span::from_millis(1)),
        link(near, 0, 100_000_000, Span::from_millis(1)),
        link(far, 1, 100_000_000, Span::from_millis(1)),
        link(1, far, 100_000_000, Span::from_millis(1)),
    ];
    for (number, bps) in SPEEDS.into_iter().enumerate() {
        let between = 3 + number;
        for (from, to) in [(near, between), (between, far), (far, between), (between, near)] {
            let mut way = link(from, to, bps, Span::from_millis(10));
            (way.buffer, way.error) = (BufferSize::Packets(30), Ratio::new(0.005));
            links.push(way);
        }
    }
    let spacing = Span::from_millis(70);
    let long = Long { count: FLOWS, spacing, stop: Time::NEVER, ..Long::default() };
    let group = GroupConfig { conduct, routing: Routing::Spray, ..group(Traffic::Long(long)) };
    let mut config = config(links, vec![group], Span::from_secs(20));
    config.parameters.transport.recovery = recovery;
    config.parameters.transport.delayed_ack = delayed_ack;
    let metrics = |index| FlowMetrics { group: 0, index, every: Span::from_millis(100) };
    config.flow_metrics = (0..FLOWS).map(metrics).collect();
    config
}

/// Flows whose senders hold that their receivers lie, if they check a fifth of the packets.
fn accused(config: &Config) -> usize {
    let params = XcpParams { check_receiver: Ratio::new(0.2), ..XcpParams::default() };
    let series = run_to_end(config, &params).series;
    let accuses = |column: Vec<f64>| column.last() == Some(&1.0);
    series.iter().filter(|series| accuses(series.column("lying_receiver"))).count()
}

/// Those in which acknowledgements tell what they answer.
const TELLING: [(LossRecovery, bool); 5] = [
    (LossRecovery::NewReno, false),
    (LossRecovery::Sack, false),
    (LossRecovery::Sack, true),
    (LossRecovery::Rack, false),
    (LossRecovery::Rack, true),
];

#[test]
fn honest_receivers_are_not_accused_where_packets_are_lost_and_overtake_each_other() {
    for (recovery, delayed) in TELLING {
        let found = accused(&sprayed(Conduct::HONEST, recovery, delayed));
        assert_eq!(found, 0, "{recovery:?}, delayed acknowledgements: {delayed}");
    }
}

/// Of sums, few are compared where packets overtake each other.
#[test]
fn lying_receivers_are_found_there() {
    let added_feedback = Some(Rate::from_bytes_per_sec(2000));
    let liar = Conduct { added_feedback, ..Conduct::HONEST };
    for (recovery, delayed) in TELLING {
        let found = accused(&sprayed(liar, recovery, delayed));
        let least = if delayed { 1 } else { FLOWS as usize };
        assert!(found >= least, "{found}: {recovery:?}, delayed acknowledgements: {delayed}");
    }
}

/// An abuser multiplies what it makes of feedback; its receiver returns what routers left.
#[test]
fn abusers_do_not_accuse_their_receivers() {
    let gains = Conduct {
        increase_gain: Ratio::new(10.0),
        decrease_gain: Ratio::new(0.1),
        ..Conduct::HONEST
    };
    assert_eq!(accused(&sprayed(gains, LossRecovery::Rack, false)), 0);
}
