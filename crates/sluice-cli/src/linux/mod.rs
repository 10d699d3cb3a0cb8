//! The data plane on Linux: `sluice router`, `host`, `status`, `down`, `metrics` and `doctor`. Without the feature `linux`
//! they explain how to get it.

mod args;
#[cfg(all(feature = "linux", target_os = "linux"))]
mod checks;
#[cfg(all(feature = "linux", target_os = "linux"))]
mod service;
#[cfg(all(feature = "linux", target_os = "linux"))]
mod settings;
#[cfg(all(feature = "linux", target_os = "linux"))]
mod watch;
#[cfg(not(all(feature = "linux", target_os = "linux")))]
mod without;

pub use args::{DoctorArgs, DownArgs, HostArgs, MetricsArgs, RouterArgs, StatusArgs};
#[cfg(not(all(feature = "linux", target_os = "linux")))]
pub use without::{doctor, down, host, metrics, router, status};
#[cfg(all(feature = "linux", target_os = "linux"))]
pub use {
    checks::doctor,
    service::{down, host, router},
    watch::{metrics, status},
};
