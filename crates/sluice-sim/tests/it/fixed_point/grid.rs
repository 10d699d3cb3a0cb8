//! A grid of dumbbells and parking lots, and what packets do there.

use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::transport::Transport;
use sluice_sim::fixed_point::Law;
use sluice_sim::traffic::sizes::{Fixed, HyperExponential, Pareto};
use sluice_sim::traffic::{Amount, Poisson, Sizes};
use sluice_sim::{Config, GroupConfig, LinkConfig, ideal};
use sluice_units::{BufferSize, Ratio, Span, Time};

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
    /// Buffers, in bandwidth-delay products.
    pub bdp: f64,
}

/// Flows that a run measures, about.
const FLOWS: f64 = 4_000.0;

impl Cell {
    pub fn name(&self) -> String {
        let Self { system, hops, mbps, rtt_ms, load, mix, bdp } = self;
        format!("{system:?} {hops} {mbps} {rtt_ms} {load} {mix:?} {bdp}")
    }

    /// Whether models may be looked at here while they are made; the other half is for the verdict.
    pub fn is_seen(&self, place: usize) -> bool {
        (place / System::ALL.len()).is_multiple_of(2)
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
                let buffer = BufferSize::Bdp(Ratio::new(self.bdp));
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
        for record in records.iter().filter(|record| record.measured) {
            let sum = &mut afct[record.group];
            let until = outcome.end.since(record.start);
            sum.0 += record.completion.unwrap_or(until).as_secs_f64();
            sum.1 += 1.0;
        }
        Measured {
            afct: afct.iter().map(|(sum, flows)| sum / flows).collect(),
            offered: outcome.offered.as_bps_f64() / (self.mbps as f64 * 1e6),
        }
    }
}

/// Results of packets.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Of each group, in seconds; an unfinished flow counts with its age.
    pub afct: Vec<f64>,
    /// Offered load, over all groups.
    pub offered: f64,
}

/// All cells.
pub fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for mbps in [10, 100, 1000] {
        for rtt_ms in [10, 40, 150] {
            for load in [0.3, 0.6, 0.9] {
                for mix in [Mix::Fixed(30.0), Mix::Pareto(30.0), Mix::Hyper(200.0)] {
                    for system in System::ALL {
                        cells.push(Cell { system, hops: 1, mbps, rtt_ms, load, mix, bdp: 1.0 });
                    }
                }
            }
        }
    }
    for load in [0.4, 0.8] {
        for mix in [Mix::Fixed(100.0), Mix::Pareto(30.0)] {
            for system in System::ALL {
                for (mbps, rtt_ms) in [(10, 50), (100, 100)] {
                    cells.push(Cell { system, hops: 3, mbps, rtt_ms, load, mix, bdp: 1.0 });
                }
            }
        }
    }
    cells
}
