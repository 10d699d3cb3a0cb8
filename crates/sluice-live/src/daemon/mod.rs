//! Processes of the data plane: what they do, how they are started, asked and ended.

mod change;
mod change_down;
mod change_up;
mod client;
mod control;
mod end;
mod filters;
mod host;
mod host_devices;
mod host_listeners;
mod host_plan;
mod host_state;
mod lock;
mod log;
mod notify;
mod privilege;
mod router;
mod start;

pub use change::Change;
pub use change_down::down_changes;
pub use change_up::{host_changes, router_changes};
pub use client::reports;
pub use control::stop_flag;
pub use end::{clean, router_name, services, take_down};
pub use host::run_host;
pub use privilege::{be_punctual, need as need_privileges};
pub use router::run_router;
pub use start::{leave_terminal, start_in_background};
