//! Flow lists that groups share: each file is read once, and every row must find its group.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sluice_sim::traffic::Listed;

use super::flow_csv::{self, ReplayFlows};
use super::problem::Problems;
use super::suggest::suggest;

/// The files read so far, with the flows not yet taken from them.
#[derive(Default)]
pub(crate) struct Replays(BTreeMap<PathBuf, Replay>);

struct Replay {
    /// The field that named the file first.
    field: String,
    left: ReplayFlows,
    /// The groups that asked for theirs.
    asked: Vec<String>,
}

impl Replays {
    /// The flows of group `name` in the file that `field` names.
    pub(crate) fn take(
        &mut self,
        file: PathBuf,
        name: &str,
        field: &str,
        problems: &mut Problems,
    ) -> Option<Vec<Listed>> {
        if !self.0.contains_key(&file) {
            let left = problems.keep(field, flow_csv::flows(&file))?;
            let replay = Replay { field: field.into(), left, asked: Vec::new() };
            self.0.insert(file.clone(), replay);
        }
        let replay = self.0.get_mut(&file)?;
        replay.asked.push(name.into());
        let own = replay.left.remove(&Some(name.to_owned())).or_else(|| replay.left.remove(&None));
        if own.is_none() {
            problems.field(field, format!("{}: no flows of group `{name}`", file.display()));
        }
        own
    }

    /// Reports rows whose group does not exist.
    pub(crate) fn check_all_taken(&self, problems: &mut Problems) {
        for (file, Replay { field, left, asked }) in &self.0 {
            for name in left.keys().flatten() {
                let what = format!("{}: unknown group `{name}`", file.display());
                problems.field_help(field, what, suggest(name, asked.iter().map(String::as_str)));
            }
        }
    }
}
