//! `run.json`: the totals of one run. A summary is made from these, whether the runs are new or
//! reused.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sluice_sim::Outcome;

use super::flow_paths::LinkLoad;
use super::key::RunId;
use super::links::LinkTotals;
use super::sealed::Digest;
use super::system::System;
use super::tally::Tally;
use crate::scenario::SCHEMA;
use crate::{BUILD, Plan};

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredRun {
    /// The version of this format.
    pub schema: u32,
    /// The build that made it.
    pub build: String,
    /// What ran.
    pub protocol: System,
    /// With which seed.
    pub seed: u64,
    /// The run's key.
    pub key: String,
    /// When it ended, in nanoseconds.
    pub end_ns: u64,
    /// Measured flows.
    pub measured: u64,
    /// Measured flows that did not finish.
    pub unfinished: u64,
    /// Load offered by measured flows, in bits a second.
    pub offered_bps: u64,
    /// Data packets sent again in the measured time, by flows of any kind.
    pub resent: u64,
    /// The totals of its flows.
    pub flows: Tally,
    /// Its links, in the order of `links.parquet`.
    pub links: Vec<LinkTotals>,
    /// Digests of the run's other files, by name; empty until the run is complete.
    pub files: BTreeMap<String, Digest>,
}

impl StoredRun {
    /// What the engine found, with the totals of flows and the load that they offered to each link.
    pub fn of(
        plan: &Plan,
        id: &RunId,
        outcome: &Outcome,
        flows: Tally,
        loads: &[LinkLoad],
    ) -> Self {
        let links = plan.config.links.iter().zip(&outcome.links).zip(loads);
        let totals = links.map(|((link, found), load)| LinkTotals::of(plan, link, found, load));
        Self {
            schema: SCHEMA,
            build: BUILD.into(),
            protocol: id.system,
            seed: id.seed,
            key: id.key.clone(),
            end_ns: outcome.end.as_nanos(),
            measured: outcome.measured,
            unfinished: outcome.unfinished,
            offered_bps: outcome.offered.as_bps(),
            resent: outcome.resent,
            flows,
            links: totals.collect(),
            files: BTreeMap::new(),
        }
    }

    /// Which run this is.
    pub fn id(&self) -> RunId {
        RunId { system: self.protocol, seed: self.seed, key: self.key.clone() }
    }
}
