//! Groups of the scenario: throughput, and streams of datagrams apart from flows.

use super::data::{ReportGroup, ReportStreams};
use super::digits::digits;
use crate::results::StreamSummary;
use crate::{ProtocolSummary, Summary};

/// The groups, with what each did under each system.
pub fn groups(found: &Summary) -> Vec<ReportGroup> {
    let Some(first) = found.systems().next() else { return Vec::new() };
    (0..first.groups.len()).map(|number| group(found, number, &first.groups[number].name)).collect()
}

fn group(found: &Summary, number: usize, name: &str) -> ReportGroup {
    let throughput =
        |system: &ProtocolSummary| system.groups.get(number).map(|g| digits(g.throughput, 5));
    let streams = |system: &ProtocolSummary| system.groups.get(number)?.streams.map(of_streams);
    let mut by_system: Vec<_> = found.systems().map(streams).collect();
    // Theory has neither.
    by_system.extend(found.analytic.as_ref().map(|_| None));
    if by_system.iter().all(Option::is_none) {
        by_system.clear();
    }
    let throughput = found.systems().map(throughput);
    ReportGroup {
        name: name.into(),
        throughput: throughput.chain(found.analytic.as_ref().map(|_| None)).collect(),
        streams: by_system,
    }
}

fn of_streams(found: StreamSummary) -> ReportStreams {
    let part = |value: Option<f64>| value.map(|value| digits(value, 5));
    ReportStreams {
        streams: found.streams,
        offered: digits(found.offered, 5),
        sent: digits(found.sent, 5),
        loss: part(found.loss),
        mean_delay: part(found.mean_delay),
        p99_delay: part(found.p99_delay),
    }
}
