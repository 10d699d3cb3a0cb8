//! How the command ends, and how it speaks.

use std::fmt::Display;
use std::io::{self, Write};

/// The code that a command ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(pub u8);

impl Exit {
    /// All went well.
    pub const SUCCESS: Self = Self(0);
}

/// The scenario, or the command line, is wrong.
pub const WRONG_INPUT: u8 = 2;
/// Ended by Ctrl-C, as shells tell it.
pub const INTERRUPTED: u8 = 130;

/// What every command may end with, for its help.
pub const CODES: &str = "Exit codes: 0 all went well; 1 a file could not be written or read, or \
                         the machine refused; 2 the scenario or the command line is wrong; 130 \
                         ended by Ctrl-C, what was finished is kept.";

/// Tells what went wrong.
pub fn fail(code: u8, error: &dyn Display) -> Exit {
    eprintln!("{error}");
    Exit(code)
}

/// Prints to standard output; a reader that closed its end (`| head`) has seen enough.
pub fn print(text: &str) {
    _ = io::stdout().lock().write_all(text.as_bytes());
}
