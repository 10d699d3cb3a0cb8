//! Pairs of hosts on both sides of one bottleneck.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_sim::LinkConfig;
use sluice_sim::queue::Discipline;
use sluice_units::{BufferSize, Rate, Ratio, Span};

use super::graph::{one_bdp, yes};
use super::network::Network;
use super::shape::{CAPACITIES, Own, Shape, check_link};
use crate::scenario::problem::Problems;
use crate::scenario::spread::Spread;

/// `s0`, `s1`, ... on the left, `d0`, `d1`, ... on the right, each on its own access link, and the
/// bottleneck from node `left` to node `right` and back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dumbbell {
    /// How many pairs of hosts; 1 by default.
    #[serde(default = "one")]
    pub pairs: usize,
    /// Capacity of the bottleneck, each way.
    pub capacity: Rate,
    /// Round-trip propagation delay between the hosts of a pair: one for all, or the first pair's
    /// and the last one's and evenly between.
    pub rtt: Spread,
    /// One-way propagation delay of the bottleneck; a quarter of the least RTT by default. Access
    /// links share what is left of each pair's RTT.
    pub bottleneck_delay: Option<Span>,
    /// Capacity of each access link, each way; ten times the bottleneck's by default,
    /// and at most 100 Tbps.
    pub access: Option<Rate>,
    /// Room for packets waiting at the bottleneck, each way; one bandwidth-delay product by
    /// default. Access links queue without limit.
    #[serde(default = "one_bdp")]
    pub buffer: BufferSize,
    /// Which packets that room is given to, each way: a queue discipline of `sluice list`, by its
    /// name or with its parameters; `"drop_tail"` by default.
    #[serde(default)]
    pub queue: Discipline,
    /// Probability that the bottleneck's wire loses a packet, in [0, 1); 0 by default.
    #[serde(default)]
    pub error: Ratio,
    /// Whether the protocol's router law runs at the bottleneck, both ways; `true` by default.
    #[serde(default = "yes")]
    pub router: bool,
}

const LEFT: usize = 0;
const RIGHT: usize = 1;
/// More hosts than this are a slip of the pen.
const MOST_PAIRS: usize = 10_000;

impl Shape for Dumbbell {
    const SOURCE: &'static str = "the single bottleneck of the papers (IWQoS 2005, section 3.1; \
                                  Katabi's thesis, figure 5-1)";

    fn lay(&self, field: &str, problems: &mut Problems) -> Network {
        if self.pairs == 0 || self.pairs > MOST_PAIRS {
            problems.field(format!("{field}.pairs"), format!("pairs must be 1 to {MOST_PAIRS}"));
            return Network::default();
        }
        check_link(self.capacity, self.error, &self.queue, field, problems);
        if self.access.is_some_and(|access| !CAPACITIES.contains(&access)) {
            problems.field(format!("{field}.access"), "a capacity is 1 kbps to 100 Tbps");
        }
        let delay = self.delay();
        if delay > self.rtt.least() / 2 {
            let what = "the bottleneck's delay, there and back, is longer than the least RTT";
            problems.field(format!("{field}.bottleneck_delay"), what);
        }
        let mut network = Network::default();
        let (left, right) = (network.add_node("left"), network.add_node("right"));
        network.add_link(self.bottleneck(left, right, delay));
        network.add_link(self.bottleneck(right, left, delay));
        for pair in 0..self.pairs {
            let hosts = (format!("s{pair}"), format!("d{pair}"));
            let ends = self.add_pair(&mut network, hosts, self.rtt.at(pair, self.pairs));
            network.pairs.push(ends);
        }
        network
    }

    fn add_own(&self, network: &mut Network, own: &Own<'_>, problems: &mut Problems) -> bool {
        if own.rtt < self.delay() * 2 {
            let what = format!("the bottleneck alone takes {}, there and back", self.delay() * 2);
            let help = "its delay is `topology.dumbbell.bottleneck_delay`";
            problems.field_help(own.field, what, help);
        } else {
            self.add_pair(network, own.hosts(), own.rtt);
        }
        true
    }
}

impl Dumbbell {
    /// One-way propagation delay of the bottleneck.
    fn delay(&self) -> Span {
        self.bottleneck_delay.unwrap_or(self.rtt.least() / 4)
    }

    fn bottleneck(&self, from: usize, to: usize, delay: Span) -> LinkConfig {
        let Self { capacity, buffer, queue, error, router, .. } = *self;
        LinkConfig { from, to, capacity, delay, buffer, queue, error, losses: Vec::new(), router }
    }

    fn add_pair(
        &self,
        network: &mut Network,
        (source, sink): (String, String),
        rtt: Span,
    ) -> (usize, usize) {
        // The round trip crosses each access link twice; a nanosecond that does not divide goes
        // to the way there on the left.
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
        LinkConfig {
            from,
            to,
            capacity: self.access.unwrap_or(tenfold.min(*CAPACITIES.end())),
            delay,
            buffer: BufferSize::Unlimited,
            queue: Discipline::default(),
            error: Ratio::default(),
            losses: Vec::new(),
            router: false,
        }
    }
}

fn one() -> usize {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_are_what_was_asked_to_the_nanosecond() {
        let rtt = Spread { first: Span::from_nanos(60_000_001), last: Span::from_millis(100) };
        let dumbbell = Dumbbell {
            pairs: 7,
            capacity: Rate::from_bps(155_000_000),
            rtt,
            bottleneck_delay: Some(Span::from_millis(20)),
            access: None,
            buffer: one_bdp(),
            queue: Discipline::default(),
            error: Ratio::default(),
            router: true,
        };
        let mut problems = Problems::default();
        let network = dumbbell.lay("topology.dumbbell", &mut problems);
        assert!(problems.0.is_empty());
        for (pair, &(s, d)) in network.pairs.iter().enumerate() {
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
