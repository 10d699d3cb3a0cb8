//! A sender `s` and a receiver `d` behind two routers, between which is an emulated link:
//! `s` - `r1` = `r2` - `d`.

use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::Duration;

use sluice_linux::{AttachedHost, Device, HostCounts, KernelHost, ListenerCounts, ProgramMemory};
use sluice_testbed::{
    Cgroup, DirectionConfig, IperfReport, Link, LinkCounters, Namespace, Program, Reordering,
    Running, can_test, iperf3_client, iperf3_server, requirements, veth,
};
use sluice_units::{Bytes, Rate, Ratio, Span};

/// Addresses of `d`.
pub const V4: &str = "198.18.3.1";
pub const V6: &str = "fd00:3::1";

/// The link between the routers, the same both ways.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    pub rate: Rate,
    pub rtt: Span,
    /// Of the link to `d`, if it is emulated too.
    pub last: Option<Rate>,
    /// Parts of the packets from `r1` to `r2` that are lost, and that others overtake.
    pub loss: f64,
    pub reordered: f64,
}

impl Path {
    pub const fn new(mbps: u64, rtt_ms: u64) -> Self {
        Self {
            rate: Rate::from_bps(mbps * 1_000_000),
            rtt: Span::from_millis(rtt_ms),
            last: None,
            loss: 0.0,
            reordered: 0.0,
        }
    }

    pub fn bdp(&self) -> f64 {
        self.rate.as_bps_f64() * self.rtt.as_secs_f64() / 8.0
    }

    /// Of the buffer: a BDP, 64 kB at least.
    pub fn buffer(&self) -> Bytes {
        Bytes::new(self.bdp().max(64_000.0) as u64)
    }
}

pub struct Network {
    pub s: Namespace,
    pub r1: Namespace,
    pub r2: Namespace,
    pub d: Namespace,
    pub link: Link,
    /// The link to `d`, and the one that [`Self::add_second_link`] adds.
    _last: Option<Link>,
    second: Option<Link>,
    pub path: Path,
    /// The sockets that speak RCP.
    pub cgroup: Cgroup,
    server: Option<Running>,
    _turn: Turn,
}

/// Tests that measure queues and shares run alone.
static ALONE: RwLock<()> = RwLock::new(());

enum Turn {
    Beside {
        _others: RwLockReadGuard<'static, ()>,
    },
    Alone {
        _guard: RwLockWriteGuard<'static, ()>,
    },
    /// With that of another network of the test.
    Shared,
}

/// A network, beside those of other tests, or `None` on a machine without what it needs, which is reported.
pub fn network(path: Path) -> Option<Network> {
    is_able().then(|| {
        let _others = ALONE.read().unwrap_or_else(PoisonError::into_inner);
        Network::new(path, Turn::Beside { _others })
    })
}

/// A network of a test that has the machine to itself.
pub fn network_alone(path: Path) -> Option<Network> {
    is_able().then(|| {
        let _guard = ALONE.write().unwrap_or_else(PoisonError::into_inner);
        Network::new(path, Turn::Alone { _guard })
    })
}

/// Two networks of a test, beside those of others.
pub fn two_networks(path: Path) -> Option<[Network; 2]> {
    network(path).map(|first| [first, Network::new(path, Turn::Shared)])
}

fn is_able() -> bool {
    static LACKING: OnceLock<Vec<String>> = OnceLock::new();
    can_test("sluice-linux", LACKING.get_or_init(lacking))
}

fn lacking() -> Vec<String> {
    let mut missing = requirements();
    if missing.is_empty() {
        let mut place = ProgramMemory::default();
        missing.extend(KernelHost::load(&mut place).err().map(|why| why.to_string()));
    }
    missing
}

impl Network {
    fn new(path: Path, turn: Turn) -> Self {
        let [s, r1, r2, d] = std::array::from_fn(|_| Namespace::new().unwrap());
        veth(&s, "net", &r1, "in").unwrap();
        let back = direction(Path { loss: 0.0, reordered: 0.0, ..path });
        let link = Link::new(&r1, "out", &r2, "out", direction(path), back).unwrap();
        let last = last_link(&r2, &d, path);
        for (namespace, device, address) in [
            (&s, "net", "1::1"),
            (&r1, "in", "1::2"),
            (&r1, "out", "2::1"),
            (&r2, "out", "2::2"),
            (&r2, "in", "3::2"),
            (&d, "net", "3::1"),
        ] {
            let [net, host] = [&address[..1], &address[3..]];
            let v4 = format!("198.18.{net}.{host}/24");
            namespace.add_address(device, &v4).unwrap();
            namespace.add_address(device, &format!("fd00:{address}/64")).unwrap();
            namespace.ip(&["link", "set", device, "up"]).unwrap();
        }
        for (namespace, via) in [(&s, "1::2"), (&r1, "2::2"), (&r2, "2::1"), (&d, "3::2")] {
            let v4 = format!("198.18.{}.{}", &via[..1], &via[3..]);
            let v6 = format!("fd00:{via}");
            // By route, since a namespace may take as its default only what any user may choose.
            for way in [["-4", &v4], ["-6", &v6]] {
                let route = [way[0], "route", "add", "default", "via", way[1], "congctl", "cubic"];
                namespace.ip(&route).unwrap();
            }
        }
        for router in [&r1, &r2] {
            router.forward().unwrap();
            // Packets may come by a link that answers do not take.
            router.sysctl("net.ipv4.conf.all.rp_filter", "0").unwrap();
            router.sysctl("net.ipv4.conf.default.rp_filter", "0").unwrap();
        }
        for host in [&s, &d] {
            // What a sender may have in flight is not to depend on the machine's memory.
            host.sysctl("net.ipv4.tcp_rmem", "4096 131072 33554432").unwrap();
            host.sysctl("net.ipv4.tcp_wmem", "4096 131072 33554432").unwrap();
            // Trains are to be of a millisecond, also over short RTTs and of one segment at low rates.
            host.sysctl("net.ipv4.tcp_tso_rtt_log", "0").unwrap();
            host.sysctl("net.ipv4.tcp_min_tso_segs", "1").unwrap();
        }
        let cgroup = Cgroup::new("live").unwrap();
        Self {
            s,
            r1,
            r2,
            d,
            link,
            _last: last,
            second: None,
            path,
            cgroup,
            server: None,
            _turn: turn,
        }
    }

    /// A second link between the routers, to `d`, which no route takes yet.
    pub fn add_second_link(&mut self, path: Path) {
        let way = direction(path);
        let link = Link::new(&self.r1, "out2", &self.r2, "out2", way, way).unwrap();
        for (router, host) in [(&self.r1, 1), (&self.r2, 2)] {
            router.add_address("out2", &format!("198.18.4.{host}/24")).unwrap();
        }
        self.second = Some(link);
    }

    /// Packets to `d` take the second link from now on.
    pub fn take_second_link(&self) {
        self.r1.ip(&["route", "replace", "default", "via", "198.18.4.2"]).unwrap();
    }

    /// Attaches the hosts' programs to the cgroup.
    pub fn hosts(&self) -> Hosts {
        let place = Box::leak(Box::new(ProgramMemory::default()));
        let mut kernel = KernelHost::load(place).unwrap();
        let attached = kernel.attach(self.cgroup.path()).unwrap();
        for host in [&self.s, &self.d] {
            // The namespace ends with the test, and the program with it.
            let device = host.enter(|| Device::named("net").unwrap());
            drop(host.enter(|| kernel.attach_device(&device).unwrap()));
        }
        let listeners = self.d.enter(|| kernel.watch_listeners(self.cgroup.path()).unwrap());
        Hosts { kernel, attached: Some(attached), listeners }
    }

    /// Starts a server for [`Self::flows`] at `d`, in the cgroup or not.
    pub fn serve(&mut self, in_cgroup: bool) {
        self.server = None;
        let cgroup = in_cgroup.then_some(&self.cgroup);
        self.server = Some(iperf3_server(&self.d, cgroup, 5201).unwrap());
    }

    /// Runs iperf3 from `s` in the cgroup, to an address of `d`, with these arguments.
    pub fn flows(&self, to: &str, arguments: &[&str]) -> IperfReport {
        let arguments = [&["-c", to], arguments].concat();
        iperf3_client(&self.s, Some(&self.cgroup), &arguments).unwrap()
    }

    /// Flows of iperf3 with these arguments while `work` runs, which end with it.
    pub fn beside_flows<T>(&self, to: &str, arguments: &[&str], work: impl FnOnce() -> T) -> T {
        let client = Program::new("iperf3").args(["-c", to, "-t", "100"]).args(arguments);
        let _running = client.cgroup(Some(&self.cgroup)).start(&self.s).unwrap();
        work()
    }

    /// What the link to `d` counts while `work` runs.
    pub fn counted(&self, work: impl FnOnce()) -> LinkCounters {
        let before = self.link.forward().counters();
        self.link.forward().reset_peaks();
        work();
        self.link.forward().counters().since(&before)
    }
}

/// Between the last router and `d`.
fn last_link(r2: &Namespace, d: &Namespace, path: Path) -> Option<Link> {
    let Some(rate) = path.last else {
        veth(d, "net", r2, "in").unwrap();
        return None;
    };
    let way = direction(Path { rate, rtt: Span::ZERO, loss: 0.0, reordered: 0.0, ..path });
    Some(Link::new(r2, "in", d, "net", way, way).unwrap())
}

/// Time passes.
pub fn wait(ms: u64) {
    thread::sleep(Duration::from_millis(ms));
}

pub const fn mbps(n: u64) -> Rate {
    Rate::from_bps(n * 1_000_000)
}

#[track_caller]
pub fn assert_near(found: Rate, expected: Rate, part: f64) {
    let ratio = found.as_bps_f64() / expected.as_bps_f64();
    assert!((ratio - 1.0).abs() < part, "{found}, not {expected}");
}

pub fn direction(path: Path) -> DirectionConfig {
    DirectionConfig {
        rate: Some(path.rate),
        delay: path.rtt / 2,
        buffer: path.buffer(),
        loss: Ratio::new(path.loss),
        reordering: Reordering { part: Ratio::new(path.reordered), by: path.rtt / 4 },
        ..DirectionConfig::default()
    }
}

/// The hosts' programs.
pub struct Hosts {
    kernel: KernelHost<'static>,
    attached: Option<AttachedHost>,
    /// Sockets of `d` that listened before.
    pub listeners: ListenerCounts,
}

impl Hosts {
    pub fn counts(&self) -> HostCounts {
        self.kernel.counts().unwrap()
    }

    pub fn detach(&mut self) {
        self.attached = None;
    }
}
