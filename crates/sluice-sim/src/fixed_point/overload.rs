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
    pub(super) fn of(network: &Network, model: &Model) -> Self {
        let mut sized = vec![0.0; network.links.len()];
        let mut smooth = sized.clone();
        let mut rtts = sized.clone();
        for class in &network.classes {
            match &class.demand {
                Demand::Sized(flows) => {
                    let bytes = flows.per_second * flows.sizes.mean();
                    for &link in &class.out {
                        sized[link] += bytes;
                        rtts[link] += bytes * class.rtt;
                    }
                    if !matches!(model, Model::Fluid) {
                        let answers = flows.per_second * flows.answers;
                        class.back.iter().for_each(|&link| smooth[link] += answers);
                    }
                }
                &Demand::Streams { rate, .. } => {
                    class.out.iter().for_each(|&link| smooth[link] += rate);
                }
                Demand::Long { .. } => {}
            }
        }
        let part = |place: usize| {
            let Link { capacity, is_router, .. } = network.links[place];
            let target = match model {
                Model::Granted(law) if is_router && sized[place] > 0.0 => {
                    law.highest_load(network.packet, capacity * rtts[place] / sized[place])
                }
                Model::Granted(_) if !is_router => 1.0,
                model => model.target(),
            };
            let room = (target * capacity - smooth[place]).max(0.0);
            if sized[place] > 0.0 { room / sized[place] } else { f64::INFINITY }
        };
        let parts: Vec<f64> = (0..network.links.len()).map(part).collect();
        let least = |class: &Class| {
            let least = class.out.iter().map(|&link| parts[link]).fold(f64::INFINITY, f64::min);
            // Just below what fills the link, at which numbers of flows are infinite.
            if least <= 1.0 { least * (1.0 - 1e-6) } else { 1.0 }
        };
        Self {
            links: (0..parts.len()).filter(|&link| parts[link] <= 1.0).collect(),
            carried: network.classes.iter().map(least).collect(),
        }
    }
}
