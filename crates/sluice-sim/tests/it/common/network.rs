//! Random networks: any strongly connected graph of 2 to 20 nodes.

use std::collections::VecDeque;

use proptest::prelude::*;
use proptest::sample::Index;
use sluice_sim::queue::{
    AboveShare, Avq, Cbwfq, Codel, Csfq, Discipline, Drr, Dualpi2, FqCodel, LabelCount, LabelRate,
    NcpCsfq, Pie, Priority, Red, Rem, TcpFriendly, Threshold, Wfq,
};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule, OnDown};
use sluice_sim::{
    ByClass, Isolation, LinkConfig, LinkId, LinkLaw, LinkLaws, NodeId, Police, SampleAndHold,
};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use super::laws::WITH_ROUTERS;

/// Nodes and links.
#[derive(Clone, Debug)]
pub struct Network {
    pub nodes: usize,
    pub links: Vec<LinkConfig>,
}

/// Limits on random links.
#[derive(Clone, Copy, Debug)]
pub enum Quality {
    /// Anything, from a buffer of one packet to no loss at all.
    Any,
    /// Nothing is ever lost, and no link is slower than 1 Mb/s, outages of seconds apart, or shorter
    /// than 0.1 ms, so that runs stay short.
    Lossless,
}

/// Any network.
pub fn network(quality: Quality) -> impl Strategy<Value = Network> {
    let pairs = prop::collection::vec((any::<Index>(), any::<Index>()), 0..12);
    let parents = prop::collection::vec(any::<Index>(), 1..20);
    let twins = prop::collection::vec(any::<Index>(), 0..5);
    let features = prop::collection::vec(link(quality), 60);
    let parts = (any::<bool>(), parents, pairs, twins, features);
    parts.prop_map(|(ring, parents, pairs, twins, features)| {
        let nodes = parents.len() + 1;
        let mut ends = if ring { round(nodes) } else { tree(&parents) };
        ends.extend(pairs.iter().map(|(from, to)| (from.index(nodes), to.index(nodes))));
        ends.retain(|(from, to)| from != to);
        let links = ends.iter().zip(&features);
        let links = links.map(|(&(from, to), link)| LinkConfig { from, to, ..link.clone() });
        let mut links: Vec<LinkConfig> = links.collect();
        // Beside links, others of the same delay, so that there are several paths.
        for twin in twins {
            let (of, other) = (twin.get(&links).clone(), features[links.len()].clone());
            links.push(LinkConfig { from: of.from, to: of.to, delay: of.delay, ..other });
        }
        Network { nodes, links }
    })
}

fn round(nodes: usize) -> Vec<(NodeId, NodeId)> {
    (0..nodes).map(|node| (node, (node + 1) % nodes)).collect()
}

fn tree(parents: &[Index]) -> Vec<(NodeId, NodeId)> {
    let edges = parents.iter().enumerate().map(|(i, parent)| (i + 1, parent.index(i + 1)));
    edges.flat_map(|(child, parent)| [(child, parent), (parent, child)]).collect()
}

/// A link without ends.
fn link(quality: Quality) -> impl Strategy<Value = LinkConfig> {
    let (slowest, shortest) = match quality {
        Quality::Any => (4.0, 0),
        Quality::Lossless => (6.0, 100),
    };
    let (buffer, queue, error, losses) = match quality {
        Quality::Any => (buffer().boxed(), queue().boxed(), error().boxed(), losses().boxed()),
        Quality::Lossless => {
            let (error, losses) = (Just(0.0).boxed(), Just(Vec::new()).boxed());
            (Just(BufferSize::Unlimited).boxed(), lossless_queue().boxed(), error, losses)
        }
    };
    let (course, on_down) = match quality {
        Quality::Any => {
            let rate = prop_oneof![1 => Just(Rate::ZERO), 5 => capacity(slowest)];
            (
                course(rate, 1).boxed(),
                prop::sample::select(&[OnDown::Wait, OnDown::Drop][..]).boxed(),
            )
        }
        Quality::Lossless => (course(capacity(slowest), 100).boxed(), Just(OnDown::Wait).boxed()),
    };
    let isolations = match quality {
        Quality::Any => &[Isolation::Report, Isolation::Limit, Isolation::Drop][..],
        Quality::Lossless => &[Isolation::Report],
    };
    let schedule = prop_oneof![4 => Just(None), 1 => schedule(course, on_down).prop_map(Some)];
    let shortest = Span::from_micros(shortest);
    let (speed, police) = ((capacity(slowest), schedule), police(isolations));
    (speed, delay(), (buffer, queue), error, losses, (laws(), police)).prop_map(
        move |((capacity, schedule), delay, (buffer, queue), error, losses, (laws, police))| {
            LinkConfig {
                delay: delay.max(shortest),
                buffer,
                queue,
                error: Ratio::new(error),
                losses,
                router: laws_at(&queue, &laws),
                schedule,
                police,
                ..LinkConfig::new(0, 0, capacity)
            }
        },
    )
}

/// An agent at a fifth of the links, which tests flows all the time.
fn police(isolations: &'static [Isolation]) -> impl Strategy<Value = Option<Police>> {
    let sample = SampleAndHold {
        threshold: Ratio::new(0.05),
        oversampling: Ratio::new(4.0),
        interval: Span::from_millis(10),
    };
    let agent = move |isolate, sampled: bool, failures, entries| Police {
        every: Span::from_millis(1),
        failures,
        isolate,
        longest_rtt: Span::from_millis(20),
        entries,
        sample: sampled.then_some(sample),
        ..Police::default()
    };
    let parts = (prop::sample::select(isolations), any::<bool>(), 1..3_u32, 1..20_u32);
    let agents = parts.prop_map(move |(isolate, sampled, failures, entries)| {
        agent(isolate, sampled, failures, entries)
    });
    prop_oneof![4 => Just(None), 1 => agents.prop_map(Some)]
}

/// Over all traffic, or a law for each class where the queue has any.
fn laws() -> impl Strategy<Value = (LinkLaw, Option<Vec<LinkLaw>>)> {
    (law(), prop::option::of(prop::collection::vec(law(), 8)))
}

fn laws_at(queue: &Discipline, (whole, by_class): &(LinkLaw, Option<Vec<LinkLaw>>)) -> LinkLaws {
    let classes = match queue {
        Discipline::Cbwfq(cbwfq) => cbwfq.shares.as_slice().len(),
        Discipline::Priority(_) => 3,
        Discipline::TcpFriendly(_) => 2,
        _ => 0,
    };
    match by_class {
        Some(laws) if classes > 0 => {
            LinkLaws::Classes(ByClass::new(&laws[..classes]).expect("1 to 8 laws"))
        }
        _ if matches!(queue, Discipline::TcpFriendly(_)) => LinkLaw::None.into(),
        _ => LinkLaws::Whole(*whole),
    }
}

/// Half of all links have no law; few have one of their own.
fn law() -> impl Strategy<Value = LinkLaw> {
    prop_oneof![
        4 => Just(LinkLaw::OfRun),
        4 => Just(LinkLaw::None),
        1 => prop::sample::select(&WITH_ROUTERS[..]).prop_map(LinkLaw::Of),
    ]
}

/// The link with another discipline, and one law over all its traffic: if it had several, that of class 0.
pub fn with_queue(link: &LinkConfig, queue: Discipline) -> LinkConfig {
    LinkConfig { queue, router: link.router.of_class(0).into(), ..link.clone() }
}

/// 10^`slowest` b/s to 10 Gb/s; round values often, so that packets meet at one instant.
fn capacity(slowest: f64) -> impl Strategy<Value = Rate> {
    let round = prop::sample::select(&[6.0, 8.0, 9.0, 10.0_f64][..]);
    let round = round.prop_map(move |exponent| exponent.max(slowest));
    prop_oneof![
        round.prop_map(|exponent| Rate::from_bps_f64(libm::pow(10.0, exponent))),
        (slowest..10.0).prop_map(|exponent| Rate::from_bps_f64(libm::pow(10.0, exponent))),
    ]
}

/// The course with up to three outages, repeated or not.
fn schedule(
    course: impl Strategy<Value = CapacityCourse>,
    on_down: impl Strategy<Value = OnDown>,
) -> impl Strategy<Value = CapacitySchedule> {
    let down = prop::collection::btree_set(0_u64..3_000_000_000, 0..7);
    let every = prop::option::of((1_u64..1_000_000_000).prop_map(Span::from_nanos));
    (course, every, down, on_down).prop_map(|(course, every, down, on_down)| {
        let every = match &course {
            CapacityCourse::Steps(changes) | CapacityCourse::Ramps(changes) => {
                let last = changes.last().map_or(Time::ZERO, |&(at, _)| at);
                every.map(|more| last.since(Time::ZERO) + more)
            }
            CapacityCourse::Constant | CapacityCourse::Opportunities(_) => None,
        };
        let ends: Vec<Time> = down.into_iter().map(Time::from_nanos).collect();
        let down = ends.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect();
        CapacitySchedule { course, every, down, on_down }
    })
}

/// A course of such rates, or of at least `least` opportunities a second.
fn course(
    rate: impl Strategy<Value = Rate>,
    least: usize,
) -> impl Strategy<Value = CapacityCourse> {
    let changes = prop::collection::btree_map(1_u64..2_000_000_000, rate, 1..6);
    let changes = (changes, any::<bool>()).prop_map(|(changes, ramps)| {
        let changes = changes.into_iter().map(|(at, rate)| (Time::from_nanos(at), rate)).collect();
        if ramps { CapacityCourse::Ramps(changes) } else { CapacityCourse::Steps(changes) }
    });
    let times = prop::collection::vec(1_u64..1000, least..300).prop_map(|mut ms| {
        ms.sort_unstable();
        ms.into_iter().map(|ms| Time::ZERO + Span::from_millis(ms)).collect::<Vec<_>>()
    });
    prop_oneof![
        1 => Just(CapacityCourse::Constant),
        2 => changes,
        1 => times.prop_map(|times| CapacityCourse::Opportunities(times.into())),
    ]
}

fn delay() -> impl Strategy<Value = Span> {
    prop_oneof![
        Just(Span::ZERO),
        (0_u64..=50).prop_map(Span::from_millis),
        (0.0..7.7).prop_map(|exponent| Span::from_nanos(libm::pow(10.0, exponent) as u64)),
    ]
}

fn buffer() -> impl Strategy<Value = BufferSize> {
    prop_oneof![Just(BufferSize::Unlimited), limit()]
}

fn limit() -> impl Strategy<Value = BufferSize> {
    prop_oneof![
        Just(BufferSize::Packets(1)),
        (0_u64..100).prop_map(BufferSize::Packets),
        (0_u64..100_000).prop_map(|bytes| BufferSize::Bytes(Bytes::new(bytes))),
        (0_u64..100).prop_map(|ms| BufferSize::Time(Span::from_millis(ms))),
        (0.0..4.0).prop_map(|multiple| BufferSize::Bdp(Ratio::new(multiple))),
    ]
}

/// Any discipline of the registry.
fn queue() -> impl Strategy<Value = Discipline> {
    let names: Vec<&str> = Discipline::ABOUT.iter().map(|about| about.name).collect();
    prop::sample::select(names).prop_flat_map(|name| match name {
        "drop_tail" => Just(Discipline::default()).boxed(),
        "red" => red().prop_map(Discipline::Red).boxed(),
        "pie" => pie().prop_map(Discipline::Pie).boxed(),
        "rem" => rem().prop_map(Discipline::Rem).boxed(),
        "threshold" => threshold().prop_map(Discipline::Threshold).boxed(),
        "avq" => avq().prop_map(Discipline::Avq).boxed(),
        "codel" => {
            let codel = |FqCodel { target, interval, ecn, .. }| Codel { target, interval, ecn };
            fq_codel().prop_map(move |fq| Discipline::Codel(codel(fq))).boxed()
        }
        "dualpi2" => dualpi2().prop_map(Discipline::Dualpi2).boxed(),
        "fq_codel" => fq_codel().prop_map(Discipline::FqCodel).boxed(),
        "csfq" => csfq().prop_map(Discipline::Csfq).boxed(),
        "ncp_csfq" => ncp_csfq().prop_map(Discipline::NcpCsfq).boxed(),
        "wfq" => Just(Discipline::Wfq(Wfq {})).boxed(),
        "cbwfq" => cbwfq().prop_map(Discipline::Cbwfq).boxed(),
        "priority" => Just(Discipline::Priority(Priority {})).boxed(),
        "tcp_friendly" => tcp_friendly().prop_map(Discipline::TcpFriendly).boxed(),
        "drr" => {
            let drr = |FqCodel { quantum, .. }| Drr { quantum };
            fq_codel().prop_map(move |fq| Discipline::Drr(drr(fq))).boxed()
        }
        other => panic!("the random tests do not know the queue discipline `{other}`"),
    })
}

/// Any discipline that drops nothing where there is room: those that hold a delay hold one of a day.
/// RED, alone or of the queue for TCP, REM, AVQ and NCP's shares, which drop under any load that lasts, are not among them.
fn lossless_queue() -> impl Strategy<Value = Discipline> {
    const DAY: Span = Span::from_secs(86_400);
    let still = Ratio::new(0.0);
    queue().prop_map(move |queue| match queue {
        Discipline::Codel(codel) => Discipline::Codel(Codel { target: DAY, ..codel }),
        Discipline::FqCodel(fq) => Discipline::FqCodel(FqCodel { target: DAY, ..fq }),
        Discipline::Pie(pie) => Discipline::Pie(Pie { target: DAY, beta: still, ..pie }),
        Discipline::Dualpi2(dual) => {
            Discipline::Dualpi2(Dualpi2 { target: DAY, beta: Some(still), ..dual })
        }
        Discipline::Threshold(queue) => {
            Discipline::Threshold(Threshold { drop_others: false, ..queue })
        }
        Discipline::Csfq(csfq) => {
            let congested_from = Some(BufferSize::Packets(1_000_000));
            Discipline::Csfq(Csfq { congested_from, ..csfq })
        }
        Discipline::Red(_)
        | Discipline::NcpCsfq(_)
        | Discipline::Rem(_)
        | Discipline::Avq(_)
        | Discipline::TcpFriendly(_) => Discipline::default(),
        other => other,
    })
}

/// Updates as often as a few packets or rarely, with gains from the RFC's to violent ones.
fn pie() -> impl Strategy<Value = Pie> {
    let times = (span(-5.0, -1.0), period(), prop_oneof![Just(Span::ZERO), span(-4.0, 0.0)]);
    let gains = (share(-2.0, 3.0), share(-2.0, 3.0));
    (times, gains, any::<bool>(), 0.0..1.0).prop_map(
        |((target, t_update, max_burst), (alpha, beta), ecn, mark_ecnth)| Pie {
            target,
            t_update,
            alpha,
            beta,
            max_burst,
            ecn,
            mark_ecnth: Ratio::new(mark_ecnth),
        },
    )
}

/// As [`pie`], with ramps from a step to many packets, and shares of all sizes.
fn dualpi2() -> impl Strategy<Value = Dualpi2> {
    let t_update = prop::option::of(period());
    let gain = || prop::option::of(share(-2.0, 3.0));
    let ramp = (span(-6.0, -2.0), prop_oneof![Just(Span::ZERO), span(-6.0, -2.0)], 0_u32..5);
    let times = (span(-5.0, -1.0), span(-4.0, 0.0), t_update);
    (times, (gain(), gain()), share(-1.0, 2.0), ramp, 0.001..0.999).prop_map(
        |((target, rtt_max, t_update), (alpha, beta), k, (min_th, range, th_len), share)| Dualpi2 {
            target,
            rtt_max,
            t_update,
            alpha,
            beta,
            k,
            min_th,
            range,
            th_len,
            classic_share: Ratio::new(share),
        },
    )
}

/// From every packet that has to wait to long queues.
fn threshold() -> impl Strategy<Value = Threshold> {
    (0_u64..100, any::<bool>()).prop_map(|(packets, drop_others)| Threshold {
        mark_above: BufferSize::Packets(packets),
        drop_others,
    })
}

/// One share for all classes, to one each.
fn cbwfq() -> impl Strategy<Value = Cbwfq> {
    let shares = prop::collection::vec(share(-3.0, 3.0), 1..=8);
    shares.prop_map(|shares| Cbwfq { shares: ByClass::new(&shares).expect("1 to 8 shares") })
}

/// RED as above, with weights between both bounds.
fn tcp_friendly() -> impl Strategy<Value = TcpFriendly> {
    let weight = prop_oneof![Just(0.01), Just(0.99), 0.01..0.99];
    (red(), weight).prop_map(|(red, weight)| TcpFriendly { red, weight: Ratio::new(weight) })
}

/// From rates of single packets to those of a run, over queues of all sizes.
fn csfq() -> impl Strategy<Value = Csfq> {
    let time = || span(-6.0, 3.0);
    (time(), time(), time(), prop::option::of(limit()))
        .prop_map(|(k, k_alpha, k_c, congested_from)| Csfq { k, k_alpha, k_c, congested_from })
}

/// As [`csfq`], with each of the equations and gains from 0 to violent ones.
fn ncp_csfq() -> impl Strategy<Value = NcpCsfq> {
    let time = || span(-6.0, 3.0);
    let labels = prop::sample::select(vec![LabelRate::Average, LabelRate::Gap]);
    let counted = prop::sample::select(vec![LabelCount::Eq8, LabelCount::Eq12]);
    let above = prop::sample::select(vec![AboveShare::Thin, AboveShare::Refuse]);
    let options = (labels, counted, above, any::<bool>());
    ((time(), span(-4.0, 3.0)), options, 0.001..1.0, 0.0..10.0).prop_map(
        |((k, interval), (labels, counted, above, weighted), alpha, beta)| NcpCsfq {
            labels,
            k,
            counted,
            interval,
            alpha: Ratio::new(alpha),
            beta: Ratio::new(beta),
            above,
            weighted,
        },
    )
}

fn rem() -> impl Strategy<Value = Rem> {
    let steps = (share(-4.0, 0.0), share(-2.0, 0.0));
    (limit(), period(), steps, 1.001..10.0, any::<bool>()).prop_map(
        |(target, period, (gamma, alpha), phi, ecn)| {
            let phi = Ratio::new(phi);
            Rem { target, period, gamma, alpha, phi, ecn }
        },
    )
}

fn avq() -> impl Strategy<Value = Avq> {
    let sizes = prop::option::of(limit());
    (0.5..1.0, share(-2.0, 2.0), sizes, any::<bool>()).prop_map(
        |(gamma, alpha, virtual_buffer, ecn)| {
            let gamma = Ratio::new(gamma);
            Avq { gamma, alpha, virtual_buffer, ecn }
        },
    )
}

/// Between timers of a discipline.
fn period() -> impl Strategy<Value = Span> {
    span(-4.0, -1.0)
}

/// 10^`low` to 10^`high` seconds.
fn span(low: f64, high: f64) -> impl Strategy<Value = Span> {
    (low..high).prop_map(|exponent| Span::from_secs_f64(libm::pow(10.0, exponent)))
}

/// 10^`low` to 10^`high`.
fn share(low: f64, high: f64) -> impl Strategy<Value = Ratio> {
    (low..high).prop_map(|exponent| Ratio::new(libm::pow(10.0, exponent)))
}

/// Thresholds low enough to be passed, and averages that follow in a few packets or a few hundred.
fn red() -> impl Strategy<Value = Red> {
    let threshold = |max: u64| prop::option::of((0..max).prop_map(BufferSize::Packets));
    let weight = prop::option::of((-3.0..0.0).prop_map(|log| Ratio::new(libm::pow(10.0, log))));
    let flags = any::<[bool; 4]>();
    (threshold(10), 10_u64..40, 0.01..1.0, weight, flags).prop_map(
        |(min_th, max, max_p, weight, [gentle, adaptive, wait, ecn])| {
            let max_th = min_th.map(|_| BufferSize::Packets(max));
            let max_p = Ratio::new(if adaptive { f64::min(max_p, 0.5) } else { max_p });
            Red { min_th, max_th, max_p, weight, gentle, adaptive, wait, ecn }
        },
    )
}

/// Targets short enough to be passed, and from one queue to many.
fn fq_codel() -> impl Strategy<Value = FqCodel> {
    let span = |longest: f64| {
        (0.0..longest).prop_map(|exponent| Span::from_nanos(libm::pow(10.0, exponent) as u64))
    };
    let quantum = prop::option::of((64_u64..3000).prop_map(Bytes::new));
    let flows = prop_oneof![Just(1_u32), 1_u32..10, Just(1024)];
    (span(8.0), span(9.0), quantum, flows, any::<bool>()).prop_map(
        |(target, interval, quantum, flows, ecn)| FqCodel { target, interval, quantum, flows, ecn },
    )
}

fn error() -> impl Strategy<Value = f64> {
    prop_oneof![3 => Just(0.0), 1 => 0.0..0.05, 1 => 0.05..0.2]
}

fn losses() -> impl Strategy<Value = Vec<u64>> {
    let some = prop::collection::btree_set(0_u64..50, 1..8);
    prop_oneof![4 => Just(Vec::new()), 1 => some.prop_map(|set| set.into_iter().collect())]
}

impl Network {
    /// A walk along links that `turns` choose, then the shortest way to `to`.
    pub fn walk(&self, from: NodeId, to: NodeId, turns: &[Index]) -> Vec<LinkId> {
        let mut at = from;
        let mut path = Vec::new();
        for turn in turns {
            let ways = self.leaving(at);
            let link = ways[turn.index(ways.len())];
            path.push(link);
            at = self.links[link].to;
        }
        path.extend(self.shortest(at, to));
        path
    }

    fn leaving(&self, node: NodeId) -> Vec<LinkId> {
        (0..self.links.len()).filter(|&id| self.links[id].from == node).collect()
    }

    fn shortest(&self, from: NodeId, to: NodeId) -> Vec<LinkId> {
        let mut via = vec![None; self.nodes];
        let mut waiting = VecDeque::from([from]);
        while let Some(node) = waiting.pop_front() {
            for id in self.leaving(node) {
                let next = self.links[id].to;
                if next != from && via[next].is_none() {
                    via[next] = Some(id);
                    waiting.push_back(next);
                }
            }
        }
        let mut path = Vec::new();
        let mut at = to;
        while let Some(id) = via[at] {
            path.push(id);
            at = self.links[id].from;
        }
        path.reverse();
        path
    }
}
