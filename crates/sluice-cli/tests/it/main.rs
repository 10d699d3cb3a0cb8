//! The `sluice` command, run as a user runs it.

mod commands;
mod common;
mod complete;
mod cost;
mod estimate;
mod exit;
mod full_disk;
mod output;
#[cfg(unix)]
mod signals;
#[cfg(not(feature = "linux"))]
mod without_linux;
mod writers;
