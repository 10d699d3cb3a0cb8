//! Router laws at links that can send nothing for a while.

use sluice_laws::router::LinkSample;
use sluice_laws::{rcp, xcp};
use sluice_sim::queue::{Discipline, Drr};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule, OnDown};
use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, LinkLaw, LinkMetrics};
use sluice_units::{BufferSize, Rate, Span, Time};

use crate::common::run_to_end;
use crate::common::spy::Spy;
use crate::shown::{config, flow, group, pipe, results};

const CAPACITY: Rate = Rate::from_bps(8_000_000);

fn at_ms(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

fn outage(from: u64, to: u64, on_down: OnDown) -> CapacitySchedule {
    let course = CapacityCourse::Constant;
    CapacitySchedule {
        down: vec![(at_ms(from), at_ms(to))],
        on_down,
        ..CapacitySchedule::new(course)
    }
}

/// Four flows of 500 packets over the link: two seconds at its capacity.
fn four_flows(schedule: CapacitySchedule, queue: Discipline) -> Config {
    let mut links = pipe(CAPACITY.as_bps(), Span::from_millis(5));
    (links[0].schedule, links[0].queue) = (Some(schedule), queue);
    // A long queue would lower R for long after the outage (equation 2).
    links[0].buffer = BufferSize::Packets(10);
    links[1].router = LinkLaw::None.into();
    let flows = (0..4).map(|i| flow(at_ms(10 * i), 500)).collect();
    let mut config = config(links, vec![group(Traffic::List(flows))], Span::from_secs(1));
    config.limit = at_ms(60_000);
    config
}

/// The instants, in milliseconds, at which intervals of a law end and begin, and their capacity in kb/s.
fn intervals(schedule: CapacitySchedule) -> Vec<[u64; 3]> {
    let spy = Spy { every: Span::from_millis(10), ..Spy::default() };
    run_to_end(&four_flows(schedule, Discipline::default()), &spy);
    let seen = spy.seen.lock().expect("nobody panicked");
    let interval = |&(_, sample): &(usize, LinkSample)| {
        let ms = |time: Time| time.as_nanos() / 1_000_000;
        [ms(sample.now), ms(sample.since), sample.capacity.as_bps() / 1_000]
    };
    seen.iter().map(interval).take(5).collect()
}

/// In an outage from 12 to 47 ms the law ticks once, over the interval in which it began; then an interval
/// begins as it ends.
#[test]
fn a_law_waits_for_the_end_of_an_outage() {
    for on_down in [OnDown::Wait, OnDown::Drop] {
        let found = intervals(outage(12, 47, on_down));
        assert_eq!(found[..2], [[10, 0, 8_000], [20, 10, 1_600]]);
        assert_eq!(found[2..], [[57, 47, 8_000], [67, 57, 8_000], [77, 67, 8_000]]);
    }
}

/// 1504 bytes every 25 ms are 481 kb/s: the interval goes on to the next opportunity.
#[test]
fn a_law_sees_the_mean_capacity_between_opportunities() {
    let times: Vec<Time> = (1..=40).map(|i| at_ms(25 * i)).collect();
    let found = intervals(CapacitySchedule::new(CapacityCourse::Opportunities(times.into())));
    let wanted = [25, 50, 75, 100, 125].map(|at| [at, at - 25, 481]);
    assert_eq!(found, wanted);
}

/// Flows go on as an outage of a second ends, whether or not it loses packets. Without it they take two
/// seconds; after it, XCP's windows begin at a packet, some after a time-out. RCP's R is the same at all
/// times in the outage.
#[test]
fn flows_of_laws_go_on_after_an_outage() {
    let (rcp, xcp) = (rcp::RcpParams::default(), xcp::XcpParams::default());
    for queue in [Discipline::default(), Discipline::Drr(Drr::default())] {
        for on_down in [OnDown::Wait, OnDown::Drop] {
            let config = four_flows(outage(500, 1_500, on_down), queue);
            for (name, (flows, _)) in
                [("rcp", results(&config, &rcp)), ("xcp", results(&config, &xcp))]
            {
                let last = flows.iter().map(|flow| flow.completion).max().flatten();
                let in_time = last.is_some_and(|last| last < Span::from_secs(6));
                assert!(in_time, "{name}, {queue:?}, {on_down:?}: {last:?}");
            }
        }
    }
    let mut config = four_flows(outage(500, 1_500, OnDown::Wait), Discipline::default());
    config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(100) }];
    let rate = run_to_end(&config, &rcp).series[0].column("R");
    let before = rate[5];
    assert!(before > 500e3, "{before}");
    assert!(rate[6..15].iter().all(|&rate| rate == before), "{before}, {:?}", &rate[6..15]);
}
