//! PS-7: flows of Pareto sizes on a fast, long link, and their completion times beside those of
//! ideal processor sharing of the same flows.
#![allow(dead_code)] // a test reads less than the table prints

use rand::distr::Distribution;
use rand_distr::{Exp1, Pareto};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use sluice_laws::protocol::Protocol;
use sluice_sim::traffic::{Listed, Traffic};
use sluice_units::{BufferSize, Bytes, Ratio, Span, Time};

use crate::fluid::{Job, completion_times};
use crate::shown::{PACKET, config, group, mean_and_half_width, pipe, results};

/// 2.4 Gb/s.
pub const CAPACITY: u64 = 2_400_000_000;
/// Round trip of 100 ms.
pub const RTPD: Span = Span::from_millis(100);
/// Upper ends of the size bins in packets.
pub const BINS: [u64; 10] = [10, 25, 50, 100, 250, 500, 1000, 2000, 10_000, u64::MAX];

/// One flow under a protocol and under processor sharing.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Size in packets, the last one counted whole.
    pub packets: u64,
    /// Completion time in seconds; for an unfinished flow, the time until the end.
    pub took: f64,
    /// Whether it finished.
    pub finished: bool,
    /// Under processor sharing, in seconds.
    pub ideal: f64,
}

/// Results of a run.
pub struct Run {
    /// Flows that started in the time measured.
    pub pairs: Vec<Pair>,
    /// Packets the queue dropped.
    pub drops: u64,
    /// Share of the link's time in use.
    pub utilization: f64,
}

/// Flows that start in the `seconds` measured and around them, under `protocol`: load 0.9, mean 25
/// packets, shape 1.2, a buffer of one bandwidth-delay product. The measurement begins after
/// `warm_up` seconds; arrivals, and the run, go on for `after` more seconds.
pub fn measure(
    protocol: &dyn Protocol,
    seed: u64,
    (warm_up, seconds, after): (u64, u64, u64),
) -> Run {
    let flows = flows(seed, (warm_up + seconds + after) as f64);
    let mut links = pipe(CAPACITY, RTPD / 2);
    links[0].buffer = BufferSize::Bdp(Ratio::new(1.0));
    let length = Span::from_secs(warm_up + seconds);
    let mut config = config(links, vec![group(Traffic::List(flows.clone()))], length);
    config.warm_up = Time::ZERO + Span::from_secs(warm_up);
    config.limit = config.stop + Span::from_secs(after);
    let (records, outcome) = results(&config, protocol);

    let jobs: Vec<Job> = flows
        .iter()
        .map(|flow| Job { enters: flow.start.as_secs_f64(), bytes: flow.size.as_f64() })
        .collect();
    let ideal = completion_times(&jobs, CAPACITY as f64 / 8.0, RTPD.as_secs_f64());
    let pairs = records.iter().filter(|record| record.measured).map(|record| {
        let listed = &flows[record.index as usize];
        assert_eq!((Some(listed.size), listed.start), (record.size, record.start));
        Pair {
            packets: listed.size.as_u64().div_ceil(PACKET),
            took: record.completion.unwrap_or(outcome.end.since(record.start)).as_secs_f64(),
            finished: record.completion.is_some(),
            ideal: ideal[record.index as usize],
        }
    });
    Run {
        pairs: pairs.collect(),
        drops: outcome.links[0].drops,
        utilization: outcome.links[0].utilization,
    }
}

/// Poisson arrivals in `seconds`, in order of start.
fn flows(seed: u64, seconds: f64) -> Vec<Listed> {
    const LOAD: f64 = 0.9;
    const SHAPE: f64 = 1.2;
    let mean = 25.0 * PACKET as f64;
    let per_second = LOAD * CAPACITY as f64 / 8.0 / mean;
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
    let sizes = Pareto::new(mean * (SHAPE - 1.0) / SHAPE, SHAPE).expect("a sound distribution");
    let mut now = 0.0;
    let arrivals = std::iter::from_fn(move || {
        let gap: f64 = Exp1.sample(&mut stream);
        now += gap / per_second;
        let size: f64 = sizes.sample(&mut stream);
        let start = Time::ZERO + Span::from_secs_f64(now);
        (now < seconds).then(|| Listed { start, size: Bytes::new(size as u64) })
    });
    arrivals.collect()
}

/// The flows of a bin, as in the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Largest size in packets.
    pub up_to: u64,
    /// Flows.
    pub flows: usize,
    /// Of these, unfinished.
    pub unfinished: usize,
    /// Mean completion time in seconds.
    pub took: f64,
    /// The same under processor sharing.
    pub ideal: f64,
    /// Geometric mean of completion time over that under processor sharing, flow by flow.
    pub ratio: f64,
    /// Its 95% interval, from the spread of the means of the seeds.
    pub interval: (f64, f64),
    /// Largest completion time in seconds.
    pub largest: f64,
}

/// One row for each bin of at least 100 flows in all of the runs together.
pub fn rows(runs: &[Run]) -> Vec<Row> {
    let lows = [0].into_iter().chain(BINS);
    lows.zip(BINS).filter_map(|(low, high)| row(runs, low, high)).collect()
}

fn row(runs: &[Run], low: u64, high: u64) -> Option<Row> {
    let inside = |pair: &&Pair| low < pair.packets && pair.packets <= high;
    let pairs: Vec<Pair> =
        runs.iter().flat_map(|run| run.pairs.iter().filter(inside)).copied().collect();
    if pairs.len() < 100 {
        return None;
    }
    let n = pairs.len() as f64;
    let log_ratio = |pair: &Pair| libm::log(pair.took / pair.ideal);
    // Flows of one run met the same queue: runs are independent, flows are not.
    let seeds: Vec<f64> = runs
        .iter()
        .map(|run| run.pairs.iter().filter(inside).map(log_ratio).collect::<Vec<_>>())
        .filter(|logs| !logs.is_empty())
        .map(|logs| logs.iter().sum::<f64>() / logs.len() as f64)
        .collect();
    let (mean, half_width) = mean_and_half_width(&seeds);
    Some(Row {
        up_to: high,
        flows: pairs.len(),
        unfinished: pairs.iter().filter(|pair| !pair.finished).count(),
        took: pairs.iter().map(|pair| pair.took).sum::<f64>() / n,
        ideal: pairs.iter().map(|pair| pair.ideal).sum::<f64>() / n,
        ratio: libm::exp(mean),
        interval: (libm::exp(mean - half_width), libm::exp(mean + half_width)),
        largest: pairs.iter().map(|pair| pair.took).fold(0.0, f64::max),
    })
}
