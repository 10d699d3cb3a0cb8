//! Ways: the pairs of paths that flows take.

use std::collections::BTreeMap;
use std::iter::Peekable;

use sluice_units::{Bytes, Rate, Span};

use super::clock::Clock;
use super::flows::{Flow, measures, wire};
use super::network::Crossings;
use crate::alone::Alone;
use crate::config::{Config, GroupConfig, LinkId};
use crate::outcome::FlowRecord;
use crate::rng::Streams;
use crate::route::Paths;
use crate::traffic::Arrivals;

/// The links of a way's data path in order (of a group that sprays, which has one set of paths, none) and
/// of its path back. Over the same links in another order a flow alone takes another time.
type WayLinks = (Vec<LinkId>, Vec<LinkId>);

/// A group of flows.
pub(super) struct FluidGroup<'a> {
    pub(super) arrivals: Peekable<Arrivals>,
    /// Number of flows started.
    pub(super) started: u64,
    pub(super) paths: &'a Paths,
    /// The ways that its flows have taken so far.
    pub(super) known: BTreeMap<WayLinks, u32>,
}

/// A data path, or several that share a flow evenly, and a path back.
pub(super) struct FluidWay {
    /// A flow alone at nominal capacities.
    nominal: Alone,
    /// A flow alone at the highest capacities that links ever have, which none is faster than.
    pub(super) fastest: Alone,
    /// The number of its route.
    pub(super) route: u32,
    /// All links of the data paths.
    pub(super) crossings: Crossings,
    /// Where in time the data that are sent now arrive.
    pub(super) window: Window,
    /// Bytes carried of flows that have ended.
    pub(super) gone: f64,
}

/// Before, in or after the time measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Window {
    Before,
    During,
    After,
}

impl<'a> FluidGroup<'a> {
    pub(super) fn new(config: &Config, group: &GroupConfig, paths: &'a Paths) -> Self {
        let streams = Streams::new(config.seed, &group.name);
        let context = paths.traffic_context(config);
        let arrivals = group.traffic.arrivals(&context, &streams).peekable();
        Self { arrivals, started: 0, paths, known: BTreeMap::new() }
    }
}

/// The links of the way that flow `index` takes.
pub(super) fn way_links(paths: &Paths, index: u64) -> WayLinks {
    let out = match paths.out.spray() {
        1 => paths.out.of_flow(index).into_owned(),
        _ => Vec::new(),
    };
    (out, paths.back.of_flow(index).into_owned())
}

impl FluidWay {
    /// The way that flow `index` takes, over the links of `crossings`, whose route has the number `route`.
    pub(super) fn new(
        (config, highest): (&Config, &[Rate]),
        (paths, index): (&Paths, u64),
        (crossings, route): (Crossings, u32),
    ) -> Self {
        let nominal = Alone::new(config, paths, index);
        let fastest = Alone::with(config, paths, index, |link| highest[link]);
        Self { nominal, fastest, route, crossings, window: Window::Before, gone: 0.0 }
    }

    /// Completion time of a flow that has just sent the last of `wire` bytes: that on the empty path at
    /// its highest capacity, plus the time by which the last byte left later.
    pub(super) fn completion(&self, flow: &Flow, wire: u64, now: &Clock) -> Span {
        let fastest = self.fastest.completion(flow.size.unwrap_or(0));
        let sent = now.since(flow.enters);
        let later = sent - wire as f64 * self.fastest.byte();
        // After months of sending, a double no longer resolves a nanosecond.
        let resolved = later > 8.0 * f64::EPSILON * sent;
        fastest + Span::from_nanos(if resolved { later.round() as u64 } else { 0 })
    }

    /// The record of a flow of which `carried` bytes were carried.
    pub(super) fn record(&self, config: &Config, flow: &Flow, carried: f64) -> FlowRecord {
        FlowRecord {
            group: flow.group as usize,
            index: flow.index,
            start: flow.start,
            size: flow.size.map(Bytes::new),
            completion: None,
            acknowledged: None,
            alone: flow.size.map(|size| self.nominal.completion(size)),
            retransmissions: 0,
            resent: 0,
            delivered: self.delivered(config, flow, carried),
            measured: measures(config, flow.start),
            status: None,
        }
    }

    /// Data that arrived in the time measured, with headers spread evenly over them.
    fn delivered(&self, config: &Config, flow: &Flow, carried: f64) -> Bytes {
        let until = match self.window {
            Window::Before => return Bytes::ZERO,
            Window::During => carried,
            Window::After => flow.seen.1,
        };
        let part = (until - flow.seen.0).max(0.0);
        let bytes = match flow.size {
            Some(size) => match wire(config, size) {
                0 => 0.0,
                wire => size as f64 * (part / wire as f64).min(1.0),
            },
            None => part * (config.packet - config.header).as_f64() / config.packet.as_f64(),
        };
        Bytes::new((bytes + 0.5) as u64)
    }
}
