//! MulTCP's shares at one bottleneck, in the set-up of Katabi's thesis (section 6.3.1, experiment 2).

use crate::shown::{config, group, pipe, results};
use sluice_laws::registry::Parameters;
use sluice_laws::tcp::throughput::aimd_window;
use sluice_laws::tcp::{LossRecovery, TcpParams};
use sluice_laws::transport::Transport;
use sluice_sim::queue::{Discipline, Red};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, GroupConfig};
use sluice_units::{BufferSize, Bytes, Ratio, Span, Time};

const WARM_UP: Span = Span::from_secs(20);
/// Packets of 100 bytes in a fair window of the flow of weight 1, of 100 kb/s and 80 ms.
const FAIR: u64 = 10;

/// The queue at the bottleneck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bottleneck {
    /// RED as the thesis sets it: w 0.002, max_p 0.1, thresholds at one third and two thirds of the buffer,
    /// gentle; and with ns-2's default of gaps between drops.
    Red {
        /// Whether drops wait.
        wait: bool,
    },
    /// A buffer of one BDP.
    DropTail,
}

/// Goodput of a flow with that weight over that of a flow of weight 1. The seed changes their start,
/// their hosts' jitter and RED's drops.
pub fn ratio(
    queue: Bottleneck,
    recovery: LossRecovery,
    weight: u64,
    seed: u64,
    measured: Span,
) -> f64 {
    let buffer = FAIR * (1 + weight);
    let mut links = pipe(100_000 * (1 + weight), Span::from_millis(40));
    links[0].buffer = BufferSize::Packets(buffer);
    if let Bottleneck::Red { wait } = queue {
        let third = |n| Some(BufferSize::Bytes(Bytes::new(n * buffer * 100 / 3)));
        let weight = Some(Ratio::new(0.002));
        let red = Red { min_th: third(1), max_th: third(2), weight, wait, ..Red::default() };
        links[0].queue = Discipline::Red(red);
    }
    let long = |weight: u64| {
        let start = Time::ZERO + Span::from_millis(17) * seed;
        let long = Long { count: 1, start, ..Long::default() };
        GroupConfig { weight: Ratio::new(weight as f64), ..group(Traffic::Long(long)) }
    };
    let one = GroupConfig { name: "one".into(), ..long(1) };
    let config = Config {
        packet: Bytes::new(100),
        seed,
        warm_up: Time::ZERO + WARM_UP,
        parameters: Parameters { transport: Transport::default(), ..Parameters::default() },
        ..config(links, vec![one, long(weight)], WARM_UP + measured)
    };
    let (flows, _) =
        results(&config, &TcpParams { recovery: Some(recovery), ..TcpParams::default() });
    flows[1].delivered.as_f64() / flows[0].delivered.as_f64()
}

/// The same where each packet is lost with equal probability (RFC 9438 eq. (3), with N packets an RTT and
/// (N - 1/2) / N kept at a loss): N sqrt((2 - 1 / (2 N)) / 1.5).
pub fn by_equal_probability(weight: f64) -> f64 {
    let window = |flows: f64| {
        aimd_window(Ratio::new(flows), Ratio::new(1.0 - 0.5 / flows), Ratio::new(0.001))
    };
    window(weight) / window(1.0)
}

/// The same where both flows have all their losses at the same times: a period of T round trips between
/// two losses takes a window by N T, which is 1 / (2 N) of its largest, so that its mean is N T (2 N -
/// 1/2), and the ratio N (2 N - 1/2) / 1.5.
pub fn by_equal_times(weight: f64) -> f64 {
    weight * (2.0 * weight - 0.5) / 1.5
}
