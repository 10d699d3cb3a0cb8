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

/// In the place of a wire: packets do not wait for the next step.
pub(crate) const AHEAD: u32 = HOST - 1;
/// In the place of a wire, this and so many more: the step is a host, with so many links before it.
const HOST: u32 = 1 << 31;

/// One step of a path: the element, and where packets wait behind it. Small, since every packet
/// looks at it everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// A link's or a host's number.
    pub(crate) id: u32,
    /// Behind a link the wire on which packets wait for the next step, or [`AHEAD`]; of a host see
    /// [`HOST`].
    pub(crate) wire: u32,
}

impl Step {
    #[inline(always)]
    pub(crate) fn is_host(self) -> bool {
        self.wire >= HOST
    }

    /// Links before this step, which is a host.
    #[inline(always)]
    pub(crate) fn links(self) -> u64 {
        u64::from(self.wire - HOST)
    }
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

pub(crate) struct RunPlan {
    /// The steps of all paths, one after another; each ends at a host.
    pub(crate) steps: Vec<Step>,
    /// Where the data path and the path back of each group begin in `steps`.
    pub(crate) paths: Vec<(u32, u32)>,
    /// Links first.
    pub(crate) meetings: Vec<Meeting>,
    /// The first wire to a host; so are all that follow.
    pub(crate) host_wires: u32,
    /// The links that these wires leave, in their order.
    pub(crate) before_host_wires: Vec<LinkId>,
    /// Of each host that runs ahead, the link into it.
    pub(crate) into_hosts: Vec<Option<LinkId>>,
}

impl RunPlan {
    pub(crate) fn new(config: &Config, paths: &[Paths]) -> Self {
        let ahead = Ahead::find(config, paths);
        let wires = wires(config, paths, &ahead);
        let meetings = meetings(config, &wires, &ahead);
        let host_wires = wires.partition_point(|&(element, _)| element < config.links.len());
        let mut plan = Self {
            steps: Vec::new(),
            paths: Vec::new(),
            meetings,
            host_wires: host_wires as u32,
            before_host_wires: wires[host_wires..].iter().map(|&(_, link)| link).collect(),
            into_hosts: into_hosts(config, paths, &ahead),
        };
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
        for (&link, next) in path.iter().zip(elements(config, path, host).skip(1)) {
            let wire = wires.binary_search(&(next, link)).map_or(AHEAD, |wire| wire as u32);
            self.steps.push(Step { id: link as u32, wire });
        }
        self.steps.push(Step { id: host as u32, wire: HOST + path.len() as u32 });
        start
    }

    /// The wire on which packets wait for `step`, or [`AHEAD`]; it is not the first of its path.
    pub(crate) fn wire_to(&self, step: u32) -> u32 {
        self.steps[step as usize - 1].wire
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

fn into_hosts(config: &Config, paths: &[Paths], ahead: &Ahead) -> Vec<Option<LinkId>> {
    let mut into = vec![None; config.nodes];
    for (group, paths) in config.groups.iter().zip(paths) {
        for (path, host) in [(&paths.out, group.to), (&paths.back, group.from)] {
            into[host] = path.last().copied().filter(|_| ahead.runs(config.links.len() + host));
        }
    }
    into
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
