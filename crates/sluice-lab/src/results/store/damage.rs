//! What is wrong with a stored run.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// A file of a stored run that is not as it was written. Such a run is made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub kind: DamageKind,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DamageKind {
    /// There is no such file.
    Missing,
    /// Its contents are not those that were written: altered, or cut short.
    Altered,
    /// It cannot be read, with the reason.
    Unreadable(String),
}

impl DamageKind {
    /// Why a file cannot be read.
    pub(super) fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            _ => Self::Unreadable(error.to_string()),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match &self.kind {
            DamageKind::Missing => write!(f, "{file} is missing"),
            DamageKind::Altered => write!(f, "{file} is not as it was written"),
            DamageKind::Unreadable(error) => write!(f, "{file}: {error}"),
        }
    }
}
