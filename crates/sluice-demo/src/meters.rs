//! What links carry and hold over a run.

use std::borrow::Cow;
use std::fs;

use sluice_sim::{Config, LinkConfig, LinkId, LinkOutcome, Observer, Samples, Subject};
use sluice_testbed::{LinkCounters, Namespace};
use sluice_units::{Bytes, Span, Time};

use crate::network::{DemoNetwork, LaidLink};
use crate::rcp::LawMetrics;

/// The links of a run, of which each is read when [`LinkMeters::poll`] is called.
pub struct LinkMeters<'a> {
    config: &'a Config,
    network: &'a DemoNetwork,
    /// At warm-up and at stop.
    readings: [Option<Vec<Reading>>; 2],
    /// Queues at each poll between them, by link.
    queues: Vec<Vec<u64>>,
    samplers: Vec<Sampler>,
}

/// A link at an instant.
#[derive(Clone, Copy)]
enum Reading {
    Emulated(LinkCounters),
    /// Bytes sent so far.
    Plain(u64),
}

/// Samples of [`Config::link_metrics`].
struct Sampler {
    link: LinkId,
    every: Span,
    due: Time,
    /// The last sample, and the bytes that had joined the queue by then.
    last: Time,
    joined: u64,
}

impl<'a> LinkMeters<'a> {
    pub fn new(config: &'a Config, network: &'a DemoNetwork) -> Self {
        let sampler = |metrics: &sluice_sim::LinkMetrics| {
            let (link, every) = (metrics.link, metrics.every);
            let joined = joined(&read(&network.links[link], network)).0;
            Sampler { link, every, due: Time::ZERO + every, last: Time::ZERO, joined }
        };
        Self {
            config,
            network,
            readings: [None, None],
            queues: vec![Vec::new(); config.links.len()],
            samplers: config.link_metrics.iter().map(sampler).collect(),
        }
    }

    /// Reads what is due at `now`; `law` has the quantities of a link's law.
    pub fn poll(
        &mut self,
        now: Time,
        law: impl Fn(LinkId) -> LawMetrics,
        observer: &mut dyn Observer,
    ) {
        self.sample(now, law, observer);
        if now < self.config.warm_up || self.readings[1].is_some() {
            return;
        }
        if self.readings[0].is_none() {
            for link in &self.network.links {
                if let LaidLink::Emulated(direction) = link {
                    direction.reset_peaks();
                }
            }
            self.readings[0] = Some(self.read_all());
        }
        for (link, queue) in self.network.links.iter().zip(&mut self.queues) {
            if let LaidLink::Emulated(direction) = link {
                queue.push(direction.counters().queue.as_u64());
            }
        }
        if now >= self.config.stop {
            self.readings[1] = Some(self.read_all());
        }
    }

    /// The links over the measured time, up to now if that is earlier.
    pub fn outcomes(&mut self) -> Vec<LinkOutcome> {
        let now = self.read_all();
        let [first, last] = &self.readings;
        let (first, last) = (first.as_ref().unwrap_or(&now), last.as_ref().unwrap_or(&now));
        let readings = first.iter().zip(last).zip(&mut self.queues).zip(&self.config.links);
        let time = self.config.stop.since(self.config.warm_up);
        readings
            .map(|(((first, last), queue), link)| outcome(link, first, last, queue, time))
            .collect()
    }

    /// The largest time by which 99 % of the frames of a link were late at most.
    pub fn lateness(&self) -> Span {
        let of = |link: &LaidLink| match link {
            LaidLink::Emulated(direction) => direction.counters().lateness.p99,
            LaidLink::Plain { .. } => Span::ZERO,
        };
        self.network.links.iter().map(of).max().unwrap_or(Span::ZERO)
    }

    fn read_all(&self) -> Vec<Reading> {
        self.network.links.iter().map(|link| read(link, self.network)).collect()
    }

    fn sample(
        &mut self,
        now: Time,
        law: impl Fn(LinkId) -> LawMetrics,
        observer: &mut dyn Observer,
    ) {
        for sampler in self.samplers.iter_mut().filter(|sampler| sampler.due <= now) {
            let (joined, queue) = joined(&read(&self.network.links[sampler.link], self.network));
            let capacity = self.config.links[sampler.link].capacity;
            let room = capacity.bytes_in(now.since(sampler.last)).as_f64();
            let law = law(sampler.link);
            let mut columns: Vec<Cow<'static, str>> = vec!["queue_bytes".into(), "load".into()];
            columns.extend(law.iter().map(|&(name, _)| Cow::from(name)));
            let mut values =
                vec![queue as f64, joined.saturating_sub(sampler.joined) as f64 / room];
            values.extend(law.iter().map(|&(_, value)| value));
            let subject = Subject::Link(sampler.link);
            observer.samples(&Samples {
                subject,
                columns: &columns,
                times: &[now],
                values: &values,
            });
            (sampler.last, sampler.joined) = (now, joined);
            // Polls are as late as this machine is busy.
            sampler.due = now + sampler.every;
        }
    }
}

/// Bytes that have joined the queue so far, and those in it.
fn joined(reading: &Reading) -> (u64, u64) {
    match reading {
        Reading::Emulated(counted) => {
            let queue = counted.queue.as_u64();
            (counted.sent.as_u64() + queue, queue)
        }
        Reading::Plain(sent) => (*sent, 0),
    }
}

fn read(link: &LaidLink, network: &DemoNetwork) -> Reading {
    match link {
        LaidLink::Emulated(direction) => Reading::Emulated(direction.counters()),
        LaidLink::Plain { at, device } => Reading::Plain(sent_by(&network.nodes[*at], device)),
    }
}

/// Bytes that a device has sent, by the kernel's count.
fn sent_by(namespace: &Namespace, device: &str) -> u64 {
    let table = namespace.enter(|| fs::read_to_string("/proc/thread-self/net/dev"));
    let table = table.unwrap_or_default();
    let line = table.lines().find_map(|line| line.trim().strip_prefix(device)?.strip_prefix(':'));
    // Eight columns of what it received come first.
    line.and_then(|line| line.split_whitespace().nth(8)?.parse().ok()).unwrap_or(0)
}

fn outcome(
    link: &LinkConfig,
    first: &Reading,
    last: &Reading,
    queues: &mut [u64],
    time: Span,
) -> LinkOutcome {
    let none = LinkCounters::default();
    let (counted, sent) = match (first, last) {
        (Reading::Emulated(first), Reading::Emulated(last)) => {
            let counted = last.since(first);
            (counted, counted.sent)
        }
        (Reading::Plain(first), Reading::Plain(last)) => {
            (none, Bytes::new(last.saturating_sub(*first)))
        }
        _ => (none, Bytes::ZERO),
    };
    queues.sort_unstable();
    let p99 = queues.get((queues.len() * 99).div_ceil(100).saturating_sub(1)).copied();
    let over = if counted.elapsed > Span::ZERO { counted.elapsed } else { time };
    let room = link.capacity.bytes_in(over).as_f64();
    LinkOutcome {
        utilization: (sent.as_f64() / room.max(1.0)).min(1.0),
        sent,
        mean_queue: counted.mean_queue(),
        p99_queue: Bytes::new(p99.unwrap_or(0)),
        max_queue: counted.max_queue,
        drops: counted.dropped_packets,
        early_drops: 0,
        marks: 0,
        errors: counted.lost_packets,
        police: None,
        ingress: None,
    }
}
