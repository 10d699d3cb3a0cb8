//! What can be known before the first packet: the steps of every path, which elements run ahead of
//! the clock, and where packets meet.
//!
//! An *element* is a link or a host. One whose packets all come from a single other element sees
//! them in the order they left it, so it can handle each as soon as that element lets go of it,
//! before the clock gets there: nothing else can reach it earlier. Only where packets of several
//! elements meet must they wait on a *wire* until it is known which comes first. Timers of a host
//! that ran ahead are kept in its own order ([`crate::host`]); a cycle of elements that all run
//! ahead would never yield, so each is broken at one element.

mod ahead;

use crate::config::{Config, LinkId};
use crate::route::Paths;

use ahead::Ahead;

/// In the place of a wire: packets do not wait for this step.
pub(crate) const AHEAD: u32 = u32::MAX;

/// One step of a path: the element, and where packets wait for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// A link's or a host's number.
    pub(crate) id: u32,
    /// The wire on which packets wait for this step, or [`AHEAD`].
    pub(crate) wire: u32,
    /// Links before this step.
    pub(crate) depth: u16,
    pub(crate) is_host: bool,
}

/// An element where packets wait on wires until the clock comes.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    /// The links at the end of which they wait, in order. Wires are numbered through all meetings.
    pub(crate) feeders: Vec<LinkId>,
    /// When the clock comes to the first packet, all that arrive within so many nanoseconds are
    /// there: no feeder can bring another so soon. One, if a host may send into it at any time.
    pub(crate) window: u64,
}

pub(crate) struct Plan {
    /// The steps of all paths, one after another; each ends at a host.
    pub(crate) steps: Vec<Step>,
    /// Where the data path and the path back of each group begin in `steps`.
    pub(crate) paths: Vec<(u32, u32)>,
    /// Links first.
    pub(crate) meetings: Vec<Meeting>,
}

impl Plan {
    pub(crate) fn new(config: &Config, paths: &[Paths]) -> Self {
        let ahead = Ahead::find(config, paths);
        let wires = wires(config, paths, &ahead);
        let meetings = meetings(config, &wires, &ahead);
        let mut plan = Self { steps: Vec::new(), paths: Vec::new(), meetings };
        for (group, paths) in config.groups.iter().zip(paths) {
            let hosts = [group.to, group.from];
            let [out, back] = [&paths.out, &paths.back];
            let out = plan.add(config, out, hosts[0], &wires);
            let back = plan.add(config, back, hosts[1], &wires);
            plan.paths.push((out, back));
        }
        plan
    }

    fn add(&mut self, config: &Config, path: &[LinkId], host: usize, wires: &[Wire]) -> u32 {
        let start = self.steps.len() as u32;
        let mut before = None;
        for (depth, element) in elements(config, path, host).enumerate() {
            let wire = before.and_then(|link| wires.binary_search(&(element, link)).ok());
            let is_host = depth == path.len();
            self.steps.push(Step {
                id: if is_host { host } else { element } as u32,
                wire: wire.map_or(AHEAD, |wire| wire as u32),
                depth: depth as u16,
                is_host,
            });
            before = Some(element);
        }
        start
    }
}

/// Where packets wait: the element, in the numbers of [`elements`], and the link that they leave.
type Wire = (usize, LinkId);

/// The elements along a path; hosts are numbered behind all links.
fn elements(config: &Config, path: &[LinkId], host: usize) -> impl Iterator<Item = usize> {
    path.iter().copied().chain([config.links.len() + host])
}

/// Every wire, in order.
fn wires(config: &Config, paths: &[Paths], ahead: &Ahead) -> Vec<Wire> {
    let mut wires = Vec::new();
    for (group, paths) in config.groups.iter().zip(paths) {
        for (path, host) in [(&paths.out, group.to), (&paths.back, group.from)] {
            let ends = elements(config, path, host).skip(1).zip(path.iter().copied());
            wires.extend(ends.filter(|&(element, _)| !ahead.runs(element)));
        }
    }
    wires.sort_unstable();
    wires.dedup();
    wires
}

fn meetings(config: &Config, wires: &[Wire], ahead: &Ahead) -> Vec<Meeting> {
    let meeting = |wires: &[Wire]| {
        let element = wires[0].0;
        let feeders: Vec<LinkId> = wires.iter().map(|&(_, link)| link).collect();
        // Every link takes a nanosecond besides its delay.
        let soonest = feeders.iter().map(|&link| config.links[link].delay.as_nanos() + 1).min();
        let window = soonest.filter(|_| config.lookahead && ahead.may_jump(element)).unwrap_or(1);
        Meeting { feeders, window }
    };
    wires.chunk_by(|a, b| a.0 == b.0).map(meeting).collect()
}
