//! HyStart++ (RFC 9406) and pacing, in TCP and CUBIC alike.

use crate::shown::{config, flow, group, pipe, results};
use sluice_laws::cubic::CubicParams;
use sluice_laws::protocol::Protocol;
use sluice_laws::tcp::{SlowStart, TcpParams};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{FlowRecord, LinkOutcome};
use sluice_units::{BufferSize, Span, Time};

/// TCP and CUBIC with these options.
fn laws(slow_start: SlowStart, pacing: bool) -> [Box<dyn Protocol>; 2] {
    [
        Box::new(TcpParams { slow_start, pacing, ..TcpParams::default() }),
        Box::new(CubicParams { slow_start, pacing, ..CubicParams::default() }),
    ]
}

/// A bottleneck of packets of 1000 bytes.
#[derive(Clone, Copy, Debug)]
struct Bottleneck {
    mbps: u64,
    rtt: Span,
    /// In BDPs.
    buffer: u64,
}

impl Bottleneck {
    fn bdp(&self) -> u64 {
        (self.mbps as f64 * 125.0 * self.rtt.as_secs_f64()) as u64
    }

    /// What becomes of a long flow alone in its first 100 RTTs.
    fn alone(&self, law: &dyn Protocol) -> (FlowRecord, LinkOutcome) {
        let mut links = pipe(self.mbps * 1_000_000, self.rtt / 2);
        links[0].buffer = BufferSize::Packets(self.bdp() * self.buffer);
        let long = Long { count: 1, start: Time::ZERO, ..Long::default() };
        let config = config(links, vec![group(Traffic::Long(long))], self.rtt * 100);
        let (flows, outcome) = results(&config, law);
        (flows[0], outcome.links[0].clone())
    }

    fn drops(&self, slow_start: SlowStart, pacing: bool) -> [u64; 2] {
        laws(slow_start, pacing).map(|law| self.alone(&*law).1.drops)
    }
}

/// The first packets of a round show a standing queue, and they are acknowledged a round later: the window
/// is from 2.25 to 4.5 BDPs by then, and conservative slow start multiplies it by up to 3. A buffer of 16
/// BDPs does not overflow. One of 4 overflows in conservative slow start, and what was in flight, less
/// 1/4 of it, is lost only by standard slow start. One of 1 BDP may overflow before the rise is seen. The
/// capacities have windows of 80 and 160 packets meet BDPs of 100 to 180.
#[test]
fn hystart_ends_slow_start_before_a_deep_buffer_overflows() {
    use SlowStart::{HyStartPlusPlus, Standard};
    for (mbps, pacing) in [(20, false), (24, true), (28, false), (32, true), (36, false)] {
        for buffer in [1, 4, 16] {
            let path = Bottleneck { mbps, rtt: Span::from_millis(40), buffer };
            let window = path.bdp() * (1 + buffer);
            let (standard, hystart) =
                (path.drops(Standard, pacing), path.drops(HyStartPlusPlus, pacing));
            for (standard, hystart) in standard.into_iter().zip(hystart) {
                assert!(standard >= window, "{path:?}: {standard}");
                let share = hystart as f64 / window as f64;
                match buffer {
                    1 => assert!(hystart <= standard, "{path:?}: {hystart} of {standard}"),
                    4 => assert!((0.25..0.28).contains(&share), "{path:?}: {share}"),
                    _ => assert_eq!(hystart, 0, "{path:?}"),
                }
            }
        }
    }
}

/// RttThresh is 4 ms at least, which no queue of 10 us reaches.
#[test]
fn a_short_rtt_never_ends_slow_start() {
    let path = Bottleneck { mbps: 100_000, rtt: Span::from_micros(10), buffer: 1 };
    for (standard, hystart) in
        laws(SlowStart::Standard, false).into_iter().zip(laws(SlowStart::HyStartPlusPlus, false))
    {
        assert_eq!(path.alone(&*standard), path.alone(&*hystart));
    }
}

/// It is 16 ms at most, a small part of 3 s: conservative slow start has begun before 4 BDPs wait.
#[test]
fn a_long_rtt_ends_slow_start_by_a_short_queue() {
    let path = Bottleneck { mbps: 4, rtt: Span::from_secs(3), buffer: 4 };
    let in_flight = path.bdp() as f64 * 5.0;
    let share = path.drops(SlowStart::HyStartPlusPlus, false)[0] as f64 / in_flight;
    assert!((0.24..0.26).contains(&share), "{share}");
}

/// Forty packets, the initial window and ssthresh, leave at 1.2 windows an RTT: the last one 39 / 48 of
/// an RTT after the first.
#[test]
fn a_paced_window_leaves_over_an_rtt() {
    let rtt = Span::from_millis(100);
    let mut links = pipe(1_000_000_000, rtt / 2);
    links[0].buffer = BufferSize::Packets(1000);
    let config = config(links, vec![group(Traffic::List(vec![flow(Time::ZERO, 40)]))], rtt * 10);
    let of = |pacing| {
        let window = Some(40);
        let law = TcpParams {
            initial_window: window,
            initial_ssthresh: window,
            pacing,
            ..TcpParams::default()
        };
        let (flows, outcome) = results(&config, &law);
        let rtts = flows[0].completion.expect("it ends").as_secs_f64() / rtt.as_secs_f64();
        (rtts, outcome.links[0].max_queue.as_u64())
    };
    let (at_once, burst) = of(false);
    let (paced, queue) = of(true);
    assert!((at_once - 1.5).abs() < 0.01 && burst == 40_000, "{at_once}, {burst}");
    assert!((paced - 1.5 - 39.0 / 48.0).abs() < 0.01 && queue == 1_000, "{paced}, {queue}");
}

/// A pace above the window per RTT takes nothing from the throughput: within 1 %.
#[test]
fn a_pace_does_not_limit_a_window() {
    let path = Bottleneck { mbps: 100, rtt: Span::from_millis(40), buffer: 1 };
    let delivered = |pacing| {
        laws(SlowStart::Standard, pacing).map(|law| path.alone(&*law).0.delivered.as_f64())
    };
    for (paced, at_once) in delivered(true).into_iter().zip(delivered(false)) {
        assert!((paced / at_once - 1.0).abs() < 0.01, "{paced} and {at_once}");
    }
}
