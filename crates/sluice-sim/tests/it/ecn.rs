//! TCP and other protocols at a RED queue, with and without explicit congestion notification (RFC
//! 3168).

use crate::common::{RunResult, run_to_end};
use crate::shown::{config, group, pipe, results};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::transport::EcnMode;
use sluice_laws::{cubic, tcp};
use sluice_sim::queue::{Discipline, Red};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, FlowMetrics};
use sluice_units::{BufferSize, Ratio, Span, Time};

const RTT: Span = Span::from_millis(20);

/// Long flows over 100 Mb/s, 250 packets a round trip, with RED at the sender's link.
fn shared(flows: u64, red: Red, seconds: u64) -> Config {
    let mut links = pipe(100_000_000, RTT / 2);
    links[0].queue = Discipline::Red(red);
    links[0].buffer = BufferSize::Packets(1_000);
    let spacing = Span::from_millis(50);
    let long =
        Long { count: flows, start: Time::ZERO, spacing, stop: Time::NEVER, ..Long::default() };
    config(links, vec![group(Traffic::Long(long))], Span::from_secs(seconds))
}

/// RED whose average is fast enough for slow start's queues.
fn red() -> Red {
    let packets = |n| Some(BufferSize::Packets(n));
    Red {
        min_th: packets(50),
        max_th: packets(150),
        weight: Some(Ratio::new(0.01)),
        ..Red::default()
    }
}

fn parameters(ecn: bool) -> Parameters {
    let ecn = Some(if ecn { EcnMode::Ect0 } else { EcnMode::Off });
    let tcp = tcp::TcpParams { ecn, initial_ssthresh: Some(25), ..Default::default() };
    let cubic = cubic::CubicParams { ecn, initial_ssthresh: Some(25), ..Default::default() };
    Parameters { tcp, cubic, ..Parameters::default() }
}

#[test]
fn marks_take_the_place_of_drops() {
    for name in [ProtocolName::Tcp, ProtocolName::Cubic] {
        let run = |ecn| {
            let parameters = parameters(ecn);
            let (flows, outcome) = results(&shared(10, red(), 20), parameters.protocol(name));
            let again: u64 = flows.iter().map(|flow| flow.retransmissions).sum();
            (again, outcome.links[0].clone())
        };
        let (again, marked) = run(true);
        assert!(marked.marks > 100, "{name}: {marked:?}");
        assert_eq!((marked.drops, again), (0, 0), "{name} {marked:?}");
        let (again, dropped) = run(false);
        assert!(dropped.early_drops > 100 && again > 100, "{name}: {dropped:?}");
        assert_eq!((dropped.marks, dropped.drops), (0, dropped.early_drops), "{name}");

        // As often, and as full a link: a mark is taken as a loss.
        let often = marked.marks as f64 / dropped.drops as f64;
        assert!((0.7..1.4).contains(&often), "{name}: {often}");
        let full = marked.utilization / dropped.utilization;
        assert!((0.98..1.02).contains(&full) && marked.utilization > 0.9, "{name}: {full}");
    }
}

/// Packets that are not ECN-capable are dropped, whatever their protocol.
#[test]
fn no_other_protocol_is_marked() {
    use ProtocolName::{Bbr1, Bbr3, Ncp, Rcp, Xcp};
    for name in [Rcp, Xcp, Ncp, Bbr1, Bbr3] {
        let packets = |n| Some(BufferSize::Packets(n));
        let config = shared(10, Red { min_th: packets(1), max_th: packets(2), ..red() }, 20);
        let parameters = parameters(true);
        let (_, outcome) = results(&config, parameters.protocol(name));
        assert_eq!(outcome.links[0].marks, 0, "{name}");
        assert!(outcome.links[0].early_drops > 0, "{name}: {:?}", outcome.links[0]);
    }
}

/// How often a flow's window is sampled.
const EVERY: Span = Span::from_micros(100);

/// One flow whose window is sampled, at RED that marks often.
fn alone() -> Config {
    let mut config = shared(1, Red { max_p: Ratio::new(1.0), ..red() }, 60);
    config.flow_metrics = vec![FlowMetrics { group: 0, index: 0, every: EVERY }];
    config
}

/// The window of one flow over time: each decrease halves it, decreases are more than a round trip
/// apart, and there is one per round trip with marks rather than one per mark.
#[test]
fn a_window_is_halved_once_a_round_trip() {
    let parameters = parameters(true);
    let RunResult { outcome, series, .. } =
        run_to_end(&alone(), parameters.protocol(ProtocolName::Tcp));
    let windows: Vec<f64> = series[0].column("cwnd").into_iter().map(f64::floor).collect();
    let steps: Vec<usize> = (1..windows.len()).filter(|&i| windows[i] < windows[i - 1]).collect();
    assert!((10..25).contains(&steps.len()), "{steps:?}");
    for &step in &steps {
        let left = windows[step] / windows[step - 1];
        assert!((0.49..0.51).contains(&left), "{} to {}", windows[step - 1], windows[step]);
    }
    let rtt = RTT.as_nanos() / EVERY.as_nanos();
    assert!(steps.windows(2).all(|two| (two[1] - two[0]) as u64 > rtt), "{steps:?}");
    assert!(outcome.links[0].marks as usize >= steps.len());
}

/// RFC 3168 section 6.1.2: acknowledgements that echo a mark do not raise the window. They do so from
/// the reduction until a packet sent after it has arrived, a round trip at least.
#[test]
fn echoes_of_a_mark_do_not_raise_the_window() {
    let parameters = parameters(true);
    for name in [ProtocolName::Tcp, ProtocolName::Cubic] {
        let RunResult { series, .. } = run_to_end(&alone(), parameters.protocol(name));
        let windows: Vec<f64> = series[0].column("cwnd");
        let rtt = (RTT.as_nanos() / EVERY.as_nanos()) as usize;
        let steps: Vec<usize> =
            (1..windows.len() - rtt).filter(|&i| windows[i] < 0.8 * windows[i - 1]).collect();
        assert!(steps.len() >= 10, "{name}: {steps:?}");
        for &step in &steps {
            assert_eq!(windows[step + rtt], windows[step], "{name}");
        }
    }
}
