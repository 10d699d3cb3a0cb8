//! Which links get more than they can carry, before any exchange.

use super::law::Model;
use super::network::{Class, Demand, Link, Network};

/// Links to which flows with a size bring more than they can carry.
pub(super) struct Overload {
    /// In rising order.
    pub(super) links: Vec<usize>,
    /// The part of each class that gets through.
    pub(super) carried: Vec<f64>,
}

impl Overload {
    /// Fills the link first that lets the smallest part through, then the next with what is left: a group that is
    /// limited at one link brings no more than that to the others.
    pub(super) fn of(network: &Network, model: &Model) -> Self {
        let rooms = rooms(network, model);
        let mut limited: Vec<Option<f64>> = vec![None; network.classes.len()];
        let mut links = Vec::new();
        while let Some((link, part)) = tightest(network, &rooms, &limited) {
            links.push(link);
            for (class, limited) in network.classes.iter().zip(&mut limited) {
                if limited.is_none() && bytes(class) > 0.0 && class.out.contains(&link) {
                    // Just below what fills the link, at which numbers of flows are infinite.
                    *limited = Some(part * (1.0 - 1e-6));
                }
            }
        }
        links.sort_unstable();
        Self { links, carried: limited.into_iter().map(|part| part.unwrap_or(1.0)).collect() }
    }
}

/// Of the links that carry classes which nothing limits yet, the one that lets the smallest part of these through,
/// unless that is all of them.
fn tightest(network: &Network, rooms: &[f64], limited: &[Option<f64>]) -> Option<(usize, f64)> {
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
    all.min_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// What flows of a class with a size bring, in bytes a second.
fn bytes(class: &Class) -> f64 {
    match &class.demand {
        Demand::Sized(flows) => flows.per_second * flows.sizes.mean(),
        Demand::Long { .. } | Demand::Streams { .. } => 0.0,
    }
}

/// What each link has for flows with a size, in bytes a second.
fn rooms(network: &Network, model: &Model) -> Vec<f64> {
    let smooth = smooth(network, model);
    let mut sized = vec![0.0; network.links.len()];
    let mut rtts = sized.clone();
    for class in &network.classes {
        for &link in &class.out {
            sized[link] += bytes(class);
            rtts[link] += bytes(class) * class.rtt;
        }
    }
    let room = |(place, link): (usize, &Link)| {
        let target = match model {
            Model::Granted(law) if link.is_router && sized[place] > 0.0 => {
                law.highest_load(network.packet, link.capacity * rtts[place] / sized[place])
            }
            Model::Granted(_) if !link.is_router => 1.0,
            model => model.target(),
        };
        (target * link.capacity - smooth[place]).max(0.0)
    };
    network.links.iter().enumerate().map(room).collect()
}

/// Streams at each link, of which each link passes what it can carry, and acknowledgements.
fn smooth(network: &Network, model: &Model) -> Vec<f64> {
    let mut passed = vec![1.0; network.links.len()];
    // As many times as a stream has links, at most, if none of the streams meet in a circle.
    for _ in 0..16 {
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
    let mut all = streams(network, &passed);
    if !matches!(model, Model::Fluid) {
        for class in &network.classes {
            if let Demand::Sized(flows) = &class.demand {
                let answers = flows.per_second * flows.answers;
                class.back.iter().for_each(|&link| all[link] += answers);
            }
        }
    }
    all
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
