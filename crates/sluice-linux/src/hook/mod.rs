//! The egress of a device, and the program there.

mod attach;
mod device;
mod netlink;
mod qdisc;

pub use attach::AttachedRouter;
pub use device::Device;
