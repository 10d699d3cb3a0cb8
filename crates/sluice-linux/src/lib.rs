//! The router's fast path in a stock Linux kernel: what `arrive` and `stamp` of RCP, XCP and NCP do to
//! packets, in BPF (`src/bpf/`), with the header in a TCP option (`docs/wire.md`).
//!
//! [`KernelRouter`] loads the program and is the slow path's door to it: through [`KernelLaw`] it reads what the
//! program summed and hands it new grants. One is loaded for each link.
//!
//! What a link measures, queue included, is for the controller to tell in a `sluice_laws::router::View`.
//! `View::waiting` is the backlog of the qdisc: packets that were handed to the device have left it.
//!
//! The program and `sluice_laws` agree bit for bit; `tests/fast_path` holds them to it.

mod error;
mod law;
mod map;
mod router;
mod skeleton;

pub use error::Error;
pub use law::KernelLaw;
pub use router::{KernelRouter, Parser, ProgramMemory};
