//! Scenarios played by this kernel, beside their simulation.
//!
//! Where the machine lacks something, the tests report that on stderr and pass; with `SLUICE_LINUX=must` they fail.

#![cfg(target_os = "linux")]

mod bed;
mod links;
mod sharing;
