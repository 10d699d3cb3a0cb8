//! Exit codes, and output.

use std::fmt::Display;
use std::io::{self, Write};

/// An exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(pub u8);

impl Exit {
    /// Success.
    pub const SUCCESS: Self = Self(0);
}

/// The scenario, or the command line, is wrong.
pub const WRONG_INPUT: u8 = 2;
/// Interrupted by Ctrl-C: 128 + SIGINT, as in shells.
pub const INTERRUPTED: u8 = 130;

/// The exit codes, for `--help`.
pub const CODES: &str = "\
Exit status:
  0    success
  1    failure, such as a file that cannot be read or written
  2    invalid scenario or command line
  130  interrupted by Ctrl-C; finished runs are kept";

/// Prints an error.
pub fn fail(code: u8, error: &dyn Display) -> Exit {
    eprintln!("{error}");
    Exit(code)
}

/// Prints to standard output. A closed pipe (`| head`) is no error.
pub fn print(text: &str) {
    _ = io::stdout().lock().write_all(text.as_bytes());
}
