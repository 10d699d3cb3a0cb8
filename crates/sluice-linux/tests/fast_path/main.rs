//! The program in the kernel against `sluice_laws`, packet by packet, through the kernel's own test run
//! (`BPF_PROG_TEST_RUN`): exact bytes, exact sums, exact budgets.
//!
//! Where the kernel does not take the program, or this is not root, the tests say so on stderr and
//! pass; with `SLUICE_LINUX=must` they fail. `SLUICE_LINUX_PACKETS` says how many random packets there
//! are, `SLUICE_LINUX_SEED` which.

mod bed;
mod checksum;
mod craft;
mod crafted;
mod grants;
mod locate;
mod malformed;
mod model;
mod random;
mod reading;
mod vectors;
