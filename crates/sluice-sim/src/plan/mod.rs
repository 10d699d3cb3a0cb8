//! The plan of a run: the steps of paths, which elements run ahead of the clock, and
//! where packets meet.
//!
//! An *element* is a link or a host. One whose packets all come from a single other element gets
//! them in the order in which they left that element, so it can handle each as soon as it has left,
//! before the clock gets there: nothing else can reach it earlier. Only where packets of several
//! elements meet must they wait on a *wire* until it is known which comes first. Timers of a host
//! that ran ahead fire in the host's own order ([`crate::host`]). A cycle of elements that all run
//! ahead would never yield, so each is broken at one element.

mod ahead;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

use sluice_units::Span;

use crate::cloud::MacroFlows;
use crate::config::{Config, LinkId, NodeId};
use crate::queue::{Labelling, TrafficClass};
use crate::route::{RouteEpochs, Ways};

use ahead::Ahead;

/// In place of a wire: packets do not wait for the next step.
pub(crate) const AHEAD: u32 = HOST - 1;
/// In place of a wire, from this value on: the step is a host; the rest is the number of links before
/// it.
const HOST: u32 = 1 << 31;

/// One step of a path: the element, and where packets wait behind it. Small, since every packet reads
/// it at every element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Number of the link or host.
    pub(crate) id: u32,
    /// Of a link: the wire on which packets wait for the next step, or [`AHEAD`]. Of a host: see
    /// [`HOST`].
    pub(crate) wire: u32,
}

impl Step {
    #[inline(always)]
    pub(crate) fn is_host(self) -> bool {
        self.wire >= HOST
    }

    /// Number of links before this step, which is a host.
    #[inline(always)]
    pub(crate) fn links(self) -> u64 {
        u64::from(self.wire - HOST)
    }
}

/// An element where packets wait on wires for the clock.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    /// The links at the end of which they wait, in order. Wires are numbered through all meetings.
    pub(crate) feeders: Vec<LinkId>,
    /// Lookahead: when the clock reaches the first packet, all packets that arrive
    /// within this time are on the wires. 1 if a host may send into the element at any time.
    pub(crate) window: Span,
}

/// The packets of a path: those of one class take steps of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PathClass {
    /// What links know of them.
    pub(crate) traffic: TrafficClass,
    /// Whether their source does not respond to congestion, by which they join macro-flows.
    pub(crate) unresponsive: bool,
}

impl PathClass {
    /// Of packets whose source responds to congestion.
    pub(crate) const fn responsive(traffic: TrafficClass) -> Self {
        Self { traffic, unresponsive: false }
    }
}

pub(crate) struct RunPlan {
    /// The steps of all paths that are used, concatenated; each path ends at a host.
    pub(crate) steps: Vec<Step>,
    /// For each step, the place of its packets' class in `classes`.
    step_classes: Vec<u32>,
    /// For each step, what its link does to labels, if it labels packets.
    labelling: Vec<Option<Labelling>>,
    /// For each step, the place of the macro-flow whose queue packets join at its link; empty without clouds.
    joins: Vec<Option<u32>>,
    pub(crate) macro_flows: MacroFlows,
    classes: Vec<TrafficClass>,
    /// For each class, whether sources do not respond to congestion ([`PathClass::unresponsive`]).
    unresponsive: Vec<bool>,
    /// For each class, where paths begin in `steps`.
    begin: Vec<HashMap<Vec<LinkId>, u32, BuildHasherDefault<DefaultHasher>>>,
    /// Meetings at links, then at hosts.
    pub(crate) meetings: Vec<Meeting>,
    wires: Vec<Wire>,
    /// For each element, the number of its first wire, or of the first behind.
    first_wires: Vec<u32>,
    /// The first wire to a host; all that follow lead to hosts too.
    pub(crate) host_wires: u32,
    /// For each host, the link into it if it runs ahead.
    pub(crate) into_hosts: Vec<Option<LinkId>>,
}

impl RunPlan {
    pub(crate) fn new(config: &Config, routes: &[RouteEpochs], macro_flows: MacroFlows) -> Self {
        let ahead = Ahead::find(config, routes, &macro_flows);
        let wires = wires(config.links.len(), &ahead);
        let meetings = meetings(config, &wires, &ahead);
        let first_wires = first_wires(&wires, ahead.elements());
        Self {
            steps: Vec::new(),
            step_classes: Vec::new(),
            labelling: Vec::new(),
            joins: Vec::new(),
            classes: Vec::new(),
            unresponsive: Vec::new(),
            begin: Vec::new(),
            meetings,
            wires,
            host_wires: first_wires[config.links.len()],
            first_wires,
            into_hosts: into_hosts(config, (routes, &macro_flows), &ahead),
            macro_flows,
        }
    }

    /// The number of a class of traffic, for [`RunPlan::begin`].
    pub(crate) fn number_of(&mut self, class: PathClass) -> u32 {
        let known = self.classes.iter().zip(&self.unresponsive);
        let mut known = known.map(|(&traffic, &unresponsive)| PathClass { traffic, unresponsive });
        known.position(|known| known == class).unwrap_or_else(|| {
            self.classes.push(class.traffic);
            self.unresponsive.push(class.unresponsive);
            self.begin.push(HashMap::default());
            self.classes.len() - 1
        }) as u32
    }

    /// Where the steps of a path begin for packets of a class. It must be one of those that the plan was
    /// made for.
    pub(crate) fn begin(&mut self, config: &Config, class: u32, path: &[LinkId]) -> u32 {
        if let Some(&begin) = self.begin[class as usize].get(path) {
            return begin;
        }
        let begin = self.steps.len() as u32;
        self.begin[class as usize].insert(path.to_vec(), begin);
        let host = path.last().map_or(0, |&link| config.links[link].to);
        let next = path.iter().skip(1).copied().chain([config.links.len() + host]);
        for (&link, next) in path.iter().zip(next) {
            let wire = self.wire(next, link);
            self.steps.push(Step { id: link as u32, wire });
        }
        self.steps.push(Step { id: host as u32, wire: HOST + path.len() as u32 });
        self.step_classes.resize(self.steps.len(), class);
        let labels = path.iter().map(|&link| config.links[link].queue.labels());
        self.labelling.extend(Labelling::along(labels).chain([None]));
        if !self.macro_flows.all().is_empty() {
            self.joins.resize(self.steps.len(), None);
            let joins = self.macro_flows.along(config, self.unresponsive[class as usize], path);
            for (hop, place) in joins {
                self.joins[begin as usize + hop] = Some(place);
            }
        }
        begin
    }

    /// The wire behind a link on which packets wait for an element, or [`AHEAD`].
    fn wire(&self, element: usize, link: LinkId) -> u32 {
        let (first, end) = (self.first_wires[element], self.first_wires[element + 1]);
        let feeders = &self.wires[first as usize..end as usize];
        let place = feeders.binary_search_by_key(&link, |&(_, link)| link);
        place.map_or(AHEAD, |place| first + place as u32)
    }

    /// The class of the packets that take a step.
    #[inline]
    pub(crate) fn class_of(&self, step: u32) -> TrafficClass {
        self.classes[self.step_classes[step as usize] as usize]
    }

    /// What the link of a step does to labels, if it labels packets.
    #[inline]
    pub(crate) fn labelling(&self, step: u32) -> Option<Labelling> {
        self.labelling[step as usize]
    }

    /// The place of the macro-flow that packets join at the link of a step, among those of the link.
    pub(crate) fn joins(&self, step: u32) -> Option<u32> {
        self.joins.get(step as usize).copied().flatten()
    }

    /// The wire on which packets wait for `step`, or [`AHEAD`]; it is not the first of its path.
    pub(crate) fn wire_to(&self, step: u32) -> u32 {
        self.steps[step as usize - 1].wire
    }

    /// The links before the wires to hosts, in their order.
    pub(crate) fn before_host_wires(&self) -> impl Iterator<Item = LinkId> {
        self.wires[self.host_wires as usize..].iter().map(|&(_, link)| link)
    }
}

/// A wire: the element behind it, of which hosts are numbered after all links, and the link before it.
type Wire = (usize, LinkId);

/// The ways of all groups in all epochs and of control packets, each with the host where they end.
fn all_ways<'a>(
    config: &'a Config,
    routes: &'a [RouteEpochs],
    macro_flows: &'a MacroFlows,
) -> impl Iterator<Item = (&'a Ways, NodeId)> {
    let groups = config.groups.iter().zip(routes).flat_map(|(group, routes)| {
        let ways = routes.all().map(|paths| [(&paths.out, group.to), (&paths.back, group.from)]);
        ways.flatten()
    });
    let control = macro_flows.all().iter();
    groups.chain(control.flat_map(|flow| [(&flow.out, flow.egress), (&flow.back, flow.ingress)]))
}

/// Every wire, in order.
fn wires(links: usize, ahead: &Ahead) -> Vec<Wire> {
    let waiting = (0..ahead.elements()).filter(|&element| !ahead.runs(element));
    waiting
        .flat_map(|element| ahead.feeders(element).iter().map(move |&link| (element, link)))
        .filter(|&(_, link)| link < links)
        .collect()
}

/// For each element, and behind the last, the number of its first wire, or of the first behind.
fn first_wires(wires: &[Wire], elements: usize) -> Vec<u32> {
    let mut first = Vec::with_capacity(elements + 1);
    for (number, &(element, _)) in wires.iter().enumerate() {
        first.resize(first.len().max(element + 1), number as u32);
    }
    first.resize(elements + 1, wires.len() as u32);
    first
}

fn into_hosts(
    config: &Config,
    (routes, macro_flows): (&[RouteEpochs], &MacroFlows),
    ahead: &Ahead,
) -> Vec<Option<LinkId>> {
    let mut into = vec![None; config.nodes];
    for (ways, host) in all_ways(config, routes, macro_flows) {
        if ahead.runs(config.links.len() + host) {
            // Its only feeder, on whatever path.
            into[host] = ways.of_flow(0).last().copied();
        }
    }
    into
}

fn meetings(config: &Config, wires: &[Wire], ahead: &Ahead) -> Vec<Meeting> {
    let meeting = |wires: &[Wire]| {
        let element = wires[0].0;
        let feeders: Vec<LinkId> = wires.iter().map(|&(_, link)| link).collect();
        // Transmission takes at least a nanosecond besides the delay.
        let soonest = feeders.iter().map(|&link| config.links[link].delay.plus(Span::NANO)).min();
        let window =
            soonest.filter(|_| config.lookahead && ahead.may_jump(element)).unwrap_or(Span::NANO);
        Meeting { feeders, window }
    };
    wires.chunk_by(|a, b| a.0 == b.0).map(meeting).collect()
}
