//! What is wrong with a file beside the scenario, as one short problem.

use super::problem::Problems;

/// The faults of a file: the first ones with their lines, and how many there are.
#[derive(Debug)]
pub(crate) struct RowFaults {
    file: String,
    first: Vec<RowFault>,
    count: usize,
}

#[derive(Debug)]
struct RowFault {
    /// From 1; `None` if it concerns the whole file.
    line: Option<usize>,
    what: String,
}

impl RowFaults {
    /// How many faults are printed.
    const SHOWN: usize = 3;

    /// None yet.
    pub fn none(file: &str) -> Self {
        Self { file: file.into(), first: Vec::new(), count: 0 }
    }

    /// The file cannot be used as a whole.
    pub fn whole(file: &str, what: impl Into<String>) -> Self {
        let fault = RowFault { line: None, what: what.into() };
        Self { file: file.into(), first: vec![fault], count: 1 }
    }

    /// Adds a fault of a line.
    pub fn add(&mut self, line: usize, what: impl Into<String>) {
        self.count += 1;
        // A quoted cell may contain line ends.
        let what = what.into().replace(['\r', '\n'], " ");
        self.first.push(RowFault { line: Some(line), what });
        self.first.sort_by_key(|fault| fault.line);
        self.first.truncate(Self::SHOWN);
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Reports the faults at the field that names the file.
    pub fn report(&self, field: &str, problems: &mut Problems) {
        let Self { file, first, count } = self;
        match &first[..] {
            [] => {}
            [RowFault { line: None, what }] => problems.field(field, format!("{file}: {what}")),
            [RowFault { line: Some(line), what }] => {
                problems.field(field, format!("{file}:{line}: {what}"));
            }
            several => {
                let mut lines: Vec<String> = several.iter().map(RowFault::to_string).collect();
                if *count > several.len() {
                    lines.push(format!("and {} more", count - several.len()));
                }
                problems.field_help(field, format!("{file}: {count} errors"), lines.join("\n"));
            }
        }
    }
}

impl std::fmt::Display for RowFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}
