//! The exchange between sources and links, until they agree.

use sluice_units::{Bytes, Rate, Span};

use super::doubt::doubts;
use super::elements::check_config;
use super::estimate::{ClassEstimate, LinkEstimate, SizeEstimate, SteadyState};
use super::law::{Law, Model};
use super::link_state::{LEAST_LOSS, LinkState};
use super::links::Links;
use super::network::{Class, Demand, Link, Network, SizedFlows};
use super::overload::Overload;
use super::path::Path;
use super::refused::{Lacks, Refused};
use super::source::{Offered, offered};
use crate::config::Config;
use crate::route::Paths;

/// How the exchange goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedPoint {
    /// The residual ([`SteadyState::residual`]) that counts as agreement.
    pub tolerance: f64,
    /// Exchanges after which it stops without.
    pub max_iterations: u32,
    /// The part of the way that links move at first and at most, above 0 to 1.
    pub step: f64,
    /// Where residuals do not fall, the part becomes smaller, down to this; it grows again while they fall.
    pub least_step: f64,
}

impl Default for FixedPoint {
    fn default() -> Self {
        Self { tolerance: 1e-4, max_iterations: 1000, step: 0.5, least_step: 0.02 }
    }
}

impl FixedPoint {
    /// The fixed point of a configuration whose flows follow `law`, by the default exchange. The time measured, the
    /// seed, metrics and traces have no effect, but for the number of long flows: those that start before the stop.
    ///
    /// # Errors
    ///
    /// The faults of the configuration, or all that has no model here.
    pub fn of(config: &Config, law: Law) -> Result<SteadyState, Refused> {
        Self::default().solve(config, law)
    }

    /// The same by this exchange.
    ///
    /// # Errors
    ///
    /// As [`FixedPoint::of`].
    pub fn solve(&self, config: &Config, law: Law) -> Result<SteadyState, Refused> {
        config.check()?;
        let paths = Paths::of(config)?;
        let mut lacks = Lacks::default();
        let model = Model::of(law, &config.parameters, &mut lacks);
        check_config(config, &model, &mut lacks);
        let transport = law.transport(&config.parameters);
        let network = Network::of(config, &paths, &model, &transport, &mut lacks);
        lacks.or(())?;
        Ok(solve(self, &network, &model))
    }
}

/// Runs the exchange.
fn solve(own: &FixedPoint, network: &Network, model: &Model) -> SteadyState {
    let loads = Overload::of(network, model);
    let links = Links::new(network, model);
    let idle = network.links.iter().zip(&loads.passed);
    let mut states: Vec<LinkState> =
        idle.map(|(link, &passed)| LinkState::idle(link, model, passed)).collect();
    let offers = |states: &[LinkState]| -> Vec<Offered> {
        let classes = network.classes.iter().zip(&loads.carried);
        classes.map(|(class, &part)| offered(network, model, class, states, part)).collect()
    };
    let (mut step, mut most, mut last) = (own.step, own.step, f64::INFINITY);
    let (mut iterations, mut residual, mut worst_link) = (0, f64::INFINITY, None);
    while iterations < own.max_iterations {
        let next = links.next(&states, &offers(&states));
        iterations += 1;
        (residual, worst_link) = residual_of(&states, &next, network.packet);
        if residual <= own.tolerance {
            break;
        }
        // Steps that go too far make residuals rise; those that do not can be longer, but each time less so.
        if residual < last {
            step = (step * 1.2).min(most);
        } else {
            let least = own.least_step.min(own.step);
            (step, most) = ((step * 0.5).max(least), (most * 0.9).max(least));
        }
        last = residual;
        for (state, next) in states.iter_mut().zip(&next) {
            state.move_to(next, step, network.packet);
        }
    }
    let offers = offers(&states);
    let class = |(class, offer): (&Class, &Offered)| {
        let is_over = loads.is_over(model, class);
        estimate_class(model, &Path::new(network, class, &states), offer, is_over)
    };
    let mut estimates: Vec<LinkEstimate> =
        network.links.iter().zip(&states).map(|(link, state)| estimate_link(link, state)).collect();
    for &(link, load) in &loads.links {
        estimates[link].load = load;
    }
    SteadyState {
        converged: residual <= own.tolerance,
        overloaded: loads.links.iter().map(|&(link, _)| link).collect(),
        iterations,
        residual,
        worst_link,
        classes: network.classes.iter().zip(&offers).map(class).collect(),
        links: estimates,
    }
}

/// The largest change, and where.
fn residual_of(states: &[LinkState], next: &[LinkState], packet: f64) -> (f64, Option<usize>) {
    let of_link = |(now, next): (&LinkState, &LinkState)| {
        let part = |now: f64, next: f64, unit: f64| (next - now).abs() / (now + unit);
        let grant =
            if next.grant.is_finite() { libm::log(next.grant / now.grant).abs() } else { 0.0 };
        [
            part(now.wait, next.wait, packet / now.capacity),
            part(now.excess, next.excess, 1.0 / now.capacity),
            part(now.flows, next.flows, 1.0),
            // These take all of the step, but noise and feedback are made by those of the state before.
            part(now.load, next.load, 1.0),
            part(now.rtt, next.rtt, 1e-6),
            // Of what gets through.
            (next.loss - now.loss).abs() / (1.0 - now.loss).max(1e-12),
            prices(now, next),
            grant,
        ]
        .into_iter()
        .fold(0.0, |most, part| if part.is_nan() { f64::INFINITY } else { part.max(most) })
    };
    let all = states.iter().zip(next).map(of_link).enumerate();
    let worst = all.max_by(|(_, a), (_, b)| a.total_cmp(b));
    worst.map_or((0.0, None), |(place, most)| (most, Some(place)))
}

/// How far the rates of TCP flows without an end are from what their loss ratio is to make of them, in logarithms:
/// they are as 1 / sqrt(p), however low p is.
fn prices(now: &LinkState, next: &LinkState) -> f64 {
    if next.endless <= 0.0 || next.grant.is_finite() {
        return 0.0;
    }
    libm::log((next.loss + LEAST_LOSS) / (now.loss + LEAST_LOSS)).abs() / 2.0
}

fn estimate_class(model: &Model, path: &Path<'_>, offer: &Offered, is_over: bool) -> ClassEstimate {
    let mut found = ClassEstimate {
        arrivals: None,
        afct: None,
        flows: None,
        // Flows with a size send again what is lost, beyond what they offer.
        rate: rate_of(offer.sized + (offer.long + offer.streams) * (1.0 - offer.loss)),
        loss: offer.loss,
        doubts: doubts(model, path, offer),
        by_size: Vec::new(),
    };
    match &path.class.demand {
        Demand::Sized(flows) => {
            found.arrivals = Some(flows.per_second);
            if !is_over {
                let completions = path.completions(model, flows);
                let weighted = completions.iter().zip(&flows.sizes.weights);
                let mean = weighted.map(|(seconds, weight)| seconds * weight).sum();
                found.afct = Some(Span::from_secs_f64(mean));
                found.flows = Some(offer.sending);
                found.by_size = by_size(flows, &completions);
            }
        }
        &Demand::Long { count } | &Demand::Streams { count, .. } => found.flows = Some(count),
    }
    found
}

fn by_size(flows: &SizedFlows, completions: &[f64]) -> Vec<SizeEstimate> {
    let sizes = flows.payload.iter().zip(&flows.sizes.weights).zip(completions);
    let estimate = |((&bytes, &part), &seconds): ((&f64, &f64), &f64)| SizeEstimate {
        bytes: Bytes::new(bytes.round() as u64),
        part,
        completion: Span::from_secs_f64(seconds),
    };
    sizes.map(estimate).collect()
}

fn estimate_link(link: &Link, state: &LinkState) -> LinkEstimate {
    let queue = state.wait * link.capacity;
    LinkEstimate {
        load: state.load,
        utilization: (state.load * (1.0 - state.loss)).min(1.0),
        queue: Bytes::new(queue.round() as u64),
        loss: state.loss,
        grant: rate_of(state.grant.min(link.capacity)),
    }
}

fn rate_of(bytes_a_second: f64) -> Rate {
    Rate::from_bps_f64(bytes_a_second * 8.0)
}
