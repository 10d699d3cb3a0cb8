//! The end of a run.

use sluice_units::{Bytes, Span, Time};

use super::group::{GroupState, last_data};
use super::state::Engine;
use crate::config::Config;
use crate::host::Flow;
use crate::link::Link;
use crate::outcome::{FlowRecord, Outcome, StreamRecord};
use crate::packet::FlowKey;

impl Engine<'_> {
    /// Settles everything at the end of the run, and collects the results.
    pub(super) fn finish(mut self) -> Outcome {
        // An interruption from here on does not undo what has been reported.
        self.clock = self.net.end;
        for id in 0..self.net.links.len() {
            self.settle(id, self.net.end);
        }
        self.emit_trace(self.net.end.plus(Span::NANO));
        if !self.interrupted {
            self.emit_samples(self.net.end.plus(Span::NANO));
        }
        self.report_unfinished();
        self.report_streams();
        self.report_convictions();
        self.net.totals.in_flight += self.net.links.iter().map(Link::holding).sum::<u64>();
        self.net.totals.in_flight += self.net.wires.holding();
        Outcome {
            end: self.net.end,
            interrupted: self.interrupted,
            measured: self.measured.started,
            unfinished: self.measured.started - self.measured.finished,
            offered: self.measured.offered(self.config),
            resent: self.measured.resent,
            links: self.net.links.iter().map(Link::outcome).collect(),
            totals: self.net.totals,
        }
    }

    /// At the end of the run, reports measured flows that were not reported yet, and those without a
    /// size.
    fn report_unfinished(&mut self) {
        let end = self.net.end;
        let mut rest: Vec<FlowRecord> =
            self.records.drain().map(|record| record.until(end)).collect();
        // Flows of the warm-up count too; they have no record unless they finished.
        self.measured.resent +=
            self.flows.iter().map(|flow| flow.sender.resent().measured).sum::<u64>();
        let live = self.flows.iter().filter(|flow| flow.start <= end);
        rest.extend(live.map(|flow| FlowRecord {
            measured: self.measures(flow.start),
            ..Self::record_of(flow, self.config, &self.groups[flow.group as usize]).until(end)
        }));
        rest.retain(|record| record.start <= end && (record.measured || record.size.is_none()));
        rest.sort_by_key(|record| (record.group, record.index));
        for record in &rest {
            self.measured.finish(record, end);
            self.observer.flow(record);
        }
    }

    /// At the end of the run, reports the streams of datagrams that have begun.
    fn report_streams(&mut self) {
        for record in self.udp.records().filter(|record| record.start <= self.net.end) {
            let measured = self.measures(record.start);
            self.observer.stream(&StreamRecord { measured, ..record });
        }
    }

    pub(super) fn record(&mut self, key: FlowKey) {
        let Some(flow) = self.flows.get(key) else { return };
        let (group, start, ended) = (flow.group as usize, flow.start, flow.last.max(flow.heard));
        let record = Self::record_of(flow, self.config, &self.groups[group]);
        let measured = self.measures(start);
        self.measured.resent += record.resent;
        self.records.push(ended, FlowRecord { measured, ..record });
    }

    fn record_of(flow: &Flow, config: &Config, group: &GroupState) -> FlowRecord {
        let payload = (config.packet - config.header).as_u64();
        let (packets, last) = flow.receiver.delivered();
        let short = flow.size.map_or(0, |size| payload - last_data(size, payload));
        let delivered = packets * payload - if last { short } else { 0 };
        let size = flow.size.map(Bytes::new);
        let took = |time: Time| time.since(flow.start);
        let closed = (size.is_some() && flow.closed).then_some(flow.closed_at);
        FlowRecord {
            group: flow.group as usize,
            index: flow.index,
            start: flow.start,
            size,
            completion: flow.receiver.completed().map(took),
            acknowledged: closed.map(took),
            alone: size.map(|size| group.routes.alone(config, flow.index, size)),
            retransmissions: flow.sender.resent().ever,
            resent: flow.sender.resent().measured,
            delivered: Bytes::new(delivered),
            measured: false,
            status: flow.sender.status(),
        }
    }
}
