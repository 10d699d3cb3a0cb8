//! How headers cross a network: the fields that several laws share ([`Offer`], [`WireRtt`],
//! [`Spacing`]) and the TCP option that carries a header ([`option`]). `docs/wire.md` is the
//! specification.
//!
//! Laws work on [`crate::WireHeader`], host order: forward words first, the echo in the last
//! ([`ECHO`]). What they say there is what the option can carry, so that a simulated path and a
//! real one tell the same.

pub mod echo;
pub mod offer;
pub mod option;
pub mod ticks;

pub use echo::Coding;
pub use offer::Offer;
pub use ticks::{Spacing, WireRtt};

/// Which of a header's [`crate::WireHeader`] is the echo: what an acknowledgement brings back.
pub const ECHO: usize = 3;

/// How a law's header crosses the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The law's number in the option, 1 to 15. 15 stays free for laws of one's own.
    pub law: u8,
    /// How many forward words there are, at most [`ECHO`].
    pub forward: usize,
    /// How the echo is coded.
    pub echo: Coding,
}
