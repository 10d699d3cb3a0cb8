//! Exit codes, and output.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};

/// How a command ended. The value is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// It did what it was asked to.
    Success = 0,
    /// Something outside its input failed.
    Failure = 1,
    /// The scenario or the command line is wrong.
    WrongInput = 2,
    /// Ctrl-C: 128 + SIGINT, as in shells.
    Interrupted = 130,
}

impl Exit {
    /// Every exit code, with its meaning.
    const ALL: [(Self, &str); 4] = [
        (Self::Success, "success"),
        (Self::Failure, "failure, such as a file that cannot be read or written"),
        (Self::WrongInput, "invalid scenario or command line"),
        (Self::Interrupted, "interrupted by Ctrl-C; finished runs are kept"),
    ];

    /// The number.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The exit codes, for `--help`.
    pub(crate) fn help() -> String {
        let mut help = String::from("Exit status:");
        for (exit, meaning) in Self::ALL {
            _ = write!(help, "\n  {:<5}{meaning}", exit.code());
        }
        help
    }
}

/// Prints an error.
pub(crate) fn fail(exit: Exit, error: &dyn Display) -> Exit {
    eprintln!("{error}");
    exit
}

/// Prints to standard output. A closed pipe (`| head`) is no error.
pub(crate) fn print(text: &str) {
    _ = io::stdout().lock().write_all(text.as_bytes());
}
