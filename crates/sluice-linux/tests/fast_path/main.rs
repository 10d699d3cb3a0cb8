//! The program in the kernel against `sluice_laws`, packet by packet, with the kernel's own test
//! run (`BPF_PROG_TEST_RUN`): exact bytes, exact sums, exact budgets. And the program of hosts for devices.
//!
//! Where the kernel rejects the program, or without root, the tests report that on stderr and pass;
//! with `SLUICE_LINUX=must` they fail. `SLUICE_LINUX_PACKETS` sets the number of random packets,
//! `SLUICE_LINUX_SEED` their seed.

mod bed;
mod checksum;
mod compensation;
mod craft;
mod crafted;
mod draw;
mod flows;
mod grants;
mod increments;
mod ledger;
mod locate;
mod longest_rtt;
mod malformed;
mod model;
mod random;
mod random_room;
mod reading;
mod room;
mod vectors;
