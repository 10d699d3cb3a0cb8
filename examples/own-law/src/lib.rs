//! Laws that Sluice does not have: one over RCP's hosts and header, and one with its own.

pub mod admission;
pub mod by_queue;

pub use admission::Admission;
pub use by_queue::ByQueue;
