//! Laws of one's own, beside the protocols that scenarios name.

use std::fmt;
use std::sync::Arc;

use sluice_laws::protocol::Protocol;
use sluice_units::{Fault, Faults};

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
    /// A parameter is not what [`Protocol::check`] allows: the law, and the fault.
    Parameter(LawName, Fault),
    /// A group has a weight that the law knows nothing of: the law, the group, and the fault.
    Weight(LawName, String, Fault),
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
        if let Some(fault) = Faults::of(|faults| protocol.check(faults)).into_iter().next() {
            return Err(LawError::Parameter(name, fault));
        }
        for group in self.config.groups.iter().filter(|group| group.protocol.is_none()) {
            let check = |faults: &mut Faults| protocol.check_weight(group.weight, faults);
            if let Some(fault) = Faults::of(check).into_iter().next() {
                return Err(LawError::Weight(name, group.name.clone(), fault));
            }
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
            Self::Parameter(name, fault) => write!(f, "{name}.{fault}"),
            Self::Weight(name, group, fault) => {
                write!(f, "group `{group}`, under `{name}`: {fault}")
            }
        }
    }
}

impl std::error::Error for LawError {}
