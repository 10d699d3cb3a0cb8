//! The verdict of a link about packets.

use sluice_units::Time;

/// The decision about a packet that arrives, in the form in which nearly all packets cost least;
/// [`Verdict::passage`] has it in parts.
pub(crate) enum Verdict {
    /// It passes, unmarked, and reaches the end of the link at this time.
    Passes(Time),
    /// It is held, and reaches the end of the link at this time.
    Held(Time),
    /// It is lost on the wire, and would have reached the end of the link at this time.
    Lost(Time),
    /// It is marked.
    Marked(Time, Fate),
    /// The queue drops it.
    Dropped,
}

/// The way of a packet that the queue takes.
pub(crate) struct Passage {
    /// When it reaches the end of the link, or would if it were not lost.
    pub(crate) at: Time,
    pub(crate) fate: Fate,
    /// Whether the queue marks it (RFC 3168).
    pub(crate) marked: bool,
}

impl Verdict {
    /// The way of the packet; `None` if it is dropped.
    pub(crate) fn passage(self) -> Option<Passage> {
        let (at, fate, marked) = match self {
            Self::Passes(at) => (at, Fate::Passes, false),
            Self::Held(at) => (at, Fate::Held, false),
            Self::Lost(at) => (at, Fate::Lost, false),
            Self::Marked(at, fate) => (at, fate, true),
            Self::Dropped => return None,
        };
        Some(Passage { at, fate, marked })
    }

    /// The verdict with a mark.
    #[inline(always)]
    pub(super) fn marked(self) -> Self {
        match self {
            Self::Passes(at) => Self::Marked(at, Fate::Passes),
            Self::Held(at) => Self::Marked(at, Fate::Held),
            Self::Lost(at) => Self::Marked(at, Fate::Lost),
            other => other,
        }
    }
}

/// What becomes of a packet behind the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It reaches the end of the link.
    Passes,
    /// A law has to see it as it departs: the link holds it until then ([`super::Link::hold`]).
    Held,
    /// The wire loses it.
    Lost,
}

/// The earliest thing settled.
pub(crate) enum Settled {
    /// A tick or sample.
    Timer,
    /// The first held packet departs ([`super::Link::let_go`]).
    Departs,
    /// Of a scheduled link: the packet at this place was chosen and leaves ([`super::Link::take_chosen`]),
    /// to reach the end of the link at this time.
    Leaves(u32, Time),
    /// Of a scheduled link: a packet was chosen, and is held until it departs at this time.
    Holds(Time),
    /// Of a scheduled link: all packets that waited were dropped.
    Emptied,
    /// Nothing was due.
    Nothing,
}
