//! The parameters of `ncp`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Rate, Ratio, Span};

use crate::flow_counter::CounterKind;
use crate::router::QueueCounts;
use crate::transport::LossRecovery;

/// Equation by which routers count flows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FlowCount {
    /// (8): the sum of 1 / R_j over d0. The number of flows whatever their RTTs; of flows that
    /// send for a part of the time, that part.
    #[default]
    Eq8,
    /// (5): the sum of 1 / w_j. Counts a flow of RTT_i as d0 / RTT_i of one.
    Eq5,
    /// (6), NCP-S: what arrives over the last R, "less work at the routers". Undamped in its own
    /// delay: R swings with a period of 6 d0.
    Eq6,
    /// (11)-(13) of section 6: distinct flows, each of them counted (`counter`), less the part of their share
    /// that flows bottlenecked elsewhere (`elsewhere`) leave unused. Where there are none, N is that of (8) but for flows that come
    /// and go. Flows have no weights.
    Eq12,
}

/// The R_j of (11) and (12), by which a flow is bottlenecked elsewhere if it is below R.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Elsewhere {
    /// The current rate of the flow, as R_j in (8): it shows a bottleneck anywhere on the path, behind this link
    /// too, and a desired rate.
    #[default]
    Current,
    /// "The minimum of the rates of the routers crossed thus far" (section 6), or the desired rate: it shows
    /// bottlenecks before this link only. Flows that are bottlenecked behind it count as ones that use all of R.
    Granted,
}

/// The RTT that packets state.
///
/// Section 4 changes TCP's time stamp option: its two fields "should contain the previous and current time stamp
/// values of the sender from which any router in the path can get the round trip time". Their difference is a
/// round trip only if "previous" is the stamp that the last acknowledgement brought back: that of the packet before
/// is 1 / R_j ago where packets are paced. So a router reads the last RTT sample of the sender, and not its average.
/// (To the instant, it would read the time since that acknowledgement as well: half of 1 / R_j on average, and all of
/// a pause of the application, which is no RTT.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RttSource {
    /// The sender's smoothed RTT (RFC 6298).
    #[default]
    Smoothed,
    /// The sender's last sample: what the two time stamps of section 4 give.
    TimeStamps,
}

/// NCP's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NcpParams {
    /// Target utilization, above 0 to 1. Default 0.95 (not printed; decision 10): the rest carries
    /// acknowledgements, which no sum includes, and drains the queue.
    pub alpha: Ratio,
    /// Fraction of the queue to drain per d0, 0 to 10. Default 0.6 (not printed; decision 10). Stable
    /// below 1 if RTTs are d0, below 0.618 if they are twice that.
    pub beta: Ratio,
    /// The bytes that count as q. Default `"waiting"`: q is RCP's "instantaneous queue size" (section
    /// 2.2), which is 0 at RCP's equilibrium, on a full link.
    pub queue_counts: QueueCounts,
    /// Equation for the number of flows. Default (8), which the paper calls NCP.
    pub counted: FlowCount,
    /// How `counted = "eq12"` counts flows. Default `"exact"`.
    pub counter: CounterKind,
    /// Memory of a counter that is a sketch, 16 B to 1 MiB. Default 4 KiB: standard errors of 1.6% for
    /// `"hyperloglog"`, 0.4% for `"bitmap"` up to 10,000 flows.
    pub counter_memory: Bytes,
    /// The rate by which `counted = "eq12"` finds that a flow is bottlenecked elsewhere. Default `"current"`: section
    /// 6 has the other for R_j, but would then waste what flows leave that are bottlenecked behind the link.
    pub elsewhere: Elsewhere,
    /// Whether routers compensate flows whose RTT is above d0 for a change of R, (14) and (15) of section 7.
    /// Default off: it answers a deviation e of a flow from R with -(1 - d0 / RTT) e in each RTT, which
    /// restores only a part of what the flow missed and amplifies changes of R twice an RTT apart (decision 27).
    /// Not with `counted = "eq12"`.
    pub compensated: bool,
    /// Initial d0, until a header carries an RTT, 1 us to 10 s: the first interval. Default 10 ms
    /// (the paper has no value).
    pub initial_rtt: Span,
    /// Gain of the filter of d0, above 0 to 1. Default 0.02 (RCP's paper, from which section 2.2
    /// takes d0).
    pub rtt_gain: Ratio,
    /// Minimum R in packets per d0, above 0 to 1. Default 0.01 (RCP's; the paper has no value).
    pub min_rate: Ratio,
    /// The RTT that packets state, which d0 averages. Default the sender's smoothed RTT, as in RCP's header: the mean
    /// is the same, and d0 follows a change some round trips later.
    pub rtt_source: RttSource,
    /// Whether senders pace a window over an RTT, or send it as it opens. Default on
    /// (section 10.1; decision 10).
    pub paced: bool,
    /// Loss recovery; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<LossRecovery>,
    /// Minimum retransmission time-out, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
    /// Rate that senders request, above 0 (section 4). Default none: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_rate: Option<Rate>,
}

impl NcpParams {
    /// Memory of the sketch by which a router counts flows, if it does.
    pub fn sketch_memory(&self) -> Bytes {
        let is_sketch = self.counted == FlowCount::Eq12 && self.counter != CounterKind::Exact;
        if is_sketch { self.counter_memory } else { Bytes::ZERO }
    }
}

impl Default for NcpParams {
    fn default() -> Self {
        Self {
            alpha: Ratio::new(0.95),
            beta: Ratio::new(0.6),
            queue_counts: QueueCounts::Waiting,
            counted: FlowCount::Eq8,
            counter: CounterKind::Exact,
            counter_memory: Bytes::new(4_096),
            elsewhere: Elsewhere::Current,
            compensated: false,
            initial_rtt: Span::from_millis(10),
            rtt_gain: Ratio::new(0.02),
            min_rate: Ratio::new(0.01),
            rtt_source: RttSource::Smoothed,
            paced: true,
            recovery: None,
            min_rto: None,
            initial_rto: None,
            desired_rate: None,
        }
    }
}
