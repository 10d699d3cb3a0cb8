//! What services print in the background.

use std::fs;

use crate::run_dir::{DaemonName, RunDir};

/// Why a service ended that is not up, by its log: what it printed but warnings, from its error on, if there is one. What
/// libraries print comes before.
pub fn last_words(dir: &RunDir, name: &DaemonName) -> Option<String> {
    last_words_of(&fs::read_to_string(dir.log(name)).ok()?)
}

fn last_words_of(log: &str) -> Option<String> {
    let lines: Vec<&str> = log.lines().filter(|line| !line.starts_with("warning: ")).collect();
    let error = lines.iter().rposition(|line| line.starts_with("error: "));
    let words = lines[error.unwrap_or(0)..].join("\n");
    let words = words.trim().trim_start_matches("error: ");
    (!words.is_empty()).then(|| words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_ends_with_the_error() {
        for (log, words) in [
            ("", None),
            ("warning: less room\n\n", None),
            ("libbpf: unknown\nerror: no device: none\n", Some("no device: none")),
            ("error: one\n   = help\nwarning: late\n", Some("one\n   = help")),
            ("warning: less room\nkilled by a library\n", Some("killed by a library")),
        ] {
            assert_eq!(last_words_of(log).as_deref(), words, "{log}");
        }
    }
}
