//! Why there are no results.

use std::fmt;
use std::io;
use std::path::PathBuf;

use sluice_sim::ConfigError;
use sluice_units::{Bytes, Time};

use crate::BUILD;
use crate::cost::text::size;
use crate::results::System;

/// Why there are no results.
#[derive(Debug)]
pub enum RunError {
    /// A file could not be written or read.
    Io(PathBuf, io::Error),
    /// The engine refused the configuration.
    Config(ConfigError),
    /// Threads could not be started.
    Threads(String),
    /// A run grew beyond [`Options::memory`](crate::Options::memory).
    Memory {
        /// Its protocol or ideal.
        system: System,
        /// Its seed.
        seed: u64,
        /// Memory of its packets in queues and on wires, its flows, and traced events that wait.
        taken: Bytes,
        /// Its part of the memory.
        available: Bytes,
        /// How far it had come.
        time: Time,
    },
    /// A run on a network failed.
    Measurement {
        /// What was measured.
        system: System,
        /// The seed of its flows.
        seed: u64,
        /// Why it failed.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A task was created by this other build.
    Build(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Config(error) => error.fmt(f),
            Self::Threads(error) => write!(f, "cannot start threads: {error}"),
            Self::Memory { system, seed, taken, available, time } => write!(
                f,
                "run of {system} with seed {seed}: packets in queues and flows take {} of memory at {time}, \
                 but {} are available to each run\n   \
                 = a queue without a limit takes all that is sent to it: limit `buffer`, or the load\n   \
                 = fewer `threads` leave more memory to each run",
                size(*taken),
                size(*available)
            ),
            Self::Measurement { system, seed, error } => {
                write!(f, "measurement of {system} with seed {seed}: {error}")
            }
            Self::Build(other) => {
                write!(
                    f,
                    "the task was created by build {other}, but this is {BUILD}: install the same build on all machines"
                )
            }
        }
    }
}

impl std::error::Error for RunError {}
