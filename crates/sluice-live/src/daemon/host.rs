//! A host: the programs at the sockets of a cgroup.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, Instant};

use sluice_linux::{AttachedHost, Device, KernelHost, ListenerCounts, ProgramMemory};

use super::control::{ControlServer, stop_flag};
use super::host_state::HostState;
use super::lock::DaemonLock;
use super::{notify, privilege};
use crate::cgroup::cgroup_root;
use crate::error::LiveError;
use crate::netns::network_namespace;
use crate::report::{DaemonReport, HostReport};
use crate::run_dir::{DaemonName, DaemonRole, RunDir};
use crate::settings::HostSettings;
use crate::sysctl;

/// How soon it sees that it should stop, and how often the state is renewed.
const POLLS_EVERY: Duration = Duration::from_millis(50);
const REPORTS_EVERY: Duration = Duration::from_millis(200);

/// What a host would do here and now.
pub struct HostPlan {
    pub cgroup: PathBuf,
    pub devices: Vec<Device>,
    pub state: HostState,
}

impl HostPlan {
    pub fn of(settings: &HostSettings) -> Result<Self, LiveError> {
        let cgroup = match &settings.cgroup {
            Some(cgroup) => cgroup.clone(),
            None => cgroup_root()?,
        };
        // Of any other folder the kernel says nothing but "bad file descriptor".
        if !cgroup.join("cgroup.controllers").exists() {
            let cgroup = cgroup.display();
            return Err(LiveError::other(format!(
                "{cgroup} is no cgroup of version 2 (`systemd-cgls` or `find /sys/fs/cgroup -type d` lists them)"
            )));
        }
        let devices = match &settings.dev[..] {
            [] => Device::ethernet_up()?,
            names => names.iter().map(|name| Device::named(name)).collect::<Result<_, _>>()?,
        };
        let state = HostState { sysctls: sysctl::of_host()? };
        Ok(Self { cgroup, devices, state })
    }
}

/// Sockets that listened before the host was up.
#[derive(Default)]
struct Listeners {
    counts: ListenerCounts,
    /// Why some take no part.
    warning: Option<String>,
}

/// Runs a host in this process until SIGTERM, SIGINT or a request ends it, and then puts everything back. `warn` gets what
/// keeps it from taking part in full; the report has it, too.
///
/// # Errors
/// If the process lacks privileges, a host is up already on this machine, or the kernel refuses.
pub fn run_host(
    settings: &HostSettings,
    dir: &RunDir,
    warn: impl Fn(&str),
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
    HostState::read(&file)?.restore(&file)?;
    let stop = stop_flag()?;
    let plan = HostPlan::of(settings)?;
    let mut memory = ProgramMemory::default();
    let mut kernel = KernelHost::load(&mut memory)?;
    plan.state.write(&file)?;
    let started = Instant::now();
    let mut listeners = Listeners::default();
    let begun = attach(&plan, &mut kernel).and_then(|attached| {
        listeners = Listeners::watch(&plan.cgroup, &mut kernel);
        listeners.warning.iter().for_each(|warning| warn(warning));
        privilege::narrow()?;
        let report = report(&plan, &listeners, &name, started, &kernel)?;
        let server = ControlServer::start(&dir.socket(&name), stop, report)?;
        notify::ready().map(|()| (attached, server))
    });
    let (attached, server) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            // Why it failed matters more than what follows, which `host down` does if this does not.
            let _ = plan.state.restore(&file);
            return Err(error);
        }
    };
    let mut reported = started;
    let mut ran = Ok(());
    while ran.is_ok() && !server.control().stop().load(Ordering::SeqCst) {
        sleep(POLLS_EVERY);
        if reported.elapsed() >= REPORTS_EVERY {
            reported = Instant::now();
            ran = report(&plan, &listeners, &name, started, &kernel)
                .map(|report| server.control().report(report));
        }
    }
    drop(attached);
    let ended = plan.state.restore(&file);
    server.end(&ended);
    let ran = ran.and(ended);
    if ran.is_err() {
        lock.leave();
    }
    ran
}

fn attach(plan: &HostPlan, kernel: &mut KernelHost<'_>) -> Result<AttachedHost, LiveError> {
    for change in &plan.state.sysctls {
        change.apply()?;
    }
    for device in &plan.devices {
        // It stays there until `HostState::restore`.
        drop(kernel.attach_device(device)?);
    }
    Ok(kernel.attach(&plan.cgroup)?)
}

impl Listeners {
    /// Lets the sockets of a cgroup take part that listen already. A host is of use without them.
    fn watch(cgroup: &Path, kernel: &mut KernelHost<'_>) -> Self {
        let (counts, why) = match kernel.watch_listeners(cgroup) {
            Ok(counts) if counts.left == 0 => return Self { counts, warning: None },
            Ok(counts) => {
                (counts, format!("this kernel, before Linux 6.13, leaves {}", counts.left))
            }
            Err(error) => (ListenerCounts::default(), error.to_string()),
        };
        let warning = format!(
            "sockets that listen already take no part until their servers are started again, which `ss -ltp` \
             lists ({why})"
        );
        Self { counts, warning: Some(warning) }
    }
}

/// The error of a second host of the machine.
fn is_elsewhere(dir: &RunDir) -> LiveError {
    let names = dir.names().unwrap_or_default();
    let hosts = names.iter().filter(|name| name.role == DaemonRole::Host);
    let held = hosts.filter(|name| DaemonLock::is_held(dir, name));
    let place = held
        .filter_map(|name| {
            let process = DaemonLock::holder(dir, name).filter(|it| *it != std::process::id())?;
            Some(format!("process {process} in network namespace {}", name.namespace))
        })
        .next();
    LiveError::other(format!(
        "a host is up on this machine already ({}), and two would meet at the sockets of a cgroup: \
         `sluice host down` there ends it",
        place.as_deref().unwrap_or("in another container, or with another run directory")
    ))
}

fn report(
    plan: &HostPlan,
    listeners: &Listeners,
    name: &DaemonName,
    started: Instant,
    kernel: &KernelHost<'_>,
) -> Result<DaemonReport, LiveError> {
    let counts = kernel.counts()?;
    Ok(DaemonReport::Host(HostReport {
        cgroup: plan.cgroup.display().to_string(),
        devices: plan.devices.iter().map(|device| device.name().to_owned()).collect(),
        namespace: name.namespace,
        process: std::process::id(),
        up_s: started.elapsed().as_secs(),
        listeners_watched: listeners.counts.watched,
        listeners_left: listeners.counts.left,
        warnings: listeners.warning.iter().cloned().collect(),
        counts,
    }))
}
