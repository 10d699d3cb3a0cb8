//! Hosts: a sender that paces at the rate granted, and a receiver that returns it.

use sluice_laws::WireHeader;
use sluice_laws::host::{
    AckEvent, CongestionEvent, Echo, HostLaw, PacketKind, RtoEvent, SendEvent, SenderContext,
};
use sluice_laws::router::LawHeader as _;
use sluice_laws::wire::{Offer, Spacing};
use sluice_units::{Rate, Span};

use super::header::AdmissionHeader;

/// The time between two requests while no RTT is known.
const ASK_EVERY: Span = Span::from_millis(100);

/// The sender's side of one flow. Losses change nothing: routers see the queue that caused them.
#[derive(Debug)]
pub struct AdmissionSender {
    /// Size of a full packet on the wire, in bytes.
    packet: u32,
    /// The last rate granted; `None` while the flow is not admitted.
    granted: Option<Rate>,
    /// While it is not admitted, a packet an RTT asks again.
    asking: Rate,
    spacing: Spacing,
}

impl AdmissionSender {
    /// The sender of a new flow.
    pub fn new(context: &SenderContext) -> Self {
        let packet = u32::try_from(context.packet.as_u64()).unwrap_or(u32::MAX).max(1);
        let asking = once(packet, ASK_EVERY);
        Self { packet, granted: None, asking, spacing: Spacing::default() }
    }
}

/// The rate of a packet each `interval`.
fn once(packet: u32, interval: Span) -> Rate {
    let seconds = interval.max(Span::from_micros(1)).as_secs_f64();
    Rate::from_bps_f64(f64::from(packet) * 8.0 / seconds).max(Rate::from_bps(1))
}

impl HostLaw for AdmissionSender {
    fn on_ack(&mut self, event: &AckEvent) {
        if let Some(rtt) = event.srtt {
            self.asking = once(self.packet, rtt);
        }
        if let Some(rate) = AdmissionHeader::from_wire(event.header).grant.rate() {
            self.granted = Some(rate);
            self.spacing.set(f64::from(self.packet) * 8.0 / rate.as_bps_f64());
        }
    }

    fn on_congestion(&mut self, _: &CongestionEvent) {}

    fn on_rto(&mut self, _: &RtoEvent) {}

    fn window(&self) -> u32 {
        if self.granted.is_some() { u32::MAX } else { 1 }
    }

    fn rate(&self) -> Option<Rate> {
        self.granted.or(Some(self.asking))
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        let asks = self.granted.is_none();
        let x = match out.kind {
            PacketKind::Data if !asks => self.spacing.say(out.bytes, self.packet),
            PacketKind::Data | PacketKind::Syn => 0,
            _ => return WireHeader::default(),
        };
        let left = out.left_bytes(self.packet);
        AdmissionHeader { rate: Offer::UNLIMITED, x, asks, left, grant: Offer::NONE }.to_wire()
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("rate", self.granted.unwrap_or(Rate::ZERO).as_bps_f64());
    }
}

/// The receiver returns the last rate granted. An answer to a packet that was denied returns none.
#[derive(Debug)]
pub struct AdmissionReceiver;

impl Echo for AdmissionReceiver {
    fn on_data(&self, pending: &mut WireHeader, header: &WireHeader) {
        let grant = AdmissionHeader::from_wire(*header).rate;
        if grant != Offer::NONE {
            *pending = AdmissionHeader { grant, ..AdmissionHeader::default() }.to_wire();
        }
    }

    fn ack_header(&self, pending: &mut WireHeader) -> WireHeader {
        std::mem::take(pending)
    }
}
