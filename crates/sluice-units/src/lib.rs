//! Units as types: [`Time`], [`Span`], [`Rate`], [`Bytes`] and [`Ratio`].
//!
//! Time is integer nanoseconds, rate is integer bits a second, size is integer bytes, so that a
//! result is the same bit for bit on every machine. Nothing here reads a clock.
//!
//! Every type is read from and printed as the text people write, and serde uses that text too:
//!
//! ```
//! use sluice_units::{BufferSize, Rate, Span};
//! let capacity: Rate = "2.4 Gbps".parse()?;
//! let rtt: Span = "100 ms".parse()?;
//! let buffer: BufferSize = "1 bdp".parse()?;
//! assert_eq!(capacity.as_bps(), 2_400_000_000);
//! assert_eq!(rtt.to_string(), "100 ms");
//! assert_eq!(buffer.to_string(), "1 bdp");
//! # Ok::<(), sluice_units::UnitError>(())
//! ```
//!
//! [`Faults`] collects what is wrong with parameters made of them.

mod buffer;
mod bytes;
mod decimal;
mod fault;
mod parse;
mod print;
mod rate;
mod ratio;
mod schema;
mod text;
mod time;

pub use buffer::{BufferSize, Limit};
pub use bytes::Bytes;
pub use fault::{Fault, Faults, above};
pub use parse::{UnitError, shortened, shortened_to};
pub use rate::Rate;
pub use ratio::Ratio;
pub use schema::WORDS;
pub use time::{Span, Time};
