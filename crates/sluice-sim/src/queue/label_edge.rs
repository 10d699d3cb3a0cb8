//! The edge of links that share by labels: it estimates the rates of flows.
//!
//! I. Stoica, S. Shenker, H. Zhang, "Core-Stateless Fair Queueing" (SIGCOMM 1998; SSZ below). Only here
//! is state of flows kept; behind the edge, packets have labels.

use sluice_units::{Span, Time};

use super::arrival::QueueArrival;
use super::flow_table::FlowTable;
use super::label::Label;
use super::rate_average::{RateAverages, memory};
use crate::packet::Packet;

/// What an edge takes for the rate of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RateOf {
    /// The exponential average of SSZ, equation 5.
    Average,
    /// The length of a packet over the time since the one before it.
    Gap,
}

/// The rates of flows of which a link is the edge.
pub(super) struct Edge {
    rate_of: RateOf,
    k: Span,
    /// After which a flow is forgotten: [`memory`] of `k`.
    memory: Span,
    /// The gap before the first packet of a flow, or of one that was forgotten.
    first: Span,
    /// Of which those that are over may be removed at any time.
    rates: FlowTable<RateAverages<1>>,
    /// When they are removed next.
    sweeps: Time,
}

impl Edge {
    /// An edge that averages over `k`, as SSZ do.
    pub(super) fn averaging(k: Span) -> Self {
        Self::new(RateOf::Average, k, memory(k))
    }

    /// An edge at which the first packet of a flow counts as `first` after one before it. Gaps are
    /// at most [`memory`] of `k`.
    pub(super) fn new(rate_of: RateOf, k: Span, first: Span) -> Self {
        let memory = memory(k);
        let first = first.min(memory);
        Self { rate_of, k, memory, first, rates: FlowTable::default(), sweeps: Time::ZERO }
    }

    /// SSZ, section 2.3: the label of a packet is the rate of its flow over its weight.
    pub(super) fn label(&mut self, packet: &Packet, arrival: &QueueArrival) -> Label {
        if self.sweeps <= arrival.now {
            // So that memory does not grow with the number of flows.
            self.rates.expire(|rate| rate.is_over(arrival.now, self.k));
            self.sweeps = arrival.now + self.memory;
        }
        let rates = &mut self.rates;
        let number =
            rates.find(packet).unwrap_or_else(|| rates.add(packet, RateAverages::default()));
        let rate = rates.get_mut(number);
        let gap = rate.gap(arrival.now, self.memory).unwrap_or_else(|| {
            // As if it had been removed, whether or not it has been.
            *rate = RateAverages::default();
            self.first
        });
        match self.rate_of {
            RateOf::Average => rate.count_after(gap, arrival.now, [packet.bytes], self.k),
            RateOf::Gap => rate.count_alone(gap, arrival.now, [packet.bytes]),
        }
        let [bps] = rate.bps();
        Label(bps / arrival.traffic.weight)
    }

    /// Flows whose rates are kept.
    pub(super) fn flows(&self) -> usize {
        self.rates.len()
    }
}
