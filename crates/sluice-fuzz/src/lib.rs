//! Fuzzing: random scenarios are read, planned and run ([`scenarios`]), and random events happen to the
//! laws ([`laws`]). Nothing may panic, hang or grow without bound, and results must make sense.
//!
//! Every input has a number, which alone determines it. The program `sluice-fuzz` runs millions of
//! numbers in worker processes and writes each input that fails to a file; `docs/reliability.md` has the
//! counts. The tests of this crate run the first few thousand, and every input that once failed.

pub mod laws;
pub mod pulse;
pub mod scenarios;
