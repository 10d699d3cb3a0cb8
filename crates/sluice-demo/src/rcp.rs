//! RCP on a network: the hosts' programs, and a router at each link that has a law.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Scope;

use sluice_laws::protocol::LinkContext;
use sluice_laws::rcp::router::RcpRouter;
use sluice_linux::{
    AttachedHost, ControllerSettings, Device, KernelHost, KernelRouter, LinkController, LinkStatus,
    Ncp, Parser, ProgramMemory, monotonic_now,
};
use sluice_live::{HOST_PARAMETERS, be_punctual};
use sluice_sim::{Config, LinkId};

use crate::address::device;
use crate::error::DemoError;
use crate::layout::Layout;
use crate::network::DemoNetwork;

/// The latest quantities of the law of each link, by name.
pub type LawMetrics = Vec<(&'static str, f64)>;

/// What routers share with the run that they are part of.
pub struct RcpState {
    stop: AtomicBool,
    /// By link, as it was last; none for those without a law.
    links: Vec<Mutex<Option<LinkStatus>>>,
    /// Why a router ended before the run.
    failure: Mutex<Option<DemoError>>,
}

/// Ends the routers when the run does, however that ends.
pub struct StopsRouters<'a>(&'a RcpState);

impl Drop for StopsRouters<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

impl RcpState {
    pub fn new(links: usize) -> Self {
        let links = (0..links).map(|_| Mutex::default()).collect();
        Self { stop: AtomicBool::new(false), links, failure: Mutex::default() }
    }

    /// The error of a router that ended before the run did.
    pub fn failure(&self) -> Result<(), DemoError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    pub fn metrics(&self, link: LinkId) -> LawMetrics {
        self.status(link).as_ref().map(|status| status.metrics.clone()).unwrap_or_default()
    }

    /// Grants of all links that expired before the next one was there.
    pub fn expired_grants(&self) -> u64 {
        let of = |link| self.status(link).as_ref().map_or(0, |status| status.ticks.expired_grants);
        (0..self.links.len()).map(of).sum()
    }

    fn status(&self, link: LinkId) -> MutexGuard<'_, Option<LinkStatus>> {
        self.links[link].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Attaches the hosts' programs to the sockets and devices of a network.
pub fn start_hosts(
    host: &mut KernelHost<'_>,
    config: &Config,
    network: &DemoNetwork,
) -> Result<AttachedHost, DemoError> {
    let attached = host.attach(network.cgroup.path())?;
    for (node, namespace) in network.nodes.iter().enumerate() {
        let has_flows = config.groups.iter().any(|group| [group.from, group.to].contains(&node));
        if !has_flows {
            continue;
        }
        for &(name, value) in HOST_PARAMETERS {
            namespace.sysctl(name, value)?;
        }
        for link in config.links.iter().filter(|link| link.from == node) {
            // The namespace ends with the run, and the program with it.
            drop(namespace.enter(|| host.attach_device(&Device::named(&device(link.to))?))?);
        }
    }
    Ok(attached)
}

/// Starts a router at each link that has a law, in a thread each that ends when the value is dropped.
pub fn start_routers<'scope>(
    scope: &'scope Scope<'scope, '_>,
    state: &'scope RcpState,
    config: &'scope Config,
    layout: &'scope Layout,
    network: &'scope DemoNetwork,
) -> Result<StopsRouters<'scope>, DemoError> {
    let stops = StopsRouters(state);
    let with_law = (0..config.links.len()).filter(|&link| config.links[link].router.runs());
    let started: Vec<Receiver<()>> = with_law
        .map(|link| {
            let (report, started) = channel();
            scope.spawn(move || {
                let router = Router { state, config, layout, network, link };
                if let Err(error) = router.run(&report) {
                    *state.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            });
            started
        })
        .collect();
    for started in started {
        if started.recv().is_err() {
            state.failure()?;
        }
    }
    Ok(stops)
}

struct Router<'a> {
    state: &'a RcpState,
    config: &'a Config,
    layout: &'a Layout,
    network: &'a DemoNetwork,
    link: LinkId,
}

impl Router<'_> {
    /// Runs until the state says stop.
    fn run(&self, started: &Sender<()>) -> Result<(), DemoError> {
        let link = &self.config.links[self.link];
        let context = LinkContext { capacity: link.capacity, packet: self.config.packet };
        let law = RcpRouter::new(&self.config.parameters.rcp, &context);
        let mut memory = ProgramMemory::default();
        let kernel = KernelRouter::load(&mut memory, Parser::default(), Ncp::default())?;
        let settings = ControllerSettings {
            queue_limit: link.capacity.time_for(self.layout.buffers[self.link]),
            packet: self.config.packet,
            ..ControllerSettings::default()
        };
        let mut control = LinkController::new(&kernel, law, link.capacity, settings)?;
        let namespace = &self.network.nodes[link.from];
        // The namespace ends with the run, and the program with it.
        drop(namespace.enter(|| kernel.attach(&Device::named(&device(link.to))?))?);
        *self.state.status(self.link) = Some(control.status(monotonic_now())?);
        be_punctual();
        let _ = started.send(());
        control.run(&self.state.stop, |control| {
            let status = control.status(monotonic_now())?;
            *self.state.status(self.link) = Some(status);
            Ok(())
        })?;
        Ok(())
    }
}
