//! Which events of a run are written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Events to be written one by one, beside the results that every run has. Files grow with every
/// packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// Groups whose senders' window, pacing rate and progress are written at every acknowledgement, or
    /// `"all"`; none by default. The name of a group with `pairs` includes all of them.
    #[serde(default)]
    pub flows: Selection<String>,
    /// Links, each `["from", "to"]`, at which arrival, departure, marking or loss of each packet is
    /// written, or `"all"`; none by default.
    #[serde(default)]
    pub packets: Selection<(String, String)>,
}

/// All items, or those named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected `\"all\"`, or a list in `[ ]`")]
pub enum Selection<T> {
    /// All of them.
    All(AllKeyword),
    /// Those of these names.
    Named(Vec<T>),
}

/// The word `"all"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AllKeyword {
    /// All of them.
    All,
}

impl<T> Default for Selection<T> {
    fn default() -> Self {
        Self::Named(Vec::new())
    }
}
