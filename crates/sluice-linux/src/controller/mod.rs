//! The slow path of a law at a link in the kernel.

mod link;
mod meters;
mod rcp;
mod report;
mod run;
mod settings;
mod status;
mod timer;

pub use link::LinkController;
pub use rcp::{initial_rate, linux_rcp_params};
pub use settings::ControllerSettings;
pub use status::{LinkStatus, TickCounts};
