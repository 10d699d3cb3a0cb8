//! How headers cross a network: the fields that several laws share ([`Offer`], [`WireRtt`],
//! [`Spacing`]), fields narrower than a word ([`HeaderField`], [`SmallFloat`]), and the TCP option that
//! carries a header ([`option`]). `docs/wire.md` is the specification.
//!
//! Laws work on [`crate::WireHeader`], host order: forward words first, the echo in the last
//! ([`ECHO`]). Its values are those that the option can carry, so that a simulated path and a
//! real one carry the same.

pub mod echo;
mod field;
mod form;
pub mod offer;
pub mod option;
mod scale;
mod small_float;
pub mod ticks;

pub use echo::Coding;
pub use field::HeaderField;
pub use form::{ECHO, Form};
pub use offer::Offer;
pub use small_float::SmallFloat;
pub use ticks::{Spacing, WireRtt};
