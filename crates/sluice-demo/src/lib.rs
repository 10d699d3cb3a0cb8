//! Scenarios played by this machine's kernel: its TCP, nginx, curl and iperf3 over emulated links between network
//! namespaces, and RCP's routers and hosts in BPF.
//!
//! [`LinuxMeasurement`] is a [`Measurement`](sluice_lab::Measurement): its runs have the flows of the simulated ones and
//! stand beside them in every result.

#![cfg(target_os = "linux")]

mod address;
mod check;
mod clock;
mod doubts;
mod error;
mod kernel;
mod layout;
mod meters;
mod network;
mod play;
mod rcp;
mod records;
mod transfers;
mod workload;

pub use check::{check, differences};
pub use error::DemoError;
pub use kernel::{measured, requirements};
pub use play::LinuxMeasurement;
