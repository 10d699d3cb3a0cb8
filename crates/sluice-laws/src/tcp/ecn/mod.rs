//! Explicit congestion notification: a router marks a packet instead of dropping it, the receiver
//! reports the mark, and the sender reduces its window. ECT(1) instead of ECT(0) (RFC 9331) changes
//! the queue of a packet, not its report.
//!
//! How the receiver reports marks is the protocol's choice ([`EcnFeedback`]). Both ends are taken to
//! have agreed on it in the SYN exchange (RFC 3168 section 6.1.1), whose packets cannot be marked.

mod bits;
mod feedback;
mod receiver;
mod sender;

pub use bits::Ecn;
pub use feedback::EcnFeedback;
pub use receiver::Marks;
pub use sender::Signals;

#[cfg(test)]
mod tests;
