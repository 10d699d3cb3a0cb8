//! The data plane on Linux as services. A router is a process for each device ([`run_router`]), the host of a machine one
//! more ([`run_host`]), in the network namespace of its devices. Each has a control socket in a [`RunDir`], by which [`reports`] asks for its state and
//! [`take_down`] ends it; both also find what a killed process left.
//!
//! The command line is in `sluice-cli` (feature `linux`); nothing here prints or parses arguments.
//!
//! What a process changes, and who puts it back:
//!
//! | change | ends with |
//! |---|---|
//! | filter of a router at its device | the process in order; a killed one leaves it, so that expired grants are cut |
//! | programs of a host at a cgroup, its congestion control | the process, also if it is killed |
//! | filters of a host at its devices, sysctls | the process in order; else the next `up` or `down` |

mod cgroup;
mod daemon;
mod doctor;
mod error;
mod format;
mod metrics;
mod metrics_server;
mod netns;
mod report;
mod run_dir;
mod settings;
mod status;
mod sysctl;

pub use daemon::{
    Change, be_punctual, clean, down_changes, host_changes, leave_terminal, reports,
    router_changes, router_name, run_host, run_router, services, start_in_background, stop_flag,
    take_down,
};
pub use doctor::{Check, CheckOutcome, Prospect, examine};
pub use error::LiveError;
pub use metrics::metrics_text;
pub use metrics_server::serve_metrics;
pub use netns::network_namespace;
pub use report::{DaemonReport, HostReport, RouterReport};
pub use run_dir::{DaemonName, DaemonRole, RunDir};
pub use settings::{HostSettings, LiveSettings, RouterRcp, RouterSettings};
pub use status::status_table;
pub use sysctl::{HOST_PARAMETERS, has_host_still};
