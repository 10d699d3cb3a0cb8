//! Flows whose connections are open as they begin (`handshake = false`).

use crate::ideals;
use crate::shown::{CONTROL, PACKET, config, flow, group, pipe, results};
use sluice_laws::protocol::Protocol;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::ideal::Ideal;
use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, FlowRecord, Observer, Progress, run};
use sluice_units::{Bytes, Rate, Span, Time};

/// 10 Mb/s: 0.8 ms for a packet of data, 32 us for one without.
const BPS: u64 = 10_000_000;
const DELAY: Span = Span::from_millis(5);

/// Flows of these numbers of packets, a minute apart.
fn of(packets: &[u64], handshake: bool) -> Config {
    let start = |number: usize| Time::ZERO + Span::from_secs(60) * (number as u64);
    let flows = packets.iter().enumerate().map(|(number, &packets)| flow(start(number), packets));
    let traffic = Traffic::List(flows.collect());
    let mut config = config(pipe(BPS, DELAY), vec![group(traffic)], Span::from_secs(600));
    config.parameters.transport.handshake = handshake;
    config
}

/// The protocols that can do without a SYN.
fn protocols(parameters: &Parameters) -> impl Iterator<Item = &dyn Protocol> {
    let all = ProtocolName::ALL.iter().map(|&name| parameters.protocol(name));
    all.filter(|protocol| !protocol.needs_handshake())
}

/// The time of a packet of that many bytes from end to end.
fn way(bytes: u64) -> Span {
    Rate::from_bps(BPS).time_for(Bytes::new(bytes)) + DELAY
}

fn completion(flow: &FlowRecord) -> Span {
    flow.completion.expect("it finished")
}

/// One packet: transmission and the way there; then the way back of its acknowledgement.
#[test]
fn one_packet_takes_one_way_and_its_acknowledgement_another() {
    let there = way(PACKET);
    let back = way(CONTROL);
    let parameters = Parameters::default();
    for protocol in protocols(&parameters) {
        let (flows, outcome) = results(&of(&[1], false), protocol);
        let flow = flows[0];
        let name = protocol.about().name;
        assert_eq!(flow.completion, Some(there), "{name}");
        assert_eq!(flow.acknowledged, Some(there + back), "{name}");
        assert_eq!(flow.alone, Some(there), "{name}");
        // Two packets in all: no SYN.
        assert_eq!(outcome.totals.sent, 2, "{name}");
    }
}

/// Slow start by the acknowledgements of data needs no sample of the SYN's: flows take one exchange less.
#[test]
fn tcp_takes_as_long_but_for_the_exchange() {
    let sizes = [1, 2, 3, 7, 30, 100, 1000];
    let tcp = Parameters::default().tcp;
    let (with, without) = (results(&of(&sizes, true), &tcp).0, results(&of(&sizes, false), &tcp).0);
    let exchange = way(CONTROL) * 2;
    for (with, without) in with.iter().zip(&without) {
        assert_eq!(completion(with), completion(without) + exchange, "{without:?}");
        assert_eq!(with.alone, without.alone.map(|alone| alone + exchange), "{without:?}");
    }
}

/// Without any sample of the RTT, the time-out is the initial one (RFC 6298 (2.1)).
#[test]
fn first_packets_that_are_lost_are_sent_again() {
    let parameters = Parameters::default();
    for protocol in protocols(&parameters) {
        for packets in [1, 3, 40] {
            let lost = packets.min(2);
            let mut config = of(&[packets], false);
            config.links[0].losses = (0..lost).collect();
            let (flows, outcome) = results(&config, protocol);
            let (name, flow) = (protocol.about().name, flows[0]);
            assert_eq!(outcome.unfinished, 0, "{name}: {flow:?}");
            assert!(flow.retransmissions >= lost, "{name}: {flow:?}");
            let waits = completion(&flow) >= config.parameters.transport.initial_rto;
            assert!(waits || packets > lost, "{name}: {flow:?}");
        }
    }
}

#[test]
fn ideals_begin_at_once() {
    let sizes = [1, 10, 1000];
    for &ideal in Ideal::ALL {
        for flow in ideals::run_to_end(&of(&sizes, false), ideal).records {
            assert_eq!(flow.completion, flow.alone, "{ideal:?}: {flow:?}");
            let back = way(CONTROL);
            assert_eq!(flow.acknowledged, flow.alone.map(|alone| alone + back), "{ideal:?}");
        }
    }
}

struct Nobody;

impl Observer for Nobody {
    fn flow(&mut self, _: &FlowRecord) {}

    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}

/// A flow that no router has granted a rate could only guess.
#[test]
fn laws_that_wait_for_a_rate_refuse() {
    let mut parameters = Parameters::default();
    parameters.xcp_guaranteed.profile = Some(Rate::from_bps(BPS / 2));
    for &name in ProtocolName::ALL {
        let protocol = parameters.protocol(name);
        let found = run(&of(&[1], false), protocol, &mut Nobody).err();
        let faults = found.map(|error| error.faults()[0].field.clone());
        let refused =
            protocol.needs_handshake().then(|| "groups[0].transport.handshake".to_owned());
        assert_eq!(faults, refused, "{name}");
    }
    let needs = |name: ProtocolName| parameters.protocol(name).needs_handshake();
    use ProtocolName::{AlphaFair, Cubic, Hpcc, Ncp, Rcp, Swift, Xcp};
    assert!([Rcp, Xcp, Ncp, AlphaFair].into_iter().all(needs));
    assert!(![Hpcc, Swift, Cubic].into_iter().any(needs));
}
