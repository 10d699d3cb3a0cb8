//! What the start of a service changes.

use sluice_linux::{AttachedFilter, Device, Error, FilterRole, FlowCensus};

use super::change::Change;
use super::filters;
use super::host::host_elsewhere;
use super::host_plan::HostPlan;
use super::host_state::HostState;
use super::lock::DaemonLock;
use crate::error::LiveError;
use crate::netns::network_namespace;
use crate::run_dir::{DaemonName, DaemonRole, RunDir};
use crate::settings::{HostSettings, RouterSettings};
use crate::sysctl;

/// What [`run_router`](crate::run_router) would do in the background.
///
/// # Errors
/// If there is no such device, no filter can be attached there, or a router is up there already.
pub fn router_changes(settings: &RouterSettings, dir: &RunDir) -> Result<Vec<Change>, LiveError> {
    let device = Device::named(&settings.dev)?;
    let dev = device.name();
    let name = DaemonName::router(dev, network_namespace()?);
    if DaemonLock::is_held(dir, &name) {
        return Err(DaemonLock::taken(dir, &name));
    }
    let (rate, gamma) = (settings.rate, settings.rcp.gamma);
    let mut changes = Vec::new();
    if settings.rcp.initial_rate.is_none() {
        changes.push(Change::new(format!(
            "count the flows that leave by {dev} for {}, by a filter at its egress",
            FlowCensus::TIME
        )));
    }
    if !device.has_clsact()? {
        changes.push(Change::new(format!("add the qdisc `clsact` to {dev}")));
    }
    changes.push(match AttachedFilter::left_at(&device, FilterRole::Router)? {
        Some(left) => Change::replacement(&left),
        None => Change::new(format!("attach a BPF filter at the egress of {dev}, priority 81")),
    });
    changes.push(Change::new(format!(
        "start a process of the highest priority (nice -20), which grants rates so that flows fill {gamma} of {rate}"
    )));
    changes.extend(files(dir, &name));
    Ok(changes)
}

/// What [`run_host`](crate::run_host) would do in the background.
///
/// # Errors
/// If there is no such cgroup or device, or a host is up already on this machine.
pub fn host_changes(settings: &HostSettings, dir: &RunDir) -> Result<Vec<Change>, LiveError> {
    let name = DaemonName::host(network_namespace()?);
    if DaemonLock::is_held(dir, &name) {
        return Err(DaemonLock::taken(dir, &name));
    }
    if sysctl::has_host_still() {
        return Err(host_elsewhere(dir));
    }
    let plan = HostPlan::of(settings)?;
    let cgroup = plan.cgroup.display();
    let mut changes = vec![
        Change::new("register a congestion control, `sluice_` and a number"),
        Change::new(format!("attach BPF programs to the sockets of the cgroup {cgroup}")),
    ];
    changes.extend(of_sysctls(&HostState::read(&dir.state(&name))?, &HostState::planned()));
    let left: Vec<_> = filters::all_of(FilterRole::Host).into_iter().collect::<Result<_, _>>()?;
    let elsewhere = left.iter().filter(|filter| !plan.devices.contains(filter.device()));
    changes.extend(elsewhere.map(Change::removal));
    for device in &plan.devices {
        changes.extend(of_host_device(device, &left, settings.dev.is_empty())?);
    }
    changes.extend(
        [
            "let sockets of that cgroup take part that listen already in this network namespace",
            "start a process; if it is killed, filters and kernel parameters stay until `host down`",
        ]
        .map(Change::new),
    );
    if settings.dev.is_empty() {
        let later = "attach filters, as above, to Ethernet devices that come up later";
        changes.push(Change::new(later));
    }
    changes.extend(files(dir, &name));
    Ok(changes)
}

/// Parameters are put back first that a killed host has left.
fn of_sysctls(left: &HostState, plan: &HostState) -> Vec<Change> {
    let left: Vec<_> = left.sysctls.iter().filter(|sysctl| sysctl.is_there()).collect();
    let put_back = left.iter().copied().map(Change::put_back);
    let set = left.iter().copied().chain(&plan.sysctls).map(|sysctl| {
        Change::new(format!("set {}={} (now {})", sysctl.name, sysctl.value, sysctl.before))
    });
    put_back.chain(set).collect()
}

fn of_host_device(
    device: &Device,
    left: &[AttachedFilter],
    is_found: bool,
) -> Result<Vec<Change>, LiveError> {
    if let Some(left) = left.iter().find(|filter| filter.device() == device) {
        return Ok(vec![Change::replacement(left)]);
    }
    let dev = device.name();
    let attached = Change::new(format!("attach a BPF filter at the egress of {dev}, priority 82"));
    match device.has_clsact() {
        Ok(true) => Ok(vec![attached]),
        Ok(false) => Ok(vec![Change::new(format!("add the qdisc `clsact` to {dev}")), attached]),
        Err(error @ Error::IngressQdisc(_)) if is_found => {
            Ok(vec![Change::new(format!("leave {dev} as it is: {error}"))])
        }
        Err(error) => Err(error.into()),
    }
}

fn files(dir: &RunDir, name: &DaemonName) -> Vec<Change> {
    let path = dir.path();
    let folder =
        (!path.exists()).then(|| Change::new(format!("create the folder {}", path.display())));
    // A router has no state.
    let state = dir.state(name);
    let files =
        dir.files(name).into_iter().filter(|file| name.role == DaemonRole::Host || *file != state);
    let files = files.map(|file| Change::new(format!("write the file {}", file.display())));
    folder.into_iter().chain(files).collect()
}
