//! The egress of a device, and the program there.

mod attach;
mod census;
mod device;
mod netlink;
mod qdisc;

pub use attach::{AttachedFilter, FilterRole};
pub use census::FlowCensus;
pub use device::Device;
