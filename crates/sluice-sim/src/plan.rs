//! What can be known before the first packet: the steps of every path, and which elements run
//! ahead of the clock.
//!
//! An *element* is a link or a host. One whose packets all come from a single other element sees
//! them in the order they left it, so it can handle each as soon as that element lets go of it,
//! before the clock gets there: nothing else can reach it earlier. Only where packets of several
//! elements meet must the event queue order them. Timers of a host that ran ahead are kept in its
//! own order ([`crate::host`]); a cycle of elements that all run ahead would never yield, so each
//! is broken at one element.

use crate::config::Config;
use crate::route::Paths;

/// One step of a path: the element, and whether it runs ahead when a link feeds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// A link's or a host's number.
    pub(crate) id: u32,
    /// Links before this step.
    pub(crate) depth: u16,
    pub(crate) is_host: bool,
    pub(crate) runs_ahead: bool,
}

pub(crate) struct Plan {
    /// The steps of all paths, one after another; each ends at a host.
    pub(crate) steps: Vec<Step>,
    /// Where the data path and the path back of each group begin in `steps`.
    pub(crate) paths: Vec<(u32, u32)>,
}

impl Plan {
    pub(crate) fn new(config: &Config, paths: &[Paths]) -> Self {
        let mut plan = Self { steps: Vec::new(), paths: Vec::new() };
        let ahead = if config.lookahead {
            Ahead::find(config, paths)
        } else {
            Ahead { links: vec![false; config.links.len()], hosts: vec![false; config.nodes] }
        };
        for (group, paths) in config.groups.iter().zip(paths) {
            let out = plan.add(&paths.out, group.to, &ahead);
            let back = plan.add(&paths.back, group.from, &ahead);
            plan.paths.push((out, back));
        }
        plan
    }

    fn add(&mut self, links: &[usize], host: usize, ahead: &Ahead) -> u32 {
        let start = self.steps.len() as u32;
        let step = |(depth, &id): (usize, &usize)| Step {
            id: id as u32,
            depth: depth as u16,
            is_host: false,
            runs_ahead: ahead.links[id],
        };
        self.steps.extend(links.iter().enumerate().map(step));
        self.steps.push(Step {
            id: host as u32,
            depth: links.len() as u16,
            is_host: true,
            runs_ahead: ahead.hosts[host],
        });
        start
    }
}

/// Which elements run ahead.
struct Ahead {
    links: Vec<bool>,
    hosts: Vec<bool>,
}

/// Elements numbered in one range: links first, then hosts.
struct Graph {
    links: usize,
    /// Elements that feed each element, each once.
    feeders: Vec<Vec<usize>>,
    /// Elements that each element feeds.
    fed: Vec<Vec<usize>>,
}

impl Ahead {
    fn find(config: &Config, paths: &[Paths]) -> Self {
        let graph = Graph::new(config, paths);
        let mut ahead: Vec<bool> = (0..graph.feeders.len())
            .map(|element| graph.feeders[element].len() == 1 && graph.lets_ahead(element))
            .collect();
        while let Some(cycle) = graph.cycle(&ahead) {
            // Hosts make the best break: a sender's timers cost events there anyway.
            let at = cycle.iter().copied().find(|&e| e >= graph.links);
            ahead[at.unwrap_or(cycle[0])] = false;
        }
        let hosts = ahead.split_off(graph.links);
        Self { links: ahead, hosts }
    }
}

impl Graph {
    fn new(config: &Config, paths: &[Paths]) -> Self {
        let links = config.links.len();
        let mut graph = Self {
            links,
            feeders: vec![Vec::new(); links + config.nodes],
            fed: vec![Vec::new(); links + config.nodes],
        };
        for (group, paths) in config.groups.iter().zip(paths) {
            graph.walk(links + group.from, &paths.out, links + group.to);
            graph.walk(links + group.to, &paths.back, links + group.from);
        }
        graph.fed.iter_mut().chain(&mut graph.feeders).for_each(|list| {
            list.sort_unstable();
            list.dedup();
        });
        graph
    }

    fn walk(&mut self, from: usize, path: &[usize], to: usize) {
        let mut at = from;
        for &next in path.iter().chain([&to]) {
            self.fed[at].push(next);
            self.feeders[next].push(at);
            at = next;
        }
    }

    /// A host that runs ahead sends ahead, so whatever it feeds must take that from it alone.
    fn lets_ahead(&self, element: usize) -> bool {
        element < self.links || self.fed[element].iter().all(|&link| self.feeders[link].len() == 1)
    }

    /// A cycle along which every element would run ahead, without the first element twice.
    fn cycle(&self, ahead: &[bool]) -> Option<Vec<usize>> {
        // Depth first with an explicit stack; 0 new, 1 on the stack, 2 done.
        let mut state = vec![0_u8; ahead.len()];
        for root in 0..ahead.len() {
            let mut stack = vec![(root, 0)];
            if state[root] != 0 {
                continue;
            }
            state[root] = 1;
            while let Some(&mut (element, ref mut tried)) = stack.last_mut() {
                let Some(&next) = self.fed[element].get(*tried) else {
                    state[element] = 2;
                    stack.pop();
                    continue;
                };
                *tried += 1;
                if !ahead[next] || state[next] == 2 {
                    continue;
                }
                if state[next] == 1 {
                    let from = stack.iter().position(|&(e, _)| e == next).unwrap_or(0);
                    return Some(stack[from..].iter().map(|&(e, _)| e).collect());
                }
                state[next] = 1;
                stack.push((next, 0));
            }
        }
        None
    }
}
