//! Records of measured flows, as those of simulated ones.

use sluice_sim::{Config, FlowRecord};
use sluice_units::{Bytes, Rate, Span, Time};

use crate::transfers::TransferState;
use crate::workload::PlannedFlow;

/// The records of a run, in the order of [`sluice_sim::Observer::flow`], and what they add up to.
pub struct Records {
    pub records: Vec<FlowRecord>,
    pub measured: u64,
    pub unfinished: u64,
    pub offered: Rate,
}

impl Records {
    /// Of the flows that have started; `back` has the delay of the way back of each group, without queues.
    pub fn of(
        config: &Config,
        flows: &[PlannedFlow],
        states: &[TransferState],
        back: &[Span],
    ) -> Self {
        let started =
            flows.iter().zip(states).filter(|(_, state)| **state != TransferState::Waiting);
        let mut records: Vec<FlowRecord> =
            started.map(|(flow, state)| record(config, flow, *state, back[flow.group])).collect();
        let learnt = |record: &FlowRecord| {
            record.acknowledged.map_or(Time::NEVER, |took| record.start + took)
        };
        records.sort_by_key(|record| (learnt(record), record.group, record.index));
        let sized = |record: &&FlowRecord| record.measured && record.size.is_some();
        let offered: f64 = records.iter().map(|record| record.offered().as_f64()).sum();
        let time = config.stop.since(config.warm_up).as_secs_f64();
        Self {
            measured: records.iter().filter(sized).count() as u64,
            unfinished: records.iter().filter(sized).filter(|it| it.completion.is_none()).count()
                as u64,
            offered: if time > 0.0 { Rate::from_bps_f64(8.0 * offered / time) } else { Rate::ZERO },
            records,
        }
    }
}

/// curl's time is from its SYN until it has the last byte. Its connection and its request go to the server first, a way back more
/// than the exchange of SYNs of a simulated flow, which its source opens.
fn record(config: &Config, flow: &PlannedFlow, state: TransferState, back: Span) -> FlowRecord {
    let acknowledged = match state {
        TransferState::Finished(took) => Some(took),
        TransferState::Waiting | TransferState::Started | TransferState::Stopped(_) => None,
    };
    let completion = acknowledged.map(|took| took - back);
    let delivered = match (state, flow.size, completion) {
        (TransferState::Stopped(received), ..) => received,
        (_, Some(size), Some(took)) => delivered(config, flow.start, took, size),
        _ => Bytes::ZERO,
    };
    FlowRecord {
        group: flow.group,
        index: flow.index,
        start: flow.start,
        size: flow.size,
        completion,
        acknowledged,
        alone: flow.alone,
        // The kernel counts them for all connections together.
        retransmissions: 0,
        resent: 0,
        delivered,
        measured: flow.measured,
        status: None,
    }
}

/// Of a flow that began before the measured time or ended after it, the part that it would have delivered at an even rate.
fn delivered(config: &Config, start: Time, took: Span, size: Bytes) -> Bytes {
    let within = (start + took).min(config.stop).since(start.max(config.warm_up));
    Bytes::new((size.as_f64() * within.as_secs_f64() / took.as_secs_f64().max(1e-9)).round() as u64)
}
