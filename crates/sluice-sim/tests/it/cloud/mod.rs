//! Clouds of XCP between border routers (Katabi's thesis, section 8.1), by hand and in corners.

mod corners;
mod order;
mod properties;
mod shares;

use sluice_laws::tcp::TcpParams;
use sluice_laws::transport::Transport;
use sluice_sim::traffic::{Long, Phase, Traffic, Udp};
use sluice_sim::{CloudConfig, Config, GroupConfig, LinkConfig};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::common::{RunResult, run_to_end};
use crate::shown::{config, group, link};

/// The ingress, a core router and the egress.
pub const INGRESS: usize = 0;
pub const CORE: usize = 1;
pub const EGRESS: usize = 2;
/// The link from the core to the egress, and the one of the ingress.
pub const BOTTLENECK: usize = 2;
pub const ENTRY: usize = 0;

/// A cloud of three routers, whose bottleneck is the link to the egress.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    pub capacity: u64,
    /// Round-trip propagation delay of the cloud.
    pub rtt: Span,
    pub buffer: BufferSize,
    /// Of the queues of macro-flows.
    pub queues: BufferSize,
    pub mixed: bool,
    pub stop: u64,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            capacity: 10_000_000,
            rtt: Span::from_millis(40),
            buffer: BufferSize::Packets(100),
            queues: BufferSize::Packets(50),
            mixed: false,
            stop: 40,
        }
    }
}

impl Network {
    /// Its links: there and back between its routers, and between the ingress and a host for each group.
    fn links(&self, hosts: usize) -> Vec<LinkConfig> {
        let delay = self.rtt / 4;
        let [fast, slow] = [4 * self.capacity, self.capacity];
        let mut links = vec![
            link(INGRESS, CORE, fast, delay),
            link(CORE, INGRESS, fast, delay),
            link(CORE, EGRESS, slow, delay),
            link(EGRESS, CORE, slow, delay),
        ];
        links.iter_mut().for_each(|link| link.buffer = self.buffer);
        let access = Span::from_millis(1);
        for host in 0..hosts {
            let (from, to) = (3 + 2 * host, 4 + 2 * host);
            links.push(link(from, INGRESS, fast, access));
            links.push(link(INGRESS, from, fast, access));
            links.push(link(EGRESS, to, fast, access));
            links.push(link(to, EGRESS, fast, access));
        }
        links
    }

    /// With these groups, each from a host behind the ingress to one behind the egress, without its cloud.
    pub fn plain(&self, groups: Vec<GroupConfig>) -> Config {
        let place = |(host, group)| GroupConfig { from: 3 + 2 * host, to: 4 + 2 * host, ..group };
        let links = self.links(groups.len());
        let groups = groups.into_iter().enumerate().map(place).collect();
        let mut config = config(links, groups, Span::from_secs(self.stop));
        config.warm_up = Time::ZERO + Span::from_secs(self.stop / 4);
        config.parameters.transport = Transport::DEFAULT;
        config
    }

    /// The same with its cloud.
    pub fn cloud(&self, groups: Vec<GroupConfig>) -> Config {
        let (mixed, buffer) = (self.mixed, Some(self.queues));
        let cloud = CloudConfig { mixed, buffer, ..CloudConfig::new(vec![INGRESS, EGRESS]) };
        Config { clouds: vec![cloud], ..self.plain(groups) }
    }
}

/// A stream of datagrams of 1000 bytes.
pub fn udp(name: &str, bps: f64) -> GroupConfig {
    let udp = Udp::constant(Rate::from_bps_f64(bps), Bytes::new(1000));
    GroupConfig { name: name.into(), ..group(Udp { phase: Phase::Random, ..udp }.into()) }
}

/// Flows of TCP that do not end.
pub fn tcp(name: &str, count: u64) -> GroupConfig {
    let spacing = Span::from_millis(10);
    let long = Long { count, spacing, ..Long::default() };
    GroupConfig { name: name.into(), ..group(Traffic::Long(long)) }
}

/// Two groups that enter the cloud at routers of their own. The second one's is its host.
pub fn apart(network: &Network, groups: [GroupConfig; 2]) -> Config {
    let mut config = network.cloud(groups.to_vec());
    let host = config.groups[1].from;
    let (fast, delay) = (4 * network.capacity, network.rtt / 4);
    config.links.extend([link(host, CORE, fast, delay), link(CORE, host, fast, delay)]);
    config.clouds[0].edges.push(host);
    config
}

/// Takes the ingress of the second group of [`apart`] farther off, by this factor.
pub fn far(config: &mut Config, times: u64) {
    let host = config.groups[1].from;
    let direct = config.links.iter().position(|link| (link.from, link.to) == (host, CORE));
    let delay = config.links[direct.expect("apart")].delay * times;
    for link in config.links.iter_mut().filter(|link| [link.from, link.to].contains(&host)) {
        // The way by the other ingress is no shorter.
        link.delay = delay;
    }
}

/// What each group received in the time measured, in bits a second.
pub fn rates(config: &Config) -> (Vec<f64>, RunResult) {
    let run = run_to_end(config, &TcpParams::default());
    let measured = config.stop.since(config.warm_up).as_secs_f64();
    let mut rates = vec![0.0; config.groups.len()];
    for record in &run.records {
        rates[record.group] += record.delivered.as_f64() * 8.0 / measured;
    }
    for stream in &run.streams {
        rates[stream.group] += stream.delivered.as_f64() * 8.0 / measured;
    }
    (rates, run)
}

pub fn within(found: f64, expected: f64, part: f64) {
    assert!((found / expected - 1.0).abs() < part, "{found:.0}, not {expected:.0}");
}

/// Loses packets on the way at random.
pub fn lossy(config: &mut Config, links: &[usize], part: f64) {
    links.iter().for_each(|&link| config.links[link].error = Ratio::new(part));
}
