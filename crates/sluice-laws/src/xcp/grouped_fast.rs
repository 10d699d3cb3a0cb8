//! The per-packet half of groups by RTT ([`super::grouped`]): sums, grants and residues of each group, as
//! [`super::feedback`] has them of a link.

use super::feedback::{Residue, XcpGrant, XcpSums};
use super::header::XcpHeader;
use super::rtt_groups::{MAX_GROUPS, TickBounds};
use crate::router::{self, Plain, Train};

/// The sums of each group, and what divides them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupSums {
    bounds: TickBounds,
    groups: [XcpSums; MAX_GROUPS],
}

impl GroupSums {
    pub(super) fn new(bounds: TickBounds) -> Self {
        Self { bounds, ..Self::default() }
    }

    pub(super) fn of(&self, group: usize) -> &XcpSums {
        &self.groups[group]
    }

    pub(super) fn add(&mut self, header: &XcpHeader, train: Train) {
        self.groups[self.bounds.of(header.rtt)].add(header, train);
    }

    fn each(&self, other: &Self, of: impl Fn(&XcpSums, &XcpSums) -> XcpSums) -> Self {
        let groups = core::array::from_fn(|group| of(&self.groups[group], &other.groups[group]));
        Self { groups, ..*self }
    }
}

impl router::Sums for GroupSums {
    fn plus(&self, other: &Self) -> Self {
        self.each(other, router::Sums::plus)
    }

    fn since(&self, earlier: &Self) -> Self {
        self.each(earlier, router::Sums::since)
    }
}

impl Plain for GroupSums {
    type Plain = [u64; 27];

    fn to_plain(self) -> [u64; 27] {
        joined(self.bounds, self.groups.map(Plain::to_plain))
    }

    fn from_plain(words: [u64; 27]) -> Self {
        let (bounds, groups) = apart(words);
        Self { bounds, groups: groups.map(XcpSums::from_plain) }
    }
}

/// The bounds and the words of each group as words.
fn joined(bounds: TickBounds, groups: [[u64; 4]; MAX_GROUPS]) -> [u64; 27] {
    let mut words = [0; 27];
    words[..3].copy_from_slice(&bounds.to_plain());
    words[3..].copy_from_slice(groups.as_flattened());
    words
}

fn apart([a, b, c, groups @ ..]: [u64; 27]) -> (TickBounds, [[u64; 4]; MAX_GROUPS]) {
    let group = |group: usize| core::array::from_fn(|word| groups[4 * group + word]);
    (TickBounds::from_plain([a, b, c]), core::array::from_fn(group))
}

/// The grants of each group, with the number of decisions that each is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupGrant {
    bounds: TickBounds,
    groups: [XcpGrant; MAX_GROUPS],
    decisions: [u8; MAX_GROUPS],
}

impl GroupGrant {
    /// Nothing is granted, nor taken, before a group's first decision.
    pub(super) fn new(bounds: TickBounds) -> Self {
        Self { bounds, groups: Default::default(), decisions: [0; MAX_GROUPS] }
    }

    pub(super) fn replace(&mut self, group: usize, grant: XcpGrant) {
        self.groups[group] = grant;
        self.decisions[group] = self.decisions[group].wrapping_add(1);
    }

    pub(super) fn stamp(&self, left: &mut GroupResidue, header: &mut XcpHeader, train: Train) {
        let group = self.bounds.of(header.rtt);
        self.groups[group].stamp(&mut left.groups[group], header, train);
    }

    pub(super) fn share(&self, part: &GroupSums, whole: &GroupSums) -> Self {
        let share = |group: usize| self.groups[group].share(part.of(group), whole.of(group));
        Self { groups: core::array::from_fn(share), ..*self }
    }
}

impl Plain for GroupGrant {
    type Plain = [u64; 28];

    fn to_plain(self) -> [u64; 28] {
        let [a, b, c, d, e, f] = self.decisions;
        let mut words = [u64::from_le_bytes([a, b, c, d, e, f, 0, 0]); 28];
        words[1..].copy_from_slice(&joined(self.bounds, self.groups.map(Plain::to_plain)));
        words
    }

    fn from_plain([decisions, words @ ..]: [u64; 28]) -> Self {
        let (bounds, groups) = apart(words);
        let [a, b, c, d, e, f, ..] = decisions.to_le_bytes();
        let groups = groups.map(XcpGrant::from_plain);
        Self { bounds, groups, decisions: [a, b, c, d, e, f] }
    }
}

/// What each group may still hand out until its next decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupResidue {
    groups: [Residue; MAX_GROUPS],
    decisions: [u8; MAX_GROUPS],
}

impl GroupResidue {
    pub(super) fn fresh(grant: &GroupGrant) -> Self {
        Self { groups: grant.groups.map(|group| group.residue()), decisions: grant.decisions }
    }

    /// What is left with a grant in which some groups have decided anew: all of it to these, and to others
    /// what they had left.
    pub(super) fn renewed(&self, grant: &GroupGrant) -> Self {
        let mut renewed = Self::fresh(grant);
        for group in 0..MAX_GROUPS {
            if self.decisions[group] == grant.decisions[group] {
                renewed.groups[group] = self.groups[group];
            }
        }
        renewed
    }
}

impl Plain for GroupResidue {
    type Plain = [u64; 19];

    fn to_plain(self) -> [u64; 19] {
        let [a, b, c, d, e, f] = self.decisions;
        let mut words = [u64::from_le_bytes([a, b, c, d, e, f, 0, 0]); 19];
        words[1..].copy_from_slice(self.groups.map(Plain::to_plain).as_flattened());
        words
    }

    fn from_plain([decisions, groups @ ..]: [u64; 19]) -> Self {
        let [a, b, c, d, e, f, ..] = decisions.to_le_bytes();
        let group = |group: usize| core::array::from_fn(|word| groups[3 * group + word]);
        let groups = core::array::from_fn(|number| Residue::from_plain(group(number)));
        Self { groups, decisions: [a, b, c, d, e, f] }
    }
}
