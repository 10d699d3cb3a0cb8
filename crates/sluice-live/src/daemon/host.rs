//! A host: the programs at the sockets of a cgroup.

use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, Instant};

use sluice_linux::{AttachedHost, FilterRole, KernelHost, ProgramMemory};

use super::control::{ControlServer, DaemonControl, stop_flag};
use super::host_devices::HostDevices;
use super::host_listeners::HostListeners;
use super::host_plan::HostPlan;
use super::host_state::HostState;
use super::lock::{DaemonLock, known_host};
use super::{filters, notify, privilege};
use crate::error::LiveError;
use crate::netns::network_namespace;
use crate::report::{DaemonReport, HostReport};
use crate::run_dir::{DaemonName, RunDir};
use crate::settings::HostSettings;
use crate::sysctl;

/// How soon it sees that it should stop, how often the state is renewed, and how often devices are looked for.
const POLLS_EVERY: Duration = Duration::from_millis(50);
const REPORTS_EVERY: Duration = Duration::from_millis(200);
const LOOKS_EVERY: Duration = Duration::from_secs(1);

/// Runs a host in this process until SIGTERM, SIGINT or a request ends it, and then puts everything back. `warn` gets what
/// keeps it from taking part in full; the report has it, too.
///
/// # Errors
/// If the process lacks privileges, a host is up already on this machine, or the kernel refuses.
pub fn run_host(
    settings: &HostSettings,
    dir: &RunDir,
    warn: &dyn Fn(&str),
) -> Result<(), LiveError> {
    privilege::need()?;
    let name = DaemonName::host(network_namespace()?);
    let Some(lock) = DaemonLock::take(dir, &name)? else {
        return Err(DaemonLock::taken(dir, &name));
    };
    if sysctl::has_host_still() {
        return Err(is_elsewhere(dir));
    }
    let file = dir.state(&name);
    let filters = || filters::all_of(FilterRole::Host);
    HostState::read(&file)?.restore(dir, filters(), &file)?;
    let stop = stop_flag()?;
    let plan = HostPlan::of(settings)?;
    let mut memory = ProgramMemory::default();
    let kernel = KernelHost::load(&mut memory)?;
    plan.state.write(&file)?;
    let begun = HostService::begin(settings, dir, &plan, &name, kernel, warn).and_then(|service| {
        privilege::narrow()?;
        let server = ControlServer::start(&dir.socket(&name), stop, service.report()?)?;
        notify::ready().map(|()| (service, server))
    });
    let (mut service, server) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            // Why it failed matters more than what follows, which `host down` does if this does not.
            let _ = plan.state.restore(dir, filters(), &file);
            return Err(error);
        }
    };
    let ran = service.run(server.control(), warn);
    drop(service);
    let ended = plan.state.restore(dir, filters(), &file);
    server.end(&ended);
    let ran = ran.and(ended);
    match ran {
        Ok(()) => lock.end(dir, &name),
        Err(_) => lock.leave(),
    }
    ran
}

/// A host at work.
struct HostService<'a> {
    name: &'a DaemonName,
    cgroup: String,
    started: Instant,
    _attached: AttachedHost,
    devices: HostDevices<'a>,
    listeners: HostListeners,
    kernel: KernelHost<'a>,
}

impl<'a> HostService<'a> {
    /// Makes the changes of a plan. What is made is there also if the next fails.
    fn begin(
        settings: &'a HostSettings,
        dir: &'a RunDir,
        plan: &HostPlan,
        name: &'a DaemonName,
        mut kernel: KernelHost<'a>,
        warn: &dyn Fn(&str),
    ) -> Result<Self, LiveError> {
        for change in &plan.state.sysctls {
            change.apply()?;
        }
        let devices = HostDevices::attach(&settings.dev, dir, &kernel, warn)?;
        let attached = kernel.attach(&plan.cgroup)?;
        // Of those that start at once, in several namespaces, one goes on.
        if sysctl::has_earlier_host_still(&kernel.control_name()) {
            return Err(is_elsewhere(dir));
        }
        let listeners = HostListeners::watch(&plan.cgroup, &mut kernel);
        listeners.warning.iter().for_each(|warning| warn(warning));
        let (cgroup, started) = (plan.cgroup.display().to_string(), Instant::now());
        Ok(Self { name, cgroup, started, _attached: attached, devices, listeners, kernel })
    }

    fn run(&mut self, control: &DaemonControl, warn: &dyn Fn(&str)) -> Result<(), LiveError> {
        let (mut reported, mut looked) = (self.started, self.started);
        while !control.stop().load(Ordering::SeqCst) {
            sleep(POLLS_EVERY);
            if looked.elapsed() >= LOOKS_EVERY {
                looked = Instant::now();
                self.devices.look(&self.kernel, warn);
            }
            if reported.elapsed() >= REPORTS_EVERY {
                reported = Instant::now();
                control.report(self.report()?);
            }
        }
        Ok(())
    }

    fn report(&self) -> Result<DaemonReport, LiveError> {
        let warnings = self.listeners.warning.iter().chain(self.devices.warnings());
        Ok(DaemonReport::Host(HostReport {
            cgroup: self.cgroup.clone(),
            devices: self.devices.names(),
            namespace: self.name.namespace,
            process: std::process::id(),
            up_s: self.started.elapsed().as_secs(),
            listeners_watched: self.listeners.counts.watched,
            listeners_left: self.listeners.counts.left,
            warnings: warnings.cloned().collect(),
            counts: self.kernel.counts()?,
        }))
    }
}

/// The error of a second host of the machine.
pub fn is_elsewhere(dir: &RunDir) -> LiveError {
    let place = known_host(dir).map(|(name, process)| {
        format!("process {process} in network namespace {}", name.namespace)
    });
    LiveError::other(format!(
        "a host is up on this machine already ({}), and two would meet at the sockets of a cgroup: \
         `sluice host down` there ends it",
        place.as_deref().unwrap_or("in another container, or with another run directory")
    ))
}
