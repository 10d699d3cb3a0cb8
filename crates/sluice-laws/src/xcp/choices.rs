//! Options where the thesis contradicts itself or leaves the choice to the implementer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much traffic is shuffled, h: taken from all in proportion and given to all alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shuffle {
    /// Equation (4.4), max(0, gamma y - |phi|).
    #[default]
    Text,
    /// Appendix A and B.3, gamma y always: more disturbance, faster to fairness when phi is large.
    Appendix,
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
