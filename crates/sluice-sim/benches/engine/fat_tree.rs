//! Data-centre networks: a fat tree of links of 100 Gb/s, after M. Al-Fares and others, "A Scalable,
//! Commodity Data Center Network Architecture" (SIGCOMM 2008), with any number of pods.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::transport::Transport;
use sluice_sim::traffic::{Listed, Long, Traffic};
use sluice_sim::{Config, GroupConfig, LinkConfig, LinkLaw, Routing};
use sluice_units::{BufferSize, Bytes, Rate, Span, Time};

use crate::benchmark::Benchmark;

/// The benchmarks; `brevity` divides how long they last.
pub fn all(brevity: u64) -> [Benchmark; 3] {
    let bytes = 2_000_000 / brevity;
    let lasting = Span::from_millis(100) / brevity;
    let tcp = ProtocolName::Tcp;
    [
        Benchmark::new("fat-tree-1024-ecmp", tcp, move || permutation(Routing::Ecmp, bytes)),
        Benchmark::new("fat-tree-1024-spray", tcp, move || permutation(Routing::Spray, bytes)),
        Benchmark::new("incast-48-pods", tcp, move || incast(lasting)),
    ]
}

/// A fat tree of switches with `k` ports, and its hosts.
struct FatTree {
    nodes: usize,
    hosts: usize,
    links: Vec<LinkConfig>,
}

impl FatTree {
    /// Each pod has k / 2 edge switches, with k / 2 hosts each, and k / 2 aggregation switches, which
    /// have k / 2 core switches each.
    fn new(k: usize, pods: usize, delay: Span) -> Self {
        let half = k / 2;
        let hosts = pods * half * half;
        let (edges, aggregations) = (hosts, hosts + pods * half);
        let cores = aggregations + pods * half;
        let mut tree = Self { nodes: cores + half * half, hosts, links: Vec::new() };
        for pod in 0..pods {
            for (edge, other) in
                (0..half).flat_map(|edge| (0..half).map(move |other| (edge, other)))
            {
                let switch = edges + pod * half + edge;
                tree.join((pod * half + edge) * half + other, switch, delay);
                tree.join(switch, aggregations + pod * half + other, delay);
                // Here `edge` counts aggregation switches, and `other` the core switches of each.
                tree.join(aggregations + pod * half + edge, cores + edge * half + other, delay);
            }
        }
        tree
    }

    fn join(&mut self, a: usize, b: usize, delay: Span) {
        for (from, to) in [(a, b), (b, a)] {
            let buffer = BufferSize::Bytes(Bytes::new(500_000));
            let buffer = if from < self.hosts { BufferSize::Unlimited } else { buffer };
            let capacity = Rate::from_bps(100_000_000_000);
            let link = LinkConfig {
                delay,
                buffer,
                router: LinkLaw::None.into(),
                ..LinkConfig::new(from, to, capacity)
            };
            self.links.push(link);
        }
    }

    /// Packets of 4 kB of data, and timers of data centres.
    fn config(self, groups: Vec<GroupConfig>, stop: Span) -> Config {
        let transport = Transport {
            initial_window: 16,
            min_rto: Span::from_millis(1),
            initial_rto: Span::from_millis(1),
            ..Transport::default()
        };
        Config {
            packet: Bytes::new(4_160),
            header: Bytes::new(64),
            control: Bytes::new(64),
            parameters: Parameters { transport, ..Parameters::default() },
            limit: Time::ZERO + Span::from_secs(1),
            ..Config::new(self.nodes, self.links, groups, Time::ZERO + stop)
        }
    }
}

/// 1,024 hosts of which each sends one flow of this size to another, and each receives one.
fn permutation(routing: Routing, bytes: u64) -> Config {
    let tree = FatTree::new(16, 16, Span::from_micros(1));
    let mut ring: Vec<usize> = (0..tree.hosts).collect();
    ring.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(1));
    let group = |place: usize| {
        let (from, to) = (ring[place], ring[(place + 1) % ring.len()]);
        let flow = Listed { start: Time::ZERO, size: Bytes::new(bytes) };
        let group = GroupConfig::new(format!("h{from}"), from, to, Traffic::List(vec![flow]));
        GroupConfig { routing, ..group }
    };
    let groups = (0..ring.len()).map(group).collect();
    tree.config(groups, Span::from_millis(1))
}

/// 48 pods of 16 hosts, all of which send to the hosts of the first, a long flow each; links of 3 us:
/// the network of UNISON's evaluation (S. Bai and others, EuroSys 2024).
fn incast(lasting: Span) -> Config {
    let tree = FatTree::new(8, 48, Span::from_micros(3));
    let long = || Long { count: 1, within: Some(Span::from_micros(100)), ..Long::default() };
    let group = |from: usize| GroupConfig::new(format!("h{from}"), from, from % 16, long());
    let groups = (16..tree.hosts).map(group).collect();
    tree.config(groups, lasting)
}
