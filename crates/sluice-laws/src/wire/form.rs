//! The form of a law's header on the wire.

use super::echo::Coding;

/// Index of the echo in a [`crate::WireHeader`]: the word that an acknowledgement returns.
pub const ECHO: usize = 3;

/// How a law's header crosses the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The law's number in the option, 1 to 15. 15 is reserved for laws outside this crate.
    pub law: u8,
    /// Number of forward words, at most [`ECHO`].
    pub forward: usize,
    /// How the echo is coded.
    pub echo: Coding,
}
