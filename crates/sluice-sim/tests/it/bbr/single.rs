//! One flow: start, steady state, ProbeRTT, random losses.

use sluice_laws::bbr1::Bbr1Params;
use sluice_sim::traffic::Traffic;
use sluice_units::{BufferSize, Ratio, Span, Time};

use super::{BDP, BPS, RTT, both, long, lossy, packets, path, products, seconds, watched};
use crate::common::run_to_end;
use crate::common::series::Series;
use crate::shown::{flow, group, results};

/// The times at which the flow was in these states, as beginnings and ends.
fn visits(series: &Series, states: std::ops::RangeInclusive<u8>) -> Vec<(f64, f64)> {
    let mut visits: Vec<(f64, f64)> = Vec::new();
    let mut inside = false;
    for (&at, state) in series.times.iter().zip(series.column("state")) {
        let at = at.as_secs_f64();
        let is_in = states.contains(&(state as u8));
        match visits.last_mut() {
            Some(last) if is_in && inside => last.1 = at,
            _ if is_in => visits.push((at, at)),
            _ => {}
        }
        inside = is_in;
    }
    visits
}

/// The link is full, one product is in flight on average, hardly more waits, and nothing is lost: v1 where
/// acknowledgements do not jitter, or with Linux's margin.
#[test]
fn a_flow_fills_the_link_without_a_standing_queue() {
    let margin = Bbr1Params { pacing_margin: Ratio::new(0.01), ..Bbr1Params::default() };
    let [v1, v3] = both();
    for (protocol, jitter) in [(v1, 0.0), (Box::new(margin), 0.5), (v3, 0.5)] {
        let name = protocol.about().name;
        let config = path(BufferSize::Unlimited, vec![long(1)], 60);
        let mut config = watched(config);
        config.parameters.transport.jitter = Ratio::new(jitter);
        config.warm_up = seconds(2);
        let run = run_to_end(&config, &*protocol);
        let link = &run.outcome.links[0];
        assert!(link.utilization > 0.96, "{name}: {}", link.utilization);
        assert!(packets(link.mean_queue) < 0.2 * BDP, "{name}: {:?}", link.mean_queue);
        let in_flight = run.series[0].column("in_flight_packets");
        let steady = &in_flight[400..];
        let mean = steady.iter().sum::<f64>() / steady.len() as f64;
        assert!((0.95 * BDP..1.2 * BDP).contains(&mean), "{name}: {mean}");
        // 2 BDP and what is aggregated, and v3's UP 2.25.
        let most = steady.iter().copied().fold(0.0, f64::max);
        assert!(most < 2.25 * BDP + 10.0, "{name}: {most}");
    }
}

/// 2/ln 2, and v3's 4 ln 2 with twice the product in flight, double the rate each round: from 10 packets a
/// round to 100 in log2 10 = 3.3 rounds after the first. Then come three rounds without growth, which last
/// 2.9 and 2 RTTs each as the window fills. The queue drains in as many RTTs as it holds products, by the share that
/// the pace, 1/2.885 and 0.5, leaves of the link: 1.9 / 0.65 and 1 / 0.5.
#[test]
fn startup_doubles_each_round_and_drains_its_queue() {
    for (protocol, (last_start, last_drain)) in both().into_iter().zip([(17.0, 4.0), (14.5, 3.0)]) {
        let name = protocol.about().name;
        let config = watched(path(BufferSize::Unlimited, vec![long(1)], 3));
        let run = run_to_end(&config, &*protocol);
        let series = &run.series[0];
        let rounds = |seconds: f64| seconds / RTT.as_secs_f64();
        let bandwidth = series.column("bw_bps");
        let full = bandwidth.iter().position(|&bw| bw > 0.95 * BPS as f64).expect("it is found");
        let full = rounds(series.times[full].as_secs_f64());
        // SYN, a window of 10, 3.3 doublings, one more for the sample to be of the last, and the queue.
        assert!((5.3..7.5).contains(&full), "{name}: {full}");
        let (_, start) = visits(series, 0..=0)[0];
        assert!(rounds(start) < last_start, "{name}: {}", rounds(start));
        let (from, to) = visits(series, 1..=1)[0];
        assert!((0.5..last_drain).contains(&rounds(to - from)), "{name}: {}", rounds(to - from));
        let drained = series.times.iter().position(|&at| at.as_secs_f64() > to).expect("later");
        let left = series.column("in_flight_packets")[drained + 2];
        assert!(left < 1.1 * BDP, "{name}: {left}");
    }
}

/// 10 s apart in v1 and 5 s in v3, for 200 ms and the time to drain, at 4 packets and at half a product. A
/// lower RTT than the last ProbeRTT found puts the next one off.
#[test]
fn probe_rtt_comes_by_the_clock_and_lasts_200_ms() {
    for (protocol, (state, interval, window)) in
        both().into_iter().zip([(3, 10.0, 4.0), (6, 5.0, 0.5 * BDP)])
    {
        let name = protocol.about().name;
        let config = watched(path(BufferSize::Unlimited, vec![long(1)], 40));
        let run = run_to_end(&config, &*protocol);
        let series = &run.series[0];
        let visits = visits(series, state..=state);
        let expected = 40.0 / interval;
        let number = visits.len() as f64;
        assert!((0.6 * expected..=expected).contains(&number), "{name}: {visits:?}");
        for two in visits.windows(2) {
            let apart = two[1].0 - two[0].1;
            assert!((interval - 0.01..2.0 * interval).contains(&apart), "{name}: {apart}");
        }
        for &(from, to) in &visits {
            assert!(
                (0.19..0.2 + 3.0 * RTT.as_secs_f64()).contains(&(to - from)),
                "{name}: {visits:?}"
            );
            let at = |seconds: f64| series.times.partition_point(|at| at.as_secs_f64() < seconds);
            let windows = &series.column("cwnd")[at(from + 0.01)..at(to)];
            let allowed = window * 0.95..=window * 1.05;
            assert!(windows.iter().all(|cwnd| allowed.contains(cwnd)), "{name}: {windows:?}");
        }
    }
}

/// Losses at random are no congestion: 1 % take 1 % of the throughput of v1 and some of v3, which responds;
/// above its threshold of 2 % v3 gives way. Cardwell et al. (ACM Queue 14(5), 2016, figure 8) find v1 near the
/// rate of the link up to 5 % and falling from 15 %, and CUBIC a tenth of the link at 0.1 %.
#[test]
fn random_losses_leave_the_throughput() {
    let bounds = [(0.01, [0.94, 0.6]), (0.05, [0.85, 0.1])];
    for (error, least) in bounds {
        for (protocol, least) in both().into_iter().zip(least) {
            let mut config = lossy(error, 30);
            config.warm_up = seconds(5);
            let (flows, _) = results(&config, &*protocol);
            let share = packets(flows[0].delivered) * 8000.0 / 25.0 / BPS as f64;
            let name = protocol.about().name;
            assert!(share > least, "{name} at {error}: {share}");
        }
    }
}

/// A shallow buffer: full throughput where CUBIC needs a buffer, and few losses under v3.
#[test]
fn a_shallow_buffer_suffices() {
    for (protocol, most_lost) in both().into_iter().zip([0.03, 0.01]) {
        let name = protocol.about().name;
        let mut config = path(products(0.1), vec![long(1)], 30);
        config.warm_up = seconds(5);
        let (flows, outcome) = results(&config, &*protocol);
        let link = &outcome.links[0];
        assert!(link.utilization > 0.9, "{name}: {}", link.utilization);
        let lost = link.drops as f64 / packets(flows[0].delivered);
        assert!(lost < most_lost, "{name}: {lost}");
    }
}

/// A flow is not faster than its link, nor much slower than it must be, at any size.
#[test]
fn flows_of_every_size_finish_in_time() {
    for protocol in both() {
        let name = protocol.about().name;
        for size in [1, 2, 4, 11, 100, 1000] {
            let traffic = Traffic::List(vec![flow(Time::ZERO, size)]);
            let config = path(BufferSize::Unlimited, vec![group(traffic)], 30);
            let (flows, _) = results(&config, &*protocol);
            let took = flows[0].completion.expect("it finishes");
            let alone = flows[0].alone.expect("it has a size");
            let slow_start = Span::from_secs_f64(RTT.as_secs_f64() * 6.0);
            assert!((alone..alone + slow_start).contains(&took), "{name}, {size}: {took:?}");
        }
    }
}
