//! Options where the thesis contradicts itself or leaves the choice to the implementer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the aggregate feedback phi follows from the state of the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Efficiency {
    /// Equation (4.3), alpha S - beta Q / d, with the spare bandwidth S = C - y.
    #[default]
    Spare,
    /// The second proposal of section 9.3.1, which does not compute the spare bandwidth: `increase` C
    /// while the queue is empty, and -beta Q / d while it is not. It never rests: rate and queue go round
    /// in a cycle whose size is proportional to `increase`.
    Queue,
}

/// How much traffic is shuffled, h: taken from all in proportion and given to all alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shuffle {
    /// Equation (4.4), max(0, gamma y - |phi|).
    #[default]
    Text,
    /// Appendix A and B.3, gamma y always: more disturbance, faster to fairness when phi is large.
    Appendix,
    /// (4.4) with a larger gamma where shares are unequal, up to `max_gamma`: the relative difference of
    /// throughputs, measured without per-flow state. Not of the thesis.
    Need,
}

/// Over which bytes xi_n spreads what is to be taken: the sum of (4.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum XiBytes {
    /// Those of packets that state a throughput, and so can bear feedback.
    #[default]
    Stated,
    /// All that arrive, as Appendix A's `input_traffic` and ns-2.35: what falls to the
    /// acknowledgements of traffic the other way is never taken.
    All,
}

/// What a router with queues for TCP and XCP makes equal (section 8.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Balance {
    /// The average congestion windows, equations (8.3) and (8.4). TCP's packets wait longer than XCP's, so
    /// its flows get less.
    #[default]
    Windows,
    /// The average throughputs, which is what the section is for: each window over the RTT, which for TCP is
    /// longer by the delay of its queue. Needs TCP's window as it is (`tcp_window = "rfc5348"`). Not of the
    /// thesis.
    Throughputs,
}

/// The equation by which a router with queues for TCP and XCP computes TCP's average window from its drop rate p
/// (section 8.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TcpWindow {
    /// (8.1) as printed, with the root over both terms: a quarter below TCP's window at 1 % of drops.
    #[default]
    Printed,
    /// That of RFC 5348 (section 3.1), which TFRC, the thesis' reference, has. Not of the thesis.
    Rfc5348,
}

/// Which window H_throughput = cwnd / rtt states (section 4.5), and how it is sent. In packets the
/// window is a fraction, and what is in flight is a whole number (section 5.2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatedWindow {
    /// The window as it is. Its fraction is sent as one packet more in some round trips, so that
    /// on average it is the window that is sent.
    #[default]
    Exact,
    /// Rounded down to whole packets, stated and sent; as ns-2.35. Uses 1% less of a link where a
    /// fair window is four packets.
    Whole,
}
