//! The trait of topologies, and checks of any link.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use sluice_sim::queue::Discipline;
use sluice_sim::{LinkLaws, limits};
use sluice_units::{Rate, Ratio, Span};

use super::network::Network;
use crate::scenario::problem::Problems;

/// A family of networks.
pub trait Shape {
    /// Where it is described.
    const SOURCE: &'static str;

    /// The nodes and links. Problems are reported with paths from `field` down; paths of files start
    /// from `folder`.
    fn lay(&self, field: &str, folder: &Path, problems: &mut Problems) -> Network;

    /// The paths of the files that it reads.
    fn files(&mut self) -> Vec<&mut PathBuf> {
        Vec::new()
    }

    /// Adds a pair of hosts for one group; `false` if the topology does not support it.
    fn add_hosts(
        &self,
        _network: &mut Network,
        _hosts: &GroupHosts<'_>,
        _problems: &mut Problems,
    ) -> bool {
        false
    }
}

/// The pair of hosts of a group with its own `rtt`.
#[derive(Clone, Copy, Debug)]
pub struct GroupHosts<'a> {
    /// The group's name.
    pub name: &'a str,
    /// Round-trip propagation delay between the hosts.
    pub rtt: Span,
    /// The path of the field that sets it.
    pub field: &'a str,
}

impl GroupHosts<'_> {
    /// The names of the hosts, left and right.
    pub fn names(&self) -> (String, String) {
        (format!("{}-s", self.name), format!("{}-d", self.name))
    }
}

/// The numbers of nodes of a kind: more are taken for a mistake.
pub(super) const COUNTS: RangeInclusive<usize> = 1..=65_536;

/// The largest number of links in a row: each group holds its path.
pub(super) const MAX_LENGTH: usize = 1_000;

/// The largest number of pairs of joined nodes: a fat tree of `k = 40` has 48,000. A run needs about
/// 7 kB of memory for each, and one of this size 350 MB.
const MAX_JOINED: usize = 50_000;

/// Checks how many pairs of nodes the network in the table `field` joins.
pub(super) fn check_size(joined: usize, field: &str, problems: &mut Problems) -> bool {
    let sound = joined <= MAX_JOINED;
    if !sound {
        let what = format!("{joined} pairs of joined nodes: at most {MAX_JOINED} are allowed");
        problems.field(field, what);
    }
    sound
}

/// Checks fields that all links have. Each table lists them itself: a common one under serde's
/// `flatten` would admit unknown fields, and lose the places of wrong ones.
pub(super) fn check_link(
    capacity: Rate,
    error: Ratio,
    queue: &Discipline,
    router: LinkLaws,
    field: &str,
    problems: &mut Problems,
) {
    problems.check(field, |faults| {
        faults.within("capacity", &capacity, &limits::CAPACITY);
        faults.within("error", &error, &limits::ERROR);
        faults.inside("queue", |faults| queue.check(capacity, faults));
        router.check(queue, faults);
    });
}
