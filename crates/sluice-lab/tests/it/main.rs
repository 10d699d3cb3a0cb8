//! The tests from outside, in one binary, which is built sooner than one for each file. A test that
//! needs a process of its own is a file beside this folder.

mod common;
mod damaged;
mod fuzz;
mod limits;
mod manual;
mod measured;
mod own_law;
mod parquet;
mod report;
mod results;
mod scenarios;
mod statistics;
mod stored;
mod sweeps;
mod tasks;
mod traces;
mod traffic;
mod transport;
mod wrong_files;
