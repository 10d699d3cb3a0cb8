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
    /// A sweep has more points than a page can show.
    TooManyPoints {
        /// How many it has.
        points: usize,
        /// How many a page can show.
        most: usize,
    },
    /// A file of a run is not as it was written.
    Damaged(Damage),
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) if error.kind() == io::ErrorKind::NotFound => write!(
                f,
                "{}: no such file; expected a folder of results written by `sluice run` \
                 or `sluice sweep`",
                path.display()
            ),
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::TooManyPoints { points, most } => write!(
                f,
                "{points} points are too many for a page, at most {most}; use `sluice plot`, or \
                 `sluice report` on the folder of a point"
            ),
            Self::Damaged(damage) => write!(f, "{damage}; run the scenario again to repair it"),
        }
    }
}

impl std::error::Error for ReportError {}
