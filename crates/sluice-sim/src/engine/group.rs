//! A group's state: what its flows have in common.

use std::iter::Peekable;

use sluice_laws::conduct::Conduct;
use sluice_laws::host::{SenderContext, Service};
use sluice_laws::protocol::Protocol;
use sluice_laws::tcp::{Marks, Repair};
use sluice_laws::transport::Transport;
use sluice_units::{Bytes, Rate, Ratio, Time};

use super::group_paths::{GroupClasses, KnownPath};
use super::group_routes::GroupRoutes;
use super::trace_law::{TraceSender, TracedLaw};
use crate::config::Config;
use crate::host::{Lateness, Receiver, Sender, SenderConfig, TimerId};
use crate::queue::TrafficClass;
use crate::traffic::{Arrivals, FlowArrival, Pauses, PausingApplication};

/// A group of flows.
pub(super) struct GroupState<'a> {
    pub(super) protocol: &'a dyn Protocol,
    /// That of its best-effort packets, if it sends some.
    pub(super) best_effort: Option<&'a dyn Protocol>,
    pub(super) classes: GroupClasses,
    /// The transport as the protocol overrides it.
    pub(super) transport: Transport,
    pub(super) weight: Ratio,
    pub(super) profile: Option<Rate>,
    pub(super) conduct: Conduct,
    /// How the applications of its flows pause, if they do, and the seed of their times.
    pub(super) pauses: Option<(Pauses, u64)>,
    /// Seed of the lateness of its flows' timers.
    pub(super) late: u64,
    /// Seed of the hashes of its flows.
    pub(super) hash: u64,
    /// Where its senders are traced, if they are.
    pub(super) trace: Option<TraceSender>,
    pub(super) arrivals: Peekable<Arrivals>,
    /// Number of flows started.
    pub(super) started: u64,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) routes: GroupRoutes<'a>,
    /// The timer of its next arrival, at the sending host.
    pub(super) timer: TimerId,
}

/// The data path of a new flow.
pub(super) struct SenderPath {
    pub(super) known: KnownPath,
    /// Whether packets may leave it for another.
    pub(super) leaves: bool,
}

impl GroupState<'_> {
    /// The sending end of a new flow.
    pub(super) fn sender(
        &self,
        config: &Config,
        arrival: &FlowArrival,
        index: u64,
        path: SenderPath,
    ) -> Sender {
        let (transport, known) = (&self.transport, path.known);
        let context = SenderContext {
            weight: self.weight,
            profile: self.profile,
            conduct: self.conduct,
            seed: self.hash.wrapping_add(index),
            delayed_ack: transport.delayed_ack,
            initial_window: transport.initial_window,
            selective: transport.recovery.is_selective(),
            hops: known.hops,
            line_rate: known.line_rate,
            base_rtt: known.base_rtt,
            ..SenderContext::new(config.packet, config.control)
        };
        let law = match self.best_effort {
            None => self.protocol.host(&context),
            Some(other) => {
                let initial_window = other.transport(&config.parameters.transport).initial_window;
                let law = other.host(&SenderContext { initial_window, ..context });
                self.protocol.host_with(&context, law)
            }
        };
        let law = match &self.trace {
            Some(trace) => Box::new(TracedLaw::new(law, trace.clone(), index)),
            None => law,
        };
        Sender::new(
            law,
            // Flows that revert to another protocol repair losses by its rules.
            Repair::of_variant(
                transport.recovery,
                config.reverts_to(self.protocol).unwrap_or(self.protocol).variant(),
            ),
            transport.rto(),
            Lateness::new(transport.jitter, self.late, index),
            &SenderConfig {
                leaves_path: path.leaves,
                ..self.sender_config(config, arrival, index)
            },
        )
    }

    fn sender_config(&self, config: &Config, arrival: &FlowArrival, index: u64) -> SenderConfig {
        let payload = (config.packet - config.header).as_u64();
        let full = config.packet.as_u64() as u32;
        let size = arrival.size.map(Bytes::as_u64);
        let packets = packets(config, arrival);
        SenderConfig {
            packets,
            stop: arrival.stop,
            pausing: self.pauses.map(|(pauses, seed)| {
                let seed = seed.wrapping_add(index);
                Box::new(PausingApplication::new(pauses, seed, arrival.start, arrival.stop))
            }),
            handshake: config.parameters.transport.handshake,
            full,
            // At least a byte, so that it takes time: a flow may have no data, and its packets no
            // headers.
            last: size
                .map_or(full, |size| full - (payload - last_data(size, payload)) as u32)
                .max(1),
            control: config.control.as_u64() as u32,
            ecn: self.transport.ecn,
            feedback: self.protocol.ecn_feedback(),
            // Retransmissions of a flow without an end count up to the stop only: the flow may
            // have run ahead of whatever ends the run later.
            count_until: if size.is_some() { Time::NEVER } else { config.stop },
            measured: (config.warm_up, config.stop),
            leaves_path: false,
        }
    }

    /// The service of its packets of this class.
    pub(super) fn service_of(&self, class: TrafficClass) -> Service {
        let is_best_effort = self.classes.best_effort.is_some_and(|other| other.traffic == class);
        if is_best_effort { Service::BestEffort } else { Service::Own }
    }

    /// The receiving end of a new flow.
    pub(super) fn receiver(&self, config: &Config, arrival: &FlowArrival) -> Receiver {
        let delay = self.transport.ack_delay();
        let marks = Marks::new(self.protocol.ecn_feedback());
        let echo = self.protocol.receiver(&self.conduct);
        Receiver::new(echo, marks, delay, packets(config, arrival))
    }
}

/// Data in the last packet of a flow of that size.
pub(super) fn last_data(size: u64, payload: u64) -> u64 {
    match size % payload {
        0 => size.min(payload),
        rest => rest,
    }
}

/// Data packets of a flow; [`u64::MAX`] without an end.
fn packets(config: &Config, arrival: &FlowArrival) -> u64 {
    let payload = (config.packet - config.header).as_u64();
    arrival.size.map_or(u64::MAX, |size| size.as_u64().div_ceil(payload).max(1))
}

#[cfg(test)]
mod tests {
    use super::last_data;

    #[test]
    fn the_last_packet_has_the_rest_of_the_data() {
        for (size, payload, last) in
            [(0, 1000, 0), (1, 1000, 1), (1000, 1000, 1000), (1001, 1000, 1)]
        {
            assert_eq!(last_data(size, payload), last);
        }
        assert_eq!(last_data(u64::MAX, 1 << 10), (1 << 10) - 1);
    }
}
