//! What every run's results must satisfy, under the fuzzer and in the engine's own random tests.

use sluice_sim::schedule::{CapacitySchedule, OnDown};
use sluice_sim::traffic::Udp;
use sluice_sim::{
    Config, FlowRecord, LinkConfig, LinkOutcome, Outcome, RouteEpochs, Samples, StreamRecord,
};
use sluice_units::{Bytes, Limit, Span, Time};

/// Rounding up to whole nanoseconds at both ends of an interval.
pub const ROUNDING: Span = Span::from_nanos(2);

/// Every packet sent was delivered, dropped, or is in flight.
pub fn conserved(outcome: &Outcome) {
    let totals = outcome.totals;
    assert_eq!(totals.sent, totals.delivered + totals.dropped + totals.in_flight);
    assert!(totals.data_delivered <= totals.delivered);
    assert!(totals.hops >= totals.delivered, "every path has a link");
    let lost: u64 = outcome.links.iter().map(|link| link.drops + link.errors).sum();
    assert!(lost <= totals.dropped, "links lost {lost} of {totals:?}");
}

/// Every flow is reported once, and makes sense.
pub fn flows_make_sense(records: &[FlowRecord], outcome: &Outcome, config: &Config) {
    let mut names: Vec<_> = records.iter().map(|record| (record.group, record.index)).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "a flow was reported twice");
    for record in records {
        makes_sense(record, config);
        assert!(ended(record) <= outcome.end, "{record:?} ended after {}", outcome.end);
    }
}

fn makes_sense(record: &FlowRecord, config: &Config) {
    let measured = config.warm_up <= record.start && record.start < config.stop;
    assert_eq!(record.measured, measured, "{record:?}");
    let (Some(size), Some(alone)) = (record.size, record.alone) else {
        assert!(record.size.is_none() && record.alone.is_none() && record.completion.is_none());
        return;
    };
    assert!(record.delivered <= size, "{record:?}");
    assert!(record.acknowledged.is_none_or(|at| record.completion.is_some_and(|took| took <= at)));
    if let Some(took) = record.completion {
        // `alone` goes by nominal capacities, above which schedules may rise, and by the first paths.
        let constant = config.links.iter().all(|link| link.schedule.is_none())
            && config.groups[record.group].reroute.is_empty();
        assert!(took + ROUNDING >= alone || !constant, "faster than alone: {record:?}");
        if measured && record.start + took < config.stop {
            assert_eq!(record.delivered, size, "all of it arrived while measuring");
        }
    }
}

/// Every stream of datagrams that has begun is reported once, in order, and neither delivers nor loses
/// more than it sent; all that it sent in a run without a warm-up is counted in `totals`.
pub fn streams_make_sense(streams: &[StreamRecord], outcome: &Outcome, config: &Config) {
    let name = |stream: &StreamRecord| (stream.group, stream.index);
    assert!(streams.is_sorted_by(|a, b| name(a) < name(b)), "{streams:?}");
    let begun = |udp: &&Udp| udp.start <= outcome.end;
    let all = config.groups.iter().filter_map(|group| group.traffic.udp()).filter(begun);
    assert_eq!(streams.len() as u64, all.map(|udp| udp.count).sum::<u64>());
    let mut sent = 0;
    for stream in streams {
        // An ideal has no packets.
        let Some(counts) = stream.datagrams else { continue };
        sent += counts.sent;
        if config.warm_up == Time::ZERO {
            assert!(counts.delivered + counts.lost <= counts.sent, "{stream:?}");
            assert!(stream.delivered <= counts.offered, "{stream:?}");
        }
        let delays = [counts.mean_delay, counts.p99_delay];
        assert!(delays.iter().all(|delay| delay.is_some() == (counts.delivered > 0)));
    }
    assert!(sent <= outcome.totals.sent);
}

/// Arrival of its last byte, or its start if unfinished.
fn ended(record: &FlowRecord) -> Time {
    record.start + record.completion.unwrap_or_default()
}

/// No link carries or holds more than it can, in a run that was not interrupted.
pub fn links_make_sense(outcome: &Outcome, config: &Config) {
    let links = config.links.iter().zip(largest_rtpds(config)).zip(&outcome.links);
    for (id, ((link, rtpd), found)) in links.enumerate() {
        let rounding = link.capacity.bytes_in(ROUNDING) + Bytes::new(2);
        let room = link.bytes_between(config.warm_up, config.stop) + rounding;
        assert!(found.sent <= room, "link {id} sent {found:?}, room for {room}");
        let max = max_queue(config, link, rtpd);
        assert!(found.max_queue <= max, "link {id}: {found:?}, room for {max}");
        let drops = |schedule: &CapacitySchedule| schedule.on_down == OnDown::Drop;
        let wire_is_perfect = link.error.get() == 0.0
            && link.losses.is_empty()
            && !link.schedule.as_ref().is_some_and(drops);
        assert!(found.errors == 0 || !wire_is_perfect, "link {id}: {found:?}");
        link_makes_sense(id, found);
    }
}

fn link_makes_sense(id: usize, found: &LinkOutcome) {
    assert!((0.0..=1.0).contains(&found.utilization), "link {id}: {found:?}");
    assert!(found.mean_queue <= found.max_queue, "link {id}: {found:?}");
    assert!(found.p99_queue <= found.max_queue, "link {id}: {found:?}");
    assert!(found.early_drops <= found.drops, "link {id}: {found:?}");
}

/// For each link, the largest RTPD of the paths over it.
fn largest_rtpds(config: &Config) -> Vec<Span> {
    let mut largest = vec![Span::ZERO; config.links.len()];
    for paths in RouteEpochs::of(config).expect("it ran").iter().flat_map(RouteEpochs::all) {
        let rtpd = paths.rtpd(config);
        for &link in paths.out.links().iter().chain(&*paths.back.links()) {
            largest[link] = largest[link].max(rtpd);
        }
    }
    largest
}

/// The largest packet, datagrams among them.
fn largest_packet(config: &Config) -> Bytes {
    let streams = config.groups.iter().filter_map(|group| group.traffic.udp());
    let sizes = streams.flat_map(|udp| {
        let replayed = udp.replay.iter().flat_map(|file| file.list.iter().flat_map(|list| &**list));
        udp.size.into_iter().chain(replayed.map(|datagram| datagram.size))
    });
    sizes.fold(config.packet.max(config.control), Bytes::max)
}

/// What the buffer holds, and the packet in transmission.
fn max_queue(config: &Config, link: &LinkConfig, rtpd: Span) -> Bytes {
    let packet = largest_packet(config);
    let waiting = match link.buffer.limit(link.capacity, rtpd) {
        Limit::None => return Bytes::new(u64::MAX),
        Limit::Packets(packets) => Bytes::new(packets.saturating_mul(packet.as_u64())),
        Limit::Bytes(bytes) => bytes,
    };
    waiting + packet + link.capacity.bytes_in(ROUNDING) + Bytes::new(1)
}

/// Samples are finite numbers in order of time.
pub fn samples_make_sense(samples: &Samples<'_>) {
    let Samples { subject, columns, times, values } = samples;
    assert_eq!(values.len(), times.len() * columns.len(), "{subject:?}");
    assert!(times.is_sorted(), "{subject:?}: {times:?}");
    assert!(values.iter().all(|value| value.is_finite()), "{samples:?}");
}
