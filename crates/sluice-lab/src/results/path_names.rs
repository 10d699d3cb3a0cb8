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
    /// By their links.
    names: HashMap<Vec<LinkId>, ByteArray>,
}

impl<'a> PathNames<'a> {
    /// Names of these paths, of each group.
    pub fn new(plan: &'a Plan, paths: Vec<Paths>) -> Self {
        Self { plan, paths, names: HashMap::new() }
    }

    /// The path of a flow, or the paths that its packets take in turn, as [`Plan::path`] names them.
    pub fn of_flow(&mut self, group: usize, index: u64) -> ByteArray {
        let ways = &self.paths[group].out;
        let links = if ways.spray() == 1 { ways.of_flow(index) } else { ways.links() };
        if let Some(name) = self.names.get(&*links) {
            return name.clone();
        }
        let links_of =
            |level: Vec<(LinkId, f64)>| level.into_iter().map(|(link, _)| link).collect();
        let levels: Vec<Vec<LinkId>> = ways.levels(index).into_iter().map(links_of).collect();
        let name = ByteArray::from(self.plan.path(&levels).as_str());
        self.names.insert(links.into_owned(), name.clone());
        name
    }
}
