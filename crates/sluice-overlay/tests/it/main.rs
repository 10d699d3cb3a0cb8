//! Real processes on the loopback interface.

mod common;
mod demo;
mod endings;
