//! Traced senders: a host law that records what the law inside it does.

use std::sync::mpsc;

use sluice_laws::WireHeader;
use sluice_laws::host::{AckEvent, CongestionEvent, HostLaw, RtoEvent, SendEvent};
use sluice_units::{Rate, Time};

use crate::host::forward_to_law;
use crate::trace::SenderEvent;

/// Where the senders of a group put their events.
#[derive(Clone)]
pub(super) struct TraceSender {
    events: mpsc::Sender<SenderEvent>,
    group: usize,
}

impl TraceSender {
    pub(super) fn new(events: mpsc::Sender<SenderEvent>, group: usize) -> Self {
        Self { events, group }
    }
}

/// Records the window and the pace of the law inside it, after each acknowledgement and whenever
/// they have changed after a time-out or as a packet leaves.
pub(super) struct TracedLaw {
    law: Box<dyn HostLaw>,
    trace: TraceSender,
    index: u64,
    /// Data packets acknowledged.
    acked: u64,
    /// The window and the pace recorded last.
    recorded: (Option<f64>, Option<Rate>),
}

impl TracedLaw {
    pub(super) fn new(law: Box<dyn HostLaw>, trace: TraceSender, index: u64) -> Self {
        Self { recorded: (cwnd(&*law), law.rate()), law, trace, index, acked: 0 }
    }

    fn record_change(&mut self, time: Time) {
        if (cwnd(&*self.law), self.law.rate()) != self.recorded {
            self.record(time);
        }
    }

    fn record(&mut self, time: Time) {
        let (cwnd, rate) = (cwnd(&*self.law), self.law.rate());
        self.recorded = (cwnd, rate);
        let Self { trace, index, acked, .. } = self;
        let event =
            SenderEvent { time, group: trace.group, index: *index, cwnd, rate, acked: *acked };
        // The receiver lives as long as the run.
        _ = trace.events.send(event);
    }
}

impl HostLaw for TracedLaw {
    forward_to_law!();

    fn on_ack(&mut self, event: &AckEvent) {
        self.acked += u64::from(event.acked);
        self.law.on_ack(event);
        self.record(event.now);
    }

    fn on_packets_lost(&mut self, lost: u64) {
        self.law.on_packets_lost(lost);
    }

    /// The next packet may have to wait for its pace; without one, it leaves at this instant.
    fn on_congestion(&mut self, event: &CongestionEvent) {
        self.law.on_congestion(event);
        if self.law.rate().is_some() {
            self.record_change(event.now);
        }
    }

    fn on_rto(&mut self, event: &RtoEvent) {
        self.law.on_rto(event);
        self.record_change(event.now);
    }

    /// A packet leaves after all else that changes a law, such as an idle period.
    fn header(&mut self, out: &SendEvent) -> WireHeader {
        let header = self.law.header(out);
        self.record_change(out.now);
        header
    }
}

/// A law's window with its fraction.
fn cwnd(law: &dyn HostLaw) -> Option<f64> {
    let mut found = None;
    law.metrics(&mut |name, value| {
        if name == "cwnd" {
            found = Some(value);
        }
    });
    found
}
