//! Laws of one's own, beside the protocols that scenarios name.

use std::fmt;
use std::sync::Arc;

use sluice_laws::protocol::Protocol;

use crate::results::{LawName, LawNameError};

/// A law that no scenario can name, since it came from elsewhere.
#[derive(Clone)]
pub(super) struct OwnLaw {
    pub(super) name: LawName,
    pub(super) protocol: Arc<dyn Protocol>,
}

/// Why a law cannot run in a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LawError {
    /// This cannot be its name.
    ProtocolName(LawNameError),
    /// Another law of the plan has this name.
    Twice(LawName),
    /// A parameter is not what [`Protocol::check`] allows: the law, the field, what is wrong.
    Parameter(LawName, &'static str, String),
    /// A group has a weight that the law knows nothing of: the law, the group, what is wrong.
    Weight(LawName, String, String),
}

impl fmt::Debug for OwnLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

impl fmt::Display for LawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProtocolName(error) => error.fmt(f),
            Self::Twice(name) => write!(f, "two laws are called `{name}`"),
            Self::Parameter(name, field, what) => write!(f, "{name}.{field}: {what}"),
            Self::Weight(name, group, what) => {
                write!(f, "group `{group}`, under `{name}`: weight: {what}")
            }
        }
    }
}

impl std::error::Error for LawError {}
