//! The paths that flows take: their names, and the load that flows offer to the links on them.

use std::collections::HashMap;

use parquet::data_type::ByteArray;
use sluice_sim::{LinkId, RouteEpochs};
use sluice_units::Time;

use crate::Plan;

/// The data paths of flows, each found once.
pub struct FlowPaths<'a> {
    plan: &'a Plan,
    /// Of each group.
    routes: Vec<RouteEpochs>,
    /// By their links.
    numbers: HashMap<Vec<LinkId>, usize>,
    /// In the order in which flows first took them.
    taken: Vec<TakenPath>,
}

/// The path of flows, or the paths that packets of sprayed ones take in turn.
pub struct TakenPath {
    /// As [`Plan::path`] names it.
    pub name: ByteArray,
    /// Data of measured flows with a size, in bytes.
    pub flows: u128,
    /// Datagrams that streams sent in the measured time, with headers, in bytes.
    pub streams: u128,
    /// Its links, each with the part of a flow's packets that crosses it.
    links: Vec<(LinkId, f64)>,
}

/// The load offered to a link in the measured time.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkLoad {
    /// Data of measured flows with a size that cross it, in bytes.
    pub flows: f64,
    /// Datagrams of streams that cross it, with headers, in bytes.
    pub streams: f64,
}

impl<'a> FlowPaths<'a> {
    /// Flows on these paths, of each group.
    pub fn new(plan: &'a Plan, routes: Vec<RouteEpochs>) -> Self {
        Self { plan, routes, numbers: HashMap::new(), taken: Vec::new() }
    }

    /// The path of a flow as it starts. Its load counts there, also if the path changes later.
    pub fn of_flow(&mut self, group: usize, index: u64, start: Time) -> &mut TakenPath {
        let ways = &self.routes[group].at(start).out;
        let links = if ways.spray() == 1 { ways.of_flow(index) } else { ways.links() };
        let number = match self.numbers.get(&*links) {
            Some(&number) => number,
            None => {
                let taken = TakenPath::new(self.plan, &ways.levels(index));
                self.taken.push(taken);
                self.numbers.insert(links.into_owned(), self.taken.len() - 1);
                self.taken.len() - 1
            }
        };
        &mut self.taken[number]
    }

    /// The load offered to each link so far.
    pub fn loads(&self) -> Vec<LinkLoad> {
        let mut loads = vec![LinkLoad::default(); self.plan.config.links.len()];
        for path in &self.taken {
            for &(link, share) in &path.links {
                loads[link].flows += share * path.flows as f64;
                loads[link].streams += share * path.streams as f64;
            }
        }
        loads
    }
}

impl TakenPath {
    /// A path of these links at each place, each with the part of packets that crosses it.
    fn new(plan: &Plan, levels: &[Vec<(LinkId, f64)>]) -> Self {
        let links_of = |level: &Vec<(LinkId, f64)>| level.iter().map(|&(link, _)| link).collect();
        let of_levels: Vec<Vec<LinkId>> = levels.iter().map(links_of).collect();
        let name = ByteArray::from(plan.path(&of_levels).as_str());
        Self { name, flows: 0, streams: 0, links: levels.concat() }
    }
}
