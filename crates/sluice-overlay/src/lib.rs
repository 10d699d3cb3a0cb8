//! An overlay of software routers under NCP: case study 10.1 of D. Fesehaye, K. Nahrstedt, M. Caesar, "A Network
//! Congestion control Protocol (NCP)".
//!
//! "Each software router in the overlay network estimates its corresponding inbound and outbound link
//! capacities, receives NCP frames (packets) and calculates R(t). Each software router then adjusts the sending rate
//! of the sources attached to it based on the feedback it receives from the corresponding ACK packets."
//!
//! Each router, source and sink is a process with a UDP socket on the loopback interface ([`processes`]). The law
//! objects are those that the simulator runs: [`link`] has NCP's router law with a capacity that [`capacity`] estimates,
//! [`source`] its sender. Both take time as an argument. [`emulated`] is the network between routers, and
//! [`datagram`] the format. [`demo`] runs an overlay of three routers and compares the rates with max-min
//! fair ones.
//!
//! Two departures from the paper. The source's process adjusts its rate, by NCP's sender, which paces by the rate that
//! returns in ACKs; in the paper the router does, to which the source is attached. And the law runs at outbound links
//! only: the inbound link of a router is the outbound link of another, whose law grants its rate. The inbound
//! estimate is reported, not used.

pub mod capacity;
pub mod command;
pub mod datagram;
pub mod demo;
pub mod emulated;
pub mod endpoint;
pub mod error;
pub mod link;
pub mod plan;
pub mod processes;
pub mod source;
