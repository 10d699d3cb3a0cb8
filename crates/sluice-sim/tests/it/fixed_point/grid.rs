//! A grid of dumbbells and parking lots, and what packets do there.

use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::transport::Transport;
use sluice_sim::fixed_point::Law;
use sluice_sim::traffic::sizes::{Fixed, HyperExponential, Pareto};
use sluice_sim::traffic::{Amount, Long, Poisson, Sizes, Udp};
use sluice_sim::{Config, GroupConfig, LinkConfig, ideal};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::shown::{Kept, config, link, results};

/// What a cell runs: a law, and for NCP its count of flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    Ideal,
    Rcp,
    Ncp,
    NcpS,
    Xcp,
    Tcp,
}

impl System {
    pub const ALL: [Self; 6] =
        [Self::Ideal, Self::Rcp, Self::Ncp, Self::NcpS, Self::Xcp, Self::Tcp];

    pub fn law(self) -> Law {
        match self {
            Self::Ideal => Law::MaxMin,
            Self::Rcp => Law::Rcp,
            Self::Ncp | Self::NcpS => Law::Ncp,
            Self::Xcp => Law::Xcp,
            Self::Tcp => Law::Tcp,
        }
    }

    fn parameters(self) -> Parameters {
        let mut parameters = Parameters { transport: Transport::DEFAULT, ..Parameters::default() };
        if self == Self::NcpS {
            parameters.ncp = NcpParams { counted: FlowCount::Eq6, ..parameters.ncp };
        }
        parameters
    }
}

/// Sizes of flows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mix {
    /// All of this number of packets.
    Fixed(f64),
    /// Pareto of shape 1.4 with this mean in packets.
    Pareto(f64),
    /// A squared coefficient of variation of 10, with this mean in packets.
    Hyper(f64),
}

impl Mix {
    pub fn mean(self) -> f64 {
        match self {
            Self::Fixed(mean) | Self::Pareto(mean) | Self::Hyper(mean) => mean,
        }
    }

    fn sizes(self) -> Sizes {
        let mean = Amount::Packets(Ratio::new(self.mean()));
        match self {
            Self::Fixed(_) => Sizes::Fixed(Fixed(mean)),
            Self::Pareto(_) => Sizes::Pareto(Pareto { mean, shape: Ratio::new(1.4) }),
            Self::Hyper(_) => Sizes::HyperExponential(HyperExponential {
                probabilities: None,
                means: None,
                mean: Some(mean),
                scv: Some(Ratio::new(10.0)),
            }),
        }
    }
}

/// A scenario under one system.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub system: System,
    /// Number of bottlenecks in a row: one is a dumbbell; more have traffic of their own each, and a group that
    /// crosses all.
    pub hops: usize,
    pub mbps: u64,
    /// Round trip over all bottlenecks.
    pub rtt_ms: u64,
    /// Of each bottleneck.
    pub load: f64,
    pub mix: Mix,
    /// Flows without an end beside the first group.
    pub long: u64,
    /// The part of the capacity that a stream of datagrams takes beside the first group.
    pub stream: f64,
    /// Whether models may be looked at here while they are made; the others are for the verdict. All systems of a
    /// scenario are in the same half.
    pub seen: bool,
}

/// Flows that a run measures, about.
const FLOWS: f64 = 4_000.0;

impl Cell {
    pub fn name(&self) -> String {
        let Self { system, hops, mbps, rtt_ms, load, mix, long, stream, seen } = self;
        let half = if *seen { "seen" } else { "unseen" };
        format!("{system:?} {hops} {mbps} {rtt_ms} {load} {mix:?} {long} {stream} {half}")
    }

    /// A dumbbell whose flows all have a size.
    pub fn dumbbell(system: System, mbps: u64, rtt_ms: u64, load: f64, mix: Mix) -> Self {
        Self { system, hops: 1, mbps, rtt_ms, load, mix, long: 0, stream: 0.0, seen: true }
    }

    fn seconds(&self) -> f64 {
        let per_second = self.load * self.mbps as f64 * 1e6 / (8000.0 * self.mix.mean());
        // R of RCP settles over d0 / (alpha (1 - load)).
        (FLOWS / per_second).max(self.rtt_ms as f64 * 1e-3 * 40.0 / (1.0 - self.load))
    }

    pub fn config(&self) -> Config {
        let capacity = self.mbps * 1_000_000;
        let hop = Span::from_secs_f64(self.rtt_ms as f64 * 1e-3 / 2.0 / self.hops as f64);
        // Routers 0 ..= hops; hosts beyond.
        let mut links: Vec<LinkConfig> = Vec::new();
        for at in 0..self.hops {
            for (from, to) in [(at, at + 1), (at + 1, at)] {
                let buffer = BufferSize::Bdp(Ratio::new(1.0));
                links.push(LinkConfig { buffer, ..link(from, to, capacity, hop) });
            }
        }
        let mut host = self.hops;
        let mut access = |router: usize, links: &mut Vec<LinkConfig>| {
            host += 1;
            links.push(link(host, router, 10 * capacity, Span::ZERO));
            links.push(link(router, host, 10 * capacity, Span::ZERO));
            host
        };
        let mut ends = vec![(0, self.hops)];
        if self.hops > 1 {
            ends.extend((0..self.hops).map(|at| (at, at + 1)));
        }
        let load = self.load / if self.hops > 1 { 2.0 } else { 1.0 };
        let per_second = load * capacity as f64 / (8000.0 * self.mix.mean());
        let mut groups = Vec::new();
        for (number, &(first, last)) in ends.iter().enumerate() {
            let (from, to) = (access(first, &mut links), access(last, &mut links));
            let traffic = Poisson::new(Ratio::new(per_second), self.mix.sizes());
            groups.push(GroupConfig::new(format!("group {number}"), from, to, traffic));
        }
        let (from, to) = (groups[0].from, groups[0].to);
        if self.long > 0 {
            let long = Long { count: self.long, ..Long::default() };
            groups.push(GroupConfig::new("long", from, to, long));
        }
        if self.stream > 0.0 {
            let rate = Rate::from_bps_f64(self.stream * capacity as f64);
            let stream = Udp::constant(rate, Bytes::new(1000));
            groups.push(GroupConfig::new("stream", from, to, stream));
        }
        let seconds = self.seconds();
        let mut config = config(links, groups, Span::from_secs_f64(1.2 * seconds));
        config.parameters = self.system.parameters();
        config.warm_up = Time::ZERO + Span::from_secs_f64(0.2 * seconds);
        config.limit = config.stop + Span::from_secs_f64(3.0 * seconds);
        config
    }

    /// Runs packets, or the fluid of the ideal.
    pub fn measured(&self) -> Measured {
        let config = self.config();
        let (records, outcome) = match self.system {
            System::Ideal => {
                let mut kept = Kept(Vec::new());
                let outcome = ideal::run(&config, ideal::Ideal::MaxMin, &mut kept).expect("sound");
                (kept.0, outcome)
            }
            system => {
                let name = match system.law() {
                    Law::Rcp => ProtocolName::Rcp,
                    Law::Ncp => ProtocolName::Ncp,
                    Law::Xcp => ProtocolName::Xcp,
                    _ => ProtocolName::Tcp,
                };
                results(&config, config.parameters.protocol(name))
            }
        };
        let mut afct = vec![(0.0, 0.0); config.groups.len()];
        let mut delivered = vec![0.0; config.groups.len()];
        let seconds = config.stop.since(config.warm_up).as_secs_f64();
        for record in &records {
            delivered[record.group] += record.delivered.as_f64() * 8.0 / seconds;
        }
        for record in records.iter().filter(|record| record.measured) {
            let sum = &mut afct[record.group];
            let until = outcome.end.since(record.start);
            sum.0 += record.completion.unwrap_or(until).as_secs_f64();
            sum.1 += 1.0;
        }
        Measured {
            afct: afct.iter().map(|(sum, flows)| sum / flows).collect(),
            delivered,
            offered: outcome.offered.as_bps_f64() / (self.mbps as f64 * 1e6),
        }
    }
}

/// Results of packets.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Of each group, in seconds; an unfinished flow counts with its age.
    pub afct: Vec<f64>,
    /// Of each group, in bits a second over the time measured.
    pub delivered: Vec<f64>,
    /// Offered load of flows with a size, over all groups.
    pub offered: f64,
}

/// The places of what `values` has, and these.
fn placed<T: Copy>(values: &[T]) -> impl Iterator<Item = (usize, T)> {
    values.iter().copied().enumerate()
}

/// All cells. Halves are as the squares of a chessboard, in each direction.
pub fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for (a, mbps) in placed(&[10, 100, 1000]) {
        for (b, rtt_ms) in placed(&[10, 40, 150]) {
            for (c, load) in placed(&[0.3, 0.6, 0.9]) {
                for (d, mix) in placed(&[Mix::Fixed(30.0), Mix::Pareto(30.0), Mix::Hyper(200.0)]) {
                    let seen = (a + b + c + d).is_multiple_of(2);
                    let of =
                        |&system| Cell { seen, ..Cell::dumbbell(system, mbps, rtt_ms, load, mix) };
                    cells.extend(System::ALL.iter().map(of));
                }
            }
        }
    }
    for (a, load) in placed(&[0.4, 0.8]) {
        for (b, mix) in placed(&[Mix::Fixed(100.0), Mix::Pareto(30.0)]) {
            for (c, (mbps, rtt_ms)) in placed(&[(10, 50), (100, 100)]) {
                let seen = (a + b + c).is_multiple_of(2);
                let of = |&system| Cell {
                    hops: 3,
                    seen,
                    ..Cell::dumbbell(system, mbps, rtt_ms, load, mix)
                };
                cells.extend(System::ALL.iter().map(of));
            }
        }
    }
    cells
}
