//! The engine: takes events in order and carries packets along their paths.
//!
//! An event exists only where order must be decided: packets on wires that meet at an element, a
//! host's first timer, the release of held packets. Everything in between happens within one event,
//! in each element's own time ([`crate::plan`]).

mod agents;
mod batch;
mod build;
mod carry;
mod event_loop;
mod finish;
mod flows;
mod group;
mod group_intervals;
mod group_paths;
mod group_routes;
mod group_samplers;
mod group_sampling;
mod hosts;
mod ingress;
mod inspected;
mod labelled;
mod labels;
mod link_laws;
mod measured;
mod net;
mod pages;
mod receivers;
mod records;
mod sacks;
mod sampling;
mod scheduled;
mod senders;
mod soonest;
mod state;
mod telemetry;
mod trace;
mod trace_buffer;
mod trace_law;
mod udp;
mod udp_streams;
mod wires;

use sluice_laws::protocol::Protocol;

use crate::check::{ConfigError, check_protocols};
use crate::cloud::MacroFlows;
use crate::config::Config;
use crate::observer::Observer;
use crate::outcome::Outcome;
use crate::route::RouteEpochs;
pub use build::largest_rtpds;
use state::Engine;

/// Runs `config` under `protocol`, and reports flows to `observer` as they end.
///
/// # Errors
///
/// All faults of the configuration, of its groups' protocols, or of its paths.
pub fn run(
    config: &Config,
    protocol: &dyn Protocol,
    observer: &mut dyn Observer,
) -> Result<Outcome, ConfigError> {
    config.check()?;
    check_protocols(config, protocol)?;
    let routes = RouteEpochs::of(config)?;
    let macro_flows = MacroFlows::of(config, &routes)?;
    let mut engine = Engine::new(config, protocol, (&routes, macro_flows), observer);
    engine.run();
    Ok(engine.finish())
}
