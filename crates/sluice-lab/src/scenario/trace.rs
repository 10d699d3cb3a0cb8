//! What of a run is written event by event.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is written event by event, beside what every run has. Files grow with every packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// Groups whose senders' window, pace and progress are written at every acknowledgement, or
    /// `"all"`; none by default. A group's name stands for those of all its pairs.
    #[serde(default)]
    pub flows: Which<String>,
    /// Links, from the first node to the second, at which what happens to each packet is written,
    /// or `"all"`; none by default.
    #[serde(default)]
    pub packets: Which<(String, String)>,
}

/// All, or some by their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected `\"all\"`, or a list in `[ ]`")]
pub enum Which<T> {
    /// All there are.
    All(All),
    /// These.
    These(Vec<T>),
}

/// The word for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum All {
    /// Every one.
    All,
}

impl<T> Default for Which<T> {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}
