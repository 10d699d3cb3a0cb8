//! The dumbbell: pairs of hosts on both sides of one bottleneck.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_sim::queue::Discipline;
use sluice_sim::{LinkConfig, LinkLaw, LinkLaws, limits};
use sluice_units::{BufferSize, Rate, Ratio, Span};

use super::graph::one_bdp;
use super::network::Network;
use super::schedule::LinkSchedule;
use super::shape::{GroupHosts, Shape, check_link};
use crate::scenario::problem::Problems;
use crate::scenario::spread::Spread;

/// `s0`, `s1`, ... on the left, `d0`, `d1`, ... on the right, each on its own access link, and the
/// bottleneck from node `left` to node `right` and back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dumbbell {
    /// Number of pairs of hosts; 1 by default.
    #[serde(default = "one")]
    pub pairs: usize,
    /// Capacity of the bottleneck, in each direction.
    pub capacity: Rate,
    /// How the bottleneck's capacity varies, in each direction: `{ steps = [["5 s", "1 Mbps"]] }`, `{ ramps = ... }`,
    /// `{ mahimahi = "trace.up" }`, `{ down = [["3 s", "4 s"]] }`; constant by default.
    pub schedule: Option<LinkSchedule>,
    /// Round-trip propagation delay between the hosts of a pair: one value, or that of the first and
    /// that of the last pair, with the others evenly spaced.
    pub rtt: Spread,
    /// One-way propagation delay of the bottleneck; a quarter of the minimum RTT by default. Access
    /// links share the rest of each pair's RTT.
    pub bottleneck_delay: Option<Span>,
    /// Capacity of each access link, in each direction; ten times the bottleneck's by default, and at
    /// most 100 Tbps.
    pub access: Option<Rate>,
    /// Buffer of the bottleneck, in each direction; one bandwidth-delay product by default. Buffers of
    /// access links are unlimited.
    #[serde(default = "one_bdp")]
    pub buffer: BufferSize,
    /// Queue discipline of the bottleneck, in each direction: its name, or a table with its parameters
    /// (see `sluice list queue`); `"drop_tail"` by default.
    #[serde(default)]
    pub queue: Discipline,
    /// Probability that the bottleneck loses a packet in transit, in [0, 1); 0 by default.
    #[serde(default)]
    pub error: Ratio,
    /// Router law of the bottleneck, in each direction: `true` for that of the protocol compared (the
    /// default), `false` for none, or that of a protocol in every run, as `"rcp"`.
    /// A list has a law for each class of traffic, where `queue` is `cbwfq`, `priority` or `tcp_friendly`.
    #[serde(default)]
    pub router: LinkLaws,
}

const LEFT: usize = 0;
const RIGHT: usize = 1;
/// The numbers of pairs of hosts: more are taken for a mistake.
const PAIRS: RangeInclusive<usize> = 1..=10_000;

impl Shape for Dumbbell {
    const SOURCE: &'static str = "the single bottleneck of the papers (IWQoS 2005, section 3.1; \
                                  Katabi's thesis, figure 5-1)";

    fn lay(&self, field: &str, folder: &Path, problems: &mut Problems) -> Network {
        if !problems.check(field, |faults| faults.within("pairs", &self.pairs, &PAIRS)) {
            return Network::default();
        }
        check_link(self.capacity, self.error, &self.queue, self.router, field, problems);
        if let Some(access) = self.access {
            problems.check(field, |faults| faults.within("access", &access, &limits::CAPACITY));
        }
        let delay = self.delay();
        let max_delay = self.rtt.min() / 2;
        if delay > max_delay {
            let what =
                format!("`bottleneck_delay` must be at most {max_delay}, half the least `rtt`");
            problems.field(format!("{field}.bottleneck_delay"), what);
        }
        let mut network = Network::default();
        let (left, right) = (network.add_node("left"), network.add_node("right"));
        let schedule = self.schedule.as_ref().and_then(|schedule| {
            schedule.lay(self.capacity, &format!("{field}.schedule"), folder, problems)
        });
        for (from, to) in [(left, right), (right, left)] {
            let schedule = schedule.clone();
            network.add_link(LinkConfig { schedule, ..self.bottleneck(from, to, delay) });
        }
        let pairs = (0..self.pairs).map(|pair| {
            let hosts = (format!("s{pair}"), format!("d{pair}"));
            self.add_pair(&mut network, hosts, self.rtt.at(pair, self.pairs))
        });
        let pairs: Vec<_> = pairs.collect();
        let (sources, sinks) = pairs.iter().copied().unzip();
        network.racks = vec![sources, sinks];
        network.pairs = vec![pairs];
        network
    }

    fn files(&mut self) -> Vec<&mut PathBuf> {
        self.schedule.iter_mut().filter_map(|schedule| schedule.mahimahi.as_mut()).collect()
    }

    fn add_hosts(
        &self,
        network: &mut Network,
        hosts: &GroupHosts<'_>,
        problems: &mut Problems,
    ) -> bool {
        let min = self.delay() * 2;
        if hosts.rtt < min {
            let what = format!("`rtt` must be at least {min}, twice the bottleneck's delay");
            let help = "that delay is `topology.dumbbell.bottleneck_delay`";
            problems.field_help(hosts.field, what, help);
        } else {
            self.add_pair(network, hosts.names(), hosts.rtt);
        }
        true
    }
}

impl Dumbbell {
    /// One-way propagation delay of the bottleneck.
    fn delay(&self) -> Span {
        self.bottleneck_delay.unwrap_or(self.rtt.min() / 4)
    }

    fn bottleneck(&self, from: usize, to: usize, delay: Span) -> LinkConfig {
        let Self { capacity, buffer, queue, error, router, .. } = *self;
        LinkConfig { delay, buffer, queue, error, router, ..LinkConfig::new(from, to, capacity) }
    }

    fn add_pair(
        &self,
        network: &mut Network,
        (source, sink): (String, String),
        rtt: Span,
    ) -> (usize, usize) {
        // The round trip crosses four access links; the first takes the remainder of the division.
        let left_over = rtt - self.delay() * 2;
        let quarter = left_over / 4;
        let first = left_over - quarter * 3;
        let (source, sink) = (network.add_node(&source), network.add_node(&sink));
        network.add_link(self.access(source, LEFT, first));
        network.add_link(self.access(LEFT, source, quarter));
        network.add_link(self.access(RIGHT, sink, quarter));
        network.add_link(self.access(sink, RIGHT, quarter));
        (source, sink)
    }

    fn access(&self, from: usize, to: usize, delay: Span) -> LinkConfig {
        let tenfold = Rate::from_bps(self.capacity.as_bps().saturating_mul(10));
        let capacity = self.access.unwrap_or(tenfold.min(*limits::CAPACITY.end()));
        LinkConfig { delay, router: LinkLaw::None.into(), ..LinkConfig::new(from, to, capacity) }
    }
}

fn one() -> usize {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_are_as_specified_to_the_nanosecond() {
        let rtt = Spread { first: Span::from_nanos(60_000_001), last: Span::from_millis(100) };
        let dumbbell = Dumbbell {
            pairs: 7,
            capacity: Rate::from_bps(155_000_000),
            schedule: None,
            rtt,
            bottleneck_delay: Some(Span::from_millis(20)),
            access: None,
            buffer: one_bdp(),
            queue: Discipline::default(),
            error: Ratio::default(),
            router: LinkLaws::default(),
        };
        let mut problems = Problems::default();
        let network = dumbbell.lay("topology.dumbbell", Path::new(""), &mut problems);
        assert!(problems.0.is_empty());
        for (pair, &(s, d)) in network.pairs[0].iter().enumerate() {
            let around =
                [(s, LEFT), (LEFT, RIGHT), (RIGHT, d), (d, RIGHT), (RIGHT, LEFT), (LEFT, s)];
            let total = around
                .iter()
                .map(|&(a, b)| network.links[network.link(a, b).unwrap()].delay)
                .fold(Span::ZERO, |sum, delay| sum + delay);
            assert_eq!(total, rtt.at(pair, 7));
        }
    }
}
