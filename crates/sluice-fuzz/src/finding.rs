//! An input that failed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::target::Target;

/// The most files of failures with the same reason.
const MAX_FILES: u64 = 3;

/// The failures so far, by their reason without numbers.
#[derive(Debug, Default)]
pub struct Findings(BTreeMap<String, u64>);

impl Findings {
    /// Notes a failure, and writes its file unless there are enough of its kind.
    pub fn add(
        &mut self,
        target: Target,
        number: u64,
        errors: &str,
        folder: &Path,
    ) -> io::Result<Option<PathBuf>> {
        let times = self.0.entry(kind(errors)).or_default();
        *times += 1;
        if *times > MAX_FILES {
            return Ok(None);
        }
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("{}-{number}.toml", target.name()));
        let command = format!("cargo run --profile fuzz -p sluice-fuzz -- {}", target.name());
        let errors: String = errors.lines().map(|line| format!("# {line}\n")).collect();
        let text = target.text(number);
        fs::write(&path, format!("# {command} --from {number} --count 1\n{errors}{text}"))?;
        Ok(Some(path))
    }

    /// The number of failures of each kind.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(kind, &times)| (kind.as_str(), times))
    }
}

/// The place and the first line of the last panic, without numbers; otherwise the last line.
fn kind(errors: &str) -> String {
    let lines: Vec<&str> = errors.lines().filter(|line| !line.is_empty()).collect();
    let panic = lines.iter().rposition(|line| line.contains("panicked at"));
    let of =
        panic.map_or(lines.len().saturating_sub(1)..lines.len(), |at| at..lines.len().min(at + 2));
    let text: String = lines[of].concat();
    let place = text.find("panicked at").unwrap_or(0);
    text[place..].chars().filter(|c| !c.is_ascii_digit()).take(200).collect()
}
