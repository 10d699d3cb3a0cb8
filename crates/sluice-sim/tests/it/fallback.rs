//! Flows of XCP that check their path as they begin, and are TCP's where it does not support XCP.

use sluice_laws::conduct::Conduct;
use sluice_laws::host::FlowStatus;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::tcp::LossRecovery;
use sluice_laws::transport::Transport;
use sluice_sim::queue::{Discipline, Priority, Red, TcpFriendly};
use sluice_sim::traffic::Traffic;
use sluice_sim::{
    ByClass, Config, FlowRecord, GroupConfig, LinkLaw, LinkLaws, Observer, Outcome, Progress,
    Reroute, run,
};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::shown::{config, flow, group, link, results, two_pipes};

/// Flows over two hops, of which the second is the narrower and loses packets, SYNs among them.
fn two_hops(laws: [LinkLaws; 2]) -> Config {
    let mut links = two_pipes(20_000_000, Span::from_millis(5));
    links[2].capacity = Rate::from_bps(8_000_000);
    links[2].buffer = BufferSize::Packets(10);
    links[2].error = Ratio::new(0.01);
    (links[0].router, links[2].router) = (laws[0], laws[1]);
    (links[1].router, links[3].router) = (LinkLaw::None.into(), LinkLaw::None.into());
    let flows = (0..40).map(|i| flow(Time::ZERO + Span::from_millis(37) * i, 1 + 7 * (i % 20)));
    let flows = GroupConfig { to: 2, ..group(Traffic::List(flows.collect())) };
    let mut config = config(links, vec![flows], Span::from_secs(3));
    config.parameters.transport = Transport::DEFAULT;
    config
}

fn of(name: ProtocolName, mut config: Config, fallback: bool) -> (Vec<FlowRecord>, Outcome) {
    config.parameters.xcp.fallback = fallback;
    let parameters: Parameters = config.parameters.clone();
    results(&config, parameters.protocol(name))
}

/// These flows, of which those whose SYN was answered found that they are TCP's: they have delivered data.
fn reverted(mut flows: Vec<FlowRecord>) -> Vec<FlowRecord> {
    let answered = flows.iter_mut().filter(|flow| flow.delivered > Bytes::ZERO);
    answered.for_each(|flow| flow.status = Some(FlowStatus::Reverted));
    flows
}

const XCP: LinkLaws = LinkLaws::Whole(LinkLaw::Of(ProtocolName::Xcp));
const RCP: LinkLaws = LinkLaws::Whole(LinkLaw::Of(ProtocolName::Rcp));
const NONE: LinkLaws = LinkLaws::Whole(LinkLaw::None);

/// Where no link, only one or another law runs, flows and links have the results of TCP, to the nanosecond.
#[test]
fn a_flow_that_reverts_is_one_of_tcp() {
    for laws in [[NONE, NONE], [XCP, NONE], [NONE, XCP], [XCP, RCP], [RCP, XCP]] {
        let (expected, tcp) = of(ProtocolName::Tcp, two_hops(laws), true);
        let (found, xcp) = of(ProtocolName::Xcp, two_hops(laws), true);
        assert!(expected.iter().any(|flow| flow.retransmissions > 0), "packets are lost");
        assert!(found == reverted(expected), "{laws:?}");
        assert_eq!(xcp.links, tcp.links, "{laws:?}");
    }
}

/// TCP's own parameters are those of the flows that revert.
#[test]
fn a_flow_that_reverts_has_the_parameters_of_tcp() {
    let paced = || {
        let mut config = two_hops([NONE; 2]);
        config.parameters.tcp.pacing = true;
        config.parameters.tcp.initial_window = Some(3);
        config.parameters.tcp.variant.limited_transmit_after_time_out = true;
        config.parameters.transport.recovery = LossRecovery::NewReno;
        config
    };
    let (expected, _) = of(ProtocolName::Tcp, paced(), true);
    let (found, _) = of(ProtocolName::Xcp, paced(), true);
    assert!(found == reverted(expected));
}

/// Where all links run the law, checking the path changes nothing.
#[test]
fn a_flow_that_does_not_revert_is_one_of_xcp() {
    let (expected, _) = of(ProtocolName::Xcp, two_hops([XCP; 2]), false);
    let (found, _) = of(ProtocolName::Xcp, two_hops([XCP; 2]), true);
    assert!(found == expected);
    let (tcp, _) = of(ProtocolName::Tcp, two_hops([XCP; 2]), true);
    assert!(found != tcp);
}

#[test]
fn a_receiver_that_does_not_know_xcp_makes_its_flows_tcps() {
    let conventional = || {
        let mut config = two_hops([XCP; 2]);
        config.groups[0].conduct = Conduct { conventional_receiver: true, ..Conduct::HONEST };
        config
    };
    let (expected, _) = of(ProtocolName::Tcp, two_hops([XCP; 2]), true);
    let (found, _) = of(ProtocolName::Xcp, conventional(), true);
    assert!(found == reverted(expected));
}

/// Two paths from node 0 to node 1, of two and of three links, all of which run the law but, if so, the last of the
/// longer one. The SYN of the only flow is lost on the shorter path, which it leaves before its SYN is sent again.
fn rerouted(last: LinkLaws) -> Config {
    let ends = [(0, 2), (2, 1), (0, 3), (3, 4), (4, 1), (1, 0)];
    let mut links =
        ends.map(|(from, to)| link(from, to, 10_000_000, Span::from_millis(5))).to_vec();
    links.iter_mut().for_each(|link| link.router = XCP);
    (links[4].router, links[5].router) = (last, NONE);
    links[0].losses = vec![0];
    let reroute =
        Reroute { at: Time::ZERO + Span::from_millis(500), path: Some(vec![2, 3, 4]), back: None };
    let flows = Traffic::List(vec![flow(Time::ZERO, 200)]);
    let flows = GroupConfig { path: Some(vec![0, 1]), reroute: vec![reroute], ..group(flows) };
    let mut config = config(links, vec![flows], Span::from_secs(10));
    config.parameters.transport = Transport::DEFAULT;
    config
}

#[test]
fn a_syn_asks_over_the_path_that_it_takes() {
    let (expected, _) = of(ProtocolName::Xcp, rerouted(XCP), false);
    let took = expected[0].completion;
    assert!(took.is_some_and(|took| took > Span::from_secs(1)), "its SYN was sent again: {took:?}");
    let (found, _) = of(ProtocolName::Xcp, rerouted(XCP), true);
    assert!(found == expected);
    let (expected, _) = of(ProtocolName::Tcp, rerouted(NONE), false);
    let (found, _) = of(ProtocolName::Xcp, rerouted(NONE), true);
    assert!(found == reverted(expected));
}

/// Its best-effort packets are XCP's, whose senders have a `fallback` of their own.
#[test]
fn fallback_does_not_concern_best_effort_packets() {
    let guaranteed = |fallback| {
        let laws = [ProtocolName::Xcp, ProtocolName::XcpGuaranteed].map(LinkLaw::Of);
        let mut config = two_hops([XCP; 2]);
        for link in [0, 2] {
            config.links[link].queue = Discipline::Priority(Priority {});
            config.links[link].router = LinkLaws::Classes(ByClass::new(&laws).expect("two laws"));
        }
        let profile = Some(Rate::from_bps(1_000_000));
        let group = &mut config.groups[0];
        (group.class, group.profile) = (1, profile);
        config.parameters.xcp_guaranteed.exceeds = true;
        of(ProtocolName::XcpGuaranteed, config, fallback).0
    };
    assert!(guaranteed(true) == guaranteed(false));
}

/// A flow keeps the transport of its SYN, so that another one of TCP's is refused, and so are conducts that would
/// change the answer to it, or that TCP does not have.
#[test]
fn what_cannot_be_combined_is_refused() {
    type Change = fn(&mut Config);
    let changes: [(Change, &str); 6] = [
        (|config| config.parameters.tcp.recovery = Some(LossRecovery::Reno), "fallback"),
        (|config| config.parameters.tcp.delayed_ack = Some(true), "fallback"),
        (|config| config.parameters.xcp.min_rto = Some(Span::from_millis(7)), "fallback"),
        (|config| config.parameters.tcp.initial_rto = Some(Span::from_secs(7)), "fallback"),
        (|config| config.groups[0].conduct.added_feedback = rate(), "conduct.added_feedback"),
        (|config| config.groups[0].conduct.fixed_rate = rate(), "conduct.fixed_rate"),
    ];
    for (change, field) in changes {
        let faults = |fallback| {
            let mut config = two_hops([XCP; 2]);
            config.parameters.xcp.fallback = fallback;
            change(&mut config);
            let error = run(&config, &config.parameters.xcp, &mut Ignored).err();
            let faults = error.map(|error| error.faults().to_vec()).unwrap_or_default();
            faults.into_iter().map(|fault| fault.field).collect::<Vec<_>>()
        };
        assert_eq!(faults(true), [format!("groups[0].{field}")]);
        assert!(faults(false).is_empty(), "{field}");
    }
}

fn rate() -> Option<Rate> {
    Some(Rate::from_bps(1_000_000))
}

/// Of a run whose results do not matter.
struct Ignored;

impl Observer for Ignored {
    fn flow(&mut self, _: &FlowRecord) {}

    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}

/// At a router with two queues, a flow that reverts is in the queue for TCP, though its group is of XCP's class.
/// Its SYN asks in XCP's: all flows begin after those before are over, so that no queue is in its way.
#[test]
fn a_flow_that_reverts_is_in_the_queue_of_tcp() {
    let red = Red { min_th: Some(BufferSize::Packets(3)), ..Red::default() };
    let laws = LinkLaws::Classes(ByClass::new(&[LinkLaw::None, LinkLaw::OfRun]).expect("two laws"));
    let shared = |class, laws: [LinkLaws; 2]| {
        let mut config = two_hops(laws);
        config.links[0].queue =
            Discipline::TcpFriendly(TcpFriendly { red, ..TcpFriendly::default() });
        config.links[0].capacity = Rate::from_bps(6_000_000);
        config.links[0].buffer = BufferSize::Packets(30);
        let flows = (0..6).map(|i| flow(Time::ZERO + Span::from_secs(5) * i, 30 + 90 * i));
        config.groups[0].traffic = Traffic::List(flows.collect());
        config.groups[0].class = class;
        config.stop = Time::ZERO + Span::from_secs(30);
        config.limit = config.stop;
        config
    };
    let (expected, tcp) = of(ProtocolName::Tcp, shared(0, [laws, NONE]), true);
    let (found, xcp) = of(ProtocolName::Xcp, shared(1, [laws, NONE]), true);
    assert!(tcp.links[0].drops > 0, "RED decides");
    assert!(found == reverted(expected));
    assert_eq!(xcp.links[0].drops, tcp.links[0].drops);
    // With XCP beyond, none reverts, and none is dropped.
    let (_, xcp) = of(ProtocolName::Xcp, shared(1, [laws, XCP]), true);
    assert_eq!(xcp.links[0].drops, 0);
}
