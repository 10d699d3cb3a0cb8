//! The fraction of packets marked.

use sluice_units::{Ratio, Span, Time};

use crate::host::AckEvent;

/// DCTCP.Alpha: a moving average of the fraction of packets marked, over windows of data (RFC 8257
/// section 3.3). Packets stand for bytes: all but a flow's last have one size.
#[derive(Clone, Copy, Debug)]
pub struct MarkedFraction {
    alpha: f64,
    gain: f64,
    /// DCTCP.BytesAcked
    acked: u64,
    /// DCTCP.BytesMarked
    marked: u64,
    /// When the window began: the first acknowledgement of a packet that left from then on ends it
    /// (DCTCP.WindowEnd).
    began: Time,
}

impl MarkedFraction {
    /// An estimate that begins at `alpha`, to which each window contributes by `gain`.
    pub fn new(alpha: Ratio, gain: Ratio) -> Self {
        Self { alpha: alpha.get(), gain: gain.get(), acked: 0, marked: 0, began: Time::ZERO }
    }

    /// Takes in an acknowledgement. Whether it is the last of a window, so that the estimate is new.
    pub fn on_ack(&mut self, event: &AckEvent) -> bool {
        self.on_ack_after(event, Span::ZERO)
    }

    /// [`MarkedFraction::on_ack`] with windows that last `least` at least.
    pub fn on_ack_after(&mut self, event: &AckEvent, least: Span) -> bool {
        self.acked += u64::from(event.delivered);
        self.marked += u64::from(event.marked);
        // A window with nothing acknowledged has no fraction: the SYN's, or one of duplicates only.
        let waited = event.now.since(self.began) >= least;
        let over = event.sent >= self.began && waited && self.acked > 0;
        if over {
            // "M = DCTCP.BytesMarked / DCTCP.BytesAcked"; with AccECN's cautious count it could exceed 1
            let fraction = (self.marked as f64 / self.acked as f64).min(1.0);
            // "DCTCP.Alpha = DCTCP.Alpha * (1 - g) + g * M"
            self.alpha += self.gain * (fraction - self.alpha);
            (self.acked, self.marked, self.began) = (0, 0, event.now);
        }
        over
    }

    /// The estimate, 0 to 1.
    pub fn get(&self) -> f64 {
        self.alpha
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WireHeader;

    fn ack(sent: u64, now: u64, marked: bool) -> AckEvent {
        let at = Time::from_nanos;
        let marked = u32::from(marked);
        AckEvent {
            sent: at(sent),
            delivered: 1,
            marked,
            ..AckEvent::new(at(now), WireHeader::default())
        }
    }

    /// Windows of ten packets, of which the last three are marked; an RTT of 10 ns.
    #[test]
    fn each_window_counts_by_its_fraction() {
        let mut fraction = MarkedFraction::new(Ratio::new(1.0), Ratio::new(0.25));
        assert!(fraction.on_ack(&ack(0, 10, false)), "the first window ends with its first packet");
        assert_eq!(fraction.get(), 0.75);
        let ends: Vec<u64> =
            (1..=30).filter(|&i| fraction.on_ack(&ack(i, i + 10, (i - 1) % 10 >= 7))).collect();
        assert_eq!(ends, [10, 20, 30]);
        let by_hand = [0.3; 3].iter().fold(0.75, |alpha, m| 0.75 * alpha + 0.25 * m);
        assert!((fraction.get() - by_hand).abs() < 1e-12, "{}", fraction.get());
    }

    #[test]
    fn duplicates_end_no_window() {
        let mut fraction = MarkedFraction::new(Ratio::new(0.5), Ratio::new(1.0));
        assert!(!fraction.on_ack(&AckEvent { delivered: 0, ..ack(5, 15, false) }));
        assert_eq!(fraction.get(), 0.5);
    }
}
