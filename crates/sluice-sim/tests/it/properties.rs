//! Properties of every run, whatever the network, the traffic and the protocol.

use proptest::prelude::*;
use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, FlowRecord, Outcome, Paths};
use sluice_units::{Bytes, Limit, Rate, Span, Time};

use crate::common::case::{Case, any_case, lossless_case};
use crate::common::{RunResult, interrupted, run_to_end, runner};

/// Rounding up to whole nanoseconds at both ends of an interval.
const ROUNDING: Span = Span::from_nanos(2);

proptest! {
    #![proptest_config(runner(150))]

    /// Every packet sent was delivered, dropped, or is in flight when the run ends, at a fixed time
    /// or once all flows have finished.
    #[test]
    fn packets_are_conserved(case in any_case()) {
        let Case { config, law } = case;
        let outcome = run_to_end(&config, law.protocol()).outcome;
        conserved(&outcome)?;
        prop_assert!((config.stop..=config.limit).contains(&outcome.end));
        conserved(&run_to_end(&Config { limit: config.stop, ..config }, law.protocol()).outcome)?;
    }

    #[test]
    fn each_flow_is_reported_once_and_makes_sense(case in any_case()) {
        let Case { config, law } = case;
        let RunResult { records, outcome, .. } = run_to_end(&config, law.protocol());
        let mut names: Vec<_> = records.iter().map(|record| (record.group, record.index)).collect();
        names.sort_unstable();
        prop_assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "a flow was reported twice");
        for record in &records {
            makes_sense(record, &config)?;
            prop_assert!(ended(record) <= outcome.end, "{record:?} ended after {}", outcome.end);
        }
        let measured = || records.iter().filter(|record| record.measured && record.size.is_some());
        let unfinished = measured().filter(|record| record.completion.is_none());
        prop_assert_eq!(outcome.measured, measured().count() as u64);
        prop_assert_eq!(outcome.unfinished, unfinished.count() as u64);
        let bytes: u64 = measured().filter_map(|record| record.size).map(Bytes::as_u64).sum();
        let seconds = config.stop.since(config.warm_up).as_secs_f64();
        prop_assert_eq!(outcome.offered, Rate::from_bps_f64(bytes as f64 * 8.0 / seconds));
    }

    #[test]
    fn a_link_carries_and_holds_no_more_than_it_can(case in any_case()) {
        let Case { config, law } = case;
        let outcome = run_to_end(&config, law.protocol()).outcome;
        let measured = config.stop.since(config.warm_up);
        let paths = Paths::of(&config).expect("it ran");
        for (id, (link, found)) in config.links.iter().zip(&outcome.links).enumerate() {
            let room = link.capacity.bytes_in(measured + ROUNDING) + Bytes::new(1);
            prop_assert!(found.sent <= room, "link {id} sent {found:?}, room for {room}");
            prop_assert!((0.0..=1.0).contains(&found.utilization), "link {id}: {found:?}");
            let max = max_queue(&config, id, &paths);
            prop_assert!(found.max_queue <= max, "link {id}: {found:?}, room for {max}");
            prop_assert!(found.mean_queue <= found.max_queue, "link {id}: {found:?}");
            prop_assert!(found.p99_queue <= found.max_queue, "link {id}: {found:?}");
            let wire_is_perfect = link.error.get() == 0.0 && link.losses.is_empty();
            prop_assert!(found.errors == 0 || !wire_is_perfect, "link {id}: {found:?}");
        }
        let lost: u64 = outcome.links.iter().map(|link| link.drops + link.errors).sum();
        prop_assert!(lost <= outcome.totals.dropped);
    }

    /// With unlimited buffers and lossless wires, every flow with a size finishes.
    #[test]
    fn every_flow_finishes_without_losses(case in lossless_case()) {
        let Case { config, law } = case;
        let RunResult { records, outcome, .. } = run_to_end(&config, law.protocol());
        conserved(&outcome)?;
        prop_assert_eq!(outcome.totals.dropped, 0);
        prop_assert!(outcome.links.iter().all(|link| link.drops == 0 && link.errors == 0));
        prop_assert_eq!(outcome.unfinished, 0);
        prop_assert!(outcome.end < config.limit, "it goes on when all is done");
        for record in records {
            prop_assert!(record.completion.is_some(), "{record:?}");
        }
    }
}

proptest! {
    #![proptest_config(runner(60))]

    /// The same when the observer interrupts the run: long flows last until then.
    #[test]
    fn packets_are_conserved_when_interrupted(case in any_case(), ticks in 1_u64..3) {
        let Case { mut config, law } = case;
        for group in &mut config.groups {
            if let Traffic::Long(long) = &mut group.traffic {
                long.stop = Time::NEVER;
            }
        }
        let whole = run_to_end(&config, law.protocol());
        let RunResult { records, outcome, series } = interrupted(&config, law.protocol(), ticks);
        prop_assert!(outcome.interrupted || outcome.totals.events < ticks << 15);
        conserved(&outcome)?;
        for record in &records {
            makes_sense(record, &config)?;
            prop_assert!(ended(record) <= outcome.end, "{record:?} ended after {}", outcome.end);
        }
        for (part, whole) in series.iter().zip(&whole.series) {
            prop_assert!(part.times.last().is_none_or(|&last| last <= outcome.end));
            prop_assert!(whole.times.starts_with(&part.times));
            prop_assert!(whole.values.starts_with(&part.values));
        }
    }
}

fn conserved(outcome: &Outcome) -> Result<(), TestCaseError> {
    let totals = outcome.totals;
    prop_assert_eq!(totals.sent, totals.delivered + totals.dropped + totals.in_flight);
    prop_assert!(totals.data_delivered <= totals.delivered);
    prop_assert!(totals.hops >= totals.delivered, "every path has a link");
    Ok(())
}

fn makes_sense(record: &FlowRecord, config: &Config) -> Result<(), TestCaseError> {
    let measured = config.warm_up <= record.start && record.start < config.stop;
    prop_assert_eq!(record.measured, measured, "{:?}", record);
    let (Some(size), Some(alone)) = (record.size, record.alone) else {
        prop_assert!(
            record.size.is_none() && record.alone.is_none() && record.completion.is_none()
        );
        return Ok(());
    };
    prop_assert!(record.delivered <= size, "{record:?}");
    if let Some(took) = record.completion {
        prop_assert!(took + ROUNDING >= alone, "faster than alone: {record:?}");
        if measured && record.start + took < config.stop {
            prop_assert_eq!(record.delivered, size, "all of it arrived while measuring");
        }
    }
    Ok(())
}

/// Arrival of its last byte, or its start if unfinished.
fn ended(record: &FlowRecord) -> Time {
    record.start + record.completion.unwrap_or_default()
}

/// What the buffer holds, and the packet in transmission.
fn max_queue(config: &Config, id: usize, paths: &[Paths]) -> Bytes {
    let link = &config.links[id];
    let crosses = |paths: &&Paths| paths.out.contains(&id) || paths.back.contains(&id);
    let rtpd = paths.iter().filter(crosses).map(|paths| paths.rtpd(config)).max();
    let packet = config.packet.max(config.control);
    let waiting = match link.buffer.limit(link.capacity, rtpd.unwrap_or_default()) {
        Limit::None => return Bytes::new(u64::MAX),
        Limit::Packets(packets) => Bytes::new(packets * packet.as_u64()),
        Limit::Bytes(bytes) => bytes,
    };
    waiting + packet + link.capacity.bytes_in(ROUNDING) + Bytes::new(1)
}
