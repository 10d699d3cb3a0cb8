//! Flows start and end.

use sluice_units::{Bytes, Time};

use super::group::SenderPath;
use super::group_paths::FirstSteps;
use super::group_routes::FlowRoute;
use super::state::Engine;
use super::trace_buffer::TracedFlow;
use crate::host::{Flow, Owner, Role, Timer, flow_order};
use crate::packet::FlowKey;
use crate::rng::flow_hash;
use crate::traffic::FlowArrival;

impl Engine<'_> {
    /// Sets the timer for a group's next arrival.
    pub(super) fn await_arrival(&mut self, group: usize) {
        let state = &mut self.groups[group];
        if let Some(next) = state.arrivals.peek() {
            self.hosts[state.from].set(state.timer, next.start);
        }
    }

    /// Apart from the timers of packets, whose code would share its registers.
    #[inline(never)]
    pub(super) fn start_flows(&mut self, group: usize, now: Time) {
        while let Some(arrival) = self.groups[group].arrivals.next_if(|next| next.start <= now) {
            self.start_flow(group, &arrival, now);
            if !self.goes_on() {
                return;
            }
        }
        self.await_arrival(group);
    }

    #[inline(never)]
    fn start_flow(&mut self, group: usize, arrival: &FlowArrival, now: Time) {
        let index = self.groups[group].started;
        self.groups[group].started += 1;
        if self.measures(now)
            && let Some(size) = arrival.size
        {
            self.measured.started += 1;
            self.measured.bytes = self.measured.bytes.saturating_add(size.as_u64());
        }
        if self.group_samplers.is_used() {
            self.sample_started(group, arrival);
        }
        let Self { flows, hosts, net, config, .. } = self;
        let route = self.groups[group].routes.at(config, index, now, &mut net.plan);
        let FlowRoute { steps: FirstSteps { out, back, spray, known }, until } = route;
        let changes = until != Time::NEVER;
        let path = SenderPath { known, leaves: changes || spray.is_some() };
        let key = flows.insert(|key| {
            let state = &self.groups[group];
            let order = flow_order(group, index);
            let mut timer = |host: usize, role| {
                Timer::idle(hosts[host].register(order, Owner::Flow(key, role)))
            };
            let (receiver_timer, sender_timer) =
                (timer(state.to, Role::Receiver), timer(state.from, Role::Sender));
            Flow {
                receiver: state.receiver(config, arrival),
                generation: key.generation,
                out,
                back,
                from: state.from as u32,
                to: state.to as u32,
                receiver_timer,
                closed: false,
                replies_apart: changes || state.protocol.collects_telemetry(),
                hash: flow_hash(state.hash, index),
                heard: now,
                last: now,
                closed_at: Time::NEVER,
                sender_timer,
                sender: state.sender(config, arrival, index, path),
                group: group as u32,
                index,
                start: now,
                size: arrival.size.map(Bytes::as_u64),
                lost: 0,
                sampler: None,
                spray,
                out_until: until,
                back_until: until,
            }
        });
        self.trace.register(key, TracedFlow { group, index, size: arrival.size });
        self.await_sample(key, group, index, now);
        self.after_sender(key, now);
    }

    #[inline]
    pub(super) fn measures(&self, start: Time) -> bool {
        (self.config.warm_up..self.config.stop).contains(&start)
    }

    #[cold]
    pub(super) fn close(&mut self, key: FlowKey, now: Time) {
        let Some(flow) = self.flows.get(key) else { return };
        // Acknowledgements after the end come here again.
        if !std::mem::replace(&mut flow.closed, true) {
            flow.replies_apart = true;
            flow.last = flow.last.max(now);
            flow.closed_at = now;
            self.retire_if_done(key);
        }
    }

    /// Records a flow and frees its slot and timers, if it is over.
    #[inline]
    pub(super) fn retire_if_done(&mut self, key: FlowKey) {
        let Some(flow) = self.flows.get(key) else { return };
        if flow.is_over() {
            self.record(key);
            self.forget(key);
        }
    }

    fn forget(&mut self, key: FlowKey) {
        let Some(flow) = self.flows.get(key) else { return };
        self.hosts[flow.from as usize].release(flow.sender_timer.id);
        self.hosts[flow.to as usize].release(flow.receiver_timer.id);
        if let Some(sampler) = flow.sampler {
            self.hosts[flow.from as usize].release(sampler.timer);
        }
        self.flows.remove(key);
    }
}
