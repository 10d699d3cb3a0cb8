//! Windows that grow from round to round until a flow is done or has its share: how long flows of each size send,
//! in which bursts, and how many bytes at their share.

use super::law::{Tcp, Xcp};
use super::sizes::SizeSums;

/// Means over the sizes of a class, weighted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sending {
    pub(super) times: Times,
    /// Mean of them, in seconds.
    pub(super) mean: f64,
    /// E of the sum of squares of bursts, in bytes^2.
    pub(super) bursts: f64,
    /// E of the bytes that leave at the flow's share, and the part of flows that reach it.
    pub(super) shared: f64,
    pub(super) sharing: f64,
}

/// From the first to the last byte of a flow, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Times {
    /// For each byte.
    PerByte(f64),
    /// Of each size.
    Each(Vec<f64>),
}

impl Times {
    /// Of the size at this place, of that many bytes.
    pub(super) fn of(&self, place: usize, bytes: f64) -> f64 {
        match self {
            Self::PerByte(seconds) => seconds * bytes,
            Self::Each(seconds) => seconds[place],
        }
    }
}

impl Default for Times {
    fn default() -> Self {
        Self::PerByte(0.0)
    }
}

/// What a path lets a flow send.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pipe {
    pub(super) rtt: f64,
    /// Its narrowest link.
    pub(super) capacity: f64,
    /// What the flow gets of it at most, on average.
    pub(super) share: f64,
    pub(super) packet: f64,
}

/// Rounds after which a window no longer grows here.
const MOST_ROUNDS: u32 = 20_000;

/// A window from its first round on.
trait Window {
    /// Bytes of this round's window.
    fn bytes(&self) -> f64;
    /// The round is over.
    fn grow(&mut self);
    /// The bytes after which growth ends, even within a round.
    fn last(&self) -> f64 {
        f64::INFINITY
    }
    /// The rate from here on, once the window has reached what ends the growth.
    fn settled(&self, sent: f64) -> Option<f64>;
}

/// Sends all sizes by a window. A round takes an RTT; its packets leave back to back, so that the last round takes
/// their transmission.
fn send(sizes: &SizeSums, pipe: &Pipe, window: &mut impl Window) -> Sending {
    let mut seconds = Vec::with_capacity(sizes.bytes.len());
    let mut all = Sending::default();
    let (mut sent, mut elapsed, mut bursts) = (0.0, 0.0, 0.0);
    let mut left = sizes.bytes.iter().zip(&sizes.weights).peekable();
    for round in 0.. {
        let settled = window.settled(sent);
        let settled = settled.or((round == MOST_ROUNDS).then(|| window.bytes() / pipe.rtt));
        if let Some(rate) = settled {
            for (bytes, weight) in left {
                seconds.push(elapsed + (bytes - sent) / rate);
                all.bursts += weight * bursts;
                all.shared += weight * (bytes - sent);
                all.sharing += weight;
            }
            break;
        }
        let burst = window.bytes().min(window.last() - sent);
        while let Some((bytes, weight)) = left.next_if(|&(&bytes, _)| bytes <= sent + burst) {
            let rest = bytes - sent;
            seconds.push(elapsed + rest / pipe.capacity);
            all.bursts += weight * (bursts + rest * rest);
        }
        if left.peek().is_none() {
            break;
        }
        sent += burst;
        elapsed += pipe.rtt * burst / window.bytes();
        bursts += burst * burst;
        window.grow();
    }
    all.mean = seconds.iter().zip(&sizes.weights).map(|(seconds, weight)| seconds * weight).sum();
    all.times = Times::Each(seconds);
    all
}

/// TCP: slow start doubles the window each round (Cardwell, Savage, Anderson, "Modeling TCP latency", INFOCOM 2000,
/// section 2.2) until it fills the flow's share, or until the first loss, after 1/p packets on average ((5) there),
/// which may be within a round; from then on the flow has the rate of congestion avoidance ([`padhye`]), at most its
/// share.
pub(super) fn tcp(sizes: &SizeSums, pipe: &Pipe, law: &Tcp, loss: f64) -> Sending {
    let avoidance = padhye(loss, pipe.rtt, pipe.packet, law);
    let mut window =
        SlowStart { bytes: law.initial_window * pipe.packet, pipe: *pipe, loss, avoidance };
    send(sizes, pipe, &mut window)
}

struct SlowStart {
    bytes: f64,
    pipe: Pipe,
    loss: f64,
    avoidance: f64,
}

impl Window for SlowStart {
    fn bytes(&self) -> f64 {
        self.bytes
    }

    fn grow(&mut self) {
        self.bytes *= 2.0;
    }

    fn last(&self) -> f64 {
        self.pipe.packet / self.loss
    }

    fn settled(&self, sent: f64) -> Option<f64> {
        let fills = self.bytes >= self.pipe.share * self.pipe.rtt;
        (fills || sent >= self.last()).then(|| self.pipe.share.min(self.avoidance))
    }
}

/// The rate of TCP at a loss ratio in bytes a second, equation (30) of Padhye, Firoiu, Towsley and Kurose, "Modeling
/// TCP Throughput" (SIGCOMM 1998), with an acknowledgement for each packet (b = 1) and no limit of the receiver.
/// T0, the time-out, is an RTT and the least margin of RFC 6298's timer, with RTTVAR below it.
///
/// The full model, [`sluice_laws::tcp::throughput::Pftk`], is in whole bits a second: too coarse for an exchange that is
/// to agree within 1e-4 where flows of a lossy link send a few kb/s. The errors in the module's table are with (30).
pub(super) fn padhye(loss: f64, rtt: f64, packet: f64, law: &Tcp) -> f64 {
    if loss <= 0.0 {
        return f64::INFINITY;
    }
    let p = loss.min(1.0);
    let timeout = (rtt + law.rto_margin).max(law.min_rto);
    let rounds = rtt * (2.0 * p / 3.0).sqrt();
    let waits = timeout * (3.0 * (3.0 * p / 8.0).sqrt()).min(1.0) * p * (1.0 + 32.0 * p * p);
    packet / (rounds + waits)
}

/// What a link adds to the rate of each XCP flow in an RTT of its own: `gain` less `decay` of what it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Feedback {
    pub(super) gain: f64,
    pub(super) decay: f64,
}

/// XCP: each round adds the least feedback of the path (section 4.5: "the congestion header [...] the bottleneck's
/// feedback").
pub(super) fn xcp(sizes: &SizeSums, pipe: &Pipe, law: &Xcp, feedback: &[Feedback]) -> Sending {
    let rate = law.initial_window * pipe.packet / pipe.rtt;
    send(sizes, pipe, &mut XcpWindow { rate, pipe: *pipe, feedback })
}

struct XcpWindow<'a> {
    rate: f64,
    pipe: Pipe,
    feedback: &'a [Feedback],
}

impl Window for XcpWindow<'_> {
    fn bytes(&self) -> f64 {
        self.rate * self.pipe.rtt
    }

    fn grow(&mut self) {
        let of_link = |link: &Feedback| link.gain - link.decay * self.rate;
        let least = self.feedback.iter().map(of_link).fold(f64::INFINITY, f64::min);
        let least = if least.is_finite() { least } else { self.pipe.share };
        // "A sender's window is at least a packet" (section 4.5).
        self.rate = (self.rate + least).max(self.pipe.packet / self.pipe.rtt);
    }

    fn settled(&self, _sent: f64) -> Option<f64> {
        (self.rate >= self.pipe.share).then_some(self.pipe.share)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sizes::WeightedSize;
    use super::*;

    const PACKET: f64 = 1000.0;
    const LAW: Tcp = Tcp { initial_window: 2.0, min_rto: 0.2, rto_margin: 0.2 };

    fn seconds(all: &Sending) -> &[f64] {
        let Times::Each(seconds) = &all.times else { panic!("{all:?}") };
        seconds
    }

    fn pipe() -> Pipe {
        Pipe { rtt: 0.1, capacity: 1e6, share: 1e6, packet: PACKET }
    }

    fn sizes(packets: &[f64]) -> SizeSums {
        let weight = 1.0 / packets.len() as f64;
        SizeSums::new(packets.iter().map(|n| WeightedSize { bytes: n * PACKET, weight }))
    }

    /// Windows of 2, 4, 8, ...: 2 packets take a round of 2 ms, 3 begin the second; at 100 packets an RTT the
    /// window fills the pipe.
    #[test]
    fn slow_start_doubles_until_the_pipe_is_full() {
        let all = tcp(&sizes(&[2.0, 3.0, 6.0, 126.0, 326.0]), &pipe(), &LAW, 0.0);
        let wanted = [0.002, 0.101, 0.104, 0.5 + 0.064, 0.6 + 0.2];
        for (found, wanted) in seconds(&all).iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-9, "{all:?}");
        }
        // 2 + 4 + ... + 64 is 126; of the largest flow 200 packets leave at the share.
        assert!(
            (all.sharing - 0.2).abs() < 1e-9 && (all.shared - 40_000.0).abs() < 1e-6,
            "{all:?}"
        );
    }

    /// A loss in 20 packets: 6 more in the third round, of 14, and then the rate of congestion avoidance, which as losses
    /// change does so without jumps.
    #[test]
    fn slow_start_ends_at_the_first_loss() {
        let all = tcp(&sizes(&[30.0]), &pipe(), &LAW, 1.0 / 20.0);
        let rate = padhye(1.0 / 20.0, 0.1, PACKET, &LAW);
        let wanted = 0.3 + 0.1 * 6.0 / 16.0 + 10.0 * PACKET / rate;
        assert!((seconds(&all)[0] - wanted).abs() < 1e-9, "{all:?}, {wanted}");
        let near = |packets: f64| seconds(&tcp(&sizes(&[30.0]), &pipe(), &LAW, 1.0 / packets))[0];
        assert!((near(14.0 - 1e-9) / near(14.0 + 1e-9) - 1.0).abs() < 1e-6);
    }

    /// The first square of the bursts of 3 packets in windows of 2: 2^2 + 1^2.
    #[test]
    fn bursts_are_rounds() {
        let all = tcp(&sizes(&[3.0]), &pipe(), &LAW, 0.0);
        assert!((all.bursts - 5e6).abs() < 1e-3, "{all:?}");
    }

    /// Without time-outs, 1 / (RTT sqrt(2 p / 3)); the paper's formula is below.
    #[test]
    fn congestion_avoidance_is_the_square_root_law_at_small_losses() {
        let p = 1e-6;
        let padhye = |p: f64| padhye(p, 0.1, PACKET, &LAW);
        let found = padhye(p);
        let root = PACKET / (0.1 * (2.0 * p / 3.0_f64).sqrt());
        assert!((found / root - 1.0).abs() < 0.01, "{found}, {root}");
        assert!(padhye(0.1) < PACKET / (0.1 * (0.2 / 3.0_f64).sqrt()) / 1.5);
        assert_eq!(padhye(0.0), f64::INFINITY);
    }

    /// 20 packets an RTT of feedback: windows of 10, 30, 50, ...; 41 packets begin the third round.
    #[test]
    fn xcp_adds_the_least_feedback() {
        let law = Xcp { alpha: 0.4, gamma: 0.1, initial_window: 10.0 };
        let feedback = [20.0, 90.0].map(|n| Feedback { gain: n * PACKET / 0.1, decay: 0.0 });
        let all = xcp(&sizes(&[40.0, 41.0]), &pipe(), &law, &feedback);
        assert!((seconds(&all)[0] - 0.13).abs() < 1e-9, "{all:?}");
        assert!((seconds(&all)[1] - 0.201).abs() < 1e-9, "{all:?}");
    }

    /// Without growth a flow goes on at its first window, however large it is.
    #[test]
    fn a_window_that_does_not_grow_ends() {
        let law = Xcp { alpha: 0.4, gamma: 0.1, initial_window: 10.0 };
        let none = [Feedback { gain: 0.0, decay: 0.0 }];
        let all = xcp(&sizes(&[1e9]), &pipe(), &law, &none);
        assert!((seconds(&all)[0] / 1e7 - 1.0).abs() < 1e-3, "{all:?}");
    }
}
