//! What services answer about themselves. Numbers have their unit in their name, for programs that read them as JSON.

use serde::{Deserialize, Serialize};
use sluice_linux::{HostCounts, TickCounts, TrafficCounts};

/// A service at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "service", rename_all = "snake_case")]
pub enum DaemonReport {
    /// A router.
    Router(RouterReport),
    /// A host.
    Host(HostReport),
}

impl DaemonReport {
    /// The number of its process.
    pub fn process(&self) -> u32 {
        match self {
            Self::Router(router) => router.process,
            Self::Host(host) => host.process,
        }
    }

    /// What keeps it from its task in part, as sentences.
    pub fn warnings(&self) -> &[String] {
        match self {
            Self::Router(_) => &[],
            Self::Host(host) => &host.warnings,
        }
    }

    /// The number of its network namespace.
    pub fn namespace(&self) -> u64 {
        match self {
            Self::Router(router) => router.namespace,
            Self::Host(host) => host.namespace,
        }
    }
}

/// A router at a moment. Counts are since its start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouterReport {
    /// The device at whose egress it is.
    pub device: String,
    /// The number of its network namespace.
    pub namespace: u64,
    /// The number of its process.
    pub process: u32,
    /// Seconds since its start.
    pub up_s: f64,
    /// The capacity of the link, in bits a second.
    pub capacity_bps: u64,
    /// The part of the capacity that flows get.
    pub gamma: f64,
    /// R, the rate that it grants each flow, in bits a second.
    pub rate_bps: f64,
    /// d0, the mean RTT of the flows, in seconds.
    pub rtt_s: f64,
    /// The number of flows by estimate: the capacity over R.
    pub flows: f64,
    /// Bytes in the virtual queue.
    pub queue_bytes: u64,
    /// What arrived in the last second, as a part of what the link could have sent.
    pub load: f64,
    /// What passed the device.
    #[serde(flatten)]
    pub traffic: TrafficCounts,
    /// Updates of R.
    #[serde(flatten)]
    pub updates: TickCounts,
    /// Seconds since the last grant.
    pub grant_age_s: f64,
}

/// A host at a moment. Counts are since its start, of all sockets of its cgroup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostReport {
    /// The cgroup whose connections follow grants.
    pub cgroup: String,
    /// Devices now at which packets full of selective acknowledgements make room for echoes.
    pub devices: Vec<String>,
    /// The number of its network namespace.
    pub namespace: u64,
    /// The number of its process.
    pub process: u32,
    /// Whole seconds since its start.
    pub up_s: u64,
    /// Sockets that listened when it came up, and whose new connections follow grants since.
    pub listeners_watched: u64,
    /// Those that the kernel, older than Linux 6.12, left as they were when it came up. Servers that are started again since
    /// take part, and do not lower it.
    pub listeners_left: u64,
    /// What keeps it from taking part in full, as sentences.
    pub warnings: Vec<String>,
    /// What happened at the sockets.
    #[serde(flatten)]
    pub counts: HostCounts,
}
