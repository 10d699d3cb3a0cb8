//! Flows that were denied ask again.

use std::collections::BTreeMap;

use sluice_laws::host::PacketKind;
use sluice_laws::xcp_guaranteed::{ProfileSender, XcpGuaranteedParams};
use sluice_sim::traffic::{Long, Pauses, Traffic};
use sluice_sim::{
    Config, FlowRecord, Observer, PacketAction, PacketEvent, Progress, TraceConfig, run,
};
use sluice_units::Span;

use super::{RTT, at, pausing, requests, sampled, shared};

/// Events at the bottleneck.
#[derive(Default)]
pub(super) struct AtLink(pub(super) Vec<PacketEvent>);

impl AtLink {
    pub(super) fn of(config: &Config) -> Self {
        let trace = TraceConfig { links: vec![0], ..TraceConfig::default() };
        let mut watch = Self::default();
        let config = Config { trace, ..config.clone() };
        run(&config, &config.parameters.xcp, &mut watch).expect("a valid configuration");
        watch
    }

    /// When requests of flows with a profile arrive, by flow.
    fn requests(&self) -> BTreeMap<u64, Vec<f64>> {
        let mut found: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        let asks = |event: &&PacketEvent| {
            let kinds = [PacketKind::Syn, PacketKind::Probe];
            event.what == PacketAction::Enqueued
                && event.packet.group == 1
                && kinds.contains(&event.packet.kind)
                && event.packet.header.get()[2] == 1
        };
        for event in self.0.iter().filter(asks) {
            let time = event.time.since(at(0)).as_secs_f64();
            found.entry(event.packet.index).or_default().push(time);
        }
        found
    }
}

impl Observer for AtLink {
    fn flow(&mut self, _: &FlowRecord) {}

    fn tick(&mut self, _: Progress) -> bool {
        true
    }

    fn packet(&mut self, event: &PacketEvent) {
        self.0.push(*event);
    }
}

/// Twenty flows ask at once, of which fifteen are denied at once.
#[test]
fn retries_of_flows_denied_together_spread() {
    let retry = Some(Span::from_secs(1));
    let params = XcpGuaranteedParams { retry, ..XcpGuaranteedParams::default() };
    let mut asks = requests(20);
    asks.traffic = Traffic::Long(Long { count: 20, start: at(1), ..Long::default() });
    let found = AtLink::of(&shared(params, asks, 21)).requests();
    let denied: Vec<_> = found.values().filter(|times| times.len() > 1).collect();
    assert_eq!(denied.len(), 15);
    for times in &denied {
        // An RTT passes before it waits for 0.5 s to 1.5 s.
        let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(
            gaps.iter().all(|gap| (0.5..1.5 + RTT.as_secs_f64() + 0.1).contains(gap)),
            "{gaps:?}"
        );
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        assert!((0.75..1.35).contains(&mean), "{mean}");
    }
    // In lockstep, each RTT would see fifteen requests or none. Uniform times have 1.2 in 80 ms.
    let all: Vec<f64> = denied.iter().flat_map(|times| &times[2..]).copied().collect();
    let most =
        all.iter().map(|&from| all.iter().filter(|&&t| t >= from && t < from + 0.08).count());
    let most = most.max().expect("they ask again");
    assert!(most <= 7, "{most}");
}

/// Of a sender that has a window instead of a pace too.
#[test]
fn an_idle_window_keeps_its_reservation() {
    let params =
        XcpGuaranteedParams { sender: ProfileSender::Window, ..XcpGuaranteedParams::default() };
    let mut config = shared(params, pausing(requests(5)), 60);
    let reserved = sampled(&mut config, "class_1_R_g");
    // Within a profile of what is reserved.
    let wrong = reserved.iter().find(|(time, bps)| *time > 8.0 && (bps - 7.5e6).abs() > 1.5e6);
    assert_eq!(wrong, None);
}

/// The application of a flow has no data for minutes: it sends a packet in each RTT.
#[test]
fn a_sender_without_data_sends_a_refreshment_each_rtt() {
    for sender in [ProfileSender::Paced, ProfileSender::Window] {
        let params = XcpGuaranteedParams { sender, ..XcpGuaranteedParams::default() };
        let mut asks = requests(1);
        let pauses = Pauses { on: Span::from_millis(1), off: Span::from_secs(1000), shape: None };
        asks.traffic =
            Traffic::Long(Long { pauses: Some(pauses), start: at(1), ..Long::default() });
        let found = AtLink::of(&shared(params, asks, 21)).0;
        let probes = found.iter().filter(|event| {
            event.what == PacketAction::Enqueued
                && event.packet.group == 1
                && event.packet.kind == PacketKind::Probe
        });
        let times: Vec<f64> = probes.map(|event| event.time.since(at(0)).as_secs_f64()).collect();
        let rtt = RTT.as_secs_f64();
        let gaps = times.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.clone().all(|gap| gap > 0.99 * rtt && gap < 1.1 * rtt), "{sender:?}");
        assert!(times.len() > 200, "{} of {sender:?}", times.len());
    }
}
