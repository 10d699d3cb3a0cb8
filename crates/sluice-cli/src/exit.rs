//! Exit codes, and output.

use std::fmt::Display;
use std::io::{self, Write};

/// An exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(pub u8);

impl Exit {
    /// Success.
    pub const SUCCESS: Self = Self(0);

    /// This one, or `next` if this is success.
    pub fn and(self, next: Self) -> Self {
        if self == Self::SUCCESS { next } else { self }
    }
}

/// The scenario, or the command line, is wrong.
pub const WRONG_INPUT: u8 = 2;
/// Interrupted by a signal: 128 + SIGINT, as in shells, whichever signal it was.
pub const INTERRUPTED: u8 = 130;

/// The exit codes, for `--help`.
pub const CODES: &str = "\
Exit status:
  0    success
  1    failure, such as a file or an output that cannot be read or written
  2    invalid scenario or command line
  130  interrupted by Ctrl-C, SIGTERM or SIGHUP; finished runs are kept";

/// Prints an error.
pub fn fail(code: u8, error: &dyn Display) -> Exit {
    note(error);
    Exit(code)
}

/// Prints a line to standard error. If that fails, there is nowhere to say so.
pub fn note(line: &dyn Display) {
    _ = writeln!(io::stderr(), "{line}");
}

/// Prints to standard output.
pub fn print(text: &str) -> Exit {
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// The exit code after writing to standard output. A reader that closes it early (`| head`) has what it
/// wants, which is no error.
pub fn written(result: io::Result<()>) -> Exit {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail(1, &format!("error: cannot write the output: {error}"))
        }
        _ => Exit::SUCCESS,
    }
}
