//! The `sluice` command, run as a user runs it.

mod commands;
mod common;
mod complete;
mod exit;
