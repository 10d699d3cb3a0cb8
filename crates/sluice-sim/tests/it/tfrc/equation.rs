//! A flow over a link that loses packets at random and is otherwise ample, against the equation.

use sluice_laws::tfrc::TfrcParams;
use sluice_sim::FlowMetrics;
use sluice_units::{BufferSize, Ratio, Span};

use crate::common::run_to_end;
use crate::shown::{PACKET, alone, mean};

const RTT: f64 = 0.1;

/// RFC 5348 section 3.1 in packets a second, written out again.
fn equation(p: f64) -> f64 {
    1.0 / (RTT
        * ((2.0 * p / 3.0).sqrt() + 12.0 * (3.0 * p / 8.0).sqrt() * p * (1.0 + 32.0 * p * p)))
}

/// Packets a second where a packet is lost with probability `loss`: a loss event takes a round trip, and
/// the next begins after 1 / loss more packets on average.
fn expected(loss: f64) -> f64 {
    (0..100).fold(equation(loss), |rate, _| {
        let event_rate = 1.0 / (1.0 / loss + rate * RTT);
        (rate + equation(event_rate)) / 2.0
    })
}

/// Within 5 %. Goodput is what the link does not lose.
#[test]
fn the_rate_is_that_of_the_equation() {
    for (loss, seconds) in [(0.001, 3_000), (0.01, 2_000), (0.05, 2_000)] {
        let (rtt, time) = (Span::from_secs_f64(RTT), Span::from_secs(seconds));
        let mut config = alone(10_000_000_000, rtt, BufferSize::Unlimited, time);
        config.links[0].error = Ratio::new(loss);
        config.flow_metrics = vec![FlowMetrics { group: 0, index: 0, every: rtt }];
        let result = run_to_end(&config, &TfrcParams::default());
        let rates = result.series[0].column("rate");
        let rate = mean(&rates[rates.len() / 2..]) / (8.0 * PACKET as f64);
        let expected = expected(loss);
        assert!((rate / expected - 1.0).abs() < 0.05, "loss {loss}: {rate}, not {expected}");

        let delivered = result.records[0].delivered.as_f64() / PACKET as f64;
        let goodput = delivered / (seconds as f64 / 2.0);
        assert!((goodput / (rate * (1.0 - loss)) - 1.0).abs() < 0.01, "{goodput} of {rate}");
    }
}
