//! Flows and their groups.

use std::iter::Peekable;

use sluice_units::{Bytes, Span, Time};

use super::clock::Clock;
use super::network::{Network, crossings};
use super::sharing::Slot;
use crate::alone::Alone;
use crate::config::Config;
use crate::outcome::FlowRecord;
use crate::rng::Streams;
use crate::route::Paths;
use crate::traffic::Arrivals;

/// A group of flows, which share a path.
pub(super) struct FluidGroup {
    pub(super) arrivals: Peekable<Arrivals>,
    /// Number of flows started.
    pub(super) started: u64,
    pub(super) alone: Alone,
    pub(super) route: u32,
    /// All links of the path, with the number of times that each is crossed.
    pub(super) links: Vec<(usize, u32)>,
    /// Where in time the data that it sends now arrive.
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

/// A flow that has started and not ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    pub(super) group: u32,
    pub(super) index: u64,
    pub(super) start: Time,
    /// Bytes of data; `None` if it sends until stopped.
    pub(super) size: Option<u64>,
    /// When its data enter the network.
    pub(super) enters: Time,
    /// Whether they have entered.
    pub(super) sends: bool,
    /// Bytes carried when its data began to arrive in the time measured, and when that ended.
    pub(super) seen: (f64, f64),
}

impl FluidGroup {
    pub(super) fn all(config: &Config, paths: &[Paths], network: &Network) -> Vec<Self> {
        let groups = config.groups.iter().zip(paths).zip(&network.of_group);
        let make = |((group, paths), &route): ((&crate::config::GroupConfig, &Paths), &u32)| {
            let streams = Streams::new(config.seed, &group.name);
            let context = paths.traffic_context(config);
            Self {
                arrivals: group.traffic.arrivals(&context, &streams).peekable(),
                started: 0,
                alone: Alone::new(config, paths),
                route,
                links: crossings(&paths.out),
                window: Window::Before,
                gone: 0.0,
            }
        };
        groups.map(make).collect()
    }

    /// Completion time of a flow that has just sent the last of `wire` bytes: that on the empty path,
    /// plus the time by which the last byte left later.
    pub(super) fn completion(&self, flow: &Flow, wire: u64, now: &Clock) -> Span {
        let alone = self.alone.completion(flow.size.unwrap_or(0));
        let sent = now.since(flow.enters);
        let later = sent - wire as f64 * self.alone.byte();
        // After months of sending, a double no longer resolves a nanosecond.
        let resolved = later > 8.0 * f64::EPSILON * sent;
        alone + Span::from_nanos(if resolved { later.round() as u64 } else { 0 })
    }

    /// The record of a flow of which `carried` bytes were carried.
    pub(super) fn record(&self, config: &Config, flow: &Flow, carried: f64) -> FlowRecord {
        FlowRecord {
            group: flow.group as usize,
            index: flow.index,
            start: flow.start,
            size: flow.size.map(Bytes::new),
            completion: None,
            alone: flow.size.map(|size| self.alone.completion(size)),
            retransmissions: 0,
            resent: 0,
            delivered: self.delivered(config, flow, carried),
            measured: measures(config, flow.start),
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

/// Whether a flow that starts at this time is measured.
pub(super) fn measures(config: &Config, start: Time) -> bool {
    config.warm_up <= start && start < config.stop
}

/// Bytes on the wire of `size` bytes of data.
pub(super) fn wire(config: &Config, size: u64) -> u64 {
    let payload = (config.packet - config.header).as_u64();
    let packets = size.div_ceil(payload).max(1);
    size.saturating_add(packets.saturating_mul(config.header.as_u64()))
}

/// Live flows; slots are reused.
#[derive(Default)]
pub(super) struct Flows {
    slots: Vec<Option<Flow>>,
    free: Vec<Slot>,
}

impl Flows {
    /// Bytes taken by all slots.
    pub(super) fn memory(&self) -> u64 {
        (self.slots.len() * size_of::<Option<Flow>>()) as u64
    }

    pub(super) fn insert(&mut self, flow: Flow) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            (self.slots.len() - 1) as Slot
        });
        self.slots[slot as usize] = Some(flow);
        slot
    }

    pub(super) fn get(&mut self, slot: Slot) -> Option<&mut Flow> {
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    pub(super) fn remove(&mut self, slot: Slot) -> Option<Flow> {
        let flow = self.slots.get_mut(slot as usize)?.take()?;
        self.free.push(slot);
        Some(flow)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Slot, &Flow)> {
        let slots = self.slots.iter().enumerate();
        slots.filter_map(|(slot, flow)| Some((slot as Slot, flow.as_ref()?)))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (Slot, &mut Flow)> {
        let slots = self.slots.iter_mut().enumerate();
        slots.filter_map(|(slot, flow)| Some((slot as Slot, flow.as_mut()?)))
    }
}
