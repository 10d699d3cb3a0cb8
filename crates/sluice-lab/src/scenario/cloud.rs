//! Clouds of routers that run XCP between themselves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{BufferSize, Span};

/// A cloud of routers that carries the traffic of hosts of any protocol on XCP macro-flows between its edges, and
/// shares its links among micro-flows without state of flows in its core: `[[cloud]]` (Katabi's thesis, section 8.1).
///
/// A path enters the cloud at the first of its edges on it, and leaves it at the last. All links between are the
/// cloud's; they run XCP with the parameters of `[xcp]`, whatever protocol is run. Flows on one path through the cloud
/// are a macro-flow, with a queue at the ingress, in which packets wait until XCP's rate lets them leave. Macro-flows
/// share links in proportion to the numbers of their flows, each counted by the `queue_weight` of its group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cloud {
    /// Its border routers: at least two nodes.
    pub edges: Vec<String>,
    /// Whether streams of datagrams share macro-flows with flows that respond to congestion; `false` by default,
    /// since "care should be taken not to mix" them.
    #[serde(default)]
    pub mixed: bool,
    /// Room of the queue of each macro-flow at its ingress, a buffer size at the capacity of the slowest link of its path
    /// through the cloud. By default `1 bdp`, but 20 packets at least: over short round trips, a BDP is less than an
    /// initial window (the thesis has none).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer: Option<BufferSize>,
    /// Least time between two control packets of a macro-flow, 1 us to 16 s; 1 ms by default. The thesis has one
    /// every RTT, which in a data centre would be tens of thousands a second. Routers decide at most once in 5 ms.
    #[serde(default = "a_millisecond")]
    pub min_interval: Span,
    /// How long after its last packet a micro-flow counts in the weight of its macro-flow, 1 ms to 1 h; 5 s by default
    /// (the thesis has none). Flows are silent for seconds after time-outs of TCP, and over long round trips; flows that
    /// have ended count for this time, too.
    #[serde(default = "five_seconds")]
    pub flow_timeout: Span,
}

fn a_millisecond() -> Span {
    Span::from_millis(1)
}

fn five_seconds() -> Span {
    Span::from_secs(5)
}
