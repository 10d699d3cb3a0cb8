//! The interface of a sharing discipline.

use sluice_units::Time;

use super::network::Route;

/// A flow's slot. Slots are reused, so numbers stay small.
pub(super) type Slot = u32;

/// A flow whose data enter the network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entrant {
    pub(super) slot: Slot,
    /// Its path's place in [`super::network::Network::routes`].
    pub(super) route: u32,
    /// Bytes on the wire; infinite for a flow without a size.
    pub(super) bytes: f64,
    /// When they enter.
    pub(super) enters: Time,
    /// Breaks ties: lower goes first.
    pub(super) rank: Rank,
}

/// A flow's rank among flows that are otherwise equal: its start, group and index.
pub(super) type Rank = (Time, u32, u64);

/// Shares links among the flows that send. Rates are in bytes per nanosecond.
pub(super) trait Sharing {
    /// A route that flows will use, numbered in the order of these calls.
    fn add_route(&mut self, links: &Route);

    /// A flow begins to send.
    fn enter(&mut self, entrant: &Entrant);

    /// A flow stops before it has sent all.
    fn leave(&mut self, slot: Slot);

    /// From now on flows have this part of each link of the network, in bytes per nanosecond.
    fn reserve(&mut self, left: &[f64]);

    /// Nanoseconds until rates change without an arrival or a departure from outside, since a flow
    /// finishes or overtakes another; infinite if they do not.
    fn horizon(&mut self) -> f64;

    /// Advances time by `nanos` nanoseconds, at most the horizon.
    fn advance(&mut self, nanos: f64);

    /// Removes a flow that has just sent all; to be called until there is none.
    fn finished(&mut self) -> Option<Slot>;

    /// Bytes carried of a flow that sends.
    fn carried(&self, slot: Slot) -> f64;

    /// Number of routes with flows, which is the cost of a step.
    fn busy(&self) -> usize;
}

/// The entry of `slot`, in tables that grow with the number of live flows.
pub(super) fn place<T: Clone + Default>(table: &mut Vec<T>, slot: Slot) -> &mut T {
    let at = slot as usize;
    if table.len() <= at {
        table.resize(at + 1, T::default());
    }
    &mut table[at]
}
