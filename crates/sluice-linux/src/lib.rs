//! The router's fast path in a stock Linux kernel: `arrive` and `stamp` of RCP, XCP, NCP (plain, with
//! compensation, or with flows counted by a bitmap), XCP derived from NCP and Ledger in BPF (`src/bpf/`), with the
//! header in a TCP option (`docs/wire.md`).
//!
//! [`KernelRouter`] loads the program, one for each link. Through [`KernelLaw`] the slow path reads the
//! program's sums and installs new grants.
//!
//! The controller measures the link, queue included, and fills in a [`sluice_laws::router::LinkSample`].
//! Its `waiting` is the backlog of the qdisc: packets handed to the device have left it.
//!
//! The program and `sluice_laws` agree bit for bit, which `tests/fast_path` checks.

mod clock;
mod controller;
mod error;
mod flows;
mod hook;
mod law;
mod map;
mod router;
mod skeleton;
mod traffic;
mod virtual_queue;

pub use clock::monotonic_now;
pub use controller::{ControllerSettings, LinkController, LinkStatus, TickCounts};
pub use error::Error;
pub use flows::CountedInterval;
pub use hook::{AttachedRouter, Device};
pub use law::KernelLaw;
pub use router::{KernelRouter, Ncp, Parser, ProgramMemory};
pub use traffic::TrafficCounts;
