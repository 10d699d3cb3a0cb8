//! What the disciplines of active queue management promise, over TCP with and without marks: PIE
//! and DualPI2 their delays, REM its queue, AVQ its utilization, adaptive RED its average queue.

use crate::shown::{config, group, pipe, results};
use sluice_laws::tcp::TcpParams;
use sluice_laws::transport::EcnMode;
use sluice_sim::queue::{Avq, Discipline, Dualpi2, Pie, Red, Rem};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, LinkMetrics, LinkOutcome};
use sluice_units::{BufferSize, Ratio, Span, Time};

const RTT: Span = Span::from_millis(40);
/// Of 1000 bytes at 40 Mb/s.
const PACKET: f64 = 1000.0;

/// Thirty flows over 40 Mb/s, 200 packets a round trip, measured from 20 to 80 s.
fn shared(queue: Discipline) -> Config {
    let mut links = pipe(40_000_000, RTT / 2);
    (links[0].queue, links[0].buffer) = (queue, BufferSize::Packets(400));
    let spacing = Span::from_millis(50);
    let long = Long { count: 30, spacing, ..Long::default() };
    let config = config(links, vec![group(Traffic::Long(long))], Span::from_secs(80));
    Config { warm_up: Time::ZERO + Span::from_secs(20), ..config }
}

fn bottleneck(queue: Discipline, ecn: bool) -> LinkOutcome {
    let tcp = TcpParams {
        ecn: Some(if ecn { EcnMode::Ect0 } else { EcnMode::Off }),
        ..TcpParams::default()
    };
    results(&shared(queue), &tcp).1.links[0].clone()
}

/// With marks nothing is dropped; without, all drops are early ones. Of the marks of a round trip all but
/// one are without effect, so that there are more of them than of drops.
fn marked_and_dropped(queue: Discipline) -> [LinkOutcome; 2] {
    let [marked, dropped] = [true, false].map(|ecn| bottleneck(queue, ecn));
    assert!(marked.marks > 500 && marked.drops == 0, "{marked:?}");
    assert!(dropped.marks == 0 && dropped.early_drops == dropped.drops, "{dropped:?}");
    let often = marked.marks as f64 / dropped.drops as f64;
    assert!((0.8..2.0).contains(&often), "{often}: {marked:?}, {dropped:?}");
    [marked, dropped]
}

/// PIE: 15 ms by default, and what is asked for.
#[test]
fn pie_holds_its_target_delay() {
    for target in [15, 30] {
        let target = Span::from_millis(target);
        for link in marked_and_dropped(Discipline::Pie(Pie { target, ..Pie::default() })) {
            let held = link.mean_queue.as_f64() / 5_000_000.0 / target.as_secs_f64();
            assert!((0.85..1.1).contains(&held), "{held} of {target}: {link:?}");
            assert!(link.utilization > 0.97, "{link:?}");
        }
    }
}

/// DualPI2 without L4S packets is PI2: 15 ms by default, and what is asked for.
#[test]
fn dualpi2_holds_the_target_delay_of_classic_flows() {
    for target in [15, 30] {
        let target = Span::from_millis(target);
        let queue = Dualpi2 { target, ..Dualpi2::default() };
        for link in marked_and_dropped(Discipline::Dualpi2(queue)) {
            let held = link.mean_queue.as_f64() / 5_000_000.0 / target.as_secs_f64();
            assert!((0.85..1.1).contains(&held), "{held} of {target}: {link:?}");
            assert!(link.utilization > 0.97, "{link:?}");
        }
    }
}

/// REM: 20 packets by default, and what is asked for.
#[test]
fn rem_holds_its_target_queue() {
    for packets in [20, 60] {
        let target = BufferSize::Packets(packets);
        for link in marked_and_dropped(Discipline::Rem(Rem { target, ..Rem::default() })) {
            let held = link.mean_queue.as_f64() / PACKET / packets as f64;
            assert!((0.8..1.3).contains(&held), "{held} of {target}: {link:?}");
            assert!(link.utilization > 0.95, "{link:?}");
        }
    }
}

/// AVQ: 98 % by default, and what is asked for, with a queue that is short because the link is not
/// full.
#[test]
fn avq_holds_its_utilization() {
    for gamma in [0.98, 0.9] {
        let avq = Avq { gamma: Ratio::new(gamma), ..Avq::default() };
        for link in marked_and_dropped(Discipline::Avq(avq)) {
            assert!((link.utilization - gamma).abs() < 0.015, "{gamma}: {link:?}");
            assert!(link.mean_queue.as_f64() < 100.0 * PACKET, "{gamma}: {link:?}");
        }
    }
}

/// Adaptive RED: 40 % to 60 % of the way from 2.5 ms to 7.5 ms, from any initial `max_p`, for any number of
/// flows that 1 % and more of drops at `max_th` leave enough windows to fill the link. With a fixed
/// `max_p` the average depends on the flows.
#[test]
fn adaptive_red_holds_its_average_queue() {
    let average = |adaptive, max_p, flows| {
        let queue = Red { adaptive, max_p: Ratio::new(max_p), ..Red::default() };
        let mut config = shared(Discipline::Red(queue));
        let Traffic::Long(long) = &mut config.groups[0].traffic else { panic!() };
        long.count = flows;
        config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(10) }];
        let run = crate::common::run_to_end(&config, &TcpParams::default());
        let values = run.series[0].column("average_queue_bytes");
        let settled = &values[values.len() / 4..];
        let average = settled.iter().sum::<f64>() / settled.len() as f64;
        (average / 5_000.0 - 2.5) / 5.0
    };
    for (flows, max_p) in [(15, 0.5), (30, 0.02), (30, 0.5), (60, 0.02)] {
        let found = average(true, max_p, flows);
        assert!((0.35..0.65).contains(&found), "{flows} flows from {max_p}: {found}");
    }
    let [few, many] = [15, 60].map(|flows| average(false, 0.1, flows));
    assert!(few < 0.1 && many > 0.3, "{few}, {many}");
}

/// `[[metrics]]` of a link have the state of its discipline, which fits what happened there.
#[test]
fn metrics_show_the_state() {
    let mean = |queue, name: &str| {
        let mut config = shared(queue);
        config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(10) }];
        let run = crate::common::run_to_end(&config, &TcpParams::default());
        let values = run.series[0].column(name);
        let settled = &values[values.len() / 4..];
        let link = &run.outcome.links[0];
        let struck = link.early_drops as f64 / (link.sent.as_f64() / PACKET);
        (settled.iter().sum::<f64>() / settled.len() as f64, struck)
    };
    let pie = Discipline::Pie(Pie::default());
    assert!((0.013..0.017).contains(&mean(pie, "queueing_delay_s").0));
    let near = |(found, struck): (f64, f64), within| {
        assert!((found / struck - 1.0).abs() < within, "{found} and {struck}");
    };
    near(mean(Discipline::Rem(Rem::default()), "mark_probability"), 0.1);
    let (price, struck) = mean(Discipline::Rem(Rem::default()), "price");
    near((1.0 - 1.001_f64.powf(-price), struck), 0.1);
    let avq = Discipline::Avq(Avq::default());
    let (capacity, _) = mean(avq, "virtual_capacity_bps");
    assert!((0.9 * 40e6..40e6).contains(&capacity), "{capacity}");
    assert!(mean(avq, "virtual_queue_bytes").0 > 0.0);
}
