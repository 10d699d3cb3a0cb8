//! A router: the fast path at a device, and its law.

use std::thread::sleep;
use std::time::{Duration, Instant};

use sluice_laws::protocol::LinkContext;
use sluice_laws::rcp::router::RcpRouter;
use sluice_linux::{
    AttachedFilter, Device, Error, FlowCensus, KernelRouter, LinkController, LinkStatus,
    ProgramMemory, monotonic_now,
};
use sluice_units::Faults;

use super::control::{ControlServer, stop_flag};
use super::lock::DaemonLock;
use super::{filters, notify, privilege};
use crate::error::LiveError;
use crate::netns::network_namespace;
use crate::report::{DaemonReport, RouterReport};
use crate::run_dir::{DaemonName, RunDir};
use crate::settings::RouterSettings;

/// How often the state is renewed, and how often the filter is looked for.
const REPORTS_EVERY: Duration = Duration::from_millis(50);
const LOOKS_EVERY: Duration = Duration::from_secs(1);

/// Runs a router in this process until SIGTERM, SIGINT or a request ends it, and then removes its filter.
///
/// # Errors
/// If a setting is wrong, the process lacks privileges, a router is at the device already, the kernel refuses, or somebody
/// removes the filter or the device.
pub fn run_router(settings: &RouterSettings, dir: &RunDir) -> Result<(), LiveError> {
    if let Some(fault) = Faults::of(|faults| settings.check(faults)).into_iter().next() {
        return Err(LiveError::Setting(fault));
    }
    privilege::need()?;
    let device = Device::named(&settings.dev)?;
    let name = DaemonName::router(device.name(), network_namespace()?);
    let Some(lock) = DaemonLock::take(dir, &name)? else {
        return Err(DaemonLock::taken(dir, &name));
    };
    let stop = stop_flag()?;
    let mut memory = ProgramMemory::default();
    let (parser, ncp) = Default::default();
    let kernel = KernelRouter::load_within(&mut memory, parser, ncp, settings.longest_rtt)?;
    let controller = settings.controller();
    let link = LinkContext { capacity: settings.rate, packet: controller.packet };
    let params = settings.rcp.params(flows_before(settings, &device, dir)?);
    let law = RcpRouter::new(&params, &link);
    let mut control = LinkController::new(&kernel, law, link.capacity, controller)?;
    let attached = {
        let _turn = dir.take_turn();
        kernel.attach(&device)?
    };
    let started = Instant::now();
    let report = |status: &LinkStatus| report(settings, &name, started, status);
    let begun = control.status(monotonic_now()).map_err(LiveError::from).and_then(|status| {
        privilege::be_punctual();
        privilege::narrow()?;
        // Its thread has no more privileges than this one.
        let server = ControlServer::start(&dir.socket(&name), stop, report(&status))?;
        notify::ready().map(|()| server)
    });
    let server = match begun {
        Ok(server) => server,
        Err(error) => {
            // Why it failed matters more than what follows.
            let _ = filters::detach(dir, attached);
            return Err(error);
        }
    };
    let (mut reported, mut looked) = (started, started);
    let ran = control.run(server.control().stop(), |control| {
        if reported.elapsed() >= REPORTS_EVERY {
            reported = Instant::now();
            server.control().report(report(&control.status(monotonic_now())?));
        }
        if looked.elapsed() >= LOOKS_EVERY {
            looked = Instant::now();
            is_there(&attached)?;
        }
        Ok(())
    });
    let ended = filters::detach(dir, attached);
    server.end(&ended);
    let ran = ran.map_err(LiveError::from).and(ended);
    match ran {
        Ok(()) => lock.end(dir, &name),
        Err(_) => lock.leave(),
    }
    ran
}

/// The number of flows of the device, for R(0); they are not counted where the settings have it.
fn flows_before(
    settings: &RouterSettings,
    device: &Device,
    dir: &RunDir,
) -> Result<f64, LiveError> {
    if settings.rcp.initial_rate.is_some() {
        return Ok(0.0);
    }
    let mut memory = ProgramMemory::default();
    let census = FlowCensus::load(&mut memory)?;
    let attached = {
        let _turn = dir.take_turn();
        census.attach(device)?
    };
    sleep(Duration::from_nanos(FlowCensus::TIME.as_nanos()));
    filters::detach(dir, attached)?;
    Ok(census.flows()?)
}

/// Fails if the filter is no longer at the device.
fn is_there(attached: &AttachedFilter) -> Result<(), Error> {
    if attached.is_attached()? {
        return Ok(());
    }
    let gone = "the filter was removed or replaced, or the device is gone";
    let device = attached.device().name().to_owned();
    Err(Error::Hook { device, cause: std::io::Error::other(gone) })
}

fn report(
    settings: &RouterSettings,
    name: &DaemonName,
    started: Instant,
    status: &LinkStatus,
) -> DaemonReport {
    let metric = |name| status.metric(name).unwrap_or(0.0);
    DaemonReport::Router(RouterReport {
        device: settings.dev.clone(),
        namespace: name.namespace,
        process: std::process::id(),
        up_s: started.elapsed().as_secs_f64(),
        capacity_bps: status.capacity.as_bps(),
        gamma: settings.rcp.gamma.get(),
        rate_bps: metric("R"),
        rtt_s: metric("d0"),
        flows: metric("N"),
        queue_bytes: status.queue.as_u64(),
        load: status.load,
        traffic: status.traffic,
        updates: status.ticks,
        grant_age_s: status.grant_age.as_secs_f64(),
    })
}
