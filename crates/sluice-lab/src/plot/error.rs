//! Why there is no figure.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why there is no figure.
#[derive(Debug)]
pub enum PlotError {
    /// A file could not be read or written.
    Io(PathBuf, io::Error),
    /// The name of the figure ends in neither `.svg` nor `.png`.
    Format(PathBuf),
    /// What was chosen is not in the results: what is wrong, and what is accepted.
    Choice {
        /// What is wrong.
        problem: String,
        /// What is accepted.
        help: String,
    },
    /// A PNG needs a font, and the system has none.
    NoFont,
    /// The SVG could not be painted as PNG.
    Paint(String),
}

impl PlotError {
    /// Whether the command line is wrong, not a file.
    pub fn is_input(&self) -> bool {
        matches!(self, Self::Format(_) | Self::Choice { .. })
    }
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) if error.kind() == io::ErrorKind::NotFound => write!(
                f,
                "{}: no such file; expected a folder of results written by `sluice sweep`",
                path.display()
            ),
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Format(path) => {
                write!(f, "{}: the name of a figure ends in .svg or .png", path.display())
            }
            Self::Choice { problem, help } => write!(f, "{problem}\n   = {help}"),
            Self::NoFont => f.write_str(
                "a PNG needs a font and none is installed; install one, e.g. the Debian package \
                 fonts-dejavu-core, or write an SVG",
            ),
            Self::Paint(error) => write!(f, "the figure cannot be painted: {error}"),
        }
    }
}

impl std::error::Error for PlotError {}
