//! Flow lists that groups share: each file is read once, and every row must find its group.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sluice_sim::traffic::Listed;
use sluice_units::shortened;

use super::flow_csv::{self, GroupRows, ReplayFile};
use super::problem::Problems;
use super::row_faults::RowFaults;
use super::suggest::suggest;

/// The files read so far, with the flows not yet taken from them.
pub(crate) struct Replays<'a> {
    /// Paths of files start from here.
    folder: &'a Path,
    /// `None` for a file that cannot be used, which is reported.
    files: BTreeMap<PathBuf, Option<Replay>>,
}

struct Replay {
    /// The field that named the file first.
    field: String,
    left: ReplayFile,
    /// The groups that asked for theirs.
    asked: Vec<String>,
}

impl<'a> Replays<'a> {
    /// No files yet.
    pub fn new(folder: &'a Path) -> Self {
        Self { folder, files: BTreeMap::new() }
    }

    /// Whether rows of the file that `field` names have nodes of their own; `None` if it cannot be
    /// used.
    pub fn has_nodes(&mut self, file: &Path, field: &str, problems: &mut Problems) -> Option<bool> {
        self.file(file, field, problems).map(|replay| replay.left.has_nodes)
    }

    /// The flows of group `name` in the file that `field` names, whatever their nodes.
    pub fn flows(
        &mut self,
        file: &Path,
        name: &str,
        field: &str,
        problems: &mut Problems,
    ) -> Option<Vec<Listed>> {
        let rows = self.rows(file, name, field, problems)?;
        Some(rows.into_values().flat_map(|rows| rows.flows).collect())
    }

    /// The rows of group `name` in the file that `field` names.
    pub fn rows(
        &mut self,
        file: &Path,
        name: &str,
        field: &str,
        problems: &mut Problems,
    ) -> Option<GroupRows> {
        let replay = self.file(file, field, problems)?;
        replay.asked.push(name.into());
        let groups = &mut replay.left.groups;
        let own = groups.remove(&Some(name.to_owned())).or_else(|| groups.remove(&None));
        if own.is_none() {
            let what = format!("{}: no flows of group `{name}`", self.path(file).display());
            problems.field(field, what);
        }
        own
    }

    /// Where a file is that a scenario names.
    pub fn path(&self, file: &Path) -> PathBuf {
        self.folder.join(file)
    }

    fn file(&mut self, file: &Path, field: &str, problems: &mut Problems) -> Option<&mut Replay> {
        let path = self.path(file);
        let read = || match flow_csv::flows(&path) {
            Ok(left) => Some(Replay { field: field.into(), left, asked: Vec::new() }),
            Err(faults) => {
                faults.report(field, problems);
                None
            }
        };
        self.files.entry(path.clone()).or_insert_with(read).as_mut()
    }

    /// Reports rows whose group does not exist.
    pub fn check_all_taken(&self, problems: &mut Problems) {
        let files = self.files.iter().filter_map(|(path, file)| Some((path, file.as_ref()?)));
        for (path, Replay { field, left, asked }) in files {
            let mut faults = RowFaults::none(&path.display().to_string());
            for (name, rows) in &left.groups {
                let Some(name) = name else { continue };
                let line = rows.values().map(|rows| rows.line).min().unwrap_or(1);
                let name = shortened(name);
                let help = suggest(&name, asked.iter().map(String::as_str));
                faults.add(line, format!("unknown group `{name}`; {help}"));
            }
            faults.report(field, problems);
        }
    }
}
