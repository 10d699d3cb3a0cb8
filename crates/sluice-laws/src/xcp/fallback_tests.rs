use sluice_units::{Bytes, Ratio, Time};

use super::*;
use crate::host::{Echo as _, SenderContext};
use crate::protocol::{LinkContext, Protocol as _};
use crate::router::{LawHeader as _, RouterPort};
use crate::tcp::TcpParams;
use crate::xcp::XcpParams;
use crate::xcp::header::XcpHeader;
use crate::xcp::receiver::XcpReceiver;

const HOPS: u32 = 3;

fn sender() -> Box<dyn HostLaw> {
    let params = XcpParams { fallback: true, ..XcpParams::default() };
    let context =
        SenderContext { hops: HOPS, ..SenderContext::new(Bytes::new(1000), Bytes::new(40)) };
    params.host_with(&context, TcpParams::default().host(&context))
}

fn router(fallback: bool) -> Box<dyn RouterPort> {
    let params = XcpParams { fallback, ..XcpParams::default() };
    let link = LinkContext { capacity: Rate::from_bps(10_000_000), packet: Bytes::new(1000) };
    params.router(&link).expect("xcp has a router law")
}

/// The answer to the SYN of `sender` over links that run the law, and do not.
fn answer(sender: &mut dyn HostLaw, links: &[bool]) -> AckEvent {
    let mut header = sender.header(&SendEvent::new(Time::ZERO, PacketKind::Syn, 40));
    for _ in links.iter().filter(|&&runs| runs) {
        header = router(true).pass(header, 40);
    }
    let header = XcpReceiver.echo(&mut WireHeader::default(), header);
    AckEvent {
        kind: PacketKind::SynAck,
        srtt: Some(Span::from_millis(40)),
        ..AckEvent::new(Time::from_nanos(40_000_000), header)
    }
}

fn service(sender: &mut dyn HostLaw) -> Service {
    sender.header(&SendEvent::new(Time::ZERO, PacketKind::Data, 1000));
    sender.service()
}

#[test]
fn a_flow_is_xcps_where_every_link_counts_and_tcps_otherwise() {
    for (links, expected) in [
        (&[true, true, true][..], Service::Own),
        (&[true, false, true], Service::BestEffort),
        (&[false, false, false], Service::BestEffort),
        (&[true, true, true, true], Service::BestEffort),
        (&[true, true], Service::BestEffort),
    ] {
        let mut sender = sender();
        let answer = answer(&mut *sender, links);
        assert_eq!(sender.service(), Service::Own, "a SYN is of its class");
        sender.on_ack(&answer);
        assert_eq!(service(&mut *sender), expected, "{links:?}");
    }
}

#[test]
fn a_receiver_that_returns_nothing_does_not_support_xcp() {
    let mut sender = sender();
    let answer = answer(&mut *sender, &[true; 3]);
    sender.on_ack(&AckEvent { header: WireHeader::default(), ..answer });
    assert_eq!(service(&mut *sender), Service::BestEffort);
}

/// A router without the option leaves the request as it is.
#[test]
fn links_count_only_where_flows_ask() {
    let question = question(HOPS);
    let sum = |fallback| XcpHeader::from_wire(router(fallback).pass(question, 40)).delta;
    assert_eq!((sum(false), sum(true)), (-4, -3));
    // Nothing else is counted: acknowledgements, and packets that state a throughput.
    for header in [
        XcpHeader::default(),
        XcpHeader { reverse: 7, ..XcpHeader::default() },
        XcpHeader { x: 1, rtt: u32::MAX, ..XcpHeader::default() },
    ] {
        let passed = |fallback| XcpHeader::from_wire(router(fallback).pass(header.to_wire(), 40));
        assert_eq!(passed(true), passed(false));
    }
}

/// The SYN is sent again over a path of another length, and the answer is to this one.
#[test]
fn a_syn_asks_over_the_path_that_it_takes() {
    for (links, expected) in [
        (&[true; 5][..], Service::Own),
        (&[true; 3], Service::BestEffort),
        (&[true; 4], Service::BestEffort),
    ] {
        let mut sender = sender();
        answer(&mut *sender, &[true; 3]);
        sender.on_rto(&RtoEvent::new(Time::from_nanos(1_000_000_000), 1));
        sender.on_new_path(5);
        let answer = answer(&mut *sender, links);
        sender.on_ack(&answer);
        assert_eq!(service(&mut *sender), expected, "{links:?}");
    }
}

/// The answer to the first SYN, over three links, arrives when the second has left over five.
#[test]
fn a_late_answer_is_about_its_own_path() {
    let mut sender = sender();
    let first = answer(&mut *sender, &[true; 3]);
    sender.on_new_path(5);
    answer(&mut *sender, &[true; 5]);
    sender.on_ack(&first);
    assert_eq!(service(&mut *sender), Service::Own);
}

/// Quantities of XCP's sender, of which the window is that of the law that the flow follows.
#[test]
fn metrics_are_those_of_xcp_and_whether_the_flow_reverted() {
    let names = |law: &dyn HostLaw| {
        let mut names = Vec::new();
        law.metrics(&mut |name, _| names.push(name));
        names
    };
    let context = SenderContext::new(Bytes::new(1000), Bytes::new(40));
    let params = XcpParams { check_receiver: Ratio::new(0.1), ..XcpParams::default() };
    let plain = names(&*params.host(&context));
    let params = XcpParams { fallback: true, ..params };
    let mut sender = params.host_with(&context, TcpParams::default().host(&context));
    assert_eq!(names(&*sender), [&plain[..], &["reverted"]].concat());
    let mut reverted = |links: &[bool]| {
        let answer = answer(&mut *sender, links);
        sender.on_ack(&answer);
        let mut found = [f64::NAN; 2];
        sender.metrics(&mut |name, value| match name {
            "cwnd" => found[0] = value,
            "reverted" => found[1] = value,
            _ => {}
        });
        (found, sender.mean_window())
    };
    let ([window, reverted], expected) = reverted(&[]);
    assert_eq!((window, reverted), (expected, 1.0));
}

/// Best-effort packets of another protocol, whose SYN does not ask.
#[test]
fn a_sender_of_its_own_does_not_ask() {
    let params = XcpParams { fallback: true, ..XcpParams::default() };
    let context = SenderContext::new(Bytes::new(1000), Bytes::new(40));
    let mut sender = params.host(&context);
    let syn = sender.header(&SendEvent::new(Time::ZERO, PacketKind::Syn, 40));
    assert_eq!(syn, WireHeader::default());
}

/// The count is no feedback: the window is the initial one.
#[test]
fn the_answer_changes_no_window() {
    for links in [[true; 3], [false; 3]] {
        let mut sender = sender();
        let before = sender.mean_window();
        let answer = answer(&mut *sender, &links);
        sender.on_ack(&answer);
        assert_eq!(sender.mean_window(), before);
    }
}

/// TCP begins with one packet after a SYN was lost, so a flow that reverts does.
#[test]
fn a_lost_syn_is_one_to_both() {
    let context = SenderContext::new(Bytes::new(1000), Bytes::new(40));
    let mut tcp = TcpParams::default().host(&context);
    let mut reverted = sender();
    for law in [&mut tcp, &mut reverted] {
        law.header(&SendEvent::new(Time::ZERO, PacketKind::Syn, 40));
        law.on_rto(&RtoEvent::new(Time::from_nanos(1_000_000_000), 1));
    }
    let answer = AckEvent { header: WireHeader::default(), ..answer(&mut *reverted, &[]) };
    for law in [&mut tcp, &mut reverted] {
        law.on_ack(&answer);
    }
    assert_eq!(reverted.window(), tcp.window());
    assert_eq!(reverted.mean_window(), tcp.mean_window());
}
