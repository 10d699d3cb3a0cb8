//! Random groups of flows, each of some hundred packets at most (heavy tails apart).

use std::ops::RangeInclusive;

use proptest::prelude::*;
use proptest::sample::Index;
use sluice_laws::conduct::Conduct;
use sluice_laws::registry::ProtocolName;
use sluice_sim::traffic::sizes::{
    Exponential, Fixed, HyperExponential, Pareto, Points, Sizes, Uniform,
};
use sluice_sim::traffic::{
    Amount, Cbr, Datagram, DatagramFile, FlashCrowd, Incast, Listed, Long, OnOff, Pauses,
    PerSecond, Periodic, Phase, Poisson, Traffic, Udp, Web,
};
use sluice_sim::{Config, GroupConfig, NodeId, Reroute, Routing, WeightedPath};
use sluice_units::{Bytes, Faults, Rate, Ratio, Span, Time};

use super::laws::Law;
use super::network::Network;

/// A group before its nodes and its duration are known.
#[derive(Clone, Debug)]
pub struct Seed {
    ends: (Index, Index),
    /// Data paths by their turns, with weights: mostly none or one.
    out: Vec<(Vec<Index>, u64)>,
    back: Option<Vec<Index>>,
    /// Changes of paths, by their times and the turns of data and acknowledgements: mostly none.
    reroute: Vec<Change>,
    model: Model,
    routing: Routing,
    protocol: Option<ProtocolName>,
    /// Its weight, in queues and where its law has any.
    pub weight: Ratio,
    /// Which conduct it has; none beyond the last.
    cheats: usize,
}

/// The time of a change of paths, as a fraction of the measured time, and the turns of each new path.
type Change = (f64, Option<Vec<Index>>, Option<Vec<Index>>);

/// Times are fractions of the measured time; sizes are in packets.
#[derive(Clone, Debug)]
enum Model {
    Long {
        count: u64,
        start: f64,
        spacing: f64,
        packets: u64,
    },
    /// The model of that name with about `flows` flows; `form` gives its shape.
    Random {
        name: &'static str,
        flows: f64,
        form: (f64, u64, bool),
        span: Window,
        sizes: Draw,
    },
    List(Vec<(f64, f64)>),
}

/// Arrivals from `start`, and until the end of the measured time if `ends`.
#[derive(Clone, Copy, Debug)]
struct Window {
    start: f64,
    ends: bool,
}

#[derive(Clone, Debug)]
enum Draw {
    Fixed(f64),
    Exponential(f64),
    HyperExponential(f64, f64),
    Uniform(f64, f64),
    Pareto(f64, f64),
    Points(f64, f64),
}

/// Groups of every kind, or only of flows that have a size.
pub fn seeds(sized: bool) -> impl Strategy<Value = Vec<Seed>> {
    let model = if sized {
        prop_oneof![3 => random(Just(true)), 1 => list()].boxed()
    } else {
        prop_oneof![1 => long(), 1 => streams(), 3 => random(any::<bool>()), 1 => list()].boxed()
    };
    let walk = || prop::collection::vec(any::<Index>(), 0..6);
    let out = || (walk(), prop_oneof![1_u64..4, Just(1_000_000)]);
    let out = prop_oneof![
        6 => Just(Vec::new()),
        2 => prop::collection::vec(out(), 1),
        1 => prop::collection::vec(out(), 2..4),
    ];
    let back = prop::option::weighted(0.3, walk());
    let change = (0.0..1.2, prop::option::weighted(0.8, walk()), prop::option::of(walk()));
    let reroute = prop_oneof![
        3 => Just(Vec::new()),
        1 => prop::collection::vec(change, 1..5),
    ];
    let paths = (out, back, reroute);
    let seed = (any::<(Index, Index)>(), paths, model, own()).prop_map(
        |(ends, (out, back, reroute), model, (routing, protocol, weight, cheats))| Seed {
            ends,
            out,
            back,
            reroute,
            model,
            routing,
            protocol,
            weight,
            cheats,
        },
    );
    prop::collection::vec(seed, 1..7)
}

/// Routing, protocol and weight of its flows, mostly those of the run, and which conduct they have.
fn own() -> impl Strategy<Value = (Routing, Option<ProtocolName>, Ratio, usize)> {
    use ProtocolName::{Bbr1, Bbr3, Cubic, Dctcp, Prague, Swift, Tcp, Tfrc};
    let headless = prop::sample::select(vec![Tcp, Cubic, Dctcp, Prague, Bbr1, Bbr3, Swift, Tfrc]);
    let protocol = prop_oneof![2 => headless, 1 => prop::sample::select(ProtocolName::ALL)];
    let protocol = prop::option::weighted(0.3, protocol);
    let weight = prop_oneof![4 => Just(1.0), 1 => 1.0..4.0];
    let routing = prop_oneof![
        3 => Just(Routing::Ecmp),
        1 => Just(Routing::Wcmp),
        1 => Just(Routing::Single),
        2 => Just(Routing::Spray),
    ];
    let cheats = prop_oneof![1 => 0..4_usize, 3 => Just(4)];
    (routing, protocol, weight.prop_map(Ratio::new), cheats)
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

/// Streams of datagrams, some ten to hundreds of them.
fn streams() -> impl Strategy<Value = Model> {
    let form = (0.0..1.0, 1_u64..5, any::<bool>());
    let span = (0.0..0.5, any::<bool>()).prop_map(|(start, ends)| Window { start, ends });
    let sizes = (0.01..3.0).prop_map(Draw::Fixed);
    (1.0..300.0, form, span, sizes).prop_map(|(flows, form, span, sizes)| Model::Random {
        name: "udp",
        flows,
        form,
        span,
        sizes,
    })
}

/// Any model of flows that have a size; `ends`: whether arrivals end with the measured time.
fn random(ends: impl Strategy<Value = bool> + 'static) -> impl Strategy<Value = Model> {
    let names = Traffic::MODELS.iter().map(|model| model.name);
    let names: Vec<&str> = names.filter(|name| !["long", "udp"].contains(name)).collect();
    let mean = || 0.01..10.0;
    let sizes = prop_oneof![
        mean().prop_map(Draw::Fixed),
        mean().prop_map(Draw::Exponential),
        (mean(), 1.0..20.0).prop_map(|(mean, scv)| Draw::HyperExponential(mean, scv)),
        (mean(), mean()).prop_map(|(min, width)| Draw::Uniform(min, width)),
        (mean(), 1.2..3.0).prop_map(|(mean, shape)| Draw::Pareto(mean, shape)),
        (0.0..5.0, 0.1..20.0).prop_map(|(min, width)| Draw::Points(min, width)),
    ];
    let form = (0.0..1.0, 1_u64..5, any::<bool>());
    let span = (0.0..0.5, ends).prop_map(|(start, ends)| Window { start, ends });
    (prop::sample::select(names), 1.0..60.0, form, span, sizes).prop_map(
        |(name, flows, form, span, sizes)| Model::Random { name, flows, form, span, sizes },
    )
}

fn list() -> impl Strategy<Value = Model> {
    let time = prop_oneof![Just(0.0), Just(0.5), 0.0..1.2];
    let size = prop_oneof![Just(0.0), Just(1.0), 0.0..3.0, 0.0..60.0];
    prop::collection::vec((time, size), 1..8).prop_map(Model::List)
}

impl Seed {
    /// The group; `network` gives its nodes and paths.
    pub fn group(&self, name: String, network: &Network, config: &Config) -> GroupConfig {
        let from = self.ends.0.index(network.nodes);
        let to = (from + 1 + self.ends.1.index(network.nodes - 1)) % network.nodes;
        let walk = |turns: &Vec<Index>| network.walk(from, to, turns);
        let weighted = |(turns, weight): &(Vec<Index>, u64)| WeightedPath {
            path: walk(turns),
            weight: *weight,
        };
        let (path, paths) = match &self.out[..] {
            [(turns, _)] => (Some(walk(turns)), Vec::new()),
            several => (None, several.iter().map(weighted).collect()),
        };
        GroupConfig {
            routing: if paths.is_empty() { self.routing } else { Routing::Ecmp },
            path,
            paths,
            back: self.back.as_ref().map(|turns| network.walk(to, from, turns)),
            reroute: self.reroute(network, (from, to), config),
            protocol: self.protocol,
            ..GroupConfig::new(name, from, to, self.model.traffic(config))
        }
    }

    fn reroute(
        &self,
        network: &Network,
        (from, to): (NodeId, NodeId),
        config: &Config,
    ) -> Vec<Reroute> {
        let change = |(part, out, back): &Change| Reroute {
            at: Time::ZERO + Span::from_secs_f64(part * config.stop.as_secs_f64()).max(Span::NANO),
            path: out.as_ref().map(|turns| network.walk(from, to, turns)),
            back: back.as_ref().map(|turns| network.walk(to, from, turns)),
        };
        let mut changes: Vec<Reroute> = self.reroute.iter().map(change).collect();
        changes.retain(|change| change.path.is_some() || change.back.is_some());
        changes.sort_by_key(|change| change.at);
        changes.dedup_by_key(|change| change.at);
        changes
    }

    /// Its weight in a run under `law`.
    pub fn weight(&self, law: &Law) -> Ratio {
        let protocol = law.parameters.protocol(self.protocol.unwrap_or(law.name));
        let has = |weights: RangeInclusive<Ratio>| weights.contains(&self.weight);
        if protocol.weights().is_some_and(has) { self.weight } else { Ratio::new(1.0) }
    }

    /// A conduct in a run under `law`, of those that its senders can have: mostly none.
    pub fn conduct(&self, law: &Law) -> Conduct {
        let protocol = law.parameters.protocol(self.protocol.unwrap_or(law.name));
        let gain = Ratio::new(3.0);
        let cheats = [
            Conduct { throughput_gain: gain, ..Conduct::HONEST },
            Conduct { rtt_gain: gain, ..Conduct::HONEST },
            Conduct { increase_gain: gain, decrease_gain: Ratio::new(0.3), ..Conduct::HONEST },
            Conduct { fixed_rate: Some(Rate::from_bps(1_000_000)), ..Conduct::HONEST },
        ];
        let possible = |conduct: &Conduct| {
            Faults::of(|faults| protocol.check_conduct(conduct, faults)).is_empty()
        };
        let cheat = cheats.get(self.cheats).filter(|conduct| possible(conduct));
        cheat.copied().unwrap_or(Conduct::HONEST)
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
            &Self::Long { count, start, spacing, packets } => Traffic::Long(Long {
                count,
                start: at(start),
                spacing: at(spacing).since(Time::ZERO),
                within: (spacing == 0.0 && packets % 3 == 0)
                    .then(|| Span::from_secs_f64(0.2 * stop)),
                pauses: (packets % 5 == 1).then(|| {
                    let mean = Span::from_secs_f64(0.05 * stop).max(Span::from_micros(1));
                    Pauses { on: mean, off: mean, shape: None }
                }),
                stop: Time::NEVER,
                ..Long::default()
            }),
            Self::Random { name, flows, form, span, sizes } => {
                made(name, *flows, *form, *span, sizes, config)
            }
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

/// The model of that name, with about `flows` flows in the measured time.
fn made(
    name: &str,
    flows: f64,
    (part, few, yes): (f64, u64, bool),
    span: Window,
    sizes: &Draw,
    config: &Config,
) -> Traffic {
    let seconds = config.stop.as_secs_f64();
    let every = |flows: f64| Some(Span::from_secs_f64(seconds / flows).max(Span::from_nanos(1)));
    let rate = |flows: f64| Some(PerSecond(Ratio::new(flows / seconds)));
    let start = Time::ZERO + Span::from_secs_f64(span.start * seconds);
    let stop = if span.ends { config.stop } else { Time::NEVER };
    let mean = sizes.mean(config);
    let sizes = sizes.sizes(config);
    let load = None;
    match name {
        "poisson" => Poisson { rate: rate(flows), load, sizes, start, stop }.into(),
        "periodic" => Periodic { every: every(flows), load, sizes, start, stop }.into(),
        "cbr" => {
            let rate = Rate::from_bps_f64((mean.as_f64() * 8.0 * flows / seconds).max(1.0));
            Cbr { rate: Some(rate), load, size: mean.into(), start, stop }.into()
        }
        "on_off" => {
            // Each source is on `flows / few` times, and off about as long.
            let cycle = seconds * few as f64 / flows;
            let (on, off) = (Span::from_secs_f64(cycle / 2.0), Span::from_secs_f64(cycle * part));
            let on = on.max(Span::from_nanos(1));
            // A rate is whole bits a second, and a time on brings a byte.
            let bps = (mean.as_f64() * 8.0 / on.as_secs_f64()).ceil();
            let shape = (part < 0.5).then(|| Ratio::new(1.2 + part));
            let size = yes.then(|| Amount::from(Bytes::new(mean.as_u64().div_ceil(2))));
            let rate = Some(Rate::from_bps_f64(bps));
            OnOff { rate, load, on, off, shape, size, sources: few, start, stop }.into()
        }
        "web" => {
            let (pages, objects) = (1.0 + 2.0 * part, few as f64);
            let gap = if yes { Span::ZERO } else { Span::from_secs_f64(seconds / 100.0) };
            let think = Span::from_secs_f64(seconds / 10.0).max(Span::from_nanos(1));
            let rate = rate(flows / pages / objects);
            let (pages, objects) = (Ratio::new(pages), Ratio::new(objects));
            Web { rate, load, pages, think, objects, gap, sizes, start, stop }.into()
        }
        "incast" => {
            let every = every(flows / few as f64);
            Incast { every, load, senders: few, sizes, start, stop }.into()
        }
        "flash_crowd" => {
            let point = |at: f64, factor: f64| {
                (Time::ZERO + Span::from_secs_f64(at * seconds), Ratio::new(factor))
            };
            let (peak, foot) = (few as f64, if yes { 1.0 } else { 0.0 });
            let profile =
                vec![point(0.0, 1.0), point(part, foot), point(part, peak), point(0.9, foot)];
            let mut profile = profile;
            profile.sort_by_key(|point| point.0);
            FlashCrowd { rate: rate(flows), load, profile, sizes, start, stop }.into()
        }
        "udp" => {
            let gap = seconds * few as f64 / flows;
            let rate = Rate::from_bps_f64((mean.as_f64() * 8.0 / gap).ceil());
            let periods = yes.then(|| Span::from_secs_f64(gap * 10.0 * part));
            let replay = (!yes && part < 0.4).then(|| replayed(flows, part, config));
            let is_constant = !yes && replay.is_none();
            let phase = if part < 0.7 { Phase::Random } else { Phase::Aligned };
            Udp {
                rate: replay.is_none().then_some(rate),
                load,
                size: replay.is_none().then_some(mean),
                on: periods.map(|on| on.max(Span::from_nanos(1))),
                off: periods,
                shape: (yes && part < 0.5).then(|| Ratio::new(1.2 + part)),
                replay,
                count: few,
                phase: if is_constant { phase } else { Phase::Aligned },
                start,
                stop,
            }
            .into()
        }
        other => panic!("the random tests do not know the traffic model `{other}`"),
    }
}

/// About that many datagrams in the measured time, in pairs of one instant.
fn replayed(flows: f64, part: f64, config: &Config) -> DatagramFile {
    let count = flows.ceil() as u64;
    let datagram = |number: u64| {
        let time = (number / 2 * 2) as f64 / count as f64 * config.stop.as_secs_f64();
        let size = bytes(part + (number % 5) as f64 / 4.0, config).max(Bytes::new(1));
        Datagram { time: Time::ZERO + Span::from_secs_f64(time), size }
    };
    let list: Vec<Datagram> = (0..count).map(datagram).collect();
    DatagramFile { path: "list.csv".into(), list: Some(list.into()) }
}

impl Draw {
    /// The mean or a similar size.
    fn mean(&self, config: &Config) -> Bytes {
        let (Self::Fixed(packets)
        | Self::Exponential(packets)
        | Self::HyperExponential(packets, _)
        | Self::Uniform(packets, _)
        | Self::Pareto(packets, _)
        | Self::Points(packets, _)) = *self;
        bytes(packets, config).max(Bytes::new(1))
    }

    fn sizes(&self, config: &Config) -> Sizes {
        let amount = |packets| Amount::from(bytes(packets, config).max(Bytes::new(1)));
        match *self {
            Self::Fixed(packets) => Sizes::Fixed(Fixed(amount(packets))),
            Self::Exponential(packets) => Sizes::Exponential(Exponential(amount(packets))),
            Self::HyperExponential(packets, scv) => Sizes::HyperExponential(HyperExponential {
                probabilities: None,
                means: None,
                mean: Some(amount(packets)),
                scv: Some(Ratio::new(scv)),
            }),
            Self::Uniform(min, width) => {
                Sizes::Uniform(Uniform { min: amount(min), max: amount(min + width) })
            }
            Self::Pareto(packets, shape) => {
                Sizes::Pareto(Pareto { mean: amount(packets), shape: Ratio::new(shape) })
            }
            Self::Points(min, width) => {
                let point = |packets, cumulative| (amount(packets), Ratio::new(cumulative));
                let points = [point(min, 0.2), point(min + width / 4.0, 0.6)];
                let points = points.into_iter().chain([point(min + width, 1.0)]);
                Sizes::Points(Points(points.collect()))
            }
        }
    }
}

fn bytes(packets: f64, config: &Config) -> Bytes {
    Bytes::new((packets * (config.packet - config.header).as_f64()).round() as u64)
}
