//! TCP-friendly XCP (thesis section 8.2): the weights of a router's queues for TCP and XCP, which "decrease the
//! difference between TCP's and XCP's average congestion windows".
//!
//! Left open by the thesis, and decided here:
//!
//! - **TCP's equation.** (8.1) is printed with the root over both terms, which matches no published form of TCP's
//!   equation; RFC 5348 has it over the first alone. [`TcpWindow`] chooses; the default is the printed one.
//! - **The drop rate p** is that of the last eight drops or so, counted in packets, not in
//!   time, as RFC 5348 averages loss intervals: it neither decays while TCP is silent nor depends on how long the
//!   control interval is. Marks count as drops. A router without state per flow counts drops, where TCP's
//!   equation has loss events: several drops in a round trip of one flow count each.
//! - **A class without packets** has no window, and the weights stay as they are; as long as no packet of TCP was
//!   ever dropped, its window is not known, and they stay, too. The law (8.6) may use what TCP leaves, so that no
//!   bandwidth is lost.
//! - **s**, "the average packet size", is the mean over the last 100 kB or so, weighted by bytes, so that
//!   acknowledgements of TCP flows in the other direction hardly change it. Over packets, one acknowledgement for
//!   each packet would halve it.
//! - **Bounds**: each weight is at least 0.01 ([`WEIGHTS`]), since a queue of weight zero would never show its
//!   drops. w_T is 1 - w_X.

use core::ops::RangeInclusive;

use sluice_units::{Ratio, Span};

use super::choices::{Balance, TcpWindow};
use super::params::XcpParams;
use crate::router::CompetingTraffic;
use crate::tfrc::equation;

/// The weights that XCP's queue may have.
pub const WEIGHTS: RangeInclusive<Ratio> = Ratio::new(0.01)..=Ratio::new(0.99);

/// Number of drops over which their rate is averaged: as of loss intervals in RFC 5348 (section 5.4, n = 8).
const LOSSES: f64 = 8.0;

impl TcpWindow {
    /// (8.1): the average congestion window, in bytes, of TCP flows that lose a part `p` of their packets of `size`
    /// bytes, above 0 to 1.
    ///
    /// At p = 0.01, the printed form has 8.44 packets, RFC 5348's 11.23; at p = 1, 0.063 and 0.004.
    pub fn bytes(self, size: f64, p: f64) -> f64 {
        match self {
            Self::Printed => size / self::printed(p).sqrt(),
            // The throughput times the RTT, with t_RTO = 4 RTT and an acknowledgement for each packet.
            Self::Rfc5348 => size * equation::throughput(p, 1.0),
        }
    }
}

/// What (8.1) takes the root of: 2p/3 + 12 p sqrt(3p/8) (1 + 32 p^2).
fn printed(p: f64) -> f64 {
    2.0 * p / 3.0 + 12.0 * p * (3.0 * p / 8.0).sqrt() * (1.0 + 32.0 * p * p)
}

/// The part of packets that are lost: a mean in which each loss takes weight e^(-1 / [`LOSSES`]) from all that
/// was before it.
#[derive(Clone, Copy, Debug, Default)]
struct LossRate {
    packets: f64,
    losses: f64,
}

impl LossRate {
    /// `packets` more arrived, of which `losses` were lost, evenly among them.
    fn add(&mut self, packets: f64, losses: f64) {
        let kept = libm::exp(-losses / LOSSES);
        // The mean weight of the new packets: losses among them take from those before.
        let new = if losses > 0.0 { (1.0 - kept) * LOSSES / losses } else { 1.0 };
        self.packets = self.packets * kept + packets * new;
        self.losses = self.losses * kept + losses * new;
    }

    /// Above 0 to 1; `None` before the first loss.
    fn rate(&self) -> Option<f64> {
        (self.losses > 0.0).then(|| (self.losses / self.packets).min(1.0))
    }
}

/// s: the mean packet size over bytes, in which bytes count less by e^-1 for each [`SIZE_BYTES`] that came later,
/// so that an interval of acknowledgements alone hardly changes it.
#[derive(Clone, Copy, Debug, Default)]
struct PacketSize {
    bytes: f64,
    squares: f64,
}

/// Bytes over which the packet size is averaged: a hundred packets of 1000 bytes.
const SIZE_BYTES: f64 = 1e5;

impl PacketSize {
    /// Packets of `bytes` in all arrived, with this sum of their squares.
    fn add(&mut self, bytes: f64, squares: f64) {
        let kept = libm::exp(-bytes / SIZE_BYTES);
        self.bytes = self.bytes * kept + bytes;
        self.squares = self.squares * kept + squares;
    }

    /// In bytes; 0 before the first packet.
    fn mean(&self) -> f64 {
        if self.bytes > 0.0 { self.squares / self.bytes } else { 0.0 }
    }
}

/// XCP's traffic in the interval that ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct XcpTraffic {
    /// The average congestion window of its flows by (8.2), in bytes; `None` if there were no packets.
    pub(super) window: Option<f64>,
    /// The average RTT of its flows.
    pub(super) rtt: Span,
    /// The part of that which is the delay of its queue, in seconds.
    pub(super) queueing: f64,
    /// Its input, in bytes a second.
    pub(super) input: f64,
}

/// Moves the weights of one link.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    kappa: f64,
    balance: Balance,
    equation: TcpWindow,
    /// w_X.
    xcp: f64,
    loss: LossRate,
    size: PacketSize,
    /// TCP's packets as of now, and as of the last decision.
    traffic: CompetingTraffic,
    counted: CompetingTraffic,
    /// The average windows of the last decision, in bytes.
    xcp_window: f64,
    tcp_window: f64,
}

impl Weights {
    /// With XCP's weight at first.
    pub(super) fn new(params: &XcpParams, weight: Ratio) -> Self {
        Self {
            kappa: params.kappa.get(),
            balance: params.balance,
            equation: params.tcp_window,
            xcp: weight.get(),
            loss: LossRate::default(),
            size: PacketSize::default(),
            traffic: CompetingTraffic::default(),
            counted: CompetingTraffic::default(),
            xcp_window: 0.0,
            tcp_window: 0.0,
        }
    }

    /// TCP's packets, since time zero.
    pub(super) fn see(&mut self, traffic: &CompetingTraffic) {
        self.traffic = *traffic;
    }

    /// w_X.
    pub(super) fn xcp(&self) -> Ratio {
        Ratio::new(self.xcp)
    }

    /// "When the estimation-control timer fires, the weights are updated".
    pub(super) fn update(&mut self, traffic: &XcpTraffic) {
        let (now, before) = (self.traffic, self.counted);
        self.counted = now;
        let packets = now.packets - before.packets;
        self.loss.add(packets as f64, (now.lost - before.lost) as f64);
        self.size.add(
            now.bytes.wrapping_sub(before.bytes) as f64,
            now.squares.wrapping_sub(before.squares) as f64,
        );
        let is_there = packets > 0 || now.waiting.as_u64() > 0;
        let (Some(xcp), Some(p), true) = (traffic.window, self.loss.rate(), is_there) else {
            return;
        };
        self.xcp_window = xcp;
        self.tcp_window = self.equation.bytes(self.size.mean(), p);
        let [xcp, tcp] = self.compared(traffic);
        if xcp + tcp > 0.0 {
            // (8.4); (8.3) is the same with the other sign.
            let moved = self.xcp + self.kappa * (tcp - xcp) / (xcp + tcp);
            self.xcp = moved.clamp(WEIGHTS.start().get(), WEIGHTS.end().get());
        }
    }

    /// The two quantities that the weights equalize: XCP's, then TCP's.
    fn compared(&self, traffic: &XcpTraffic) -> [f64; 2] {
        match self.balance {
            Balance::Windows => [self.xcp_window, self.tcp_window],
            Balance::Throughputs => {
                let rtt = traffic.rtt.as_secs_f64();
                [self.xcp_window / rtt, self.tcp_window / self.tcp_rtt(rtt, traffic)]
            }
        }
    }

    /// The average RTT of TCP's flows in seconds, if without queues it is that of XCP's: `rtt` less the delay of
    /// their queue, which is of this moment, where `rtt` is of a round trip ago, so at least half of it.
    fn tcp_rtt(&self, rtt: f64, traffic: &XcpTraffic) -> f64 {
        // What XCP leaves of the link, and at least TCP's weight.
        let capacity = self.traffic.capacity.as_bytes_per_sec_f64();
        let drained = (capacity - traffic.input).max((1.0 - self.xcp) * capacity);
        let queueing = self.traffic.waiting.as_f64() / drained;
        (rtt - traffic.queueing).max(rtt / 2.0) + queueing
    }

    /// `w_X`, the average windows in bytes, and `p`, 0 before the first drop.
    pub(super) fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("w_X", self.xcp);
        out("cwnd_X", self.xcp_window);
        out("cwnd_T", self.tcp_window);
        out("p", self.loss.rate().unwrap_or(0.0));
    }
}

#[cfg(test)]
#[path = "friendly_tests.rs"]
mod tests;
