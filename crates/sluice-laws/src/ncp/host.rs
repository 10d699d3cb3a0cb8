//! NCP's sender: "the source sets its current window size w'_j = R_j RTT_j upon receipt of the ACK
//! packet" (section 4).
//!
//! A window can leave in two ways. *Paced*, packets are "the interval Delta t = 1/R_j" apart (section
//! 10.1), and the window is what an RTT of that comes to. *Ack-clocked*, it limits what is in
//! flight, and packets leave as it opens. Pacing is the default, because (8) counts flows by what
//! arrives within d0: a window that leaves at once is seen in one d0 and missed in the next if the
//! flow's RTT is longer, and a sender whose window shrinks is silent until its flight has, while R
//! rises as if it had gone (`docs/decisions/010-ncp-gains.md` has figures).

use sluice_units::{Rate, Ratio, Span};

use super::header::NcpHeader;
use super::params::{NcpParams, RttSource};
use crate::WireHeader;
use crate::host::{
    AckEvent, CongestionEvent, HostLaw, PacketKind, RtoEvent, SendEvent, SenderContext,
};
use crate::router::LawHeader as _;
use crate::wire::{Offer, Spacing, WireRtt};

/// The sender's side of one flow.
#[derive(Clone, Debug)]
pub struct NcpSender {
    /// The rate that packets request: that of one flow where the sender counts as several.
    desired: Offer,
    /// p_j: how many times the granted rate it sends.
    weight: Ratio,
    paced: bool,
    rtt_source: RttSource,
    /// Size of a full packet on the wire, in bytes.
    packet: u32,
    /// The last rate granted; `None` before the first.
    granted: Option<Rate>,
    /// The pace that follows from it; `None` if the flow is not paced.
    pace: Option<Rate>,
    /// The RTT that packets state, and the smoothed RTT in seconds; `None` before the first sample.
    rtt: Option<(WireRtt, f64)>,
    /// The minimum RTT in seconds; the smoothed RTT before it is known.
    min_rtt: f64,
    /// R_j RTT_j in packets, as far as it is used: one at least, and whole unless the flow is paced.
    window: f64,
    /// The X of full packets, which each packet states anew.
    apart: Spacing,
}

impl NcpSender {
    /// The sender of a new flow. Its window is one packet until a rate and an RTT are known: a
    /// SYN-ACK without a rate leaves one packet each round trip to request one again.
    ///
    /// With a weight p_j it sends p_j R(t): "a task with a priority of p_j is schedulable if R_j <=
    /// p_j R(t)" (after equation (23)). It states R_j / p_j, so that (8) counts it as p_j flows; the
    /// paper leaves it open, and counted as one it would be granted what the others have.
    pub fn new(params: &NcpParams, context: &SenderContext) -> Self {
        Self {
            desired: Offer::part_of(params.desired_rate, context.weight),
            weight: context.weight,
            paced: params.paced,
            rtt_source: params.rtt_source,
            packet: u32::try_from(context.packet.as_u64()).unwrap_or(u32::MAX).max(1),
            granted: None,
            pace: None,
            rtt: None,
            min_rtt: 0.0,
            window: 1.0,
            apart: Spacing::default(),
        }
    }

    /// "w'_j = R_j RTT_j" (section 4), at least a packet: a flow receives its rate once an RTT, however
    /// low that is, and needs no probes. Without pacing only whole packets leave, rounded down so that
    /// nobody sends faster than was granted.
    ///
    /// A departure: without pacing RTT_j is the minimum RTT. A smoothed RTT has the queue in it that the
    /// window itself makes: over a link without a router that is slower than R, each window would be
    /// R/C times the one before, without end.
    fn follow(&mut self) {
        self.pace = self.granted.filter(|_| self.paced);
        let Some((_, rtt)) = self.rtt else { return };
        if let Some(rate) = self.granted {
            let packets = rate.as_bytes_per_sec_f64() / f64::from(self.packet);
            let window = if self.paced { packets * rtt } else { (packets * self.min_rtt).floor() };
            self.window = window.max(1.0);
        }
        let once_an_rtt = Rate::from_bps_f64(f64::from(self.packet) * 8.0 / rtt);
        self.pace = self.pace.map(|rate| rate.max(once_an_rtt));
        self.apart.set(rtt / self.window * self.weight.get());
    }

    /// Takes in the most recent estimate. An acknowledgement without a sample, of a packet that was sent twice, leaves
    /// the last one stated.
    fn learn_rtt(&mut self, event: &AckEvent) {
        let Some(srtt) = event.srtt else { return };
        let stated = match self.rtt_source {
            RttSource::Smoothed => WireRtt::new(srtt),
            RttSource::TimeStamps => match (event.rtt, self.rtt) {
                (Some(sample), _) => WireRtt::new(sample),
                (None, Some((last, _))) => last,
                (None, None) => WireRtt::new(srtt),
            },
        };
        // Zero would divide the throughput by nothing.
        let seconds = |span: Span| span.as_nanos().max(1) as f64 * 1e-9;
        self.rtt = Some((stated, seconds(srtt)));
        self.min_rtt = seconds(event.min_rtt.unwrap_or(srtt));
    }

    /// Packets of data state the rate at which their flow sends now: 1 / R_j = RTT_j / w_j, in proportion to the
    /// packet's size, with the window in use and not the one that this packet requests.
    fn statement(&mut self, bytes: u32) -> NcpHeader {
        let Some((rtt, _)) = self.rtt else { return NcpHeader::default() };
        NcpHeader { x: self.apart.say(bytes, self.packet), rtt, ..NcpHeader::default() }
    }
}

impl HostLaw for NcpSender {
    /// The window follows every acknowledgement. One without a rate leaves the last one in force.
    fn on_ack(&mut self, event: &AckEvent) {
        self.learn_rtt(event);
        let offer = NcpHeader::from_wire(event.header).reverse.min(self.desired);
        self.granted = offer.rate_of(self.weight).or(self.granted);
        self.follow();
    }

    /// The routers set the window, and they see the queue that lost the packet. (The paper is
    /// silent on losses.)
    fn on_congestion(&mut self, _event: &CongestionEvent) {}

    /// A time-out does not close the window either: retransmissions request the current rate.
    fn on_rto(&mut self, _event: &RtoEvent) {}

    fn window(&self) -> u32 {
        if self.pace.is_some() { u32::MAX } else { self.window as u32 }
    }

    fn rate(&self) -> Option<Rate> {
        self.pace
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        let stated = match out.kind {
            PacketKind::Data => self.statement(out.bytes),
            // "First packet": nothing is sent yet, and no RTT known.
            PacketKind::Syn | PacketKind::Probe => NcpHeader::default(),
            PacketKind::Datagram | PacketKind::SynAck | PacketKind::Ack | PacketKind::ProbeAck => {
                return WireHeader::default();
            }
        };
        NcpHeader { rate: self.desired, ..stated }.to_wire()
    }

    /// `cwnd` in packets, `rate` (as granted by the routers) in bits a second.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("cwnd", self.window);
        out("rate", self.granted.unwrap_or(Rate::ZERO).as_bps_f64());
    }
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
