//! Custom laws, which run beside the protocols that scenarios name.

use std::fmt;
use std::sync::Arc;

use sluice_laws::protocol::Protocol;
use sluice_units::Fault;

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
    /// [`Protocol::check`] or [`Protocol::check_transport`] refused a parameter: the law, and the fault.
    Parameter(LawName, Fault),
    /// [`Protocol::check_weight`], [`Protocol::check_profile`] or [`Protocol::check_conduct`] refused a group: the
    /// law, the group, and the fault.
    Group(LawName, String, Fault),
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
            Self::Parameter(name, fault) => write!(f, "law `{name}`: {fault}"),
            Self::Group(name, group, fault) => write!(f, "law `{name}`, group `{group}`: {fault}"),
        }
    }
}

impl std::error::Error for LawError {}
