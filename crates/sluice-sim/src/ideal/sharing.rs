//! What a way of sharing links must do.

/// A flow's slot. Slots are used again, so they stay small.
pub(super) type Slot = u32;

/// A flow whose data are about to enter the network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entrant {
    pub(super) slot: Slot,
    /// Its path's place in [`super::network::Network::routes`].
    pub(super) route: u32,
    /// What is to be carried, headers included; infinite for a flow without a size.
    pub(super) bytes: f64,
    /// When that is.
    pub(super) enters: u64,
    /// Breaks ties: lower goes first.
    pub(super) rank: Rank,
}

/// A flow's place among those that are equal otherwise: its start, group and index.
pub(super) type Rank = (u64, u32, u64);

/// Shares links among the flows that send. Bytes a nanosecond inside; time is told as it passes.
pub(super) trait Sharing {
    /// A flow begins to send.
    fn enter(&mut self, entrant: &Entrant);

    /// A flow stops before it has sent all.
    fn leave(&mut self, slot: Slot);

    /// Nanoseconds until rates change by themselves, as a flow finishes or another comes first;
    /// infinite if they do not.
    fn horizon(&mut self) -> f64;

    /// Lets so many nanoseconds pass, at most the horizon.
    fn advance(&mut self, nanos: f64);

    /// Takes out a flow that has just sent all, if there is one: asked until there is none.
    fn finished(&mut self) -> Option<Slot>;

    /// What a flow that sends has been carried of.
    fn carried(&self, slot: Slot) -> f64;

    /// How many routes have flows: what a step costs.
    fn busy(&self) -> usize;
}

/// The place of `slot`, for tables that grow with the most flows at a time.
pub(super) fn place<T: Clone + Default>(table: &mut Vec<T>, slot: Slot) -> &mut T {
    let at = slot as usize;
    if table.len() <= at {
        table.resize(at + 1, T::default());
    }
    &mut table[at]
}
