//! What a machine has and lacks for the data plane, and how to mend it.

mod check;
mod device;
mod kernel;
mod tcp;

pub use check::{Check, CheckOutcome, Prospect};

/// Looks at this machine: at the kernel, at these devices (all Ethernet devices that are up, if there are none), and
/// at the kernel's TCP. Changes nothing.
pub fn examine(devices: &[String], prospect: Option<Prospect>) -> Vec<Check> {
    let mut checks = kernel::checks();
    checks.extend(device::checks(devices));
    checks.extend(tcp::checks(prospect));
    checks
}
