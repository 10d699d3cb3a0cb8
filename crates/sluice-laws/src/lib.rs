//! Congestion control laws: the router and host sides of RCP, alpha-fair RCP, XCP, NCP, TCP, CUBIC, BBR, DCTCP,
//! Prague, Swift, HPCC, TFRC and XCP's guaranteed bandwidth, and of Ledger, a law of our own.
//!
//! Nothing here reads a clock, draws a random number, does I/O or allocates in a per-packet call:
//! time comes in as an argument, so that the same law drives a simulated link and a real one.
//!
//! Each protocol has a folder ([`rcp`], [`alpha_fair`], [`xcp`], [`ncp`], [`tcp`], [`cubic`], [`bbr1`],
//! [`bbr3`], [`dctcp`], [`prague`], [`swift`], [`hpcc`], [`tfrc`], [`xcp_guaranteed`], [`ledger`]), with its header, router law and host law
//! together, because the header is their contract; [`bbr`] has what two of them share, [`xcp_cloud`] what routers run
//! between themselves, [`telemetry`] what links add to packets. [`registry`] lists the protocols; a new one is a folder
//! and a line there. [`router`] and [`host`] define the two sides of a law, [`conduct`] how senders depart from
//! theirs, [`flow_counter`] counts flows at routers, [`transport`] the settings below every law, [`wire`] the format of headers on a network.

pub mod alpha_fair;
pub mod bbr;
pub mod bbr1;
pub mod bbr3;
pub mod conduct;
pub mod cubic;
pub mod dctcp;
mod draw;
pub mod flow_counter;
pub mod host;
pub mod hpcc;
pub mod ledger;
pub mod ncp;
pub mod ncp_increments;
mod plain;
pub mod prague;
pub mod protocol;
pub mod rcp;
pub mod registry;
pub mod router;
pub mod swift;
pub mod tcp;
pub mod telemetry;
pub mod tfrc;
pub mod transport;
pub mod wire;
pub mod xcp;
pub mod xcp_cloud;
pub mod xcp_guaranteed;

/// A congestion header as it crosses the wire: four 32-bit words, whose meaning the protocol's
/// folder gives. All zero in a packet that carries none.
///
/// Kept in pairs, so that a header moves in two registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WireHeader(u64, u64);

impl WireHeader {
    /// The header with these words.
    #[inline]
    pub const fn new([a, b, c, d]: [u32; 4]) -> Self {
        Self(a as u64 | (b as u64) << 32, c as u64 | (d as u64) << 32)
    }

    /// The four words.
    #[inline]
    pub const fn get(self) -> [u32; 4] {
        [self.0 as u32, (self.0 >> 32) as u32, self.1 as u32, (self.1 >> 32) as u32]
    }
}
