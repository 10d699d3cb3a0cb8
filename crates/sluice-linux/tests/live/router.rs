//! Routers: one that grants what a test says, and one that runs RCP.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle, sleep};
use std::time::Duration;

use sluice_laws::protocol::LinkContext;
use sluice_laws::rcp::RcpParams;
use sluice_laws::rcp::router::RcpRouter;
use sluice_laws::rcp::rtt::RttSums;
use sluice_laws::wire::Offer;
use sluice_linux::{
    AttachedFilter, ControllerSettings, Device, FlowCensus, KernelRouter, LinkController, Ncp,
    Parser, ProgramMemory, initial_rate, linux_rcp_params, monotonic_now,
};
use sluice_testbed::Namespace;
use sluice_units::{Bytes, Rate, Span};

use crate::network::{Network, Path};

fn load(longest_rtt: Span) -> KernelRouter<'static> {
    let place = Box::leak(Box::new(ProgramMemory::default()));
    KernelRouter::load_within(place, Parser::Direct, Ncp::Plain, longest_rtt).unwrap()
}

fn attach(kernel: &KernelRouter<'_>, namespace: &Namespace, device: &str) -> AttachedFilter {
    namespace.enter(|| kernel.attach(&Device::named(device).unwrap()).unwrap())
}

/// A router that grants a rate of the test's choice.
pub struct FixedGrants {
    kernel: Arc<KernelRouter<'static>>,
    attached: AttachedFilter,
    /// In b/s; 0 renews no grant, and [`END`] ends the thread.
    rate: Arc<AtomicU64>,
    renewing: JoinHandle<()>,
}

const END: u64 = u64::MAX;
/// How long a grant holds, and how often it is renewed.
const HOLDS: Span = Span::from_millis(40);
const RENEWED: Duration = Duration::from_millis(5);

impl FixedGrants {
    /// At the link to `d`.
    pub fn new(network: &Network) -> Self {
        Self::at(&network.r1, "out")
    }

    /// For packets that leave by that device.
    pub fn at(namespace: &Namespace, device: &str) -> Self {
        let kernel = Arc::new(load(Span::MAX));
        let attached = attach(&kernel, namespace, device);
        let rate = Arc::new(AtomicU64::new(0));
        let (renewed, grants) = (kernel.clone(), rate.clone());
        let renewing = thread::spawn(move || renew(&renewed, &grants));
        Self { kernel, attached, rate, renewing }
    }

    pub fn grant(&self, rate: Rate) {
        self.rate.store(rate.as_bps(), Ordering::Relaxed);
    }

    /// As if the process had died: what was granted expires.
    pub fn stop(&self) {
        self.rate.store(0, Ordering::Relaxed);
    }

    /// What packets stated.
    pub fn sums(&self) -> RttSums {
        self.kernel.law::<RcpRouter>().unwrap().total().unwrap()
    }

    /// Ends the router, whose program leaves the device.
    pub fn down(self, namespace: &Namespace) {
        self.rate.store(END, Ordering::Relaxed);
        self.renewing.join().unwrap();
        namespace.enter(|| self.attached.detach().unwrap());
    }
}

fn renew(kernel: &KernelRouter<'_>, rate: &AtomicU64) {
    let law = kernel.law::<RcpRouter>().unwrap();
    let cpus = libbpf_rs::num_possible_cpus().unwrap();
    loop {
        match rate.load(Ordering::Relaxed) {
            END => return,
            0 => {}
            rate => {
                let grants = vec![Offer::granting(Rate::from_bps(rate)); cpus];
                law.install(monotonic_now() + HOLDS, &grants).unwrap();
            }
        }
        sleep(RENEWED);
    }
}

/// A router that runs RCP at its link to the other one.
pub struct RcpAtLink {
    stop: Arc<AtomicBool>,
    /// d0, in ns.
    d0: Arc<AtomicU64>,
    running: Option<JoinHandle<()>>,
    attached: Option<AttachedFilter>,
}

impl RcpAtLink {
    /// With the defaults of routers on Linux.
    pub fn new(namespace: &Namespace, path: Path) -> Self {
        Self::at(namespace, "out", path)
    }

    /// The same at a link whose paths have RTTs of at most `longest`.
    pub fn within(namespace: &Namespace, path: Path, longest: Span) -> Self {
        Self::start(namespace, "out", path, longest)
    }

    /// The same at any device of a router.
    pub fn at(namespace: &Namespace, device: &str, path: Path) -> Self {
        Self::start(namespace, device, path, Span::MAX)
    }

    fn start(namespace: &Namespace, device: &str, path: Path, longest: Span) -> Self {
        let device = namespace.enter(|| Device::named(device).unwrap());
        let flows = namespace.enter(|| flows_of(&device));
        let params = linux_rcp_params();
        let initial_rate = initial_rate(params.gamma, flows);
        let params = RcpParams { initial_rate, ..params };
        let link = LinkContext { capacity: path.rate, packet: Bytes::new(1_514) };
        let law = RcpRouter::new(&params, &link);
        let kernel = load(longest);
        let attached = namespace.enter(|| kernel.attach(&device).unwrap());
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let d0 = Arc::new(AtomicU64::new(0));
        let measured = d0.clone();
        let queue_limit = path.rate.time_for(path.buffer());
        let running = thread::spawn(move || {
            let settings = ControllerSettings { queue_limit, ..ControllerSettings::default() };
            let mut control = LinkController::new(&kernel, law, path.rate, settings).unwrap();
            let report = |control: &mut LinkController<'_, '_, RcpRouter>| {
                let d0 = control.status(monotonic_now())?.metric("d0").unwrap_or_default();
                measured.store(Span::from_secs_f64(d0).as_nanos(), Ordering::Relaxed);
                Ok(())
            };
            control.run(&stopped, report).unwrap();
        });
        Self { stop, d0, running: Some(running), attached: Some(attached) }
    }

    /// As if the process had been killed: grants expire, and the program stays at the device.
    pub fn kill(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(running) = self.running.take() {
            running.join().unwrap();
        }
    }

    /// Ends the router, whose program leaves the device.
    pub fn down(mut self, namespace: &Namespace) {
        self.kill();
        if let Some(attached) = self.attached.take() {
            namespace.enter(|| attached.detach().unwrap());
        }
    }

    /// The mean RTT as of the last tick.
    pub fn d0(&self) -> Span {
        Span::from_nanos(self.d0.load(Ordering::Relaxed))
    }
}

/// The number of flows of a device of this namespace.
fn flows_of(device: &Device) -> f64 {
    let mut place = ProgramMemory::default();
    let census = FlowCensus::load(&mut place).unwrap();
    let attached = census.attach(device).unwrap();
    sleep(Duration::from_nanos(FlowCensus::TIME.as_nanos()));
    attached.detach().unwrap();
    census.flows().unwrap()
}

impl Drop for RcpAtLink {
    fn drop(&mut self) {
        self.kill();
    }
}
