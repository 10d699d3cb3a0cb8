//! Which elements run ahead of the clock.

use crate::cloud::MacroFlows;
use crate::config::Config;
use crate::route::{RouteEpochs, Ways};

/// Which elements run ahead. They are numbered in one range: links first, then hosts.
pub(super) struct Ahead {
    ahead: Vec<bool>,
    graph: Graph,
}

struct Graph {
    links: usize,
    /// For each element, the elements that feed it, each once.
    feeders: Vec<Vec<usize>>,
    /// For each element, the elements that it feeds.
    fed: Vec<Vec<usize>>,
}

impl Ahead {
    pub(super) fn find(config: &Config, routes: &[RouteEpochs], macro_flows: &MacroFlows) -> Self {
        let graph = Graph::new(config, routes, macro_flows);
        if !config.lookahead {
            return Self { ahead: vec![false; graph.feeders.len()], graph };
        }
        let mut ahead: Vec<bool> = (0..graph.feeders.len())
            .map(|element| graph.feeders[element].len() == 1 && graph.lets_ahead(element))
            .collect();
        while let Some(cycle) = graph.cycle(&ahead) {
            // Prefer to break it at a host, where a sender's timers cost events anyway.
            let at = cycle.iter().copied().find(|&e| e >= graph.links);
            ahead[at.unwrap_or(cycle[0])] = false;
        }
        Self { ahead, graph }
    }

    /// Number of elements.
    pub(super) fn elements(&self) -> usize {
        self.ahead.len()
    }

    /// The elements that feed one, in order.
    pub(super) fn feeders(&self, element: usize) -> &[usize] {
        &self.graph.feeders[element]
    }

    pub(super) fn runs(&self, element: usize) -> bool {
        self.ahead[element]
    }

    /// Whether an element that waits for the clock may look ahead on its wires: a host if it may send
    /// ahead, a link if no host sends into it at any time.
    pub(super) fn may_jump(&self, element: usize) -> bool {
        let sent_into =
            self.graph.feeders[element].iter().any(|&feeder| feeder >= self.graph.links);
        self.graph.lets_ahead(element) && !sent_into
    }
}

impl Graph {
    fn new(config: &Config, routes: &[RouteEpochs], macro_flows: &MacroFlows) -> Self {
        let links = config.links.len();
        let mut graph = Self {
            links,
            feeders: vec![Vec::new(); links + config.nodes],
            fed: vec![Vec::new(); links + config.nodes],
        };
        for (group, routes) in config.groups.iter().zip(routes) {
            for paths in routes.all() {
                graph.add(links + group.from, &paths.out, links + group.to);
                graph.add(links + group.to, &paths.back, links + group.from);
            }
        }
        for flow in macro_flows.all() {
            graph.add(links + flow.ingress, &flow.out, links + flow.egress);
            graph.add(links + flow.egress, &flow.back, links + flow.ingress);
        }
        graph.fed.iter_mut().chain(&mut graph.feeders).for_each(|list| list.sort_unstable());
        graph
    }

    fn add(&mut self, from: usize, ways: &Ways, to: usize) {
        ways.visit(&mut |before, next| {
            self.join(before.unwrap_or(from), next.unwrap_or(to));
        });
    }

    /// Element `before` feeds `next`. Paths have most pairs in common, so the shorter list is searched first.
    fn join(&mut self, before: usize, next: usize) {
        let (fed, feeders) = (&mut self.fed[before], &mut self.feeders[next]);
        let is_known =
            if fed.len() < feeders.len() { fed.contains(&next) } else { feeders.contains(&before) };
        if !is_known {
            fed.push(next);
            feeders.push(before);
        }
    }

    /// A host that runs ahead sends ahead, so it must be the only feeder of what it feeds.
    fn lets_ahead(&self, element: usize) -> bool {
        element < self.links || self.fed[element].iter().all(|&link| self.feeders[link].len() == 1)
    }

    /// A cycle of elements that all run ahead; the first element is not repeated.
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
