//! What services print in the background.

use std::fs;

use crate::run_dir::{DaemonName, RunDir};

/// What a service that is not up has printed. Warnings are left out: they are no reason to end.
pub struct ServiceLog(String);

impl ServiceLog {
    /// That of a service; empty if there is none.
    pub fn read(dir: &RunDir, name: &DaemonName) -> Self {
        Self::of(&fs::read_to_string(dir.log(name)).unwrap_or_default())
    }

    fn of(log: &str) -> Self {
        let lines: Vec<_> = log.lines().filter(|line| !line.starts_with("warning: ")).collect();
        Self(lines.join("\n").trim().to_owned())
    }

    /// Why the service ended: its error or panic, in one line. None if it was killed, whatever libraries printed before.
    pub fn reason(&self) -> Option<&str> {
        let is_reason = |line: &&str| line.starts_with("error: ") || line.starts_with("thread '");
        let line = self.0.lines().rfind(is_reason)?;
        Some(line.trim_start_matches("error: ").trim_end_matches(':'))
    }

    /// Its error, with the lines that explain it.
    pub fn error(&self) -> Option<&str> {
        let is_error = |at: &usize| *at == 0 || self.0[..*at].ends_with('\n');
        let (at, word) = self.0.rmatch_indices("error: ").find(|(at, _)| is_error(at))?;
        Some(&self.0[at + word.len()..])
    }

    /// Its error, or else everything, if there is anything.
    pub fn text(&self) -> Option<&str> {
        self.error().or((!self.0.is_empty()).then_some(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_ends_with_the_error() {
        let panic = "thread 'main' (7) panicked at a.rs:1:2";
        let panicked = format!("libbpf: unknown\n{panic}:\nno luck\n");
        for (log, reason, error, text) in [
            ("", None, None, None),
            ("warning: less room\n\n", None, None, None),
            (
                "libbpf: unknown\nerror: no device: none\n",
                Some("no device: none"),
                Some("no device: none"),
                Some("no device: none"),
            ),
            (
                "error: one\n   = help\nwarning: late\n",
                Some("one"),
                Some("one\n   = help"),
                Some("one\n   = help"),
            ),
            (
                "warning: less room\nlibbpf: error: unknown\n",
                None,
                None,
                Some("libbpf: error: unknown"),
            ),
            (&panicked, Some(panic), None, Some(panicked.trim())),
        ] {
            let of = ServiceLog::of(log);
            assert_eq!((of.reason(), of.error(), of.text()), (reason, error, text), "{log}");
        }
    }
}
