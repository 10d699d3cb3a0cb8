//! What models predict of a scenario: completion times, queues and losses from formulas, without packets.
//!
//! [`sluice_sim::fixed_point`] has the models; here its classes and links have the names of the scenario's groups and
//! nodes. `notes.rs` puts doubts, overload and what is not modelled into words.

mod data;
mod groups;
mod notes;

pub use data::{Estimate, EstimatedLink, EstimatedSystem, NotModelled};
pub use groups::EstimatedGroup;

use sluice_sim::fixed_point::{self, Refused, SteadyState};
use sluice_sim::ideal::Ideal;

use crate::results::estimated;
use crate::{Plan, System};

impl Estimate {
    /// Estimates all protocols of a plan, and the max-min ideal.
    pub fn of(plan: &Plan) -> Self {
        let mut found = Self {
            name: plan.scenario.name.clone(),
            systems: Vec::new(),
            not_modelled: Vec::new(),
            bottlenecks: Vec::new(),
        };
        for system in plan.protocols().chain([System::Ideal(Ideal::MaxMin)]) {
            let lacks = match estimated::steady(plan, system) {
                Some(Ok(steady)) => {
                    found.systems.push(of_system(plan, system, &steady));
                    continue;
                }
                Some(Err(Refused::NotModelled(lacks))) => notes::named(plan, &lacks),
                Some(Err(Refused::Invalid(error))) => notes::invalid(&error),
                None => notes::without_model(),
            };
            found.not_modelled.push(NotModelled { protocol: system, lacks });
        }
        found.bottlenecks = bottlenecks(plan, &found.systems);
        found
    }
}

fn of_system(plan: &Plan, system: System, steady: &SteadyState) -> EstimatedSystem {
    let name = |&link: &usize| plan.network.link_name(link);
    let flows = steady.classes.iter().map(|class| class.flows).sum();
    let links = steady.links.iter().enumerate();
    EstimatedSystem {
        protocol: system,
        converged: steady.converged,
        iterations: steady.iterations,
        residual: Some(steady.residual).filter(|residual| residual.is_finite()),
        worst_link: steady.worst_link.as_ref().map(name),
        overloaded: steady.overloaded.iter().map(name).collect(),
        completion: steady.afct().map(|mean| mean.as_secs_f64()),
        flows,
        by_size: estimated::by_size(steady),
        groups: groups::of(plan, steady),
        links: links.map(|(link, found)| of_link(plan, link, found)).collect(),
    }
}

fn of_link(plan: &Plan, link: usize, found: &fixed_point::LinkEstimate) -> EstimatedLink {
    let ends = &plan.config.links[link];
    EstimatedLink {
        from: plan.network.nodes[ends.from].clone(),
        to: plan.network.nodes[ends.to].clone(),
        capacity: ends.capacity.as_bps(),
        load: found.load,
        utilization: found.utilization,
        queue: found.queue.as_f64(),
        loss: found.loss,
        grant: found.grant.as_bps(),
    }
}

fn bottlenecks(plan: &Plan, systems: &[EstimatedSystem]) -> Vec<usize> {
    let mut found: Vec<(usize, f64)> = Vec::new();
    for system in systems {
        let load = |link: usize| system.links[link].load;
        let paths = plan.groups.iter().filter_map(|group| group.paths.out.only());
        // Of equal loads the first: flows meet their losses and queues there.
        let limits = paths.filter_map(|path| {
            path.iter()
                .copied()
                .reduce(|most, link| if load(link) > load(most) { link } else { most })
        });
        let over = (0..system.links.len()).filter(|&link| load(link) >= 1.0);
        for link in limits.chain(over) {
            match found.iter_mut().find(|(known, _)| *known == link) {
                Some((_, highest)) => *highest = highest.max(load(link)),
                None => found.push((link, load(link))),
            }
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.into_iter().map(|(link, _)| link).collect()
}
