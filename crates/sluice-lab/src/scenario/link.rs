//! Fields of single links of a topology.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_sim::queue::Discipline;
use sluice_sim::{LinkLaws, Police};
use sluice_units::{BufferSize, Rate, Ratio, Span};

use super::nodes::Nodes;
use super::topology::LinkSchedule;

/// Fields of some links of the topology, whatever table it is: `[[link]]`. What an entry leaves out stays
/// as the topology, or an entry before, has it. An entry replaces a field as a whole: of several schedules of
/// a link, the last one holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkOverride {
    /// Node at the start of the links, or a list; `"leaf0..leaf3"` are the nodes `leaf0` to `leaf3`. The entry
    /// holds for all links from one of these nodes to one of `to`; not every two of them need be joined.
    pub from: Nodes,
    /// Node at the end of the links, or a list.
    pub to: Nodes,
    /// Whether the entry holds for the links in the other direction, too; `true` by default.
    #[serde(default = "yes")]
    pub both_ways: bool,
    /// Capacity of each link.
    pub capacity: Option<Rate>,
    /// How the capacity of each link varies: `{ steps = [["5 s", "1 Mbps"]] }`, `{ ramps = ... }`,
    /// `{ mahimahi = "trace.up" }`, `{ down = [["3 s", "4 s"]] }`.
    pub schedule: Option<LinkSchedule>,
    /// Propagation delay of each link.
    pub delay: Option<Span>,
    /// Buffer of each link, that of a host's own queue included.
    pub buffer: Option<BufferSize>,
    /// Queue discipline of each link, that of a host's own queue included: its name, or a table with its
    /// parameters (see `sluice list queue`).
    pub queue: Option<Discipline>,
    /// Probability that a packet is lost in transit on each link, in [0, 1).
    pub error: Option<Ratio>,
    /// Router law of each link: `true` for that of the protocol compared, `false` for none, or that of a
    /// protocol in every run, as `"rcp"`.
    /// A list has a law for each class of traffic, where the link's `queue` is `cbwfq`, `priority` or `tcp_friendly`.
    pub router: Option<LinkLaws>,
    /// A policing agent before the queue of each link, which finds flows of `xcp` that depart from their law:
    /// `{}` with its defaults, or a table.
    pub police: Option<Police>,
}

impl LinkOverride {
    /// The path of the file that it names.
    pub(super) fn file(&mut self) -> Option<&mut PathBuf> {
        self.schedule.as_mut()?.mahimahi.as_mut()
    }

    /// The fields that it may change, each with whether it does.
    pub(crate) fn fields(&self) -> [(&'static str, bool); 8] {
        [
            ("capacity", self.capacity.is_some()),
            ("schedule", self.schedule.is_some()),
            ("delay", self.delay.is_some()),
            ("buffer", self.buffer.is_some()),
            ("queue", self.queue.is_some()),
            ("error", self.error.is_some()),
            ("router", self.router.is_some()),
            ("police", self.police.is_some()),
        ]
    }
}

fn yes() -> bool {
    true
}
