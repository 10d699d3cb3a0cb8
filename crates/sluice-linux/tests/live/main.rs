//! RCP between network namespaces: this kernel's TCP, unmodified programs, the hosts' and routers' programs at work.
//!
//! Where the kernel rejects the programs, without root, or where a tool is missing, the tests report that on stderr and
//! pass; with `SLUICE_LINUX=must` they fail.

mod fallback;
mod garbled;
mod hosts;
mod lies;
mod middlebox;
mod network;
mod never_worse;
mod router;
mod sharing;
