//! Every protocol of the registry against any order of events, possible or not: no panic, and
//! outputs stay within what the interfaces of [`sluice_laws`] promise.
//!
//! `PROPTEST_CASES` sets the number of cases (256 if unset). A failure prints the shortest list of
//! operations that reproduces it, and its seed, which `mod.regressions` stores and replays.

mod machine;
mod operation;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::FileFailurePersistence;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::{alpha_fair, ncp, rcp};
use sluice_units::Ratio;

use machine::Machine;

fn config() -> ProptestConfig {
    let seeds = FileFailurePersistence::WithSource("regressions");
    ProptestConfig { failure_persistence: Some(Box::new(seeds)), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_order_of_events_keeps_the_promises(
        name in select(ProtocolName::ALL),
        start in operation::start(),
        operations in prop::collection::vec(operation::any(), 1..100),
    ) {
        let parameters = Parameters::default();
        Machine::new(name, &parameters, start).run(&operations);
    }

    #[test]
    fn the_authors_form_of_rcp_keeps_them_too(
        start in operation::start(),
        operations in prop::collection::vec(operation::any(), 1..100),
    ) {
        let rcp = rcp::RcpParams {
            alpha: Ratio::new(0.4),
            beta: Ratio::new(0.4),
            rtt_filter: rcp::rtt::RttFilter::PerInterval,
            losses_as_queue: true,
            ..rcp::RcpParams::default()
        };
        let parameters = Parameters { rcp, ..Parameters::default() };
        Machine::new(ProtocolName::Rcp, &parameters, start).run(&operations);
    }

    #[test]
    fn every_fairness_keeps_them_too(
        fairness in 0.25..6.0,
        max_rate in 1.0..100.0,
        start in operation::start(),
        operations in prop::collection::vec(operation::any(), 1..100),
    ) {
        let (fairness, max_rate) = (Ratio::new(fairness), Ratio::new(max_rate));
        let alpha_fair = alpha_fair::AlphaFairParams { fairness, max_rate, ..Default::default() };
        let parameters = Parameters { alpha_fair, ..Parameters::default() };
        Machine::new(ProtocolName::AlphaFair, &parameters, start).run(&operations);
    }

    #[test]
    fn every_form_of_ncp_keeps_them_too(
        counted in select(&[ncp::FlowCount::Eq8, ncp::FlowCount::Eq5, ncp::FlowCount::Eq6][..]),
        paced in any::<bool>(),
        start in operation::start(),
        operations in prop::collection::vec(operation::any(), 1..100),
    ) {
        let ncp = ncp::NcpParams { counted, paced, ..ncp::NcpParams::default() };
        let parameters = Parameters { ncp, ..Parameters::default() };
        Machine::new(ProtocolName::Ncp, &parameters, start).run(&operations);
    }
}
