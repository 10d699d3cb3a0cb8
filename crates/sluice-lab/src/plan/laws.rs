//! Laws of one's own, beside the protocols that scenarios name.

use std::fmt;
use std::sync::Arc;

use sluice_laws::protocol::Protocol;

use super::Plan;
use crate::results::{LawName, LawNameError, System};

/// A law that no scenario can name, since it came from elsewhere.
#[derive(Clone)]
pub(super) struct OwnLaw {
    pub(super) name: LawName,
    protocol: Arc<dyn Protocol>,
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

impl Plan {
    /// The same plan with one thing more to run: a law of one's own, which need not be in
    /// [`sluice_laws::registry`]. It meets the same flows with the same seeds as the scenario's
    /// protocols, and stands after them in every result under its name ([`LawName`] says which
    /// there are). Groups that speak a protocol of their own go on doing so.
    ///
    /// Its runs are made anew each time: nobody can tell whether the law's code has changed. The
    /// scenario beside the results does not name it, so `sluice run` of that runs all but the law.
    pub fn with_law(mut self, name: &str, protocol: Arc<dyn Protocol>) -> Result<Self, LawError> {
        let name = LawName::new(name).map_err(LawError::ProtocolName)?;
        if self.laws.iter().any(|law| law.name == name) {
            return Err(LawError::Twice(name));
        }
        let wrong = |(field, what)| LawError::Parameter(name, field, what);
        protocol.check().map_err(wrong)?;
        for group in self.config.groups.iter().filter(|group| group.protocol.is_none()) {
            let wrong = |what| LawError::Weight(name, group.name.clone(), what);
            protocol.check_weight(group.weight).map_err(wrong)?;
        }
        self.laws.push(OwnLaw { name, protocol });
        Ok(self)
    }

    /// What hosts and routers speak in a run of `system`; `None` for an ideal, which has no packets,
    /// and for a law that this plan does not have.
    pub(crate) fn protocol(&self, system: System) -> Option<&dyn Protocol> {
        match system {
            System::Protocol(name) => Some(self.scenario.parameters.protocol(name)),
            System::Own(name) => {
                self.laws.iter().find(|law| law.name == name).map(|law| &*law.protocol)
            }
            System::Ideal(_) => None,
        }
    }
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
