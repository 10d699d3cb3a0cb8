//! Published equations for TCP, which tests and documents compare with.

use sluice_units::{Bytes, Rate, Ratio, Span};

/// Completion time of a flow of `packets` packets of size `packet` that stays in slow start, on an
/// otherwise empty path: ceil(log2(L + 1) + 1/2) x RTT + L/C (FCT, section 2; PS, section 3.4). It
/// counts from the SYN with an initial window of one packet. `rtt` is the propagation delay there
/// and back.
pub fn slow_start_fct(packets: u64, packet: Bytes, rtt: Span, capacity: Rate) -> Span {
    let bytes = Bytes::new(packets.saturating_mul(packet.as_u64()));
    rtt * slow_start_rounds(packets) + capacity.time_for(bytes)
}

/// ceil(log2(L + 1) + 1/2) in integers: the smallest k with 2^(2k - 1) >= (L + 1)^2.
fn slow_start_rounds(packets: u64) -> u64 {
    let n = u128::from(packets) + 1;
    let square = n.saturating_mul(n);
    // The exponent of the smallest power of two that is not below `square`.
    let exponent = u64::from(u128::BITS - (square - 1).leading_zeros());
    (exponent + 2) / 2
}

/// Mean throughput of a long flow whose packets get lost at random with probability `loss` and are
/// acknowledged one by one: 1.31 s / (RTT sqrt p) (Mathis, Semke, Mahdavi and Ott, 1997). The
/// constant is their simulation's for random loss; regular loss gives sqrt(3/2) = 1.22, the 1.2 of
/// XCP's eq. (3.1). [`Rate::MAX`] without loss.
pub fn square_root_law(packet: Bytes, rtt: Span, loss: Ratio) -> Rate {
    const C: f64 = 1.31;
    if loss.get() <= 0.0 || rtt == Span::ZERO {
        return Rate::MAX;
    }
    packets_per_second(C / (rtt.as_secs_f64() * loss.get().sqrt()), packet)
}

/// Mean window in packets of a long CUBIC flow that loses every 1/`loss`-th packet: eq. (5) of RFC
/// 9438, (C (3 + beta) / (4 (1 - beta)))^(1/4) RTT^(3/4) / p^(3/4), outside the Reno-friendly
/// region. Infinite without loss.
pub fn cubic_window(c: Ratio, beta: Ratio, rtt: Span, loss: Ratio) -> f64 {
    let constant = c.get() * (3.0 + beta.get()) / (4.0 * (1.0 - beta.get()));
    libm::pow(constant, 0.25) * libm::pow(rtt.as_secs_f64() / loss.get(), 0.75)
}

/// Mean window in packets of AIMD(alpha, beta), which adds alpha packets an RTT and keeps beta of
/// the window at a loss, if it loses every 1/`loss`-th packet: eq. (3) of RFC 9438, sqrt(alpha (1 +
/// beta) / (2 (1 - beta) p)). Infinite without loss.
pub fn aimd_window(alpha: Ratio, beta: Ratio, loss: Ratio) -> f64 {
    let (alpha, beta) = (alpha.get(), beta.get());
    (alpha * (1.0 + beta) / (2.0 * (1.0 - beta) * loss.get())).sqrt()
}

/// A long TCP Reno flow, as Padhye, Firoiu, Towsley and Kurose model it ("Modeling TCP Reno
/// performance", 2000).
#[derive(Clone, Copy, Debug)]
pub struct Pftk {
    /// Packet size.
    pub packet: Bytes,
    /// Mean round-trip time.
    pub rtt: Span,
    /// Mean length of a first time-out (T0).
    pub rto: Span,
    /// Packets an acknowledgement covers (b): 1, or 2 with delayed acknowledgements.
    pub acked_per_ack: u32,
    /// The receiver's limit on the window in packets (Wm), if any.
    pub largest_window: Option<u32>,
}

impl Pftk {
    /// The rate at which the flow sends if a packet is lost with probability `loss` (eq. 32, the
    /// full model). Without loss it is the window's limit, or [`Rate::MAX`].
    pub fn rate(&self, loss: Ratio) -> Rate {
        let p = loss.get();
        let rtt = self.rtt.as_secs_f64();
        let max = self.largest_window.map_or(f64::INFINITY, f64::from);
        if p <= 0.0 {
            return packets_per_second(max / rtt, self.packet);
        }
        if p >= 1.0 {
            return Rate::ZERO;
        }
        let b = f64::from(self.acked_per_ack.max(1));
        let unlimited = mean_window(p, b);
        let w = unlimited.min(max);
        // What a period between time-outs sends, and how long it takes.
        let sent = (1.0 - p) / p + w + time_out_share(w, p) / (1.0 - p);
        let rounds = if unlimited < max {
            b / 2.0 * w + 1.0
        } else {
            b / 8.0 * w + (1.0 - p) / (p * w) + 2.0
        };
        let waiting = time_out_share(w, p) * back_off_sum(p) * self.rto.as_secs_f64() / (1.0 - p);
        packets_per_second(sent / (rtt * rounds + waiting), self.packet)
    }
}

/// E[Wu]: the mean window at a loss if nothing limits it.
fn mean_window(p: f64, b: f64) -> f64 {
    let c = (2.0 + b) / (3.0 * b);
    c + (8.0 * (1.0 - p) / (3.0 * b * p) + c * c).sqrt()
}

/// Q(w): the share of losses that end in a time-out.
fn time_out_share(w: f64, p: f64) -> f64 {
    let q = 1.0 - p;
    let cube = q * q * q;
    let share =
        (1.0 - cube) * (1.0 + cube * (1.0 - libm::pow(q, w - 3.0))) / (1.0 - libm::pow(q, w));
    share.min(1.0)
}

/// f(p): the mean length of a row of time-outs, in first ones, times (1 - p).
fn back_off_sum(p: f64) -> f64 {
    1.0 + p * (1.0 + p * (2.0 + p * (4.0 + p * (8.0 + p * (16.0 + p * 32.0)))))
}

fn packets_per_second(packets: f64, packet: Bytes) -> Rate {
    Rate::from_bps_f64(packets * packet.as_f64() * 8.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rounds_are_the_ceiling_of_the_logarithm() {
        for packets in (1..5000).chain([1 << 40, (1 << 52) - 1]) {
            let formula = (libm::log2((packets + 1) as f64) + 0.5).ceil() as u64;
            assert_eq!(slow_start_rounds(packets), formula, "{packets} packets");
        }
    }

    /// The FCT paper's example of 15 packets, 200 ms and 1 Mb/s: its text says 800 ms, its formula
    /// gives 1.12 s.
    #[test]
    fn fifteen_packets_at_a_megabit() {
        let fct =
            slow_start_fct(15, Bytes::new(1000), Span::from_millis(200), Rate::from_bps(1_000_000));
        assert_eq!(fct, Span::from_millis(1120));
    }

    #[test]
    fn the_square_root_law_at_one_percent() {
        let rate = square_root_law(Bytes::new(1000), Span::from_millis(100), Ratio::new(0.01));
        assert_eq!(rate, Rate::from_bps(1_048_000)); // 131 packets of 8000 bits a second
        assert_eq!(
            square_root_law(Bytes::new(1000), Span::from_millis(100), Ratio::new(0.0)),
            Rate::MAX
        );
    }

    /// The constants and the table of RFC 9438 section 5.2: 1.054 (RTT / p)^0.75, and 1.22 / sqrt(p)
    /// for the alpha that makes CUBIC friendly.
    #[test]
    fn mean_windows_by_the_rfc() {
        let (c, beta, rtt) = (Ratio::new(0.4), Ratio::new(0.7), Span::from_millis(100));
        for (loss, cubic, reno) in [(1e-2, 6.0, 12.0), (1e-4, 187.0, 120.0), (1e-6, 5926.0, 1200.0)]
        {
            let window = cubic_window(c, beta, rtt, Ratio::new(loss));
            assert!((window / cubic - 1.0).abs() < 0.02, "{window}");
            let window = aimd_window(Ratio::new(0.9 / 1.7), beta, Ratio::new(loss));
            assert!((window / reno - 1.0).abs() < 0.025, "{window}");
        }
    }

    fn pftk(window: Option<u32>) -> Pftk {
        Pftk {
            packet: Bytes::new(1000),
            rtt: Span::from_millis(200),
            rto: Span::from_secs(2),
            acked_per_ack: 2,
            largest_window: window,
        }
    }

    #[test]
    fn the_full_model_approaches_the_square_root_law_at_small_loss() {
        // With b = 1 and rare loss it tends to sqrt(3/2) / (RTT sqrt p).
        let one = Pftk { acked_per_ack: 1, ..pftk(None) };
        let p = 1e-8;
        let rate = one.rate(Ratio::new(p)).as_bps_f64();
        let law = 1.5f64.sqrt() / (0.2 * p.sqrt()) * 8000.0;
        assert!((rate / law - 1.0).abs() < 0.01, "{rate} against {law}");
    }

    /// Against the published formula worked out apart from this code.
    #[test]
    fn the_full_model_by_hand() {
        for (loss, window, bps) in [
            (0.001, None, 1_062_293.06),
            (0.01, None, 278_097.85),
            (0.05, None, 74_411.58),
            (0.001, Some(8), 303_745.88),
            (0.01, Some(8), 209_732.42),
        ] {
            let rate = pftk(window).rate(Ratio::new(loss)).as_bps_f64();
            assert!((rate - bps).abs() < 1.0, "{rate} against {bps}");
        }
    }

    #[test]
    fn the_full_model_falls_with_loss_and_obeys_the_window() {
        let rates: Vec<_> = [0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.9, 1.0]
            .map(|p| pftk(Some(8)).rate(Ratio::new(p)))
            .to_vec();
        assert!(rates.windows(2).all(|w| w[0] >= w[1]), "{rates:?}");
        assert_eq!(rates[0], Rate::from_bps(8 * 5 * 8000));
        assert_eq!(rates[9], Rate::ZERO);
        assert_eq!(pftk(None).rate(Ratio::new(0.0)), Rate::MAX);
    }
}
