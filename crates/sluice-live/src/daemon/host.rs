//! A host: the programs at the sockets of a cgroup.

use std::path::Path;
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
        return Err(host_elsewhere(dir));
    }
    let stop = stop_flag()?;
    let plan = HostPlan::of(settings)?;
    let mut memory = ProgramMemory::default();
    let sockets = HostSockets::attach(&plan.cgroup, &mut memory, dir)?;
    let file = dir.state(&name);
    let filters = || filters::all_of(FilterRole::Host);
    HostState::read(&file)?.restore(dir, filters(), &file)?;
    let state = HostState::planned();
    state.write(&file)?;
    let mut service = HostService::new(settings, dir, &name, sockets);
    let begun = service.begin(&state, warn).and_then(|()| {
        privilege::narrow()?;
        let server = ControlServer::start(&dir.socket(&name), stop, service.report()?)?;
        notify::ready().map(|()| server)
    });
    let server = match begun {
        Ok(server) => server,
        Err(error) => {
            // Why it failed matters more than what follows, which `host down` does if this does not.
            let _ = state.restore(dir, filters(), &file);
            return Err(error);
        }
    };
    let ran = service.run(server.control(), warn);
    // While its congestion control is there, no other host comes up here whose changes this would undo.
    let ended = state.restore(dir, filters(), &file);
    drop(service);
    server.end(&ended);
    let ran = ran.and(ended);
    match ran {
        Ok(()) => lock.end(dir, &name),
        Err(_) => lock.leave(),
    }
    ran
}

/// The programs at the sockets of a cgroup, which end with the process.
struct HostSockets<'a> {
    cgroup: &'a Path,
    _attached: AttachedHost,
    kernel: KernelHost<'a>,
}

impl<'a> HostSockets<'a> {
    /// Attaches them, unless an earlier host is there. Of those that start at once, in several namespaces or with several run
    /// directories, one goes on, and none but that one has changed what stays: the others have nothing to put back.
    fn attach(
        cgroup: &'a Path,
        memory: &'a mut ProgramMemory,
        dir: &RunDir,
    ) -> Result<Self, LiveError> {
        let mut kernel = KernelHost::load(memory)?;
        let attached = kernel.attach(cgroup)?;
        if sysctl::has_earlier_host_still(&kernel.control_name()) {
            return Err(host_elsewhere(dir));
        }
        Ok(Self { cgroup, _attached: attached, kernel })
    }
}

/// A host at work.
struct HostService<'a> {
    name: &'a DaemonName,
    started: Instant,
    devices: HostDevices<'a>,
    listeners: HostListeners,
    sockets: HostSockets<'a>,
}

impl<'a> HostService<'a> {
    fn new(
        settings: &'a HostSettings,
        dir: &'a RunDir,
        name: &'a DaemonName,
        sockets: HostSockets<'a>,
    ) -> Self {
        let devices = HostDevices::new(&settings.dev, dir);
        let listeners = HostListeners::default();
        Self { name, started: Instant::now(), devices, listeners, sockets }
    }

    /// Makes the changes that stay. What is made is there also if the next fails. Until the filters are there, packets full of
    /// selective acknowledgements have no room for rates, as at a device that cannot have one.
    fn begin(&mut self, state: &HostState, warn: &dyn Fn(&str)) -> Result<(), LiveError> {
        for change in &state.sysctls {
            change.apply()?;
        }
        self.devices.attach(&self.sockets.kernel, warn)?;
        self.listeners = HostListeners::watch(self.sockets.cgroup, &mut self.sockets.kernel);
        self.listeners.warning.iter().for_each(|warning| warn(warning));
        Ok(())
    }

    fn run(&mut self, control: &DaemonControl, warn: &dyn Fn(&str)) -> Result<(), LiveError> {
        let (mut reported, mut looked) = (self.started, self.started);
        while !control.stop().load(Ordering::SeqCst) {
            sleep(POLLS_EVERY);
            if looked.elapsed() >= LOOKS_EVERY {
                looked = Instant::now();
                self.devices.look(&self.sockets.kernel, warn);
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
            cgroup: self.sockets.cgroup.display().to_string(),
            devices: self.devices.names(),
            namespace: self.name.namespace,
            process: std::process::id(),
            up_s: self.started.elapsed().as_secs(),
            listeners_watched: self.listeners.counts.watched,
            listeners_left: self.listeners.counts.left,
            warnings: warnings.cloned().collect(),
            counts: self.sockets.kernel.counts()?,
        }))
    }
}

/// The error of a second host of the machine.
pub fn host_elsewhere(dir: &RunDir) -> LiveError {
    let place = known_host(dir).map(|(name, process)| {
        format!("process {process} in network namespace {}", name.namespace)
    });
    LiveError::other(format!(
        "a host is up on this machine already ({}), and two would meet at the sockets of a cgroup: \
         `sluice host down` there ends it",
        place.as_deref().unwrap_or("in another container, or with another run directory")
    ))
}
