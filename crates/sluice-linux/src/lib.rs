//! The router's fast path in a stock Linux kernel: `arrive` and `stamp` of RCP, XCP, NCP (plain, with
//! compensation, or with flows counted by a bitmap), XCP derived from NCP and Ledger in BPF (`src/bpf/`), with the
//! header in a TCP option (`docs/wire.md`).
//!
//! [`KernelRouter`] loads the program, one for each link; [`KernelRouter::attach`] puts it at the egress of a [`Device`].
//! Through [`KernelLaw`] a slow path reads the program's sums and installs new grants. [`LinkController`] is that slow path
//! for laws without budgets:
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//!
//! use sluice_laws::protocol::LinkContext;
//! use sluice_laws::rcp::router::RcpRouter;
//! use sluice_linux::{
//!     ControllerSettings, Device, KernelRouter, LinkController, Ncp, Parser, ProgramMemory, linux_rcp_params,
//! };
//! use sluice_units::{Bytes, Rate};
//!
//! let mut memory = ProgramMemory::default();
//! let router = KernelRouter::load(&mut memory, Parser::default(), Ncp::default())?;
//! let link = LinkContext { capacity: Rate::from_bps(100_000_000), packet: Bytes::new(1_514) };
//! let law = RcpRouter::new(&linux_rcp_params(), &link);
//! let settings = ControllerSettings::default();
//! let mut controller = LinkController::new(&router, law, link.capacity, settings)?;
//! let attached = router.attach(&Device::named("eth0")?)?;
//! let stop = AtomicBool::new(false);
//! controller.run(&stop, |_| Ok(()))?;
//! attached.detach()?;
//! # Ok::<(), sluice_linux::Error>(())
//! ```
//!
//! The program counts all packets ([`TrafficCounts`]), and keeps the queue that the link would have at its capacity
//! ([`KernelRouter::set_virtual_queue`]): bytes in less capacity x time, whichever qdisc the device has.
//!
//! The program and `sluice_laws` agree bit for bit, which `tests/fast_path` checks.

mod clock;
mod controller;
mod error;
mod flows;
mod hook;
mod host;
mod law;
mod map;
mod router;
mod skeleton;
mod traffic;
mod virtual_queue;

pub use clock::monotonic_now;
pub use controller::{
    ControllerSettings, LinkController, LinkStatus, TickCounts, initial_rate, linux_rcp_params,
};
pub use error::Error;
pub use flows::CountedInterval;
pub use hook::{AttachedFilter, Device, FilterRole, FlowCensus};
pub use host::{AttachedHost, HostCounts, KernelHost, ListenerCounts};
pub use law::KernelLaw;
pub use router::{KernelRouter, Ncp, Parser, ProgramMemory};
pub use traffic::TrafficCounts;
pub use virtual_queue::QueueSample;
