//! Congestion control laws: the router and host sides of RCP, XCP and TCP.
//!
//! Nothing here reads a clock, draws a random number, does I/O or allocates in a per-packet call:
//! time comes in as an argument, so that the same law drives a simulated link and a real one.
//!
//! One folder a protocol ([`rcp`], [`xcp`], [`tcp`]), each with its header, its router law and its
//! host law, because the header is their contract. [`registry`] lists them; a new protocol is one
//! folder and one line there. [`router`] and [`host`] hold what the two sides of every law share.

pub mod host;
pub mod rcp;
pub mod registry;
pub mod router;
pub mod tcp;
pub mod xcp;

/// A congestion header as it crosses the wire: four 32-bit words, whose meaning the protocol's
/// folder gives. All zero in a packet that carries none.
pub type Words = [u32; 4];
