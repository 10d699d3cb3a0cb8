//! A router's live data plane in the kernel: counts, the virtual queue, a law's controller, and the hook of a device.
//!
//! Packets pass by the kernel's own test run (`BPF_PROG_TEST_RUN`), in real time, so bounds are asserted rather than
//! exact numbers. Devices are in network namespaces that the tests create. Without root, and where the kernel rejects the
//! program, tests report that on stderr and pass; with `SLUICE_LINUX=must` they fail.

mod attach;
mod bed;
mod census;
mod control;
mod counts;
#[path = "../fast_path/craft.rs"]
#[allow(dead_code)]
mod craft;
mod namespace;
mod queue;
