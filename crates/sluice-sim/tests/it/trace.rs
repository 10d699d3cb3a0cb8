//! Traces agree with a run's results, and tracing does not change them.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sluice_laws::host::PacketKind;
use sluice_sim::queue::Discipline;
use sluice_sim::schedule::{CapacitySchedule, OnDown};
use sluice_sim::{
    Config, FlowMetrics, FlowRecord, LinkConfig, Observer, Outcome, PacketAction, PacketEvent,
    Progress, Samples, SenderEvent, Subject, TraceConfig, run,
};
use sluice_units::Time;

use crate::common::case::{Case, any_case};
use crate::common::series::{self, Series};
use crate::common::{run_to_end, runner};

#[derive(Default)]
struct Traced {
    records: Vec<FlowRecord>,
    packets: Vec<PacketEvent>,
    senders: Vec<SenderEvent>,
    series: Vec<Series>,
}

impl Observer for Traced {
    fn flow(&mut self, record: &FlowRecord) {
        self.records.push(*record);
    }

    fn tick(&mut self, _: Progress) -> bool {
        true
    }

    fn samples(&mut self, samples: &Samples<'_>) {
        series::add(&mut self.series, samples);
    }

    fn packet(&mut self, event: &PacketEvent) {
        self.packets.push(*event);
    }

    fn sender(&mut self, event: &SenderEvent) {
        self.senders.push(*event);
    }
}

/// A run that traces every link and group.
fn traced(case: &Case, lookahead: bool) -> (Outcome, Traced) {
    let trace = TraceConfig {
        links: (0..case.config.links.len()).collect(),
        groups: (0..case.config.groups.len()).collect(),
    };
    let config = Config { trace, lookahead, ..case.config.clone() };
    let series = series::empty_series(&config);
    let mut watch = Traced { series, ..Traced::default() };
    let outcome = run(&config, case.law.protocol(), &mut watch).expect("a valid configuration");
    (outcome, watch)
}

proptest! {
    #![proptest_config(runner(60))]

    #[test]
    fn tracing_changes_nothing_else(case in any_case()) {
        let plain = run_to_end(&case.config, case.law.protocol());
        let (outcome, traced) = traced(&case, true);
        prop_assert_eq!(plain.records, traced.records);
        prop_assert_eq!(plain.outcome.links, outcome.links);
        prop_assert_eq!(plain.series, traced.series);
        prop_assert_eq!(plain.outcome.end, outcome.end);
    }

    #[test]
    fn lookahead_changes_no_trace(case in any_case()) {
        let ((_, ahead), (_, exact)) = (traced(&case, true), traced(&case, false));
        for (one, other) in ahead.packets.iter().zip(&exact.packets) {
            prop_assert_eq!(one, other);
        }
        prop_assert_eq!(ahead.packets.len(), exact.packets.len());
        prop_assert_eq!(ahead.senders, exact.senders);
    }

    #[test]
    fn packet_events_add_up_to_link_totals(case in any_case()) {
        let (outcome, traced) = traced(&case, true);
        let config = &case.config;
        prop_assert!(traced.packets.is_sorted_by_key(|event| (event.time, event.link)));
        prop_assert!(traced.packets.last().is_none_or(|last| last.time <= outcome.end));
        let (from, to) = (config.warm_up, config.stop);
        for (id, (link, found)) in config.links.iter().zip(&outcome.links).enumerate() {
            let of_link = || traced.packets.iter().filter(move |event| event.link == id);
            let in_time = |time: Time| from <= time && time < to;
            let count = |what| {
                of_link().filter(|event| event.what == what && in_time(event.time)).count() as u64
            };
            // Control packets of a cloud are of no flow, and not traced.
            if !config.clouds.is_empty() {
                let ingress = found.ingress.map_or(0, |ingress| ingress.dropped);
                let policed = found.police.map_or(0, |police| police.dropped);
                prop_assert!(count(PacketAction::Dropped) <= found.drops + policed + ingress);
                prop_assert!(count(PacketAction::Marked) <= found.marks);
                continue;
            }
            let policed = found.police.map_or(0, |police| police.dropped);
            prop_assert_eq!(count(PacketAction::Dropped), found.drops + policed);
            prop_assert_eq!(count(PacketAction::Marked), found.marks);
            // Losses are counted at departure, those to an outage as it begins.
            let outages = outages(link);
            let lost = of_link().filter(|event| event.what == PacketAction::Lost).map(|event| event.time);
            let (struck, erred): (Vec<Time>, Vec<Time>) = lost.partition(|time| outages.contains(time));
            let erred = erred.into_iter().filter(|&time| from + link.delay <= time && time < to + link.delay);
            let errors = (erred.count() + struck.into_iter().filter(|&time| in_time(time)).count()) as u64;
            let late = of_link().filter(|event| event.what == PacketAction::Dequeued)
                .filter(|event| event.time + link.delay > outcome.end).count() as u64;
            prop_assert!(errors <= found.errors && found.errors <= errors + late);
            // A link's bytes are counted by transmission time: the measured time may begin and end within
            // a packet, and an outage cut one.
            let left = of_link().filter(|event| event.what == PacketAction::Dequeued && in_time(event.time));
            let sent: u64 = left.map(|event| event.packet.bytes.as_u64()).sum();
            let off = sent.abs_diff(found.sent.as_u64());
            let largest = of_link().map(|event| event.packet.bytes.as_u64()).max().unwrap_or(0);
            prop_assert!(off <= (2 + outages.len() as u64) * largest + 64, "{off} of {sent}");
        }
    }

    #[test]
    fn every_packet_goes_through_a_link_in_order(case in any_case()) {
        let (_, traced) = traced(&case, true);
        let is_fifo = |link: usize| {
            use Discipline::{
                Cbwfq, Codel, Csfq, Drr, Dualpi2, FqCodel, NcpCsfq, Priority, TcpFriendly, Wfq,
            };
            let link = &case.config.links[link];
            let decides_late = matches!(
                link.queue,
                Cbwfq(_) | Codel(_) | Csfq(_) | NcpCsfq(_) | FqCodel(_) | Dualpi2(_) | Drr(_) | Wfq(_) | Priority(_) | TcpFriendly(_)
            );
            !decides_late && outages(link).is_empty()
        };
        // Of each link: the packets in its queue, and those on the wire.
        let mut links: BTreeMap<usize, [Vec<Packet>; 2]> = BTreeMap::new();
        for event in &traced.packets {
            let [queue, wire] = links.entry(event.link).or_default();
            let packet = name(event);
            match event.what {
                PacketAction::Enqueued => queue.insert(0, packet),
                PacketAction::Dequeued if is_fifo(event.link) => {
                    prop_assert_eq!(queue.pop(), Some(packet));
                    wire.insert(0, packet);
                }
                PacketAction::Marked if is_fifo(event.link) => prop_assert_eq!(queue.first(), Some(&packet)),
                PacketAction::Marked => prop_assert!(queue.contains(&packet)),
                PacketAction::Dequeued => {
                    let place = queue.iter().rposition(|&waiting| waiting == packet);
                    prop_assert!(place.map(|place| queue.remove(place)).is_some());
                    wire.insert(0, packet);
                }
                // A packet that arrives, or at a scheduled link one that waits: which of the two is not
                // known if a copy of it waits.
                PacketAction::Dropped => {}
                PacketAction::Delivered | PacketAction::Lost => prop_assert_eq!(wire.pop(), Some(packet)),
            }
        }
    }

    #[test]
    fn a_senders_trace_agrees_with_its_probe(case in any_case()) {
        let every = case.config.link_metrics.first().map_or(case.config.stop.since(Time::ZERO) / 37, |probe| probe.every);
        let flow_metrics = (0..case.config.groups.len()).map(|group| FlowMetrics { group, index: 0, every }).collect();
        let case = Case { config: Config { flow_metrics, ..case.config }, ..case };
        let (_, traced) = traced(&case, true);
        for series in &traced.series {
            let Subject::Flow { group, index } = series.subject else { continue };
            let of_flow: Vec<&SenderEvent> = traced.senders.iter()
                .filter(|event| (event.group, event.index) == (group, index)).collect();
            let place = |name| series.columns.iter().position(|column| *column == name);
            for (time, values) in series.times.iter().zip(series.values.chunks(series.columns.len().max(1))) {
                let before = of_flow.partition_point(|event| event.time <= *time);
                let Some(last) = before.checked_sub(1).map(|last| of_flow[last]) else { continue };
                if last.time == *time {
                    // The order of the two is unspecified.
                    continue;
                }
                prop_assert_eq!(place("acked_packets").map(|at| values[at]), Some(last.acked as f64));
                prop_assert_eq!(place("cwnd").map(|at| values[at]), last.cwnd);
            }
        }
    }
}

/// When the outages of a link begin that lose packets.
fn outages(link: &LinkConfig) -> Vec<Time> {
    let drops = |schedule: &&CapacitySchedule| schedule.on_down == OnDown::Drop;
    let schedule = link.schedule.as_ref().filter(drops);
    schedule.map_or(Vec::new(), |schedule| schedule.down.iter().map(|&(from, _)| from).collect())
}

/// What identifies a packet on its link.
type Packet = (usize, u64, PacketKind, u64);

fn name(event: &PacketEvent) -> Packet {
    let packet = &event.packet;
    (packet.group, packet.index, packet.kind, packet.seq)
}
