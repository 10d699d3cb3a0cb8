//! Random groups of flows, each of some hundred packets at most (heavy tails apart).

use proptest::prelude::*;
use proptest::sample::Index;
use sluice_sim::traffic::{Empirical, Listed, Long, Point, Poisson, Sizes, Traffic};
use sluice_sim::{Config, Group};
use sluice_units::{Bytes, Ratio, Span, Time};

use super::network::Network;

/// What a group is made of, before it is known where and for how long it runs.
#[derive(Clone, Debug)]
pub struct Seed {
    ends: (Index, Index),
    out: Option<Vec<Index>>,
    back: Option<Vec<Index>>,
    model: Model,
}

/// Times are parts of the time measured; sizes are in packets.
#[derive(Clone, Debug)]
enum Model {
    Long { count: u64, start: f64, spacing: f64, packets: u64 },
    Poisson { flows: f64, start: f64, ends: bool, sizes: Draw },
    List(Vec<(f64, f64)>),
}

#[derive(Clone, Debug)]
enum Draw {
    Fixed(f64),
    Exponential(f64),
    Pareto(f64, f64),
    Empirical(f64, f64),
}

/// Groups of every kind, or only of flows that have a size.
pub fn seeds(sized: bool) -> impl Strategy<Value = Vec<Seed>> {
    let model = if sized {
        prop_oneof![poisson(Just(true)), list()].boxed()
    } else {
        prop_oneof![long(), poisson(any::<bool>()), list()].boxed()
    };
    let walk = || prop::option::weighted(0.3, prop::collection::vec(any::<Index>(), 0..6));
    let seed = (any::<(Index, Index)>(), walk(), walk(), model)
        .prop_map(|(ends, out, back, model)| Seed { ends, out, back, model });
    prop::collection::vec(seed, 1..7)
}

fn long() -> impl Strategy<Value = Model> {
    (1_u64..5, 0.0_f64..1.0, 0.0_f64..0.3, 1_u64..500).prop_map(
        |(count, start, spacing, packets)| {
            // Flows often start together.
            let spacing = if spacing < 0.1 { 0.0 } else { spacing };
            Model::Long { count, start: (start - 0.5).max(0.0), spacing, packets }
        },
    )
}

/// `ends` tells whether arrivals end with the time measured.
fn poisson(ends: impl Strategy<Value = bool> + 'static) -> impl Strategy<Value = Model> {
    let mean = || 0.01..10.0;
    let sizes = prop_oneof![
        mean().prop_map(Draw::Fixed),
        mean().prop_map(Draw::Exponential),
        (mean(), 1.2..3.0).prop_map(|(mean, shape)| Draw::Pareto(mean, shape)),
        (0.0..5.0, 0.1..20.0).prop_map(|(least, width)| Draw::Empirical(least, width)),
    ];
    (1.0..60.0, 0.0..0.5, ends, sizes).prop_map(|(flows, start, ends, sizes)| Model::Poisson {
        flows,
        start,
        ends,
        sizes,
    })
}

fn list() -> impl Strategy<Value = Model> {
    let time = prop_oneof![Just(0.0), Just(0.5), 0.0..1.2];
    let size = prop_oneof![Just(0.0), Just(1.0), 0.0..3.0, 0.0..60.0];
    prop::collection::vec((time, size), 1..8).prop_map(Model::List)
}

impl Seed {
    /// The group, whose ends and paths `network` has.
    pub fn group(&self, name: String, network: &Network, config: &Config) -> Group {
        let from = self.ends.0.index(network.nodes);
        let to = (from + 1 + self.ends.1.index(network.nodes - 1)) % network.nodes;
        Group {
            name,
            from,
            to,
            path: self.out.as_ref().map(|turns| network.walk(from, to, turns)),
            back: self.back.as_ref().map(|turns| network.walk(to, from, turns)),
            traffic: self.model.traffic(config),
        }
    }

    /// Packets that each long flow may send; none if flows have a size.
    pub fn long_packets(&self) -> Option<u64> {
        match self.model {
            Model::Long { packets, .. } => Some(packets),
            _ => None,
        }
    }
}

impl Model {
    fn traffic(&self, config: &Config) -> Traffic {
        let stop = config.stop.as_secs_f64();
        let at = |part: f64| Time::ZERO + Span::from_secs_f64(part * stop);
        match self {
            &Self::Long { count, start, spacing, .. } => Traffic::Long(Long {
                count,
                start: at(start),
                spacing: at(spacing).since(Time::ZERO),
                stop: Time::NEVER,
            }),
            Self::Poisson { flows, start, ends, sizes } => Traffic::Poisson(Poisson {
                per_second: Ratio::new(flows / stop),
                start: at(*start),
                stop: if *ends { config.stop } else { Time::NEVER },
                sizes: sizes.sizes(config),
            }),
            Self::List(flows) => {
                let listed = |&(start, packets): &(f64, f64)| Listed {
                    start: at(start),
                    size: bytes(packets, config),
                };
                Traffic::List(flows.iter().map(listed).collect())
            }
        }
    }
}

impl Draw {
    fn sizes(&self, config: &Config) -> Sizes {
        let mean = |packets| bytes(packets, config).max(Bytes::new(1));
        match *self {
            Self::Fixed(packets) => Sizes::Fixed(mean(packets)),
            Self::Exponential(packets) => Sizes::Exponential(mean(packets)),
            Self::Pareto(packets, shape) => {
                Sizes::Pareto { mean: mean(packets), shape: Ratio::new(shape) }
            }
            Self::Empirical(least, width) => {
                let point = |packets, cumulative| Point {
                    size: mean(packets),
                    cumulative: Ratio::new(cumulative),
                };
                let points = [point(least, 0.2), point(least + width / 4.0, 0.6)];
                let points = points.into_iter().chain([point(least + width, 1.0)]);
                Sizes::Empirical(Empirical::new(points.collect()).expect("points that rise"))
            }
        }
    }
}

fn bytes(packets: f64, config: &Config) -> Bytes {
    Bytes::new((packets * (config.packet - config.header).as_f64()).round() as u64)
}
