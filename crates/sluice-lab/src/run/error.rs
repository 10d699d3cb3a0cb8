//! Why there are no results.

use std::fmt;
use std::io;
use std::path::PathBuf;

use sluice_sim::ConfigError;

use crate::BUILD;

/// Why there are no results.
#[derive(Debug)]
pub enum RunError {
    /// A file could not be written or read.
    Io(PathBuf, io::Error),
    /// The engine refused the configuration.
    Config(ConfigError),
    /// Threads could not be started.
    Threads(String),
    /// A task was created by this other build.
    Build(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Config(error) => error.fmt(f),
            Self::Threads(error) => write!(f, "cannot start threads: {error}"),
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
