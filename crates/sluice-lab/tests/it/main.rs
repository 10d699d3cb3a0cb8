//! Integration tests, in one binary, which builds faster than one per file. A test that needs a
//! separate process is a file beside this folder.

mod common;
mod cost;
mod damaged;
mod datagrams;
mod format;
mod graphml;
mod large;
mod limits;
mod links;
mod manual;
mod many_paths;
mod matrices;
mod measured;
mod mixed_laws;
mod own_law;
mod parquet;
mod plot;
mod replayed;
mod report;
mod results;
mod scenarios;
mod schedules;
mod statistics;
mod stored;
mod sweeps;
mod tables;
mod tasks;
mod topologies;
mod traces;
mod traffic;
mod transport;
mod unsuited;
mod watched;
mod writers;
mod wrong_files;
