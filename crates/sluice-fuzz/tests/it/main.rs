//! The first inputs of the fuzzer, and every input that once failed.

mod found;
mod laws;
mod scenarios;
