//! The fat tree of three layers: pods of edge and aggregation switches under a core.

use std::ops::RangeInclusive;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cable::Cable;
use super::network::Network;
use super::shape::{COUNTS, Shape, check_size};
use crate::scenario::problem::Problems;

/// Pods of `k/2` edge and `k/2` aggregation switches, each edge switch joined to every aggregation
/// switch of its pod; aggregation switch `i` of every pod is joined to the core switches `cores * i` to
/// `cores * i + cores - 1`. With `k` alone, there are `k` pods and `k^3/4` hosts, and nothing is
/// oversubscribed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FatTree {
    /// Number of ports of an edge switch without oversubscription: even, 2 to 128 (a whole fat tree of
    /// more than 40 has more links than a network may have). A pod has `k/2` switches `edge0`, `edge1`,
    /// ..., as many `agg0`, `agg1`, ..., and `k^2/4` hosts `h0`, `h1`, ...; names count over all pods.
    pub k: usize,
    /// Number of pods; `k` by default. `k = 8` and `pods = 48` are 48 pods of 16 hosts.
    pub pods: Option<usize>,
    /// Number of hosts of an edge switch; `k/2` by default. `k` hosts oversubscribe edge switches by
    /// two.
    pub hosts: Option<usize>,
    /// Number of core switches that an aggregation switch is joined to, of `core0`, `core1`, ...; `k/2`
    /// by default. `k/4` of them oversubscribe pods by two.
    pub cores: Option<usize>,
    /// Links between hosts and edge switches.
    pub access: Cable,
    /// Links between switches; those of `access` by default.
    pub fabric: Option<Cable>,
}

/// The numbers of ports.
const PORTS: RangeInclusive<usize> = 2..=128;

impl Shape for FatTree {
    const SOURCE: &'static str =
        "Al-Fares et al., A Scalable, Commodity Data Center Network Architecture (SIGCOMM 2008)";

    fn lay(&self, field: &str, _folder: &Path, problems: &mut Problems) -> Network {
        let half = self.k / 2;
        let pods = self.pods.unwrap_or(self.k);
        let hosts = self.hosts.unwrap_or(half);
        let cores = self.cores.unwrap_or(half);
        let sound = problems.check(field, |faults| {
            faults.within("k", &self.k, &PORTS);
            faults.need(self.k.is_multiple_of(2), "k", "must be even");
            let own = [("pods", self.pods), ("hosts", self.hosts), ("cores", self.cores)];
            for (name, count) in own {
                faults.within(name, &count.unwrap_or(1), &COUNTS);
            }
        });
        if !sound || !check_size(pods * half * (hosts + half + cores), field, problems) {
            return Network::default();
        }
        self.access.check(&format!("{field}.access"), problems);
        if let Some(fabric) = &self.fabric {
            fabric.check(&format!("{field}.fabric"), problems);
        }
        let fabric = self.fabric.as_ref().unwrap_or(&self.access);
        let mut network = Network::default();
        let edges = network.add_nodes("edge", 0..pods * half);
        let aggregation: Vec<usize> = network.add_nodes("agg", 0..pods * half).collect();
        let core = network.add_nodes("core", 0..half * cores);
        for (i, edge) in edges.enumerate() {
            self.access.add_rack(&mut network, hosts, edge);
            let pod = i / half;
            for &above in &aggregation[pod * half..][..half] {
                fabric.join(&mut network, edge, above);
            }
        }
        for (i, &below) in aggregation.iter().enumerate() {
            let first = core.start + i % half * cores;
            for above in first..first + cores {
                fabric.join(&mut network, below, above);
            }
        }
        network
    }
}
