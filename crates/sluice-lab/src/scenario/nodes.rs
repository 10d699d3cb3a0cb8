//! Nodes by their names.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A node, or a list of nodes. `h0..h15` stands for `h0`, `h1` and so on to `h15`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a node's name, or a list of them")]
pub enum Nodes {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Nodes {
    /// Their names.
    pub fn names(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}
