//! What runs need beyond the machine.

use std::fmt;

use sluice_units::Bytes;

use super::disk::Disk;
use super::machine::Machine;
use super::memory::Memory;
use super::text::{count, size};

/// What may not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Memory.
    Memory,
    /// Disk space.
    Disk,
}

/// More memory or disk space than the machine has. [`Display`](fmt::Display) says what takes most of it,
/// and what would take less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excess {
    /// What does not suffice.
    pub resource: Resource,
    /// How much the runs need by estimate.
    pub needed: Bytes,
    /// How much the machine has.
    pub available: Bytes,
    /// What takes most of it.
    mostly: String,
    /// What would take less.
    help: &'static str,
}

impl Excess {
    /// If memory does not suffice for runs that need `needed` together, each as in `parts`.
    pub(super) fn of_memory(needed: Bytes, parts: &Memory, machine: &Machine) -> Option<Self> {
        let available = machine.memory.filter(|&free| needed > free)?;
        let (mostly, help) = most_memory(parts);
        Some(Self { resource: Resource::Memory, needed, available, mostly, help })
    }

    /// If disk space does not suffice for the results of this number of flows.
    pub(super) fn of_disk(parts: &Disk, flows: f64, machine: &Machine) -> Option<Self> {
        let needed = parts.total();
        let available = machine.disk.filter(|&free| needed > free)?;
        let (mostly, help) = most_disk(parts, flows);
        Some(Self { resource: Resource::Disk, needed, available, mostly, help })
    }
}

/// What takes most memory, and what would take less.
fn most_memory(memory: &Memory) -> (String, &'static str) {
    let Memory { flows, live, busiest, packets, records, rest } = memory;
    let live =
        format!("{} flows at the same time, most of them in group `{busiest}`", count(*live));
    let parts = [
        (flows, live, "use fewer flows, less load or fewer threads"),
        (
            packets,
            "packets in flight".into(),
            "use less capacity, delay or `buffer`, or fewer threads",
        ),
        (records, "records of all flows".into(), "use fewer flows or a shorter `stop`"),
        (rest, "links".into(), "use fewer links or fewer threads"),
    ];
    let most = parts.into_iter().max_by_key(|(size, ..)| **size);
    most.map(|(_, what, help)| (what, help)).unwrap_or_default()
}

/// What takes most disk space, and what would take less.
fn most_disk(disk: &Disk, flows: f64) -> (String, &'static str) {
    let Disk { flows: records, samples, traces, rest } = disk;
    let flows = format!("records of {} flows", count(flows));
    let parts = [
        (records, flows, "use fewer flows, a shorter `stop` or fewer `replications`"),
        (samples, "samples of `[[metrics]]`".into(), "use a longer `every` or fewer subjects"),
        (traces, "packets of `[trace]`".into(), "trace fewer links or a shorter run"),
        (rest, "files of each run".into(), "use fewer runs"),
    ];
    let most = parts.into_iter().max_by_key(|(size, ..)| **size);
    most.map(|(_, what, help)| (what, help)).unwrap_or_default()
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resource = match self.resource {
            Resource::Memory => "memory",
            Resource::Disk => "disk space",
        };
        let (needed, available) = (size(self.needed), size(self.available));
        let Self { mostly, help, .. } = self;
        write!(
            f,
            "the runs need about {needed} of {resource}, but {available} are available\n   "
        )?;
        write!(f, "= mostly for {mostly}\n   = {help}")
    }
}

impl std::error::Error for Excess {}
