//! The data plane on Linux: `sluice router`, `host`, `status`, `down`, `metrics`, `doctor` and `demo`. Without the feature `linux`
//! they explain how to get it.

mod args;
#[cfg(all(feature = "linux", target_os = "linux"))]
mod checks;
#[cfg(all(feature = "linux", target_os = "linux"))]
mod demo;
#[cfg(all(feature = "linux", target_os = "linux"))]
mod service;
#[cfg(all(feature = "linux", target_os = "linux"))]
mod settings;
#[cfg(all(feature = "linux", target_os = "linux"))]
mod watch;
#[cfg(not(all(feature = "linux", target_os = "linux")))]
mod without;

pub use args::{DemoArgs, DoctorArgs, DownArgs, HostArgs, MetricsArgs, RouterArgs, StatusArgs};
#[cfg(not(all(feature = "linux", target_os = "linux")))]
pub use without::{demo, doctor, down, host, metrics, router, status};
#[cfg(all(feature = "linux", target_os = "linux"))]
pub use {
    checks::doctor,
    demo::demo,
    service::{down, host, router},
    watch::{metrics, status},
};
