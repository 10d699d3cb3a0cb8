//! The networks that are timed.

use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::transport::Transport;
use sluice_laws::xcp::{Efficiency, RttGroups, Shuffle, XcpParams};
use sluice_sim::queue::{
    Avq, Cbwfq, Codel, Csfq, Discipline, Drr, Dualpi2, FqCodel, NcpCsfq, Pie, Priority, Red, Rem,
    TcpFriendly, Wfq,
};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule};
use sluice_sim::traffic::sizes::Pareto;
use sluice_sim::traffic::{Long, Poisson, Sizes};
use sluice_sim::{
    ByClass, CloudConfig, Config, FlowMetrics, GroupConfig, LinkConfig, LinkLaw, LinkLaws,
    LinkMetrics,
};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::benchmark::Benchmark;

/// All but those of data centres; `brevity` divides how long they last.
pub fn all(brevity: u64) -> Vec<Benchmark> {
    use ProtocolName::{Rcp, Tcp, Xcp};
    let lasting = move |seconds: u64| seconds.div_ceil(brevity);
    let mut all = vec![
        Benchmark::new("dumbbell-xcp-155", Xcp, move || slow_dumbbell(lasting(200))),
        Benchmark::new("dumbbell-xcp-2480", Xcp, move || {
            Dumbbell::new(50, 2_480_000_000, 10_000_000_000).lasting(lasting(20))
        }),
        Benchmark::new("ps7-rcp", Rcp, move || ps7(lasting(20))),
        Benchmark::new("reno-lossy", Tcp, move || lossy(lasting(200))),
    ];
    all.push(Benchmark::new("varying-xcp-155", Xcp, move || varying(lasting(200))));
    all.extend(controllers(lasting(200)));
    all.extend(queues(lasting(100)));
    all.extend(crowds(lasting(40)));
    all
}

/// `dumbbell-xcp-155` with other controllers at its routers.
fn controllers(seconds: u64) -> impl Iterator<Item = Benchmark> {
    let rtt_groups = RttGroups::new(&[70, 80, 90].map(Span::from_millis));
    let plain = XcpParams { initial_window: Some(1), ..XcpParams::default() };
    let variants = [
        ("measured-xcp-155", XcpParams { measure_capacity: true, ..plain }),
        ("queue-alone-xcp-155", XcpParams { efficiency: Efficiency::Queue, ..plain }),
        ("need-xcp-155", XcpParams { shuffle: Shuffle::Need, ..plain }),
        ("groups-xcp-155", XcpParams { rtt_groups, ..plain }),
    ];
    variants.into_iter().map(move |(name, xcp)| {
        let benchmark = Benchmark::new(name, ProtocolName::Xcp, move || slow_dumbbell(seconds));
        let parameters = Parameters { xcp, ..benchmark.parameters.clone() };
        benchmark.with(parameters)
    })
}

/// The dumbbell, whose bottleneck falls to two thirds each second.
fn varying(seconds: u64) -> Config {
    let mut config = slow_dumbbell(seconds);
    let low = (Time::ZERO + Span::from_millis(500), Rate::from_bps(100_000_000));
    let course = CapacityCourse::Steps(vec![low]);
    let schedule =
        CapacitySchedule { every: Some(Span::from_secs(1)), ..CapacitySchedule::new(course) };
    config.links[0].schedule = Some(schedule);
    config
}

/// The dumbbell with each queue discipline at its bottleneck. "late-fifo" is a scheduled link that
/// has nothing to choose: CoDel that never drops.
fn queues(seconds: u64) -> impl Iterator<Item = Benchmark> {
    let never = Codel { target: Span::from_secs(86_400), ..Codel::default() };
    let (late, drr) = (Discipline::Codel(never), Discipline::Drr(Drr::default()));
    let tcp = [
        ("dumbbell-tcp-155", Discipline::default()),
        ("red-tcp-155", Discipline::Red(Red::default())),
        ("pie-tcp-155", Discipline::Pie(Pie::default())),
        ("rem-tcp-155", Discipline::Rem(Rem::default())),
        ("avq-tcp-155", Discipline::Avq(Avq::default())),
        ("late-fifo-tcp-155", late),
        ("codel-tcp-155", Discipline::Codel(Codel::default())),
        ("drr-tcp-155", drr),
        ("fq-codel-tcp-155", Discipline::FqCodel(FqCodel::default())),
        ("dualpi2-tcp-155", Discipline::Dualpi2(Dualpi2::default())),
        ("csfq-tcp-155", Discipline::Csfq(Csfq::default())),
        ("ncp-csfq-tcp-155", Discipline::NcpCsfq(NcpCsfq::default())),
        ("wfq-tcp-155", Discipline::Wfq(Wfq {})),
        ("cbwfq-tcp-155", Discipline::Cbwfq(Cbwfq { shares: eight_shares() })),
        ("priority-tcp-155", Discipline::Priority(Priority {})),
    ];
    let tcp = tcp.map(|(name, queue)| (name, ProtocolName::Tcp, queue));
    let xcp = [("late-fifo-xcp-155", late), ("drr-xcp-155", drr)];
    let xcp = xcp.map(|(name, queue)| (name, ProtocolName::Xcp, queue));
    let whole = tcp.into_iter().chain(xcp).map(move |(name, protocol, queue)| {
        Benchmark::new(name, protocol, move || under(queue, slow_dumbbell(seconds)))
    });
    whole.chain([
        Benchmark::new("class-laws-xcp-155", ProtocolName::Xcp, move || {
            let queue = Discipline::Cbwfq(Cbwfq { shares: eight_shares() });
            let mut config = under(queue, slow_dumbbell(seconds));
            let laws = LinkLaws::Classes(ByClass::new(&[LinkLaw::OfRun; 8]).expect("1 to 8 laws"));
            let routers = config.links.iter_mut().filter(|link| link.router.runs());
            routers.for_each(|link| link.router = laws);
            config
        }),
        Benchmark::new("tcp-friendly-xcp-155", ProtocolName::Xcp, move || {
            tcp_friendly(slow_dumbbell(seconds))
        }),
        Benchmark::new("cloud-tcp-155", ProtocolName::Tcp, move || {
            let config = slow_dumbbell(seconds);
            let (left, right) = (config.nodes - 2, config.nodes - 1);
            Config { clouds: vec![CloudConfig::new(vec![left, right])], ..config }
        }),
    ])
}

/// A network whose routers divide their links between TCP, of every second group, and XCP.
fn tcp_friendly(mut config: Config) -> Config {
    let laws = LinkLaws::Classes(ByClass::new(&[LinkLaw::None, LinkLaw::OfRun]).expect("two laws"));
    for link in config.links.iter_mut().filter(|link| link.router.runs()) {
        (link.queue, link.router) = (Discipline::TcpFriendly(TcpFriendly::default()), laws);
    }
    for (number, group) in config.groups.iter_mut().enumerate() {
        let is_tcp = number % 2 == 0;
        group.protocol = is_tcp.then_some(ProtocolName::Tcp);
        group.class = u8::from(!is_tcp);
    }
    config
}

/// A thousand flows each way instead of 50, over twice the capacity: whether a packet's cost grows with
/// the number of flows.
fn crowds(seconds: u64) -> impl Iterator<Item = Benchmark> {
    let queues = [
        ("crowd-tcp-310", Discipline::default()),
        ("drr-crowd-tcp-310", Discipline::Drr(Drr::default())),
        ("fq-codel-crowd-tcp-310", Discipline::FqCodel(FqCodel::default())),
        ("wfq-crowd-tcp-310", Discipline::Wfq(Wfq {})),
    ];
    queues.into_iter().map(move |(name, queue)| {
        Benchmark::new(name, ProtocolName::Tcp, move || {
            under(queue, Dumbbell::new(1000, 310_000_000, 1_000_000_000).lasting(seconds))
        })
    })
}

/// Equal shares of all classes, which all have to be looked at.
fn eight_shares() -> ByClass<Ratio> {
    ByClass::new(&[Ratio::new(1.0); 8]).expect("1 to 8 shares")
}

fn slow_dumbbell(seconds: u64) -> Config {
    Dumbbell::new(50, 155_000_000, 1_000_000_000).lasting(seconds)
}

/// A long flow each way for each pair of hosts, through one bottleneck; each host has its own access link
/// both ways and sends one flow and receives another. RTTs run from 60 to 100 ms.
pub struct Dumbbell {
    pub pairs: usize,
    /// Capacity in bits per second, as `access`.
    pub bottleneck: u64,
    pub access: u64,
    /// The time within which flows start.
    pub starts: Span,
}

impl Dumbbell {
    pub fn new(pairs: usize, bottleneck: u64, access: u64) -> Self {
        Self { pairs, bottleneck, access, starts: Span::from_millis(50) }
    }

    pub fn lasting(&self, seconds: u64) -> Config {
        let Self { pairs, bottleneck, access, starts } = *self;
        let (left, right) = (2 * pairs, 2 * pairs + 1);
        let link = |from, to, capacity, delay, router| LinkConfig {
            delay,
            buffer: if router { BufferSize::Bdp(Ratio::new(1.0)) } else { BufferSize::Unlimited },
            router: if router { LinkLaw::OfRun } else { LinkLaw::None }.into(),
            ..LinkConfig::new(from, to, Rate::from_bps(capacity))
        };
        let mut links = vec![
            link(left, right, bottleneck, Span::from_millis(20), true),
            link(right, left, bottleneck, Span::from_millis(20), true),
        ];
        let mut groups = Vec::new();
        for pair in 0..pairs {
            let rtt = Span::from_nanos(60_000_000 + 40_000_000 * pair as u64 / (pairs as u64 - 1));
            let access_delay = (rtt - Span::from_millis(40)) / 4;
            for (host, router) in [(pair, left), (pairs + pair, right)] {
                links.push(link(host, router, access, access_delay, false));
                links.push(link(router, host, access, access_delay, false));
            }
            let ways =
                [("forward", pair, pairs + pair, 0), ("reverse", pairs + pair, pair, 370_000)];
            for (name, from, to, later) in ways {
                let start =
                    Time::from_nanos(starts.as_nanos() / pairs as u64 * pair as u64 + later);
                let long = Long {
                    count: 1,
                    start,
                    spacing: Span::ZERO,
                    stop: Time::NEVER,
                    ..Long::default()
                };
                groups.push(GroupConfig::new(format!("{name}-{pair}"), from, to, long));
            }
        }
        let every = Span::from_millis(100);
        Config {
            link_metrics: vec![LinkMetrics { link: 0, every }, LinkMetrics { link: 1, every }],
            flow_metrics: vec![FlowMetrics { group: 0, index: 0, every }],
            ..config(2 * pairs + 2, links, groups, seconds)
        }
    }
}

/// With this discipline at the bottleneck, both ways.
pub fn under(queue: Discipline, mut config: Config) -> Config {
    config.links.iter_mut().filter(|link| link.router.runs()).for_each(|link| link.queue = queue);
    config
}

/// PS-7: 2.4 Gb/s, 100 ms, Pareto sizes of mean 25 packets and shape 1.2, load 0.9.
fn ps7(seconds: u64) -> Config {
    let links = pipe(2_400_000_000, Span::from_millis(50), 0.0);
    let mean = Bytes::new(25_000);
    let traffic = Poisson::new(
        Ratio::new(0.9 * 2.4e9 / 8.0 / mean.as_f64()),
        Sizes::Pareto(Pareto { mean: mean.into(), shape: Ratio::new(1.2) }),
    );
    config(2, links, vec![GroupConfig::new("flows", 0, 1, traffic)], seconds)
}

/// Ten Reno flows on a fast link that loses one packet in a thousand.
fn lossy(seconds: u64) -> Config {
    let links = pipe(1_000_000_000, Span::from_millis(10), 1e-3);
    let traffic = Long {
        count: 10,
        start: Time::ZERO,
        spacing: Span::ZERO,
        stop: Time::NEVER,
        ..Long::default()
    };
    config(2, links, vec![GroupConfig::new("reno", 0, 1, traffic)], seconds)
}

fn pipe(capacity: u64, delay: Span, error: f64) -> Vec<LinkConfig> {
    [(0, 1, error), (1, 0, 0.0)]
        .map(|(from, to, error)| LinkConfig {
            delay,
            buffer: BufferSize::Bdp(Ratio::new(1.0)),
            error: Ratio::new(error),
            ..LinkConfig::new(from, to, Rate::from_bps(capacity))
        })
        .into()
}

fn config(nodes: usize, links: Vec<LinkConfig>, groups: Vec<GroupConfig>, seconds: u64) -> Config {
    // The timers and window that earlier figures were taken with.
    let transport =
        Transport { initial_window: 2, min_rto: Span::from_secs(1), ..Transport::default() };
    Config {
        parameters: Parameters { transport, ..Parameters::default() },
        warm_up: Time::ZERO + Span::from_secs(seconds / 4),
        ..Config::new(nodes, links, groups, Time::ZERO + Span::from_secs(seconds))
    }
}
