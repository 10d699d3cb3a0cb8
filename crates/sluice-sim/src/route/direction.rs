//! The two directions of a group's packets.

use sluice_units::Time;

use super::Ways;
use crate::config::{GroupConfig, LinkId, NodeId, Reroute, Routing};

/// Of data, or of acknowledgements.
#[derive(Clone, Copy, Debug)]
pub(super) enum Direction {
    Out,
    Back,
}

impl Direction {
    /// The field with its path, after which its hashes are named.
    pub(super) fn field(self) -> &'static str {
        match self {
            Self::Out => "path",
            Self::Back => "back",
        }
    }

    /// Where its paths begin and end.
    pub(super) fn ends(self, group: &GroupConfig) -> (NodeId, NodeId) {
        match self {
            Self::Out => (group.from, group.to),
            Self::Back => (group.to, group.from),
        }
    }

    /// The path that is given for the whole run.
    pub(super) fn path(self, group: &GroupConfig) -> Option<&Vec<LinkId>> {
        match self {
            Self::Out => group.path.as_ref(),
            Self::Back => group.back.as_ref(),
        }
    }

    /// Whether its paths are given, and not of least delay.
    pub(super) fn is_given(self, group: &GroupConfig) -> bool {
        self.path(group).is_some() || matches!(self, Self::Out) && !group.paths.is_empty()
    }

    /// The path that a stated change gives it.
    pub(super) fn changed(self, change: &Reroute) -> Option<&Vec<LinkId>> {
        match self {
            Self::Out => change.path.as_ref(),
            Self::Back => change.back.as_ref(),
        }
    }

    /// All of these, and from when on they hold.
    pub(super) fn stated(self, group: &GroupConfig) -> Vec<(Time, Ways)> {
        let stated = group.reroute.iter();
        let stated = stated.filter_map(|change| Some((change.at, self.changed(change)?)));
        stated.map(|(at, path)| (at, Ways::one(path.clone()))).collect()
    }

    /// How flows use several paths of least delay; acknowledgements are not sprayed.
    pub(super) fn routing(self, group: &GroupConfig) -> Routing {
        match (self, group.routing) {
            (Self::Back, Routing::Spray) => Routing::Ecmp,
            (_, routing) => routing,
        }
    }
}
