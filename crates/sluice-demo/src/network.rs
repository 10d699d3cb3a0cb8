//! The namespaces and links of a run.

use sluice_sim::{Config, LinkConfig, NodeId};
use sluice_testbed::{Cgroup, DirectionConfig, Link, LinkDirection, Namespace, TestbedError, veth};
use sluice_units::{Bytes, Rate};

use crate::address::{address, device};
use crate::error::DemoError;
use crate::layout::{Layout, LinkPair, is_plain};

/// Up to this capacity each frame of a link is a packet, as on a wire. Above, trains of segments cross links
/// whole, as the processors of a small machine allow.
const PACKET_BY_PACKET: Rate = Rate::from_bps(200_000_000);
/// Of Ethernet, before the packet of IP that a device's MTU limits.
const ETHERNET_HEADER: u64 = 14;
/// Room of sockets at most, so that it does not limit flows, and does not depend on the machine's memory.
const SOCKET_BUFFERS: [(&str, &str); 2] =
    [("net.ipv4.tcp_rmem", "4096 131072 33554432"), ("net.ipv4.tcp_wmem", "4096 131072 33554432")];

/// A namespace for each node, joined as the configuration says.
pub struct DemoNetwork {
    pub nodes: Vec<Namespace>,
    /// By link of the configuration.
    pub links: Vec<LaidLink>,
    /// The processes of all hosts.
    pub cgroup: Cgroup,
    /// They end with it.
    _cables: Vec<Link>,
}

/// A link of the configuration.
pub enum LaidLink {
    Emulated(LinkDirection),
    /// A pair of veth devices: the bytes that this one sends.
    Plain {
        at: NodeId,
        device: String,
    },
}

impl DemoNetwork {
    /// Lays a network, on which connections begin with a congestion control of the kernel.
    pub fn lay(config: &Config, layout: &Layout, control: &str) -> Result<Self, DemoError> {
        let nodes = (0..config.nodes).map(|_| Namespace::new()).collect::<Result<Vec<_>, _>>()?;
        let mut links: Vec<Option<LaidLink>> = config.links.iter().map(|_| None).collect();
        let mut cables = Vec::new();
        for &LinkPair { there, back } in &layout.pairs {
            let LinkConfig { from, to, .. } = config.links[there];
            let (a, b) = (&nodes[from], &nodes[to]);
            let both = [there, back];
            let [laid, laid_back] = if both.iter().all(|&link| is_plain(&config.links[link])) {
                veth(a, &device(to), b, &device(from))?;
                [(from, to), (to, from)].map(|(at, to)| LaidLink::Plain { at, device: device(to) })
            } else {
                let [way, way_back] = both.map(|link| {
                    // Links lose independently of each other.
                    let seed = config.seed.wrapping_mul(1 << 20).wrapping_add(link as u64);
                    direction(&config.links[link], layout.buffers[link], seed)
                });
                let cable = Link::new(a, &device(to), b, &device(from), way, way_back)?;
                let directions = [cable.forward().clone(), cable.backward().clone()];
                cables.push(cable);
                directions.map(LaidLink::Emulated)
            };
            links[there] = Some(laid);
            links[back] = Some(laid_back);
            set_mtu(config.packet, [(a, &device(to)), (b, &device(from))])?;
        }
        for (node, namespace) in nodes.iter().enumerate() {
            prepare(node, namespace)?;
        }
        for (&(at, destination), &via) in &layout.hops {
            route(&nodes[at], [at, destination, via], control)?;
        }
        let links = links.into_iter().flatten().collect();
        Ok(Self { nodes, links, cgroup: Cgroup::new("demo")?, _cables: cables })
    }
}

fn direction(link: &LinkConfig, buffer: Bytes, seed: u64) -> DirectionConfig {
    DirectionConfig {
        rate: Some(link.capacity),
        delay: link.delay,
        buffer,
        loss: link.error,
        super_packets: link.capacity > PACKET_BY_PACKET,
        seed,
        ..DirectionConfig::default()
    }
}

fn set_mtu(packet: Bytes, devices: [(&Namespace, &str); 2]) -> Result<(), TestbedError> {
    let mtu = (packet.as_u64() - ETHERNET_HEADER).to_string();
    for (namespace, device) in devices {
        namespace.ip(&["link", "set", "dev", device, "mtu", &mtu])?;
    }
    Ok(())
}

fn prepare(node: NodeId, namespace: &Namespace) -> Result<(), TestbedError> {
    namespace.add_address("lo", &format!("{}/32", address(node)))?;
    namespace.forward()?;
    for (name, value) in SOCKET_BUFFERS {
        namespace.sysctl(name, value)?;
    }
    Ok(())
}

/// A route by the congestion control of whose connections: namespaces may choose as their default only what any user may.
fn route(
    namespace: &Namespace,
    [at, destination, via]: [NodeId; 3],
    control: &str,
) -> Result<(), TestbedError> {
    let (to, via_address, source) =
        (format!("{}/32", address(destination)), address(via), address(at));
    let way = ["via", &via_address, "dev", &device(via), "onlink", "src", &source];
    let route = [&["route", "add", &to], &way[..], &["congctl", control]].concat();
    namespace.ip(&route).map(drop)
}
