//! Network namespaces, emulated links and processes on one machine, for tests and demos of the data
//! plane.
//!
//! A [`Namespace`] is a host or a router. A [`Link`] joins two of them by TAP devices, and emulates
//! rate, buffer, delay, loss and reordering in user space, so that it needs no `netem` and knows its
//! queue and its drops exactly; [`veth`] joins them without emulation. A [`Program`] runs unmodified
//! in a namespace and in a [`Cgroup`]. Everything goes away when its value is dropped, and with the
//! process if that is killed, except for empty cgroups, which the next process removes.
//!
//! It needs root on Linux; [`requirements`] lists what a machine lacks.
//!
//! ```no_run
//! # use sluice_testbed::{DirectionConfig, Link, Namespace, Program};
//! # use sluice_units::{Bytes, Rate, Span};
//! # fn main() -> Result<(), sluice_testbed::TestbedError> {
//! let (left, right) = (Namespace::new()?, Namespace::new()?);
//! let way = DirectionConfig {
//!     rate: Some(Rate::from_bps(100_000_000)),
//!     delay: Span::from_millis(10),
//!     buffer: Bytes::new(250_000),
//!     ..DirectionConfig::default()
//! };
//! let link = Link::new(&left, "right", &right, "left", way, way)?;
//! left.add_address("right", "198.18.0.1/24")?;
//! right.add_address("left", "198.18.0.2/24")?;
//! Program::new("ping").args(["-c", "1", "198.18.0.2"]).output(&left)?;
//! println!("{} packets", link.forward().counters().packets);
//! # Ok(())
//! # }
//! ```

#![cfg(target_os = "linux")]

mod cgroup;
mod config;
mod counters;
mod direction;
mod error;
mod frame;
mod iperf;
mod lateness;
mod link;
mod namespace;
mod program;
mod relay;
mod requirements;
mod server;
mod spawner;
mod sys;
mod tap;
mod veth;
mod web;

pub use cgroup::Cgroup;
pub use config::{DirectionConfig, Reordering};
pub use counters::LinkCounters;
pub use error::TestbedError;
pub use iperf::{
    IPERF3_PORT, IperfClient, IperfInterval, IperfReport, IperfStream, iperf3_client, iperf3_server,
};
pub use lateness::Lateness;
pub use link::{Link, LinkDirection};
pub use namespace::Namespace;
pub use program::{Program, Running};
pub use requirements::{can_test, requirements, skip_test};
pub use server::start_server;
pub use veth::veth;
pub use web::{Download, WEB_PORT, web_server};
