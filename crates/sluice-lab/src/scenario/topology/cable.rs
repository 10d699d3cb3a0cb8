//! The parameters of links of one kind, such as all links between leaves and spines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_sim::queue::Discipline;
use sluice_sim::{LinkConfig, LinkLaws};
use sluice_units::{BufferSize, Rate, Ratio, Span};

use super::graph::one_bdp;
use super::network::Network;
use super::shape::check_link;
use crate::scenario::problem::Problems;

/// Links of one kind: two nodes, and an equal link in each direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cable {
    /// Capacity, in each direction.
    pub capacity: Rate,
    /// Propagation delay, in each direction.
    pub delay: Span,
    /// Buffer of a switch or router; one bandwidth-delay product by default. A host's own queue is
    /// unlimited.
    #[serde(default = "one_bdp")]
    pub buffer: BufferSize,
    /// Queue discipline of a switch or router: its name, or a table with its parameters (see
    /// `sluice list queue`); `"drop_tail"` by default. A host's own queue is drop-tail.
    #[serde(default)]
    pub queue: Discipline,
    /// Probability that a packet is lost in transit, in [0, 1); 0 by default.
    #[serde(default)]
    pub error: Ratio,
    /// Router law here, at hosts too: `true` for that of the protocol compared (the default), `false` for
    /// none, or that of a protocol in every run, as `"rcp"`.
    /// A list has a law for each class of traffic, where `queue` is `cbwfq`, `priority` or `tcp_friendly`; none runs at
    /// hosts then.
    #[serde(default)]
    pub router: LinkLaws,
}

impl Cable {
    /// Checks what all links have, in the table at `field`.
    pub(super) fn check(&self, field: &str, problems: &mut Problems) {
        check_link(self.capacity, self.error, &self.queue, self.router, field, problems);
    }

    /// Joins two switches or routers.
    pub(super) fn join(&self, network: &mut Network, a: usize, b: usize) {
        network.add_link(self.link(a, b));
        network.add_link(self.link(b, a));
    }

    /// Adds a rack of hosts around a switch or router; their numbers follow those of the last rack.
    pub(super) fn add_rack(&self, network: &mut Network, count: usize, around: usize) {
        let first = network.racks.iter().map(Vec::len).sum::<usize>();
        let hosts = network.add_nodes("h", first..first + count);
        for host in hosts.clone() {
            self.attach(network, host, around);
        }
        network.racks.push(hosts.collect());
    }

    /// Joins a host to its switch or router.
    pub(super) fn attach(&self, network: &mut Network, host: usize, to: usize) {
        let unlimited = LinkConfig::new(host, to, self.capacity);
        let Self { delay, error, .. } = *self;
        // A host's own queue has no classes.
        let router = self.router.whole().into();
        network.add_link(LinkConfig { delay, error, router, ..unlimited });
        network.add_link(self.link(to, host));
    }

    /// The link from one switch or router to another.
    pub(super) fn link(&self, from: usize, to: usize) -> LinkConfig {
        let Self { delay, buffer, queue, error, router, .. } = *self;
        LinkConfig {
            delay,
            buffer,
            queue,
            error,
            router,
            ..LinkConfig::new(from, to, self.capacity)
        }
    }
}
