//! Why a service could not be started, asked or ended.

use std::fmt;
use std::io;

use sluice_units::Fault;

/// An error for an operator.
#[derive(Debug)]
pub enum LiveError {
    /// The kernel refused.
    Kernel(sluice_linux::Error),
    /// A file or socket, by its name, cannot be used.
    File(String, io::Error),
    /// A setting is wrong.
    Setting(Fault),
    /// Anything else, as a sentence.
    Other(String),
}

impl LiveError {
    /// An error of a file or socket.
    pub(crate) fn file(path: impl fmt::Display) -> impl FnOnce(io::Error) -> Self {
        move |cause| Self::File(path.to_string(), cause)
    }

    pub(crate) fn other(what: impl Into<String>) -> Self {
        Self::Other(what.into())
    }

    /// Whether the command line or the settings are wrong, rather than the machine.
    pub fn is_input(&self) -> bool {
        matches!(self, Self::Setting(_))
    }
}

impl fmt::Display for LiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kernel(cause) => cause.fmt(f),
            Self::File(path, cause) => write!(f, "{path}: {cause}"),
            Self::Setting(fault) => fault.fmt(f),
            Self::Other(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for LiveError {}

impl From<sluice_linux::Error> for LiveError {
    fn from(cause: sluice_linux::Error) -> Self {
        Self::Kernel(cause)
    }
}
