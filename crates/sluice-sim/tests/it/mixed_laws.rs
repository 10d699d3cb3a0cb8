//! Links with a law of their own, and packets whose headers a link's law cannot read.

use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::Sampled;
use sluice_sim::queue::{Discipline, Drr};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule};
use sluice_sim::traffic::{Long, Traffic, Udp};
use sluice_sim::{Config, FlowRecord, GroupConfig, LinkLaw, LinkLaws};
use sluice_units::{BufferSize, Bytes, Rate, Span, Time};

use crate::common::laws::{WITH_ROUTERS, defaults};
use crate::common::run_to_end;
use crate::shown::{config, flow, group, pipe, results, two_pipes};

/// 20 flows over two hops of 5 ms each way, of which the first is the narrower.
fn two_hops() -> Config {
    let mut links = two_pipes(20_000_000, Span::from_millis(5));
    links[0].capacity = Rate::from_bps(16_000_000);
    links[0].buffer = BufferSize::Packets(40);
    links[2].buffer = BufferSize::Packets(40);
    let flows = (0..20).map(|i| flow(Time::ZERO + Span::from_millis(37) * i, 10 + 7 * i));
    let flows = GroupConfig { to: 2, ..group(Traffic::List(flows.collect())) };
    config(links, vec![flows], Span::from_secs(3))
}

/// A link of each kind: FIFO, scheduled, and of a capacity that varies.
fn kinds(config: &Config, link: usize) -> [Config; 3] {
    let [fifo, mut scheduled, mut varying] = [config.clone(), config.clone(), config.clone()];
    scheduled.links[link].queue = Discipline::Drr(Drr::default());
    let steps = vec![(Time::ZERO + Span::from_millis(500), Rate::from_bps(12_000_000))];
    let course = CapacityCourse::Steps(steps);
    varying.links[link].schedule = Some(CapacitySchedule::new(course));
    [fifo, scheduled, varying]
}

/// The parameters with which laws see packets at arrival, and at departure.
fn stamping() -> [Parameters; 2] {
    [Sampled::Arrival, Sampled::Departure].map(|at| {
        let mut parameters = defaults();
        (parameters.xcp.stamp_at, parameters.xcp.queue_at) = (at, at);
        parameters.rcp.stamp_at = at;
        parameters
    })
}

/// A run under another protocol in which all flows and links have a law by name gives the bytes of a run
/// under that law.
#[test]
fn a_law_is_the_same_by_name_and_as_that_of_the_run() {
    for own in WITH_ROUTERS {
        let other = if own == ProtocolName::Xcp { ProtocolName::Rcp } else { ProtocolName::Xcp };
        let plain = two_hops();
        let mut named = plain.clone();
        named.links.iter_mut().for_each(|link| link.router = LinkLaw::Of(own).into());
        named.groups[0].protocol = Some(own);
        let parameters = defaults();
        named.parameters.xcp_guaranteed = parameters.xcp_guaranteed;
        let expected = run_to_end(&plain, parameters.protocol(own));
        let found = run_to_end(&named, parameters.protocol(other));
        assert_eq!(found, expected, "{own}");
    }
}

/// A foreign law leaves headers alone: to the flows that pass, its link is one without a law.
#[test]
fn a_link_of_another_law_only_queues_for_those_who_pass() {
    for parameters in stamping() {
        for own in WITH_ROUTERS {
            for foreign in WITH_ROUTERS.into_iter().filter(|&name| name != own) {
                for mut config in kinds(&Config { parameters: parameters.clone(), ..two_hops() }, 0)
                {
                    let mut found = |law| {
                        config.links[0].router = LinkLaws::Whole(law);
                        run_to_end(&config, parameters.protocol(own)).records
                    };
                    let queues = found(LinkLaw::None);
                    assert!(queues.iter().any(|flow| flow.completion.is_some()), "{own}");
                    assert_eq!(found(LinkLaw::Of(foreign)), queues, "{own} over {foreign}");
                    assert_ne!(found(LinkLaw::OfRun), queues, "{own}: the first link has a say");
                }
            }
        }
    }
}

/// Groups under two laws that share no link do not know of each other.
#[test]
fn two_deployments_side_by_side_are_as_each_alone() {
    let mut both = two_hops();
    let apart = two_hops();
    let second = apart.links.iter().cloned().map(|mut link| {
        (link.from, link.to) = (link.from + 3, link.to + 3);
        link.router = LinkLaw::Of(ProtocolName::Xcp).into();
        link
    });
    both.links.extend(second);
    both.nodes += 3;
    let mut beside = apart.groups[0].clone();
    (beside.name, beside.from, beside.to) = ("beside".into(), 3, 5);
    beside.protocol = Some(ProtocolName::Xcp);
    both.groups.push(beside);
    let parameters = Parameters::default();
    let (rcp, xcp) = (&parameters.rcp, &parameters.xcp);
    let (found, _) = results(&both, rcp);
    let completions = |flows: &[FlowRecord], group| -> Vec<Option<Span>> {
        flows.iter().filter(|flow| flow.group == group).map(|flow| flow.completion).collect()
    };
    assert_eq!(completions(&found, 0), completions(&results(&apart, rcp).0, 0));
    assert_eq!(completions(&found, 1), completions(&results(&apart, xcp).0, 0));
}

/// A law counts the bytes of foreign packets, and no more: what it leaves to its own flows beside one of
/// 30 Mb/s is what it leaves them beside datagrams at that rate.
#[test]
fn foreign_flows_are_to_a_law_as_datagrams() {
    let long = |name: &str, count| {
        let long = Long { count, start: Time::ZERO, stop: Time::NEVER, ..Long::default() };
        GroupConfig { name: name.into(), ..group(Traffic::Long(long)) }
    };
    let (rate, begin) = (Rate::from_bps(30_000_000), Time::ZERO + Span::from_secs(5));
    // Flows with a profile send that, whatever is beside them.
    for own in WITH_ROUTERS.into_iter().filter(|&own| own != ProtocolName::XcpGuaranteed) {
        let foreign = if own == ProtocolName::Xcp { ProtocolName::Rcp } else { ProtocolName::Xcp };
        let flow = GroupConfig { protocol: Some(foreign), ..long("foreign", 1) };
        let datagrams = Udp::constant(rate, Bytes::new(1000));
        let datagrams = GroupConfig { name: "foreign".into(), ..group(Traffic::Udp(datagrams)) };
        let shares = [flow, datagrams].map(|other| {
            let mut links = pipe(100_000_000, Span::from_millis(20));
            links[0].buffer = BufferSize::Packets(500);
            let mut config = config(links, vec![long("own", 4), other], Span::from_secs(15));
            config.warm_up = begin;
            (config.parameters.rcp.desired_rate, config.parameters.xcp.desired_rate) =
                (Some(rate), Some(rate));
            // The run's own protocol requests as much as it can get.
            let found = run_to_end(&config, Parameters::default().protocol(own));
            let own = found.records.iter().filter(|flow| flow.group == 0);
            let bits = |bytes: f64| bytes * 8.0 / 10.0 / 100e6;
            let own = bits(own.map(|flow| flow.delivered.as_f64()).sum());
            (own, found.outcome.links[0].utilization - own)
        });
        let [beside_flow, beside_datagrams] = shares;
        assert!((beside_flow.1 - 0.3).abs() < 0.01, "{own}: {shares:?}");
        assert!((beside_flow.0 / beside_datagrams.0 - 1.0).abs() < 0.02, "{own}: {shares:?}");
        assert!(beside_flow.0 > 0.55, "{own}: {shares:?}");
    }
}
