//! Streams of datagrams that do not respond to congestion.

mod emissions;
mod file;
mod model;

pub(crate) use emissions::Emissions;
pub use file::{Datagram, DatagramFile};
pub use model::{Phase, Udp};
