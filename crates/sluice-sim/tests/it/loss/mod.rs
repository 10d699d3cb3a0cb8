//! Long TCP flows on a link that loses packets at random and is otherwise ample.

use rand::distr::Distribution;
use rand_distr::Geometric;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use sluice_laws::tcp::throughput::{Pftk, square_root_law};
use sluice_laws::tcp::{LossRecovery, TcpParams};
use sluice_sim::traffic::{Long, Traffic};
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use crate::shown::{PACKET, config, group, mean_and_half_width, pipe, results};

/// Round-trip time: propagation, with negligible transmission times.
pub const RTT: Span = Span::from_millis(100);
/// The minimum RTO of RFC 6298, ten round trips here.
pub const MIN_RTO: Span = Span::from_secs(1);
/// Losses of a flow before the measurement, in periods of the sawtooth.
const WARM_UP: f64 = 3.0;

/// Goodput of a long flow in packets a second.
#[derive(Clone, Copy, Debug)]
pub struct Goodput {
    /// Mean over flows.
    pub mean: f64,
    /// Half-width of its 95% interval.
    pub half_width: f64,
}

/// Goodput at this loss rate, over that number of flows, each measured for as long as the
/// square-root law predicts `losses` losses.
pub fn goodput(recovery: LossRecovery, loss: f64, flows: u64, losses: f64) -> Goodput {
    let between_losses = 1.0 / loss / square_root(loss);
    let (warm_up, seconds) = (WARM_UP * between_losses, losses * between_losses);
    let stop = Span::from_secs_f64(warm_up + seconds);
    // At 100 Gb/s a packet takes 80 ns: a window of a thousand is under a thousandth of the RTT.
    let mut links = pipe(100_000_000_000, RTT / 2);
    links[0].error = Ratio::new(loss);
    let start = Time::ZERO;
    let long = Long {
        count: flows,
        start,
        spacing: Span::from_millis(7),
        stop: Time::NEVER,
        ..Long::default()
    };
    let mut config = config(links, vec![group(Traffic::Long(long))], stop);
    config.warm_up = Time::ZERO + Span::from_secs_f64(warm_up);
    let tcp = TcpParams {
        recovery: Some(recovery),
        min_rto: Some(MIN_RTO),
        // Slow start without an end would take the window to 1 / loss.
        initial_ssthresh: Some((1.0 / loss.sqrt()) as u32 + 2),
        ..TcpParams::default()
    };
    let (flows, outcome) = results(&config, &tcp);
    assert!(outcome.links[0].drops == 0, "nothing but the wire loses packets");
    let rates: Vec<f64> =
        flows.iter().map(|flow| flow.delivered.as_f64() / PACKET as f64 / seconds).collect();
    let (mean, half_width) = mean_and_half_width(&rates);
    Goodput { mean, half_width }
}

/// 1.31 / (RTT sqrt p) in packets a second.
pub fn square_root(loss: f64) -> f64 {
    packets_per_second(square_root_law(Bytes::new(PACKET), RTT, Ratio::new(loss)))
}

/// PFTK's sending rate in packets a second, of which 1 - p arrives.
pub fn pftk(loss: f64) -> f64 {
    let model = Pftk {
        packet: Bytes::new(PACKET),
        rtt: RTT,
        rto: MIN_RTO,
        acked_per_ack: 1,
        largest_window: None,
    };
    packets_per_second(model.rate(Ratio::new(loss)))
}

/// Packets per second of AIMD simulated in rounds of an RTT, with what the square-root law leaves
/// out: windows are whole packets, and the round that repairs a loss does not grow the window.
/// Losses of one round count as one; there are no time-outs.
pub fn by_rounds(loss: f64) -> f64 {
    const ROUNDS: u32 = 1_000_000;
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(7);
    let gap = Geometric::new(loss).expect("a probability");
    let (mut window, mut repairing, mut arrived) = (2, false, 0);
    let mut until_loss = gap.sample(&mut stream);
    for _ in 0..ROUNDS {
        arrived += window;
        let mut lost = 0;
        while until_loss < window {
            until_loss += 1 + gap.sample(&mut stream);
            lost += 1;
        }
        until_loss -= window;
        arrived -= lost;
        if lost > 0 {
            window = (window / 2).max(2);
        } else if !repairing {
            window += 1;
        }
        repairing = lost > 0;
    }
    arrived as f64 / f64::from(ROUNDS) / RTT.as_secs_f64()
}

fn packets_per_second(rate: Rate) -> f64 {
    rate.as_bytes_per_sec_f64() / PACKET as f64
}
