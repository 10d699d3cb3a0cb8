//! Guarantees over random requests: an admitted flow keeps its profile, whatever runs beside it.

use proptest::prelude::*;
use sluice_laws::xcp_guaranteed::{DeniedFlow, ProfileSender, XcpGuaranteedParams};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, FlowRecord, GroupConfig};
use sluice_units::{Rate, Span, Time};

use super::{CAPACITY, RTT, long, requests, shared};
use crate::common::runner;
use crate::shown::results;

const SECONDS: u64 = 12;

/// Requests beside best-effort flows over the link of figure 6-3.
#[derive(Clone, Debug)]
pub(super) struct Case {
    starts: Vec<u64>,
    profile: u64,
    best_effort: u64,
    params: XcpGuaranteedParams,
}

pub(super) fn case() -> impl Strategy<Value = Case> {
    let denied = prop_oneof![Just(DeniedFlow::GivesUp), Just(DeniedFlow::BestEffort)];
    let params = (denied, any::<bool>(), any::<bool>(), any::<bool>());
    let params = params.prop_map(|(denied, retries, exceeds, window)| XcpGuaranteedParams {
        denied,
        retry: (retries && denied == DeniedFlow::GivesUp).then(|| Span::from_secs(1)),
        exceeds,
        sender: if window && !exceeds { ProfileSender::Window } else { ProfileSender::Paced },
        ..XcpGuaranteedParams::default()
    });
    (prop::collection::vec(0_u64..8_000, 1..25), 200_000_u64..3_000_000, 0_u64..12, params)
        .prop_map(|(starts, profile, best_effort, params)| Case {
            starts,
            profile,
            best_effort,
            params,
        })
}

impl Case {
    pub(super) fn seconds(&self) -> u64 {
        SECONDS
    }

    pub(super) fn config(&self) -> Config {
        let start = |&ms: &u64| Time::ZERO + Span::from_millis(ms);
        let starts = Some(self.starts.iter().map(start).collect());
        let asks = GroupConfig {
            profile: Some(Rate::from_bps(self.profile)),
            traffic: Traffic::Long(Long { starts, ..Long::default() }),
            ..requests(1)
        };
        let mut config = shared(self.params, asks, SECONDS);
        let best = Long { count: self.best_effort.max(1), ..Long::default() };
        config.groups[0] = long("best", best);
        config
    }
}

/// The time for which a flow sends that is admitted as it begins, and its data arrive.
fn seconds_of(flow: &FlowRecord) -> f64 {
    let end = Time::ZERO + Span::from_secs(SECONDS);
    end.since(flow.start).as_secs_f64() - 0.12
}

proptest! {
    #![proptest_config(runner(24))]

    /// Of flows that keep to their profiles and give up if they are denied, each gets all or nothing; retries come
    /// later. Those that may send more get at least that, if they were admitted.
    #[test]
    fn admitted_flows_keep_their_profiles(case in case()) {
        let config = case.config();
        let (flows, outcome) = results(&config, &config.parameters.xcp);
        let profile = case.profile as f64;
        let guaranteed: Vec<_> = flows.iter().filter(|flow| flow.group == 1).collect();
        prop_assert_eq!(guaranteed.len(), case.starts.len());
        let bits = |flow: &FlowRecord| flow.delivered.as_f64() * 8.0;
        // A window is a whole number of packets, and RTTs vary by the packet in transmission.
        let whole = match case.params.sender {
            ProfileSender::Window => 0.5 * 8_000.0 / (profile * RTT.as_secs_f64()) + 0.03,
            ProfileSender::Paced => 0.002,
        };
        let keeps = |flow: &&&FlowRecord| {
            bits(flow) >= (1.0 - whole) * profile * seconds_of(flow) - 3.0 * 8_000.0
        };
        let kept = guaranteed.iter().filter(keeps).count();
        // R_g is twice what is reserved at most: flows count as admitted and by their packets.
        let room = (0.8 * CAPACITY as f64 / profile / 2.0) as usize;
        if case.params.denied == DeniedFlow::GivesUp && case.params.retry.is_none() {
            let silent = guaranteed.iter().filter(|flow| bits(flow) == 0.0).count();
            prop_assert_eq!(kept + silent, guaranteed.len(), "others get all or nothing");
            // R_g misses a flow from its request to its first data, an RTT of 80 ms in T_e of 300 ms.
            let most = 0.8 * CAPACITY as f64 * (1.0 + 0.4 * 2.0 * 0.08 / 0.3);
            prop_assert!(kept as f64 * profile <= most, "{kept} of {profile} b/s were admitted");
        }
        prop_assert!(kept >= room.min(guaranteed.len()), "{} of {} kept", kept, room);
        if !case.params.exceeds && case.params.denied == DeniedFlow::GivesUp {
            let most = |flow: &&&FlowRecord| bits(flow) <= (1.0 + whole) * profile * seconds_of(flow) + 5.0 * 8_000.0;
            prop_assert_eq!(guaranteed.iter().filter(most).count(), guaranteed.len());
        }
        let totals = &outcome.totals;
        prop_assert_eq!(totals.sent, totals.delivered + totals.dropped + totals.in_flight);
    }
}
