//! The `sluice` command as a process, in one binary.

mod common;
mod output;
mod run;
#[cfg(unix)]
mod signals;
mod writers;
