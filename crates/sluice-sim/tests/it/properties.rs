//! Properties of every run, whatever the network, the traffic and the protocol.

use proptest::prelude::*;
use sluice_sim::Config;
use sluice_sim::traffic::Traffic;
use sluice_units::{Bytes, Rate, Time};

use crate::common::case::{Case, any_case, lossless_case};
use crate::common::sanity::{conserved, flows_make_sense, links_make_sense, streams_make_sense};
use crate::common::{RunResult, interrupted, run_to_end, runner};

proptest! {
    #![proptest_config(runner(150))]

    /// Every packet sent was delivered, dropped, or is in flight when the run ends, at a fixed time
    /// or once all flows have finished.
    #[test]
    fn packets_are_conserved(case in any_case()) {
        let Case { config, law } = case;
        let outcome = run_to_end(&config, law.protocol()).outcome;
        conserved(&outcome);
        prop_assert!((config.stop..=config.limit).contains(&outcome.end));
        conserved(&run_to_end(&Config { limit: config.stop, ..config }, law.protocol()).outcome);
    }

    #[test]
    fn each_flow_is_reported_once_and_makes_sense(case in any_case()) {
        let Case { config, law } = case;
        let RunResult { records, streams, outcome, .. } = run_to_end(&config, law.protocol());
        flows_make_sense(&records, &outcome, &config);
        streams_make_sense(&streams, &outcome, &config);
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
        links_make_sense(&outcome, &config);
    }

    /// With unlimited buffers and lossless wires, every flow with a size finishes.
    #[test]
    fn every_flow_finishes_without_losses(case in lossless_case()) {
        let Case { config, law } = case;
        let RunResult { records, outcome, .. } = run_to_end(&config, law.protocol());
        conserved(&outcome);
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

    /// The same when the observer interrupts the run, and what was sampled by then is what a longer run
    /// samples. Long flows last until then; the longer run ends, too, because a flow that loses
    /// nothing can fill all memory with what waits.
    #[test]
    fn packets_are_conserved_when_interrupted(case in any_case(), ticks in 1_u64..3) {
        let Case { mut config, law } = case;
        for group in &mut config.groups {
            if let Traffic::Long(long) = &mut group.traffic {
                long.stop = Time::NEVER;
            }
        }
        let longer = interrupted(&config, law.protocol(), 20 * ticks);
        let RunResult { records, outcome, series, .. } = interrupted(&config, law.protocol(), ticks);
        prop_assert!(outcome.interrupted || outcome.totals.events < ticks << 15);
        conserved(&outcome);
        flows_make_sense(&records, &outcome, &config);
        for (part, longer) in series.iter().zip(&longer.series) {
            prop_assert!(part.times.last().is_none_or(|&last| last <= outcome.end));
            prop_assert!(longer.times.starts_with(&part.times));
            let differs = part.values.iter().zip(&longer.values).position(|(one, other)| one != other);
            prop_assert_eq!(differs, None, "{:?} to {}", part.subject, outcome.end);
        }
    }
}
