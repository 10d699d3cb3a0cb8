//! The streams of datagrams of a run. They have slots of their own, apart from those of flows.

use rand::Rng;
use sluice_units::Time;

use super::group_paths::{FirstSteps, GroupClasses};
use super::group_routes::{FlowRoute, GroupRoutes};
use super::trace_buffer::TracedFlow;
use crate::config::Config;
use crate::host::{Owner, Timers, UdpPath, UdpStream, flow_order};
use crate::outcome::StreamRecord;
use crate::packet::{FlowKey, Packet};
use crate::plan::{PathClass, RunPlan};
use crate::rng::{Streams, flow_hash};
use crate::route::RouteEpochs;

/// The streams of a run.
pub(super) struct UdpStreams {
    streams: Vec<UdpStream>,
    /// By group: bytes delivered so far, whether in the time measured or not.
    delivered: Vec<u64>,
}

impl UdpStreams {
    /// The streams of all groups, with their timers set.
    pub(super) fn new(
        config: &Config,
        routes: &[RouteEpochs],
        plan: &mut RunPlan,
        hosts: &mut [Timers],
    ) -> Self {
        let mut all = Self { streams: Vec::new(), delivered: vec![0; config.groups.len()] };
        for (number, group) in config.groups.iter().enumerate() {
            let Some(udp) = group.traffic.udp() else { continue };
            let context = routes[number].first().traffic_context(config);
            let streams = Streams::new(config.seed, &group.name);
            let hashes = streams.named("hash").random();
            let emissions = udp.streams(&context, &streams, config.limit);
            // Only clouds ask, for which paths have steps of their own.
            let unresponsive = !config.clouds.is_empty();
            let own = PathClass { traffic: group.traffic_class(0), unresponsive };
            let classes = GroupClasses { own, best_effort: None };
            let mut ways = GroupRoutes::new(config, classes, &routes[number], plan);
            for (index, emissions) in (0..).zip(emissions) {
                let place = all.streams.len() as u32;
                let order = flow_order(number, index);
                let timer = hosts[group.from].register(order, Owner::Stream(place));
                let FlowRoute { steps, until } = ways.at(config, index, Time::ZERO, plan);
                let FirstSteps { out, spray, .. } = steps;
                let key = FlowKey::of_stream(place);
                let hash = flow_hash(hashes, index);
                let path = UdpPath { from: group.from, timer, out, spray, until, key, hash };
                let mut stream = UdpStream::new((number, index), udp.start, path, emissions);
                hosts[group.from].set(timer, stream.due());
                all.streams.push(stream);
            }
        }
        all
    }

    /// A stream by its number.
    pub(super) fn stream(&mut self, number: u32) -> &mut UdpStream {
        &mut self.streams[number as usize]
    }

    /// A datagram of a stream reaches its receiver.
    pub(super) fn deliver(&mut self, packet: &Packet, now: Time, measured: bool) {
        let Some(stream) = self.get(packet.flow) else { return };
        if measured {
            stream.deliver(packet, now);
        }
        let group = stream.group;
        self.delivered[group] += u64::from(packet.bytes);
    }

    /// A datagram of a stream is lost in the time measured.
    pub(super) fn lose(&mut self, packet: &Packet) {
        if let Some(stream) = self.get(packet.flow) {
            stream.lose();
        }
    }

    fn get(&mut self, key: FlowKey) -> Option<&mut UdpStream> {
        self.streams.get_mut(key.stream()? as usize)
    }

    /// Bytes delivered so far of a group's streams.
    pub(super) fn delivered(&self, group: usize) -> u64 {
        self.delivered[group]
    }

    /// A stream as its packets are traced.
    pub(super) fn traced(&self, key: FlowKey) -> Option<TracedFlow> {
        let stream = self.streams.get(key.stream()? as usize)?;
        Some(TracedFlow { group: stream.group, index: stream.index, size: None })
    }

    /// A record of each stream.
    pub(super) fn records(&self) -> impl Iterator<Item = StreamRecord> {
        self.streams.iter().map(|stream| StreamRecord {
            group: stream.group,
            index: stream.index,
            start: stream.start,
            delivered: stream.bytes(),
            datagrams: Some(stream.counts()),
            measured: false,
        })
    }
}
