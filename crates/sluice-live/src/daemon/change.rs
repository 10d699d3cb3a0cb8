//! Changes of the system, for `--dry-run`.

use std::fmt;

use sluice_linux::AttachedFilter;

use crate::sysctl::ChangedSysctl;

/// A change of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change(String);

impl Change {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }

    /// The removal of a filter.
    pub(super) fn removal(filter: &AttachedFilter) -> Self {
        let (dev, program) = (filter.device().name(), filter.program_id());
        let qdisc = match filter.created_clsact() {
            true => ", and the qdisc `clsact` if it is the last filter there",
            false => "",
        };
        Self(format!("remove the BPF filter at the egress of {dev} (program {program}){qdisc}"))
    }

    /// The replacement of one that an earlier service of its kind left.
    pub(super) fn replacement(filter: &AttachedFilter) -> Self {
        let (dev, program) = (filter.device().name(), filter.program_id());
        Self(format!("replace the BPF filter of before at the egress of {dev} (program {program})"))
    }

    /// The value before of a kernel parameter that a host has changed.
    pub(super) fn put_back(sysctl: &ChangedSysctl) -> Self {
        Self(format!("set {}={} (now {})", sysctl.name, sysctl.before, sysctl.value))
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
