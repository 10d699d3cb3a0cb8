//! Why there is no page.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::Damage;

/// Why there is no page.
#[derive(Debug)]
pub enum ReportError {
    /// A file could not be read or written.
    Io(PathBuf, io::Error),
    /// A file of a run is not as it was written.
    Damaged(Damage),
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) if error.kind() == io::ErrorKind::NotFound => write!(
                f,
                "{}: no such file; expected a folder of results written by `sluice run`",
                path.display()
            ),
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Damaged(damage) => write!(f, "{damage}; run the scenario again to repair it"),
        }
    }
}

impl std::error::Error for ReportError {}
