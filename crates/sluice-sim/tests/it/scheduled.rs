//! Links that decide as their transmitters become free.

use std::borrow::Cow;
use std::collections::BTreeSet;

use proptest::prelude::*;
use sluice_laws::rcp::RcpParams;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::tcp::TcpParams;
use sluice_laws::transport::EcnMode;
use sluice_sim::queue::{
    Cbwfq, Codel, Csfq, Discipline, Drr, Dualpi2, FqCodel, NcpCsfq, Priority, Wfq,
};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule, OnDown};
use sluice_sim::traffic::{Long, Traffic, Udp};
use sluice_sim::{ByClass, Config, FlowRecord, GroupConfig, LinkConfig, LinkMetrics};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::common::case::{Case, any_case};
use crate::common::network::with_queue;
use crate::common::{RunResult, run_to_end, runner};
use crate::shown::{config, flow, group, link, pipe, results};

proptest! {
    #![proptest_config(runner(200))]

    /// With nothing to choose, a scheduled link is as any other: CoDel that never drops, CSFQ that is never
    /// congested, or priority or shares over one class.
    #[test]
    fn deciding_late_changes_nothing(case in any_case(), queue in no_choice()) {
        let Case { mut config, law } = case;
        config.limit = config.stop;
        config.groups.iter_mut().for_each(|group| group.class = 0);
        if matches!(queue, Discipline::NcpCsfq(_)) {
            // Each packet adds its size / k to the label of its flow: 10,000 of them some 100 kb/s.
            config.links.iter_mut().for_each(|link| link.capacity = link.capacity.max(FAST));
        }
        let early = run_to_end(&all(&config, Discipline::default()), law.protocol());
        let late = run_to_end(&all(&config, queue), law.protocol());
        same(early, late)?;
    }

    /// Links that lose packets in outages decide late whatever their discipline. Where no outage comes, that
    /// changes nothing.
    #[test]
    fn a_link_that_could_lose_its_packets_is_as_any_other(case in any_case()) {
        let Case { mut config, law } = case;
        config.limit = config.stop;
        let outages = |on_down| {
            let links = config.links.iter().map(|link| {
                let course = CapacityCourse::Steps(vec![(Time::ZERO, link.capacity)]);
                let course = link.schedule.clone().unwrap_or(CapacitySchedule::new(course));
                let down = vec![(config.limit + Span::from_secs(3_600), Time::NEVER)];
                let schedule = Some(CapacitySchedule { down, on_down, ..course });
                LinkConfig { schedule, ..link.clone() }
            });
            Config { links: links.collect(), ..config.clone() }
        };
        let waiting = run_to_end(&outages(OnDown::Wait), law.protocol());
        let dropping = run_to_end(&outages(OnDown::Drop), law.protocol());
        same(waiting, dropping)?;
    }
}

/// The least capacity where labels of NCP count.
const FAST: Rate = Rate::from_bps(1_000_000);

/// A discipline that decides late, and has no choice if there is one class.
fn no_choice() -> impl Strategy<Value = Discipline> {
    let patient = Codel { target: Span::from_secs(86_400), ..Codel::default() };
    let congested_from = Some(BufferSize::Packets(1_000_000));
    // Rates and R(t) of the first 1000 s, in which no label reaches the capacity of a fast link.
    let [k, interval] = [Span::from_secs(1000); 2];
    let disciplines = vec![
        Discipline::Codel(patient),
        Discipline::NcpCsfq(NcpCsfq { k, interval, ..NcpCsfq::default() }),
        Discipline::Csfq(Csfq { congested_from, ..Csfq::default() }),
        Discipline::Priority(Priority {}),
        cbwfq(&[0.7, 0.3]),
    ];
    prop::sample::select(disciplines)
}

fn cbwfq(shares: &[f64]) -> Discipline {
    let shares: Vec<Ratio> = shares.iter().map(|&share| Ratio::new(share)).collect();
    Discipline::Cbwfq(Cbwfq { shares: ByClass::new(&shares).expect("1 to 8 shares") })
}

/// The configuration with this discipline at every link.
fn all(config: &Config, queue: Discipline) -> Config {
    let links = config.links.iter().map(|link| with_queue(link, queue));
    Config { links: links.collect(), ..config.clone() }
}

fn same(mut early: RunResult, mut late: RunResult) -> Result<(), TestCaseError> {
    // A FIFO link knows at a packet's arrival that the wire will lose it; a scheduled one, when the
    // packet is chosen. Until then an unmeasured flow may not be over, and has no record.
    let key = |record: &FlowRecord| (record.group, record.index);
    let known: BTreeSet<_> = late.records.iter().map(key).collect();
    early.records.retain(|record| record.measured || known.contains(&key(record)));
    for result in [&mut early, &mut late] {
        result.records.sort_by_key(key);
        let totals = &mut result.outcome.totals;
        totals.events = 0;
        totals.in_flight += std::mem::take(&mut totals.dropped);
    }
    prop_assert_eq!(&early.records, &late.records);
    prop_assert_eq!(early.outcome.totals, late.outcome.totals);
    prop_assert_eq!(early.series.len(), late.series.len());
    for (early, late) in early.series.iter().zip(&late.series) {
        // A discipline may have metrics of its own.
        let same_columns = |name: &Cow<str>| early.column(name) == late.column(name);
        prop_assert_eq!((early.subject, &early.times), (late.subject, &late.times));
        prop_assert_eq!(early.columns.iter().find(|name| !same_columns(name)), None);
    }
    for (early, late) in early.outcome.links.iter().zip(&late.outcome.links) {
        prop_assert_eq!(
            (early.sent, early.drops, early.errors, early.max_queue),
            (late.sent, late.drops, late.errors, late.max_queue)
        );
    }
    Ok(())
}

/// 100 Mb/s that five groups of two long flows and a group of requests share; RTTs of 10, 20, 40, 80
/// and 160 ms. Group 5 sends a packet each 100 ms, after 10 of 60 s.
fn shared(queue: Discipline) -> Config {
    let mut links = vec![link(0, 1, 100_000_000, Span::from_micros(10)); 2];
    (links[1].from, links[1].to) = (1, 0);
    links[0].buffer = BufferSize::Bytes(Bytes::new(1_000_000));
    links[0].queue = queue;
    let mut groups = Vec::new();
    for place in 0..6 {
        let (host, peer) = (2 + 2 * place, 3 + 2 * place);
        let delay = Span::from_micros(2_500 << (place % 5));
        for (host, router) in [(host, 0), (peer, 1)] {
            links.push(link(host, router, 1_000_000_000, delay));
            links.push(link(router, host, 1_000_000_000, delay));
        }
        let start = Time::ZERO + Span::from_micros(1_300 * place as u64);
        let long = Long { count: 2, start, spacing: Span::from_millis(7), ..Long::default() };
        let traffic = match place {
            5 => Traffic::List(
                (0..600).map(|i| flow(start + Span::from_millis(100) * i, 1)).collect(),
            ),
            _ => Traffic::Long(long),
        };
        let class = u8::from(place == 5);
        groups.push(GroupConfig {
            class,
            ..GroupConfig::new(format!("g{place}"), host, peer, traffic)
        });
    }
    let mut config = config(links, groups, Span::from_secs(60));
    config.warm_up = Time::ZERO + Span::from_secs(10);
    config
}

/// Jain's index of the long flows' data, and the mean excess of the requests over their time alone.
fn fairness_and_excess(queue: Discipline) -> (f64, Span) {
    let (flows, _) = results(&shared(queue), &TcpParams::default());
    let (requests, long): (Vec<&FlowRecord>, Vec<_>) =
        flows.iter().partition(|flow| flow.group == 5);
    let rates = long.iter().map(|flow| flow.delivered.as_f64());
    let (sum, squares) = rates.fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
    let excess = |flow: &&FlowRecord| {
        flow.completion.zip(flow.alone).map(|(took, alone)| took.saturating_sub(alone))
    };
    let excesses: Vec<Span> = requests.iter().filter_map(excess).collect();
    assert!(excesses.len() >= 490, "{} requests are complete", excesses.len());
    let total = excesses.iter().fold(Span::ZERO, |sum, &excess| sum + excess);
    (sum * sum / squares / long.len() as f64, total / excesses.len() as u64)
}

/// Flows over RTTs of 10 to 160 ms get equal shares from a fair scheduler, and not from a FIFO queue;
/// requests of a packet wait for no queue.
#[test]
fn fair_schedulers_share_equally_and_let_short_flows_pass() {
    let (fifo, behind) = fairness_and_excess(Discipline::default());
    assert!(fifo < 0.8, "Jain's index over FIFO is {fifo}");
    assert!(behind > Span::from_millis(40), "requests wait for {behind} over FIFO");
    // No two flows in one queue. CoDel leaves those of long RTTs a little less than their shares, its turns
    // and its full buffer do not.
    let apart = FqCodel { flows: 1 << 16, ..FqCodel::default() };
    let without_codel = FqCodel { target: Span::from_secs(86_400), ..apart };
    for (queue, least, longest) in [
        (Discipline::Drr(Drr::default()), 0.999, Span::from_millis(3)),
        (Discipline::Wfq(Wfq {}), 0.999, Span::from_millis(3)),
        (Discipline::FqCodel(apart), 0.97, Span::from_millis(1)),
        (Discipline::FqCodel(without_codel), 0.999, Span::from_millis(1)),
    ] {
        let (jain, excess) = fairness_and_excess(queue);
        assert!(jain > least, "{queue:?}: Jain's index is {jain}");
        assert!(excess < longest, "{queue:?}: requests wait for {excess}");
    }
    // A request's SYN and packet each find at most one packet in transmission (80 us).
    let (_, urgent) = fairness_and_excess(Discipline::Priority(Priority {}));
    assert!(urgent <= Span::from_micros(160), "requests of class 1 wait for {urgent}");
}

/// Requests with ECT(1) pass the queue of classic flows, which DualPI2 holds at 15 ms; without it they wait
/// there. A SYN is Not-ECT (RFC 3168), and waits in either case.
#[test]
fn packets_with_ect1_pass_the_classic_queue() {
    let excess = |ecn| {
        let mut config = shared(Discipline::Dualpi2(Dualpi2::default()));
        config.parameters.tcp.ecn = Some(ecn);
        config.groups[5].protocol = Some(ProtocolName::Tcp);
        let (flows, outcome) = results(&config, &TcpParams::default());
        let held = outcome.links[0].mean_queue.as_f64() / 12_500_000.0;
        assert!((0.010..0.018).contains(&held), "classic flows wait for {held} s");
        let requests = flows.iter().filter(|flow| flow.group == 5);
        let excess = |flow: &FlowRecord| {
            flow.completion.zip(flow.alone).map(|(took, alone)| took.saturating_sub(alone))
        };
        let mut excesses: Vec<Span> = requests.filter_map(excess).collect();
        excesses.sort();
        excesses[excesses.len() / 2]
    };
    let [passes, waits] = [EcnMode::Ect1, EcnMode::Ect0].map(excess);
    // The SYN's wait, and at most two packets of 80 us.
    let saved = waits.saturating_sub(passes);
    assert!(saved > Span::from_millis(10), "{passes} with ECT(1), {waits} without");
    assert!(passes < Span::from_millis(17), "{passes}");
}

/// CoDel holds the mean queue of long flows near its target of 5 ms, between a third and twice as much,
/// where drop tail has more than 40 ms. The target bounds the least sojourn of an interval, so the mean may be
/// above it; and below, where flows of long RTTs leave the queue empty after a drop.
#[test]
fn codel_holds_its_target() {
    let mean =
        |queue| results(&shared(queue), &TcpParams::default()).1.links[0].mean_queue.as_f64();
    let (full, held) = (mean(Discipline::default()), mean(Discipline::Codel(Codel::default())));
    // 5 ms are 62.5 kB.
    assert!(full > 500_000.0 && (20_000.0..125_000.0).contains(&held), "{full} and {held} bytes");
}

/// Flows of one law share a WFQ link in proportion to their weights there, which their law does not have.
#[test]
fn wfq_shares_by_weight() {
    for name in [ProtocolName::Tcp, ProtocolName::Cubic] {
        let mut config = shared(Discipline::Wfq(Wfq {}));
        config.groups.truncate(2);
        config.groups[1].queue_weight = Ratio::new(4.0);
        let (flows, _) = results(&config, Parameters::default().protocol(name));
        let sent: Vec<f64> = flows.iter().map(|flow| flow.delivered.as_f64()).collect();
        for (light, heavy) in [(0, 2), (1, 3)] {
            let ratio = sent[heavy] / sent[light];
            assert!((ratio - 4.0).abs() < 0.05, "{name}: {ratio} from {sent:?}");
        }
    }
}

/// Router laws see a scheduled link as they see a FIFO one: the same capacity, arrivals and backlog.
#[test]
fn router_laws_fill_scheduled_links() {
    for name in [ProtocolName::Rcp, ProtocolName::Xcp, ProtocolName::Ncp] {
        let parameters = Parameters::default();
        for queue in
            [Discipline::default(), Discipline::Drr(Drr::default()), Discipline::Wfq(Wfq {})]
        {
            let (_, outcome) = results(&shared(queue), parameters.protocol(name));
            let link = &outcome.links[0];
            assert!(link.utilization > 0.9, "{name} over {queue:?}: {link:?}");
            assert_eq!(link.drops, 0, "{name} over {queue:?}");
        }
    }
}

/// With `losses_as_queue` RCP counts what was lost as queue, also packets that were dropped after they had
/// been taken: here priority's lowest class makes room for the others.
#[test]
fn packets_dropped_after_they_were_taken_are_losses() {
    let lowest_rate = |losses_as_queue| {
        let mut config = shared(Discipline::Priority(Priority {}));
        config.links[0].buffer = BufferSize::Packets(20);
        config.groups.iter_mut().for_each(|group| group.class = 0);
        config.groups[0].class = 1;
        config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(10) }];
        let rcp =
            RcpParams { losses_as_queue, initial_rate: Ratio::new(0.2), ..RcpParams::default() };
        let result = run_to_end(&config, &rcp);
        assert!(result.outcome.totals.dropped > 0, "nothing was dropped");
        result.series[0].column("R").into_iter().fold(f64::INFINITY, f64::min)
    };
    let [counted, not] = [true, false].map(lowest_rate);
    assert!(counted < 0.98 * not, "R falls to {counted} with losses counted, {not} without");
}

/// A stream of twice the capacity loads a link once, whether the packets that find no room are refused or
/// others are dropped for them.
#[test]
fn load_counts_no_packet_that_is_dropped() {
    for queue in [Discipline::default(), Discipline::Drr(Drr::default())] {
        let mut links = pipe(10_000_000, Span::ZERO);
        (links[0].queue, links[0].buffer) = (queue, BufferSize::Packets(50));
        let stream = |name: &str| {
            let udp = Udp::constant(Rate::from_bps(10_000_000), Bytes::new(1000));
            GroupConfig { name: name.into(), ..group(Traffic::Udp(udp)) }
        };
        let mut config = config(links, vec![stream("a"), stream("b")], Span::from_secs(5));
        config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_secs(1) }];
        let found = run_to_end(&config, &TcpParams::default());
        let load = found.series[0].column("load");
        assert!(load[1..].iter().all(|load| (load - 1.0).abs() < 0.01), "{queue:?}: {load:?}");
    }
}

/// Streams of classes 0 and 1 over 10 Mb/s with shares 0.7 : 0.3. Datagrams of 1000 and 500 bytes take 800
/// and 400 us.
#[test]
fn classes_have_their_shares_of_an_overloaded_link() {
    for (offered, delivered) in [
        ([10.0, 10.0], [7.0, 3.0]),
        ([100.0, 4.0], [7.0, 3.0]),
        ([8.0, 100.0], [7.0, 3.0]),
        // What one class leaves, the other gets.
        ([2.0, 20.0], [2.0, 8.0]),
        ([20.0, 1.0], [9.0, 1.0]),
    ] {
        let mut links = pipe(10_000_000, Span::from_millis(1));
        (links[0].queue, links[0].buffer) = (cbwfq(&[0.7, 0.3]), BufferSize::Packets(50));
        let stream = |class: u8, mbps: f64, bytes: u64| {
            let udp = Udp::constant(Rate::from_bps_f64(mbps * 1e6), Bytes::new(bytes));
            GroupConfig { name: class.to_string(), class, ..group(Traffic::Udp(udp)) }
        };
        let groups = vec![stream(0, offered[0], 1000), stream(1, offered[1], 500)];
        let mut config = config(links, groups, Span::from_secs(11));
        config.warm_up = Time::ZERO + Span::from_secs(1);
        let found = run_to_end(&config, &TcpParams::default());
        let streams = found.streams.iter();
        let mbps: Vec<f64> =
            streams.map(|stream| stream.delivered.as_f64() * 8.0 / 1e6 / 10.0).collect();
        // Of 10 s, a packet of each class at each end: 16,000 bits in all are 0.0032 Mb/s.
        for (found, expected) in mbps.iter().zip(delivered) {
            assert!((found - expected).abs() < 0.0033, "{offered:?}: {mbps:?}, not {delivered:?}");
        }
    }
}
