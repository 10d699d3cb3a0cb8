//! Names of the paths that flows take.

use std::collections::HashMap;

use parquet::data_type::ByteArray;
use sluice_sim::{LinkId, Paths};

use crate::Plan;

/// The names of the data paths of flows, each made once.
pub struct PathNames<'a> {
    plan: &'a Plan,
    /// Of each group.
    paths: Vec<Paths>,
    names: HashMap<Vec<LinkId>, ByteArray>,
}

impl<'a> PathNames<'a> {
    /// Names of these paths, of each group.
    pub fn new(plan: &'a Plan, paths: Vec<Paths>) -> Self {
        Self { plan, paths, names: HashMap::new() }
    }

    /// The path of a flow, as [`Plan::path`] names it.
    pub fn of_flow(&mut self, group: usize, index: u64) -> ByteArray {
        let path = self.paths[group].out.of_flow(index);
        if let Some(name) = self.names.get(&*path) {
            return name.clone();
        }
        let name = ByteArray::from(self.plan.path(&path).as_str());
        self.names.insert(path.into_owned(), name.clone());
        name
    }
}
