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

#[cfg(test)]
mod tests {
    use sluice_sim::{GroupConfig, LinkConfig};

    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Span::from_millis(ms)
    }

    fn planned(index: u64, start: u64, size: Option<u64>) -> PlannedFlow {
        PlannedFlow {
            group: 0,
            index,
            start: at(start),
            stop: Time::NEVER,
            size: size.map(Bytes::new),
            alone: None,
            measured: start >= 1_000,
        }
    }

    /// Measured from 1 s to 3 s, with 10 ms back.
    #[test]
    fn records_are_as_those_of_the_simulator() {
        let link = LinkConfig::new(0, 1, Rate::from_bps(1_000_000));
        let traffic = sluice_sim::traffic::Long::default();
        let groups = vec![GroupConfig::new("g", 0, 1, traffic)];
        let config = Config { warm_up: at(1_000), ..Config::new(2, vec![link], groups, at(3_000)) };
        let flows = [
            planned(0, 500, Some(1_000)),
            planned(1, 1_500, Some(2_000)),
            planned(2, 1_600, Some(3_000)),
            planned(3, 0, None),
            planned(4, 2_900, Some(4_000)),
        ];
        let states = [
            // Half of it before the measured time.
            TransferState::Finished(Span::from_millis(1_010)),
            TransferState::Finished(Span::from_millis(410)),
            TransferState::Started,
            TransferState::Stopped(Bytes::new(777)),
            TransferState::Waiting,
        ];
        let found = Records::of(&config, &flows, &states, &[Span::from_millis(10)]);
        // Who learns first comes first, who never does last; what has not started is not there.
        let order: Vec<u64> = found.records.iter().map(|record| record.index).collect();
        assert_eq!(order, [0, 1, 2, 3]);
        let [first, second, third, long] = found.records[..] else { panic!("{order:?}") };
        assert_eq!(first.completion, Some(Span::from_millis(1_000)));
        assert_eq!(first.acknowledged, Some(Span::from_millis(1_010)));
        assert_eq!(second.completion, Some(Span::from_millis(400)));
        let delivered = [first, second, third, long].map(|record| record.delivered.as_u64());
        assert_eq!(delivered, [500, 2_000, 0, 777]);
        assert_eq!((found.measured, found.unfinished), (2, 1));
        // 5000 bytes in 2 s.
        assert_eq!(found.offered, Rate::from_bps(20_000));
    }
}
