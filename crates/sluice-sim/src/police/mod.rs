//! Policing agents at links: which flows depart from their law (Katabi's thesis, section 7.1).
//!
//! "The agents maintain per-flow state and monitor the rate of the flows to detect and isolate unresponsive
//! sources." One at the edge of the network sees few flows and keeps the state of all; one at any router
//! samples the traffic "to catch the high-rate flows", and keeps that of as few as it is allowed. Both test
//! flows alike ([`sluice_laws::xcp::policing`]).

mod agent;
mod conviction;
mod outcome;
mod parameters;
mod sample_and_hold;
mod token_bucket;

pub(crate) use agent::{Agent, Ruling};
pub use conviction::Conviction;
pub use outcome::PoliceOutcome;
pub use parameters::{Isolation, Police};
pub use sample_and_hold::SampleAndHold;
