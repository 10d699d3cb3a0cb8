//! The services of the data plane on Linux, between network namespaces, with the command as it is built for operators.
//!
//! Without root, or where a tool is missing, the tests report that on stderr and pass; with `SLUICE_LINUX=must` they fail.

#![cfg(target_os = "linux")]

mod bed;
mod changes;
mod demo;
mod devices;
mod doctor;
mod flows;
mod killed;
mod metrics;
mod refused;
mod settings;
mod signals;
mod units;
