//! The slow path of a law at a link in the kernel.

mod link;
mod meters;
mod report;
mod run;
mod settings;
mod status;
mod timer;

pub use link::LinkController;
pub use settings::ControllerSettings;
pub use status::{LinkStatus, TickCounts};
