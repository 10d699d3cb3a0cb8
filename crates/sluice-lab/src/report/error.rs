//! Why there is no page.

use std::fmt;
use std::io;
use std::path::PathBuf;

use parquet::errors::ParquetError;

/// Why there is no page.
#[derive(Debug)]
pub enum ReportError {
    /// A file could not be read or written.
    Io(PathBuf, io::Error),
    /// A run's file cannot be read.
    Run(PathBuf, ParquetError),
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) if error.kind() == io::ErrorKind::NotFound => write!(
                f,
                "{}: there is no such file: a folder of results is what `sluice run` wrote",
                path.display()
            ),
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Run(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for ReportError {}
