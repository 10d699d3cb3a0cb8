//! The programs that move data: nginx and curl for flows with a size, iperf3 for those without.

use sluice_sim::{Config, NodeId};
use sluice_testbed::{
    Download, IPERF3_PORT, IperfClient, IperfStream, Running, iperf3_server, web_server,
};
use sluice_units::{Bytes, Span, Time};

use crate::address::address;
use crate::clock::Clock;
use crate::error::DemoError;
use crate::network::DemoNetwork;
use crate::workload::PlannedFlow;

/// Streams of one iperf3 at most.
const STREAMS: usize = 128;
/// Downloads that one poll starts at most: each takes some 10 ms, and between them other things are looked at.
const STARTS: usize = 8;
/// Longer than a run.
const LONG: &str = "86400";
/// Intervals of iperf3's report, in seconds.
const INTERVAL: &str = "0.25";

/// All flows of a run. Data go from a server at the flow's source to a client at its destination.
pub struct Transfers<'a> {
    config: &'a Config,
    network: &'a DemoNetwork,
    flows: &'a [PlannedFlow],
    /// By flow.
    pub states: Vec<TransferState>,
    /// Flows with a size that are under way, by place.
    downloads: Vec<(usize, Download)>,
    /// The next of the flows with a size.
    next: usize,
    bulks: Vec<Bulk>,
    /// By how much a flow started after its time, at most.
    pub latest_start: Span,
    /// Servers, which end with this.
    _servers: Vec<Running>,
}

/// A flow at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TransferState {
    Waiting,
    Started,
    /// The client had its last byte as long after its SYN.
    Finished(Span),
    /// It was stopped. Bytes that the client received in the measured time.
    Stopped(Bytes),
}

/// Flows without a size that start together, as streams of one iperf3.
pub struct Bulk {
    /// Their places.
    flows: Vec<usize>,
    start: Time,
    stop: Time,
    client: Option<IperfClient>,
}

impl<'a> Transfers<'a> {
    /// Starts the servers.
    pub fn new(
        config: &'a Config,
        network: &'a DemoNetwork,
        flows: &'a [PlannedFlow],
    ) -> Result<Self, DemoError> {
        let bulks = bulks(config, flows);
        let cgroup = Some(&network.cgroup);
        let source = |flow: &PlannedFlow| config.groups[flow.group].from;
        let mut web: Vec<NodeId> =
            flows.iter().filter(|flow| flow.size.is_some()).map(source).collect();
        web.sort_unstable();
        web.dedup();
        let mut servers = Vec::new();
        for node in web {
            servers.push(web_server(&network.nodes[node], cgroup)?);
        }
        for (place, bulk) in bulks.iter().enumerate() {
            let node = source(&flows[bulk.flows[0]]);
            servers.push(iperf3_server(&network.nodes[node], cgroup, port(place))?);
        }
        Ok(Self {
            config,
            network,
            flows,
            states: vec![TransferState::Waiting; flows.len()],
            downloads: Vec::new(),
            next: 0,
            bulks,
            latest_start: Span::ZERO,
            _servers: servers,
        })
    }

    /// Starts what is due, a few of many downloads, and looks for what has finished.
    pub fn poll(&mut self, clock: &Clock) -> Result<(), DemoError> {
        self.start_downloads(clock)?;
        let mut going_on = Vec::with_capacity(self.downloads.len());
        for (place, mut download) in self.downloads.drain(..) {
            match download.finished()? {
                Some(took) => self.states[place] = TransferState::Finished(took),
                None => going_on.push((place, download)),
            }
        }
        self.downloads = going_on;
        for place in 0..self.bulks.len() {
            self.poll_bulk(place, clock)?;
        }
        Ok(())
    }

    /// Stops what goes on.
    pub fn stop(&mut self, clock: &Clock) -> Result<(), DemoError> {
        self.downloads.clear();
        for place in 0..self.bulks.len() {
            self.stop_bulk(place, clock)?;
        }
        Ok(())
    }

    fn start_downloads(&mut self, clock: &Clock) -> Result<(), DemoError> {
        let mut started = 0;
        while started < STARTS
            && let Some(flow) = self.flows.get(self.next).filter(|flow| flow.start <= clock.now())
        {
            self.latest_start = self.latest_start.max(clock.now().since(flow.start));
            if let Some(size) = flow.size {
                let (from, to) = self.ends(self.next);
                let client = &self.network.nodes[to];
                let cgroup = Some(&self.network.cgroup);
                let download = Download::start(client, cgroup, &address(from), size)?;
                self.downloads.push((self.next, download));
                self.states[self.next] = TransferState::Started;
                started += 1;
            }
            self.next += 1;
        }
        Ok(())
    }

    fn poll_bulk(&mut self, place: usize, clock: &Clock) -> Result<(), DemoError> {
        let now = clock.now();
        let Bulk { start, stop, ref mut client, .. } = self.bulks[place];
        if let Some(client) = client {
            // One that has ended by itself is stopped for its error.
            if now >= stop || client.has_ended()? {
                return self.stop_bulk(place, clock);
            }
            return Ok(());
        }
        // One that starts when measuring has ended would count for nothing.
        if now < start || now >= stop || now >= self.config.stop {
            return Ok(());
        }
        let (from, to) = self.ends(self.bulks[place].flows[0]);
        let bulk = &mut self.bulks[place];
        let (streams, port) = (bulk.flows.len().to_string(), port(place).to_string());
        let server = address(from);
        // The server sends, so that intervals are those of the receiver.
        let arguments =
            ["-c", &server, "-p", &port, "-R", "-P", &streams, "-t", LONG, "-i", INTERVAL];
        let network = self.network;
        bulk.client =
            Some(IperfClient::start(&network.nodes[to], Some(&network.cgroup), &arguments)?);
        bulk.flows.iter().for_each(|&flow| self.states[flow] = TransferState::Started);
        Ok(())
    }

    fn stop_bulk(&mut self, place: usize, clock: &Clock) -> Result<(), DemoError> {
        let bulk = &mut self.bulks[place];
        let Some(client) = bulk.client.take() else { return Ok(()) };
        let now = clock.now();
        let streams = client.stop()?;
        for (&flow, stream) in bulk.flows.iter().zip(&streams) {
            let received = received(stream, now, self.config.warm_up, self.config.stop);
            self.states[flow] = TransferState::Stopped(received);
        }
        // It does not start again.
        bulk.start = Time::NEVER;
        Ok(())
    }

    /// Source and destination of a flow.
    fn ends(&self, flow: usize) -> (NodeId, NodeId) {
        let group = &self.config.groups[self.flows[flow].group];
        (group.from, group.to)
    }
}

/// That of the iperf3 of flows that start together, of which there are few ([`crate::check`]).
fn port(place: usize) -> u16 {
    IPERF3_PORT + place as u16
}

/// The flows without a size, as they start together.
pub fn bulks(config: &Config, flows: &[PlannedFlow]) -> Vec<Bulk> {
    let mut bulks: Vec<Bulk> = Vec::new();
    for (place, flow) in flows.iter().enumerate().filter(|(_, flow)| flow.size.is_none()) {
        let ends = |flow: &PlannedFlow| {
            let group = &config.groups[flow.group];
            (group.from, group.to, flow.start, flow.stop)
        };
        let same = |bulk: &&mut Bulk| {
            ends(&flows[bulk.flows[0]]) == ends(flow) && bulk.flows.len() < STREAMS
        };
        match bulks.iter_mut().find(same) {
            Some(bulk) => bulk.flows.push(place),
            None => bulks.push(Bulk {
                flows: vec![place],
                start: flow.start,
                stop: flow.stop,
                client: None,
            }),
        }
    }
    bulks
}

/// Bytes that a stream received from one instant to another, if its last interval ended `now`.
fn received(stream: &IperfStream, now: Time, from: Time, to: Time) -> Bytes {
    let Some(last) = stream.intervals.last() else { return Bytes::ZERO };
    let began = now - last.end;
    let within = stream.intervals.iter().map(|interval| {
        let (start, end) = (began + interval.start, began + interval.end);
        let length = end.since(start).as_secs_f64();
        let part = end.min(to).since(start.max(from)).as_secs_f64();
        if length > 0.0 { interval.bytes.as_f64() * part / length } else { 0.0 }
    });
    Bytes::new(within.sum::<f64>().round() as u64)
}

#[cfg(test)]
mod tests {
    use sluice_testbed::IperfInterval;

    use super::*;

    #[test]
    fn intervals_count_by_their_part_of_the_measured_time() {
        let interval = |start, end| IperfInterval {
            start: Span::from_secs(start),
            end: Span::from_secs(end),
            bytes: Bytes::new(1_000),
        };
        let intervals = vec![interval(0, 2), interval(2, 4), interval(4, 6)];
        let stream = IperfStream { intervals, ..IperfStream::default() };
        let at = |seconds| Time::ZERO + Span::from_secs(seconds);
        // They lasted from 1 s to 7 s: all of the second, half of the first and the last.
        assert_eq!(received(&stream, at(7), at(2), at(6)), Bytes::new(2_000));
        assert_eq!(received(&stream, at(7), at(8), at(9)), Bytes::ZERO);
        assert_eq!(received(&IperfStream::default(), at(7), at(2), at(6)), Bytes::ZERO);
    }
}
