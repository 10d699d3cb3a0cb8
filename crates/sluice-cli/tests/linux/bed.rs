//! A sender `s`, a router `r` and a receiver `d`: `s` - `r` = `d`. Services run in `s` and `r`.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use sluice_testbed::{
    Cgroup, DirectionConfig, IperfReport, Link, Namespace, Program, Running, can_test,
    iperf3_client, iperf3_server, requirements, veth,
};
use sluice_units::{Bytes, Rate, Span};

/// Of the link from `r` to `d`.
pub const RATE: Rate = Rate::from_bps(100_000_000);

/// A machine has one host: the tests that start one have it to themselves.
static TURN: RwLock<()> = RwLock::new(());

/// The network, and an empty run directory.
pub struct Bed {
    pub s: Namespace,
    pub r: Namespace,
    pub d: Namespace,
    pub link: Link,
    /// Connections of its processes follow grants.
    pub apps: Cgroup,
    /// Of the services, which are killed with it.
    services: Cgroup,
    pub run: PathBuf,
    server: Option<Running>,
    alone: Option<RwLockWriteGuard<'static, ()>>,
    _beside: Option<RwLockReadGuard<'static, ()>>,
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// A network, or `None` on a machine without what it needs, which is reported.
pub fn bed() -> Option<Bed> {
    let alone = TURN.write().unwrap_or_else(PoisonError::into_inner);
    can_start().then(|| Bed { alone: Some(alone), ..Bed::new() })
}

/// The same for a test that starts no host and measures no rate: it runs beside others of its kind.
pub fn bed_without_host() -> Option<Bed> {
    let beside = TURN.read().unwrap_or_else(PoisonError::into_inner);
    can_start().then(|| Bed { _beside: Some(beside), ..Bed::new() })
}

fn can_start() -> bool {
    static LACKING: OnceLock<Vec<String>> = OnceLock::new();
    can_test("services on Linux", LACKING.get_or_init(requirements))
}

impl Bed {
    fn new() -> Self {
        let [s, r, d] = std::array::from_fn(|_| Namespace::new().unwrap());
        veth(&s, "net", &r, "in").unwrap();
        let way = DirectionConfig {
            rate: Some(RATE),
            delay: Span::from_millis(5),
            buffer: Bytes::new(250_000),
            ..DirectionConfig::default()
        };
        let link = Link::new(&r, "out", &d, "net", way, way).unwrap();
        for (namespace, device, address) in [
            (&s, "net", "198.18.1.1/24"),
            (&r, "in", "198.18.1.2/24"),
            (&r, "out", "198.18.2.1/24"),
            (&d, "net", "198.18.2.2/24"),
        ] {
            namespace.add_address(device, address).unwrap();
            namespace.ip(&["link", "set", device, "up"]).unwrap();
        }
        for (namespace, via) in [(&s, "198.18.1.2"), (&d, "198.18.2.1")] {
            // By route, since a namespace may take as its default only what any user may choose.
            namespace.ip(&["route", "add", "default", "via", via, "congctl", "cubic"]).unwrap();
        }
        r.forward().unwrap();
        let run = new_run_dir();
        let [apps, services] = ["apps", "services"].map(|name| Cgroup::new(name).unwrap());
        Self { s, r, d, link, apps, services, run, server: None, alone: None, _beside: None }
    }

    /// Starts a command in a namespace.
    pub fn start(&self, at: &Namespace, before: &[&str], arguments: &[&str]) -> Running {
        let run = format!("SLUICE_RUN={}", self.run.display());
        let program = Program::new("env").arg(run).args(before);
        let program = program.arg(env!("CARGO_BIN_EXE_sluice")).args(arguments);
        program.cgroup(Some(&self.services)).start(at).unwrap()
    }

    /// Runs a command in a namespace, to its end.
    pub fn sluice(&self, at: &Namespace, arguments: &[&str]) -> Ended {
        self.sluice_by(at, &[], arguments)
    }

    /// As [`Self::sluice`], by another program.
    pub fn sluice_by(&self, at: &Namespace, before: &[&str], arguments: &[&str]) -> Ended {
        let mut running = self.start(at, before, arguments);
        let status = running.wait(Span::from_secs(40)).unwrap();
        Ended { code: status.code().unwrap_or(-1), out: running.stdout(), err: running.stderr() }
    }

    /// Runs a command that must succeed, and returns what it prints.
    #[track_caller]
    pub fn ok(&self, at: &Namespace, arguments: &[&str]) -> String {
        let ended = self.sluice(at, arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {}{}", ended.out, ended.err);
        ended.out
    }

    #[track_caller]
    pub fn router_up(&self) -> String {
        self.ok(&self.r, &["router", "up", "--dev", "out", "--rate", "100mbit"])
    }

    /// Starts a server of metrics in a namespace, which listens when this returns.
    #[track_caller]
    pub fn metrics(&self, before: &[&str], listen: &str) -> Running {
        let server = self.start(&self.r, before, &["metrics", "--listen", listen]);
        until("metrics are served", || server.stderr().contains('\n'));
        server
    }

    /// Starts the host, for the processes in `apps`.
    #[track_caller]
    pub fn host_up(&self) -> String {
        self.host_up_at(&self.s, &[])
    }

    /// As [`Self::host_up`], in a namespace, with more arguments.
    #[track_caller]
    pub fn host_up_at(&self, at: &Namespace, more: &[&str]) -> String {
        let ended = self.try_host_up_at(at, more);
        assert_eq!(ended.code, 0, "{ended:?}");
        ended.out
    }

    /// As [`Self::host_up_at`], and it may fail.
    pub fn try_host_up_at(&self, at: &Namespace, more: &[&str]) -> Ended {
        let cgroup = self.apps.path().to_string_lossy().into_owned();
        self.try_host_up_by(at, &[], &[&["--cgroup", &cgroup], more].concat())
    }

    /// As [`Self::try_host_up_at`], by another program, and with these arguments alone. Another host of this machine, as of
    /// other tests, has a while to end.
    pub fn try_host_up_by(&self, at: &Namespace, before: &[&str], arguments: &[&str]) -> Ended {
        assert!(self.alone.is_some(), "a test with a host has `bed`");
        let arguments = [&["host", "up"], arguments].concat();
        let begun = Instant::now();
        loop {
            let ended = self.sluice_by(at, before, &arguments);
            let is_elsewhere = ended.err.contains("in another container");
            if !is_elsewhere || begun.elapsed() > Duration::from_secs(60) {
                return ended;
            }
            sleep(Duration::from_millis(100));
        }
    }

    /// Starts the router, the host and the server.
    #[track_caller]
    pub fn all_up(&mut self) {
        self.router_up();
        self.host_up();
        self.serve();
    }

    /// Starts a server for [`Self::flow`] at `d`.
    pub fn serve(&mut self) {
        self.server = None;
        self.server = Some(iperf3_server(&self.d, Some(&self.apps), 5201).unwrap());
    }

    /// Runs iperf3 from `s` to `d` for some seconds.
    pub fn flow(&self, seconds: &str) -> IperfReport {
        let arguments = ["-c", "198.18.2.2", "-t", seconds];
        iperf3_client(&self.s, Some(&self.apps), &arguments).unwrap()
    }

    /// The use of the link to `d`, as a part of its rate, over some time.
    pub fn used_in(&self, ms: u64) -> f64 {
        let before = self.link.forward().counters();
        wait(ms);
        let counted = self.link.forward().counters().since(&before);
        counted.throughput().as_bps_f64() / RATE.as_bps_f64()
    }

    /// The states of services that are up, as JSON.
    #[track_caller]
    pub fn status(&self) -> Vec<Value> {
        let ended = self.sluice(&self.r, &["status", "--json"]);
        serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{ended:?}"))
    }

    /// Kills the service of this kind (`router`, `host`), as a fault would.
    #[track_caller]
    pub fn kill(&self, service: &str) {
        let status = self.status();
        let report = status.iter().find(|report| report["service"] == service).unwrap();
        let process = report["process"].to_string();
        Program::new("kill").args(["-9", &process]).output(&self.r).unwrap();
        wait(50);
    }

    /// What services may change: qdiscs and filters of all devices, TCP's parameters, the run directory.
    pub fn dump(&self) -> String {
        let script = r#"for dev in net in out; do
                tc qdisc show dev $dev 2>/dev/null
                tc filter show dev $dev egress 2>/dev/null
            done
            grep -r . /proc/sys/net/ipv4 2>/dev/null | grep -E '/(tcp|ip)_' |
                grep -Ev 'congestion_control|fastopen_key' | sort"#;
        let at = |namespace| Program::new("sh").args(["-c", script]).output(namespace).unwrap();
        let files: Vec<_> = fs::read_dir(&self.run).into_iter().flatten().flatten().collect();
        format!("{}{}{}{files:?}", at(&self.s), at(&self.r), at(&self.d))
    }
}

/// The path of a run directory that no other test has. There is none yet.
fn new_run_dir() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("{}-{number}", std::process::id());
    let run = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Of an earlier process of this number.
    let _ = fs::remove_dir_all(&run);
    run
}

/// Time passes.
pub fn wait(ms: u64) {
    sleep(Duration::from_millis(ms));
}

/// Waits until something is so, for 20 s at most.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}: not after 20 s");
        wait(10);
    }
}

/// The use of a link by flows that follow a router with the default gamma.
#[track_caller]
pub fn assert_granted(used: f64) {
    assert!((0.90..0.98).contains(&used), "{used} of the link");
}

/// That of flows that nobody grants a rate.
#[track_caller]
pub fn assert_ordinary(used: f64) {
    assert!(used > 0.985, "{used} of the link");
}
