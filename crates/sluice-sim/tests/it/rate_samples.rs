//! Delivery rate samples reach a law that asks for them.

use std::sync::{Arc, Mutex};

use sluice_laws::WireHeader;
use sluice_laws::host::{
    AckEvent, CongestionEvent, Echo, HostLaw, RateSample, RtoEvent, SendEvent, SenderContext,
};
use sluice_laws::protocol::{LinkContext, Protocol, ProtocolInfo};
use sluice_laws::router::RouterPort;
use sluice_laws::tcp::TcpParams;
use sluice_sim::traffic::Traffic;
use sluice_units::{Bytes, Faults, Span, Time};

use crate::shown::{PACKET, config, flow, group, pipe, results};

/// Slow start over 8 Mb/s and 40 ms: samples grow with the window up to the link's rate, and none
/// exceeds it but for rounding.
#[test]
fn samples_measure_the_bottleneck() {
    let samples = samples_of(1_000, true, None);
    let packet = Bytes::new(PACKET);
    let rates: Vec<f64> = samples
        .iter()
        .filter_map(|sample| sample.rate(packet))
        .map(|rate| rate.as_bps_f64())
        .collect();
    let max = rates.iter().copied().fold(0.0, f64::max);
    assert!((max / 8e6 - 1.0).abs() < 0.01, "{max}");
    assert!(rates[0] < 8e5, "the first packet alone: {}", rates[0]);
    let last = samples.last().expect("there are samples");
    assert_eq!(last.prior_delivered + last.delivered, 1_000);
    assert_eq!((last.lost, samples.iter().map(|sample| sample.newly_lost).sum()), (0, 0));
}

#[test]
fn a_law_that_does_not_ask_gets_none() {
    assert!(samples_of(100, false, None).is_empty());
}

/// One data packet of a thousand is lost on the wire.
#[test]
fn a_lost_packet_is_counted_once() {
    let samples = samples_of(1_000, true, Some(200));
    assert_eq!(samples.iter().map(|sample| sample.newly_lost).sum::<u64>(), 1);
    assert!(samples.iter().any(|sample| sample.lost == 1));
    let last = samples.last().expect("there are samples");
    assert_eq!((last.lost, last.prior_delivered + last.delivered), (0, 1_000));
}

fn samples_of(packets: u64, asks: bool, lost: Option<u64>) -> Vec<RateSample> {
    let seen = Arc::default();
    let traffic = Traffic::List(vec![flow(Time::ZERO, packets)]);
    let mut links = pipe(8_000_000, Span::from_millis(20));
    links[0].losses.extend(lost);
    let config = config(links, vec![group(traffic)], Span::from_secs(10));
    results(&config, &Model { asks, seen: Arc::clone(&seen) });
    let seen: &Mutex<Vec<RateSample>> = &seen;
    seen.lock().expect("nobody panicked").clone()
}

/// TCP that records its rate samples.
struct Model {
    asks: bool,
    seen: Arc<Mutex<Vec<RateSample>>>,
}

impl Protocol for Model {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo { name: "model", title: "keeps rate samples", source: "", equations: &[] }
    }

    fn check(&self, _: &mut Faults) {}

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        let law = TcpParams::default().host(context);
        Box::new(Modeller { law, asks: self.asks, seen: Arc::clone(&self.seen) })
    }

    fn echo(&self) -> &'static dyn Echo {
        &sluice_laws::host::NoHeader
    }

    fn router(&self, _: &LinkContext) -> Option<Box<dyn RouterPort>> {
        None
    }
}

struct Modeller {
    law: Box<dyn HostLaw>,
    asks: bool,
    seen: Arc<Mutex<Vec<RateSample>>>,
}

impl HostLaw for Modeller {
    fn needs_rate_samples(&self) -> bool {
        self.asks
    }

    fn on_rate_sample(&mut self, sample: &RateSample) {
        self.seen.lock().expect("nobody panicked").push(*sample);
    }

    fn on_ack(&mut self, event: &AckEvent) {
        self.law.on_ack(event);
    }

    fn on_congestion(&mut self, event: &CongestionEvent) {
        self.law.on_congestion(event);
    }

    fn on_rto(&mut self, event: &RtoEvent) {
        self.law.on_rto(event);
    }

    fn window(&self) -> u32 {
        self.law.window()
    }

    fn header(&mut self, event: &SendEvent) -> WireHeader {
        self.law.header(event)
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.law.metrics(out);
    }
}
