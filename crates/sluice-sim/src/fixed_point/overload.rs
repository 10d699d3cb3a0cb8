//! Which links get more than they can carry, before any exchange.

use super::law::Model;
use super::network::{Class, Demand, Link, Network};
use crate::config::LinkId;

/// Links to which flows with a size bring more than they can carry.
pub(super) struct Overload {
    /// In rising order, each with its offered load.
    pub(super) links: Vec<(usize, f64)>,
    /// The part of each class that gets through.
    pub(super) carried: Vec<f64>,
    /// The part of streams that each link passes.
    pub(super) passed: Vec<f64>,
}

impl Overload {
    /// Fills the link first that lets the smallest part through, then the next with what is left: a group that is
    /// limited at one link brings no more than that to the others.
    pub(super) fn of(network: &Network, model: &Model) -> Self {
        let passed = passed(network);
        let smooth = smooth(network, model, &passed);
        let rooms = rooms(network, model, &smooth);
        let mut limited: Vec<Option<f64>> = vec![None; network.classes.len()];
        let mut links = Vec::new();
        while let Some(Tightest { link, part, sized }) = tightest(network, &rooms, &limited) {
            links.push((link, (sized + smooth[link]) / network.links[link].capacity));
            for (class, limited) in network.classes.iter().zip(&mut limited) {
                if limited.is_none() && bytes(class) > 0.0 && class.out.contains(&link) {
                    // Just below what fills the link, at which numbers of flows are infinite.
                    *limited = Some(part * (1.0 - 1e-6));
                }
            }
        }
        links.sort_unstable_by_key(|&(link, _)| link);
        let carried = limited.into_iter().map(|part| part.unwrap_or(1.0)).collect();
        Self { links, carried, passed }
    }

    /// Whether a class has no completion time, since its data or its acknowledgements cross a link in overload, where
    /// queues and losses have no steady state. A fluid has no acknowledgements.
    pub(super) fn is_over(&self, model: &Model, class: &Class) -> bool {
        let back = if matches!(model, Model::Fluid) { &[][..] } else { &class.back };
        let mut path = class.out.iter().chain(back);
        path.any(|link| self.links.binary_search_by_key(link, |&(over, _)| over).is_ok())
    }
}

/// A link, the part that it lets through of what nothing limits yet, and all that flows with a size bring to it, in bytes
/// a second.
struct Tightest {
    link: usize,
    part: f64,
    sized: f64,
}

/// Of the links that carry classes which nothing limits yet, the one that lets the smallest part of these through,
/// unless that is all of them.
fn tightest(network: &Network, rooms: &[f64], limited: &[Option<f64>]) -> Option<Tightest> {
    let mut free = vec![0.0; rooms.len()];
    let mut taken = free.clone();
    for (class, limited) in network.classes.iter().zip(limited) {
        for &link in &class.out {
            match limited {
                Some(part) => taken[link] += part * bytes(class),
                None => free[link] += bytes(class),
            }
        }
    }
    let part = |link: usize| (rooms[link] - taken[link]).max(0.0) / free[link];
    let links = (0..rooms.len()).filter(|&link| free[link] > 0.0);
    let all = links.map(|link| (link, part(link))).filter(|(_, part)| *part <= 1.0);
    let (link, part) = all.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    Some(Tightest { link, part, sized: taken[link] + free[link] })
}

/// What flows of a class with a size bring, in bytes a second.
fn bytes(class: &Class) -> f64 {
    match &class.demand {
        Demand::Sized(flows) => flows.per_second * flows.sizes.mean(),
        Demand::Long { .. } | Demand::Streams { .. } => 0.0,
    }
}

/// What each link has for flows with a size, in bytes a second.
fn rooms(network: &Network, model: &Model, smooth: &[f64]) -> Vec<f64> {
    let mut sized = vec![0.0; network.links.len()];
    let mut rtts = sized.clone();
    for class in &network.classes {
        for &link in &class.out {
            sized[link] += bytes(class);
            rtts[link] += bytes(class) * class.rtt;
        }
    }
    let room = |(place, link): (usize, &Link)| {
        let rtt = if sized[place] > 0.0 { rtts[place] / sized[place] } else { 0.0 };
        link.room(model, rtt, network.packet, smooth[place]).max(0.0)
    };
    network.links.iter().enumerate().map(room).collect()
}

/// The part of the streams that each link passes: all that it can carry.
fn passed(network: &Network) -> Vec<f64> {
    let mut passed = vec![1.0; network.links.len()];
    // As many times as a stream has links is enough, if streams do not meet in a circle; then it is a start.
    let longest = network.classes.iter().map(|class| class.out.len()).max().unwrap_or(0);
    for _ in 0..=longest {
        let arrives = streams(network, &passed);
        let next: Vec<f64> = network
            .links
            .iter()
            .zip(&arrives)
            .map(|(link, &rate)| if rate > link.capacity { link.capacity / rate } else { 1.0 })
            .collect();
        if next == passed {
            break;
        }
        passed = next;
    }
    passed
}

/// What arrives of streams, SYNs and acknowledgements at each link, in bytes a second.
fn smooth(network: &Network, model: &Model, passed: &[f64]) -> Vec<f64> {
    let mut all = streams(network, passed);
    for class in &network.classes {
        if let Demand::Sized(flows) = &class.demand {
            let [opening, answers] = flows.control(model).map(|bytes| flows.per_second * bytes);
            class.out.iter().for_each(|&link| all[link] += opening);
            class.back.iter().for_each(|&link| all[link] += answers);
        }
    }
    let long = long(network, &rooms(network, model, &all));
    for (class, rate) in network.classes.iter().zip(long) {
        let answers = network.acknowledgements(model, rate);
        class.back.iter().for_each(|&link| all[link] += answers);
    }
    all
}

/// What flows without an end of each class have at least, in bytes a second: an equal share of what those with a size
/// leave at each link of the path. Shares of flows that others leave unused are not in it, so that no link counts as
/// overloaded by acknowledgements that never come.
fn long(network: &Network, rooms: &[f64]) -> Vec<f64> {
    let (mut rests, mut counts) = (rooms.to_vec(), vec![0.0; rooms.len()]);
    for class in &network.classes {
        for &link in &class.out {
            rests[link] -= bytes(class);
            counts[link] += endless(class);
        }
    }
    let share = |class: &Class| {
        let count = endless(class);
        if count <= 0.0 {
            return 0.0;
        }
        let of = |&link: &LinkId| rests[link].max(0.0) * count / counts[link];
        class.out.iter().map(of).fold(f64::INFINITY, f64::min)
    };
    network.classes.iter().map(share).collect()
}

fn endless(class: &Class) -> f64 {
    if let Demand::Long { count } = class.demand { count } else { 0.0 }
}

/// What arrives of streams at each link, in bytes a second, if each passes this part.
fn streams(network: &Network, passed: &[f64]) -> Vec<f64> {
    let mut arrives = vec![0.0; passed.len()];
    for class in &network.classes {
        if let &Demand::Streams { rate, .. } = &class.demand {
            let mut left = rate;
            for &link in &class.out {
                arrives[link] += left;
                left *= passed[link];
            }
        }
    }
    arrives
}
