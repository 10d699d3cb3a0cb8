//! Custom laws, which run beside the protocols that scenarios name.

use std::fmt;
use std::sync::Arc;

use sluice_laws::protocol::Protocol;

use crate::results::{LawName, LawNameError};

/// A law from outside the registry.
#[derive(Clone)]
pub(super) struct CustomLaw {
    pub(super) name: LawName,
    pub(super) protocol: Arc<dyn Protocol>,
}

/// Why a law cannot run in a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LawError {
    /// The name is not valid.
    Name(LawNameError),
    /// Another law of the plan has this name.
    DuplicateName(LawName),
    /// [`Protocol::check`] refused a parameter: the law, the field, what is wrong.
    Parameter(LawName, &'static str, String),
    /// [`Protocol::check_weight`] refused a group's weight: the law, the group, what is wrong.
    Weight(LawName, String, String),
}

impl fmt::Debug for CustomLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

impl fmt::Display for LawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(error) => error.fmt(f),
            Self::DuplicateName(name) => write!(f, "duplicate law name `{name}`"),
            Self::Parameter(name, field, what) => write!(f, "law `{name}`: `{field}`: {what}"),
            Self::Weight(name, group, what) => {
                write!(f, "law `{name}`: weight of group `{group}`: {what}")
            }
        }
    }
}

impl std::error::Error for LawError {}
