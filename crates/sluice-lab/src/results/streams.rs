//! What streams of datagrams add up to.

use serde::{Deserialize, Serialize};
use sluice_sim::StreamRecord;

use super::wide;

/// Streams of datagrams in the measured time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StreamTally {
    streams: u64,
    sent: u64,
    delivered: u64,
    lost: u64,
    /// Bytes sent.
    #[serde(with = "wide")]
    offered: u128,
    /// Sum of delays in nanoseconds.
    #[serde(with = "wide")]
    delays: u128,
    /// The largest 99th percentile of a stream in nanoseconds.
    p99: u64,
}

/// Streams of datagrams, which do not respond to congestion, in the measured time.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct StreamSummary {
    /// How many streams, all runs together.
    pub streams: u64,
    /// Datagrams sent, mean over runs.
    pub sent: f64,
    /// Datagrams delivered, mean over runs.
    pub delivered: f64,
    /// Datagrams dropped or lost, mean over runs.
    pub lost: f64,
    /// Part of the datagrams delivered or lost that was lost; `None` if there are none.
    pub loss: Option<f64>,
    /// Load offered in bits a second, headers included, mean over runs.
    pub offered: f64,
    /// Mean delay from sender to receiver in seconds; `None` if none was delivered.
    pub mean_delay: Option<f64>,
    /// The largest 99th percentile of the delays of a stream in seconds, to 3 %.
    pub p99_delay: Option<f64>,
}

impl StreamTally {
    /// Adds a stream; one under an ideal has no datagrams.
    pub fn add(&mut self, record: &StreamRecord) {
        let Some(counts) = record.datagrams else { return };
        self.streams += 1;
        self.sent += counts.sent;
        self.delivered += counts.delivered;
        self.lost += counts.lost;
        self.offered += u128::from(counts.offered.as_u64());
        let mean = counts.mean_delay.map_or(0, |delay| delay.as_nanos());
        self.delays += u128::from(mean) * u128::from(counts.delivered);
        self.p99 = self.p99.max(counts.p99_delay.map_or(0, |delay| delay.as_nanos()));
    }

    /// Adds all that `other` has.
    pub fn merge(&mut self, other: &Self) {
        self.streams += other.streams;
        self.sent += other.sent;
        self.delivered += other.delivered;
        self.lost += other.lost;
        self.offered += other.offered;
        self.delays += other.delays;
        self.p99 = self.p99.max(other.p99);
    }

    /// Of this number of runs, each of which measures this long; `None` without streams.
    pub fn summary(&self, runs: usize, seconds: f64) -> Option<StreamSummary> {
        let (runs, ended) = (runs as f64, self.delivered + self.lost);
        let seconds_of = |nanos: f64| (self.delivered > 0).then_some(nanos / 1e9);
        (self.streams > 0).then(|| StreamSummary {
            streams: self.streams,
            sent: self.sent as f64 / runs,
            delivered: self.delivered as f64 / runs,
            lost: self.lost as f64 / runs,
            loss: (ended > 0).then(|| self.lost as f64 / ended as f64),
            offered: self.offered as f64 * 8.0 / runs / seconds,
            mean_delay: seconds_of(self.delays as f64 / self.delivered.max(1) as f64),
            p99_delay: seconds_of(self.p99 as f64),
        })
    }
}
