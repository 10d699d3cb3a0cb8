//! A sender that checks its receiver (thesis section 7.4, [`super::receiver_check`]).

use super::header::XcpHeader;
use super::receiver_check::ReceiverCheck;
use crate::WireHeader;
use crate::host::{
    AckEvent, CongestionEvent, FlowStatus, HostLaw, PacketKind, RtoEvent, SendEvent,
};
use crate::router::LawHeader as _;

/// Wraps a sender of XCP: limits the feedback with which some packets begin, and compares what comes back.
pub(super) struct Checked {
    law: Box<dyn HostLaw>,
    check: ReceiverCheck,
    /// Whether the receiver was found to lie.
    lies: bool,
}

impl Checked {
    pub(super) fn new(law: Box<dyn HostLaw>, check: ReceiverCheck) -> Self {
        Self { law, check, lies: false }
    }
}

impl HostLaw for Checked {
    /// "The punishment should be relatively severe such as shutting down the connection". A flow of a
    /// simulation has to end, so its connection stays: the largest decrease with each acknowledgement
    /// leaves it a window of a packet for good.
    fn on_ack(&mut self, event: &AckEvent) {
        let header = XcpHeader::from_wire(event.header);
        self.lies |= self.check.on_ack(event, header.reverse);
        let reverse = if self.lies { i32::MIN } else { header.reverse };
        let header = XcpHeader { reverse, ..header }.to_wire();
        self.law.on_ack(&AckEvent { header, ..*event });
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

    fn mean_window(&self) -> f64 {
        self.law.mean_window()
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        let header = XcpHeader::from_wire(self.law.header(out));
        if out.kind != PacketKind::Data {
            return header.to_wire();
        }
        let doubling = out.srtt.map(|srtt| f64::from(out.bytes) / srtt.as_secs_f64());
        let delta = self.check.initial((out.seq, out.now), header.delta, doubling);
        XcpHeader { delta, ..header }.to_wire()
    }

    fn status(&self) -> Option<FlowStatus> {
        self.lies.then_some(FlowStatus::LyingReceiver)
    }

    /// Those of the sender, and `lying_receiver`, 1 once the receiver was found to lie.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.law.metrics(out);
        out("lying_receiver", f64::from(u8::from(self.lies)));
    }
}
