//! Delivery rate samples, for laws that ask for them: a law around the law, so that senders of other
//! laws need no check on their way.

use sluice_laws::WireHeader;
use sluice_laws::host::{AckEvent, CongestionEvent, HostLaw, PacketKind, RtoEvent, SendEvent};
use sluice_laws::tcp::DeliveryRate;

use super::forward::forward_to_law;

/// The law of a flow of `packets`, which receives samples if it asks for them.
pub(super) fn sampled(law: Box<dyn HostLaw>, packets: u64) -> Box<dyn HostLaw> {
    if !law.needs_rate_samples() {
        return law;
    }
    Box::new(SampledLaw { law, packets, delivered: 0, lost: 0, delivery: DeliveryRate::default() })
}

struct SampledLaw {
    law: Box<dyn HostLaw>,
    /// Data packets of the flow.
    packets: u64,
    /// Those of them that were delivered.
    delivered: u64,
    /// Packets marked lost so far.
    lost: u64,
    delivery: DeliveryRate,
}

impl HostLaw for SampledLaw {
    forward_to_law!();

    fn on_ack(&mut self, event: &AckEvent) {
        let AckEvent { now, sent, delivered, min_rtt, in_flight, .. } = *event;
        self.delivered += u64::from(delivered);
        let all_sent = self.delivered + u64::from(in_flight) >= self.packets;
        if all_sent && in_flight < self.law.window() {
            self.delivery.on_app_limited(in_flight);
        }
        let lost = self.lost;
        if let Some(sample) = self.delivery.on_ack(now, sent, delivered, lost, min_rtt) {
            self.law.on_rate_sample(&sample);
        }
        self.law.on_ack(event);
    }

    fn on_congestion(&mut self, event: &CongestionEvent) {
        self.law.on_congestion(event);
    }

    fn on_rto(&mut self, event: &RtoEvent) {
        self.law.on_rto(event);
    }

    fn on_packets_lost(&mut self, lost: u64) {
        self.lost = lost;
        self.law.on_packets_lost(lost);
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        if out.kind == PacketKind::Data {
            self.delivery.on_send(out.now, out.in_flight, self.lost);
        }
        self.law.header(out)
    }
}
