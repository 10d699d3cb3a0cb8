//! Ledger's sender: paced as granted, and states what it will have left.

use sluice_units::{Bytes, Rate, Ratio, Span};

use super::header::{FlowState, LedgerHeader};
use super::params::{LedgerParams, Stated};
use crate::WireHeader;
use crate::conduct::Conduct;
use crate::draw::draw;
use crate::host::{
    AckEvent, CongestionEvent, HostLaw, PacketKind, RtoEvent, SendEvent, SenderContext,
};
use crate::rcp::host::patience;
use crate::router::LawHeader as _;
use crate::wire::{Offer, Spacing, WireRtt};

/// The fraction of the golden ratio, whose multiples are spread most evenly modulo 1.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The sender's side of one flow.
#[derive(Debug)]
pub struct LedgerSender {
    /// The rate that packets request: that of one flow where the sender counts as several.
    desired: Offer,
    weight: Ratio,
    /// Size of a full data packet on the wire.
    packet: u32,
    /// Size of a probe on the wire.
    probe: Bytes,
    belief: Belief,
    conduct: Conduct,
    /// The last rate granted, `None` before the first.
    rate: Option<Rate>,
    probe_after: Option<Span>,
    /// The x of full packets.
    apart: Spacing,
}

impl LedgerSender {
    /// A sender before its SYN.
    pub fn new(params: &LedgerParams, context: &SenderContext) -> Self {
        let packet = u32::try_from(context.packet.as_u64()).unwrap_or(u32::MAX).max(1);
        Self {
            desired: Offer::part_of(params.desired_rate, context.weight),
            weight: context.weight,
            packet,
            probe: context.control,
            belief: Belief::new(params, packet, context.seed),
            conduct: context.conduct,
            rate: None,
            probe_after: None,
            apart: Spacing::default(),
        }
    }

    /// The RTT that routers see.
    fn declared(&self, rtt: Span) -> Span {
        let gain = self.conduct.rtt_gain.get();
        if gain == 1.0 { rtt } else { Span::from_secs_f64(rtt.as_secs_f64() / gain) }
    }

    /// What the flow will have left as the answer to this packet arrives: less what leaves until then, which is
    /// granted already. Of a flow of weight w, 1/w of it, so that routers see one that is served at R.
    fn left(&mut self, out: &SendEvent) -> u64 {
        let left = self.belief.left(out.left_bytes(self.packet));
        if left == u64::MAX {
            return over(left, self.conduct.left_gain.get());
        }
        let meanwhile = match (self.rate, out.srtt) {
            (Some(rate), Some(srtt)) => rate.bytes_in(srtt).as_u64(),
            _ => 0,
        };
        over(left.saturating_sub(meanwhile), self.weight.get() * self.conduct.left_gain.get())
    }
}

/// A number over a divisor; as it is over 1.
fn over(number: u64, divisor: f64) -> u64 {
    // A cast from floating point saturates.
    if divisor == 1.0 { number } else { (number as f64 / divisor) as u64 }
}

impl HostLaw for LedgerSender {
    /// The rate changes on every acknowledgement; one without a rate leaves it.
    fn on_ack(&mut self, event: &AckEvent) {
        let offer = LedgerHeader::from_wire(event.header).reverse;
        let Some(rate) = offer.min(self.desired).rate_of(self.weight) else { return };
        self.rate = Some(rate);
        let gap = rate.time_for(Bytes::new(u64::from(self.packet)));
        // Not `gap`, which is in whole nanoseconds: 1 in 27 of the time between packets of 1000 bytes at 300 Gb/s.
        let apart = f64::from(self.packet) * 8.0 / rate.as_bps_f64();
        self.apart.set(apart * self.weight.get() * self.conduct.throughput_gain.get());
        self.probe_after = patience(gap, rate.time_for(self.probe), event.min_rtt);
    }

    /// Routers set the rate; they see the queue that lost the packet.
    fn on_congestion(&mut self, _event: &CongestionEvent) {}

    /// A time-out does not lower the rate either.
    fn on_rto(&mut self, _event: &RtoEvent) {}

    fn window(&self) -> u32 {
        if self.rate.is_some() { u32::MAX } else { 1 }
    }

    fn rate(&self) -> Option<Rate> {
        self.rate
    }

    fn probe_after(&self) -> Option<Span> {
        self.probe_after
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        let (syn, x) = match out.kind {
            PacketKind::Syn => (true, 0),
            PacketKind::Data if self.rate.is_some() => {
                (false, self.apart.say(out.bytes, self.packet))
            }
            PacketKind::Data | PacketKind::Probe => (false, 0),
            PacketKind::Datagram | PacketKind::SynAck | PacketKind::Ack | PacketKind::ProbeAck => {
                return WireHeader::default();
            }
        };
        if out.kind == PacketKind::Data && !out.again {
            self.belief.sent(out.bytes);
        }
        let left = self.left(out);
        let rtt = out.srtt.map_or(WireRtt::NONE, |srtt| WireRtt::new(self.declared(srtt)));
        let flow = FlowState::new(syn, rtt, left);
        LedgerHeader { rate: self.desired, x, flow, reverse: Offer::NONE }.to_wire()
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("rate", self.rate.unwrap_or(Rate::ZERO).as_bps_f64());
    }
}

/// What a host believes of the data that follow.
///
/// (7) Where it does not know, it believes that a flow with k bytes so far has more than s with probability (k/s)^tail, and
/// each packet states a draw from that. A router adds up what many packets state, so it foresees as many ends
/// as the host believes in, needs to know nothing of beliefs, and hosts with better ones may state them.
#[derive(Debug)]
struct Belief {
    /// Bytes of which the host knows that they follow, if as many do.
    known: u64,
    tail: f64,
    /// A full packet in bytes, which a flow has at least.
    packet: u64,
    /// Bytes sent, each once.
    sent: u64,
    /// The last of a sequence that is even over [0, 1).
    draw: f64,
}

impl Belief {
    fn new(params: &LedgerParams, packet: u32, seed: u64) -> Self {
        let informed = draw(seed, 1) < params.informed.get();
        let known = match if informed { params.stated } else { Stated::Nothing } {
            Stated::Size => u64::MAX,
            Stated::SendBuffer => params.send_buffer.as_u64(),
            Stated::Nothing => 0,
        };
        Self {
            known,
            tail: params.assumed_tail.get(),
            packet: packet.into(),
            sent: 0,
            draw: draw(seed, 0),
        }
    }

    fn sent(&mut self, bytes: u32) {
        self.sent = self.sent.saturating_add(u64::from(bytes));
    }

    /// What it states where `left` bytes follow in truth.
    fn left(&mut self, left: u64) -> u64 {
        if left <= self.known {
            return left;
        }
        let so_far = self.sent.saturating_add(self.known).max(self.packet);
        self.draw = (self.draw + GOLDEN) % 1.0;
        // A cast from floating point saturates.
        let size = (so_far as f64 * libm::pow(1.0 - self.draw, -1.0 / self.tail)) as u64;
        size.saturating_sub(self.sent)
    }
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
