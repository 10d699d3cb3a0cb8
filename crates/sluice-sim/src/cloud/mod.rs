//! XCP clouds (Katabi's thesis, section 8.1): border routers that carry the traffic of any hosts on macro-flows.
//!
//! A path enters a cloud at the first of its edges, and leaves it at the last. The links between are the cloud's core
//! and run its law ([`sluice_laws::xcp_cloud`]). Packets of the flows of a macro-flow wait in a queue before that of
//! the first of these links ([`ingress`]), and leave it at the macro-flow's rate. An [`agent`] at the ingress node
//! exchanges control packets with the egress node over the same links; its reports reach the queue in these packets
//! alone.

mod agent;
mod config;
mod earliest;
mod ingress;
mod layout;
mod micro_flows;
mod outcome;
mod pacer;

pub(crate) use agent::Agent;
pub use config::CloudConfig;
pub(crate) use ingress::{Ingress, IngressVerdict};
pub(crate) use layout::{Direction, MacroFlow, MacroFlows};
pub use outcome::IngressOutcome;

/// The number of the header of control packets, among those of protocols ([`crate::queue::TrafficClass`]).
pub(crate) const CLOUD_HEADER: u8 = u8::MAX - 1;
