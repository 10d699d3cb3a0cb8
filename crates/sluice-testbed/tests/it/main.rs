//! Real namespaces, devices and programs. Each test skips with a notice if the machine lacks something.

#![cfg(target_os = "linux")]

mod bed;
mod cleanup;
mod links;
mod namespaces;
mod programs;
mod throughput;
mod transfers;
mod web;
