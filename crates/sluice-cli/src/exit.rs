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
    /// A signal: 128 + SIGINT, as in shells, whichever signal it was.
    Interrupted = 130,
}

impl Exit {
    /// Every exit code, with its meaning.
    const ALL: [(Self, &str); 4] = [
        (Self::Success, "success"),
        (
            Self::Failure,
            "failure: files or output that cannot be read or written, a machine too small, a kernel \
             that refuses, a service that is up already or has failed",
        ),
        (Self::WrongInput, "invalid scenario, settings or command line"),
        (
            Self::Interrupted,
            "interrupted by Ctrl-C, SIGTERM or SIGHUP; finished runs are kept. Routers and hosts end in order then, with 0",
        ),
    ];

    /// The number.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// This one, or `next` if this is success.
    pub fn and(self, next: Self) -> Self {
        if self == Self::Success { next } else { self }
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
    note(error);
    exit
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
            fail(Exit::Failure, &format!("error: cannot write the output: {error}"))
        }
        _ => Exit::Success,
    }
}
