//! What a link decides about packets.

/// What became of a packet that arrived.
pub(crate) enum Verdict {
    /// It leaves and reaches the end of the link at this time.
    Passes(u64),
    /// It is to be held until it departs, and reaches the end of the link at this time.
    Held(u64),
    /// It is told of congestion, and passes or not as [`Marked::fate`] says.
    Marked(Marked),
    /// The queue took it and the wire loses it, at whose end it would be at this time.
    Lost(u64),
    /// The queue dropped it.
    Dropped,
}

/// A packet that the queue marks.
pub(crate) struct Marked {
    /// When it reaches the end of the link.
    pub(crate) at: u64,
    /// What becomes of it there.
    pub(crate) fate: Fate,
}

/// What becomes of a packet that the queue took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It reaches the end of the link.
    Passes,
    /// It is to be held until it departs.
    Held,
    /// The wire loses it.
    Lost,
}

/// The earliest thing settled.
pub(crate) enum Settled {
    /// A tick or sample.
    Timer,
    /// The first held packet departs; see [`Link::let_go`].
    Departs,
    /// Nothing was due.
    Nothing,
}
