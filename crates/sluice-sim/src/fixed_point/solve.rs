//! The exchange between sources and links, until they agree.

use sluice_units::{Bytes, Rate, Span};

use super::estimate::{
    ClassEstimate, Doubt, FEW_PACKETS, LinkEstimate, MANY_LOSSES, Refused, SteadyState, Verdict,
};
use super::grant::SteadyLink;
use super::law::{Law, Model};
use super::link_state::LinkState;
use super::links::Links;
use super::network::{Class, Demand, Link, Network};
use super::overload::Overload;
use super::path::Path;
use super::source::{Offered, offered};
use crate::config::Config;

/// How the exchange goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedPoint {
    /// The residual ([`SteadyState::residual`]) that counts as agreement.
    pub tolerance: f64,
    /// Exchanges after which it stops without.
    pub max_iterations: u32,
    /// The part of the way that links move at first, above 0 to 1.
    pub step: f64,
    /// It becomes smaller where residuals do not fall, but not smaller than this.
    pub least_step: f64,
}

impl Default for FixedPoint {
    fn default() -> Self {
        Self { tolerance: 1e-4, max_iterations: 500, step: 0.5, least_step: 0.02 }
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
        let model = Model::of(law, &config.parameters)?;
        let network = Network::of(config, &model)?;
        Ok(solve(self, &network, &model))
    }
}

/// Runs the exchange.
fn solve(own: &FixedPoint, network: &Network, model: &Model) -> SteadyState {
    let loads = Overload::of(network, model);
    let links = Links::new(network, model);
    let mut states: Vec<LinkState> =
        network.links.iter().map(|link| LinkState::idle(link, model)).collect();
    let offers = |states: &[LinkState]| -> Vec<Offered> {
        let classes = network.classes.iter().zip(&loads.carried);
        classes.map(|(class, &part)| offered(network, model, class, states, part)).collect()
    };
    let (mut step, mut last) = (own.step, f64::INFINITY);
    let (mut iterations, mut residual, mut at) = (0, f64::INFINITY, None);
    while iterations < own.max_iterations {
        let next = links.next(&states, &offers(&states));
        iterations += 1;
        (residual, at) = residual_of(&states, &next, network.packet);
        if residual <= own.tolerance {
            break;
        }
        // Smaller steps where the last one brought them no nearer.
        if residual > 0.9 * last {
            step = (step * 0.7).max(own.least_step);
        }
        last = residual;
        for (state, next) in states.iter_mut().zip(&next) {
            state.move_to(next, step);
        }
    }
    let verdict = if !loads.links.is_empty() {
        Verdict::Overloaded(loads.links.clone())
    } else if residual <= own.tolerance {
        Verdict::Converged
    } else {
        Verdict::NotConverged
    };
    let offers = offers(&states);
    let class = |(class, offer): (&Class, &Offered)| {
        let is_over = class.out.iter().any(|link| loads.links.binary_search(link).is_ok());
        estimate_class(model, &Path::new(network, class, &states), offer, is_over)
    };
    SteadyState {
        verdict,
        iterations,
        residual,
        at,
        classes: network.classes.iter().zip(&offers).map(class).collect(),
        links: network
            .links
            .iter()
            .zip(&states)
            .map(|(link, state)| estimate_link(link, state))
            .collect(),
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
            grant,
        ]
        .into_iter()
        .fold(0.0, |most, part| if part.is_nan() { f64::INFINITY } else { part.max(most) })
    };
    let all = states.iter().zip(next).map(of_link).enumerate();
    let worst = all.max_by(|(_, a), (_, b)| a.total_cmp(b));
    worst.map_or((0.0, None), |(place, most)| (most, Some(place)))
}

fn estimate_class(model: &Model, path: &Path<'_>, offer: &Offered, is_over: bool) -> ClassEstimate {
    let (afct, flows) = match &path.class.demand {
        Demand::Sized(_) if is_over => (None, None),
        Demand::Sized(flows) => {
            (Some(Span::from_secs_f64(path.completion(model, flows))), Some(offer.sending))
        }
        &Demand::Long { count } | &Demand::Streams { count, .. } => (None, Some(count)),
    };
    // Flows with a size send again what is lost, beyond what they offer.
    let rate = offer.sized + (offer.long + offer.streams) * (1.0 - offer.loss);
    let doubt = doubt(model, path, offer);
    ClassEstimate { afct, flows, rate: rate_of(rate), loss: offer.loss, doubt }
}

fn doubt(model: &Model, path: &Path<'_>, offer: &Offered) -> Option<Doubt> {
    if matches!(path.class.demand, Demand::Streams { .. }) || matches!(model, Model::Fluid) {
        return None;
    }
    let swings = |&link: &usize| {
        let (Model::Granted(law), state) = (model, &path.links[link]) else { return false };
        let Link { buffer, is_router, capacity, .. } = path.network.links[link];
        let packet = path.network.packet;
        let steady = SteadyLink { capacity, load: state.load, rtt: state.rtt, packet };
        // A buffer that is ever full, if losses show that.
        let fullest = if state.loss > 1e-6 { buffer } else { 0.0 };
        is_router && state.rtt > 0.0 && law.swings(&steady, state.grant, fullest)
    };
    if offer.rate * offer.rtt < FEW_PACKETS * path.network.packet {
        Some(Doubt::FewPackets)
    } else if path.class.out.iter().any(swings) {
        Some(Doubt::Swings)
    } else if offer.loss > MANY_LOSSES {
        Some(Doubt::ManyLosses)
    } else {
        None
    }
}

fn estimate_link(link: &Link, state: &LinkState) -> LinkEstimate {
    let queue = state.wait * link.capacity;
    LinkEstimate {
        utilization: (state.load * (1.0 - state.loss)).min(1.0),
        queue: Bytes::new(queue.round() as u64),
        loss: state.loss,
        grant: rate_of(state.grant.min(link.capacity)),
    }
}

fn rate_of(bytes_a_second: f64) -> Rate {
    Rate::from_bps_f64(bytes_a_second * 8.0)
}
