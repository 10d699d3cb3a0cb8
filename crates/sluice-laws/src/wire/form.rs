//! The form of a law's header on the wire.

use super::echo::Coding;

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
