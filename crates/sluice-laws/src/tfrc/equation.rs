//! The throughput equation of RFC 5348 section 3.1, and its inverse. Rates are in packets a second: the
//! segment size s divides both sides of the RFC's.

/// Halvings of the interval in which [`loss_event_rate`] searches: its result is exact to 2^-50.
const HALVINGS: u32 = 50;
/// The least loss event rate that [`loss_event_rate`] returns: one in 10^15 packets.
const LEAST: f64 = 1e-15;

/// X_Bps / s of section 3.1, for the loss event rate `p`, above 0 to 1, and the RTT `rtt` in seconds:
/// 1 / (R sqrt(2 b p / 3) + t_RTO (3 sqrt(3 b p / 8) p (1 + 32 p^2))) with b = 1 and t_RTO = 4 R.
pub(crate) fn throughput(p: f64, rtt: f64) -> f64 {
    1.0 / (rtt * round_trips_a_packet(p))
}

/// The loss event rate for which [`throughput`] is `rate`, by bisection of its logarithm, since the equation
/// falls with p. Section 6.3.1 asks for 5 %. A rate that no p of at most 1 gives returns 1.
pub(super) fn loss_event_rate(rate: f64, rtt: f64) -> f64 {
    let target = 1.0 / (rate * rtt);
    let (mut low, mut high) = (LEAST, 1.0);
    for _ in 0..HALVINGS {
        let middle = (low * high).sqrt();
        if round_trips_a_packet(middle) < target {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The time between packets in round trips: the denominator of section 3.1 divided by R.
fn round_trips_a_packet(p: f64) -> f64 {
    (2.0 * p / 3.0).sqrt() + 4.0 * (3.0 * (3.0 * p / 8.0).sqrt() * p * (1.0 + 32.0 * p * p))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sqrt(2 p / 3) + 12 sqrt(3 p / 8) p (1 + 32 p^2) by hand. At p = 0.01 it is 0.0816497 + 0.0073720 =
    /// 0.0890216: 112.332 packets a second at an RTT of 100 ms, or 164,005 bytes of 1460 each.
    #[test]
    fn the_equation_is_that_of_section_3_1() {
        for (p, expected) in [
            (0.0001, 1_223.643_6),
            (0.001, 383.843_64),
            (0.01, 112.332_23),
            (0.1, 17.701_021),
            (1.0, 0.041_098_82),
        ] {
            let found = throughput(p, 0.1);
            assert!((found / expected - 1.0).abs() < 1e-6, "p = {p}: {found}, not {expected}");
        }
        assert!((1460.0 * throughput(0.01, 0.1) - 164_005.06).abs() < 0.01);
    }

    #[test]
    fn the_rate_falls_with_the_rtt_in_proportion() {
        assert!((throughput(0.01, 0.2) * 2.0 - throughput(0.01, 0.1)).abs() < 1e-9);
    }

    #[test]
    fn the_inverse_is_that_of_the_equation() {
        for p in [1e-12, 1e-6, 0.001, 0.01, 0.3, 1.0] {
            for rtt in [1e-5, 0.1, 3.0] {
                let found = loss_event_rate(throughput(p, rtt), rtt);
                assert!((found / p - 1.0).abs() < 1e-9, "{found}, not {p}");
            }
        }
    }

    #[test]
    fn rates_beyond_the_equation_have_its_bounds() {
        assert_eq!(loss_event_rate(0.0, 0.1), 1.0);
        assert_eq!(loss_event_rate(1e-9, 3.0), 1.0);
        assert!(loss_event_rate(f64::INFINITY, 0.1) < 1e-14);
    }
}
