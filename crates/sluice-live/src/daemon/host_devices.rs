//! The devices of a host, which may come and go while it is up.

use std::mem;

use sluice_linux::{AttachedFilter, Device, Error, KernelHost};

use crate::error::LiveError;
use crate::run_dir::RunDir;

/// The devices at which a host has its filter, and those at which it cannot have it.
pub struct HostDevices<'a> {
    /// Those that are to have it by the settings; if none is named, all Ethernet devices that are up.
    named: &'a [String],
    dir: &'a RunDir,
    held: Vec<HeldDevice>,
    skipped: Vec<SkippedDevice>,
}

/// One that has the filter, under its present name.
struct HeldDevice {
    device: Device,
    filter: AttachedFilter,
}

struct SkippedDevice {
    device: Device,
    warning: String,
}

impl<'a> HostDevices<'a> {
    /// Those of these names, or all. None has the filter yet.
    pub fn new(named: &'a [String], dir: &'a RunDir) -> Self {
        Self { named, dir, held: Vec::new(), skipped: Vec::new() }
    }

    /// Attaches the filter to the devices that are there. It stays until a [`HostState`](super::host_state::HostState) is
    /// restored. A named device that cannot have it is an error, another one is skipped.
    pub fn attach(
        &mut self,
        kernel: &KernelHost<'_>,
        warn: &dyn Fn(&str),
    ) -> Result<(), LiveError> {
        for name in self.named {
            let device = Device::named(name)?;
            let filter = self.attach_to(&device, kernel)?;
            self.held.push(HeldDevice { device, filter });
        }
        self.look(kernel, warn);
        Ok(())
    }

    /// Attaches the filter to devices that have come, to those that could not have it before, and to those from which somebody
    /// removed it. Forgets devices that are gone, with their filters.
    pub fn look(&mut self, kernel: &KernelHost<'_>, warn: &dyn Fn(&str)) {
        let wanted = self.wanted();
        let (mut held, skipped) = (mem::take(&mut self.held), mem::take(&mut self.skipped));
        for device in wanted {
            let is_it = |other: &Device| other.index() == device.index();
            let was_skipped = skipped.iter().any(|it| is_it(&it.device));
            let at = held.iter().position(|it| is_it(&it.device));
            let before = at.map(|at| held.swap_remove(at).filter);
            match self.keep_at(&device, before, kernel) {
                Ok(filter) => self.held.push(HeldDevice { device, filter }),
                // It went meanwhile.
                Err(_) if Device::numbered(device.index()).is_err() => {}
                Err(error) => {
                    let now = SkippedDevice::new(device, &error);
                    // Once for each device; the state has the latest reason.
                    if !was_skipped {
                        warn(&now.warning);
                    }
                    self.skipped.push(now);
                }
            }
        }
    }

    /// Attaches the filter to a device, unless that of before is still there.
    fn keep_at(
        &self,
        device: &Device,
        before: Option<AttachedFilter>,
        kernel: &KernelHost<'_>,
    ) -> Result<AttachedFilter, Error> {
        match before {
            // If the kernel does not say now, it may the next time.
            Some(filter) if filter.is_attached().unwrap_or(true) => Ok(filter),
            _ => self.attach_to(device, kernel),
        }
    }

    fn attach_to(&self, device: &Device, kernel: &KernelHost<'_>) -> Result<AttachedFilter, Error> {
        let _turn = self.dir.take_turn();
        kernel.attach_device(device)
    }

    /// Those that are to have the filter, by number: those that the settings are for, and those seen before that are still
    /// there. One that is down keeps its filter.
    fn wanted(&self) -> Vec<Device> {
        let held = self.held.iter().map(|it| &it.device);
        let known = held.chain(self.skipped.iter().map(|it| &it.device));
        let still = known.filter_map(|device| Device::numbered(device.index()).ok());
        let mut wanted: Vec<_> = self.present().into_iter().chain(still).collect();
        wanted.sort_by_key(Device::index);
        wanted.dedup_by_key(|device| device.index());
        wanted
    }

    /// Those that the settings are for and that are there.
    fn present(&self) -> Vec<Device> {
        match self.named {
            // If the kernel does not say now, it may the next time.
            [] => Device::ethernet_up().unwrap_or_default(),
            names => names.iter().filter_map(|name| Device::named(name).ok()).collect(),
        }
    }

    /// The names of those that have the filter.
    pub fn names(&self) -> Vec<String> {
        self.held.iter().map(|held| held.device.name().to_owned()).collect()
    }

    /// What others lack.
    pub fn warnings(&self) -> impl Iterator<Item = &String> {
        self.skipped.iter().map(|skipped| &skipped.warning)
    }
}

impl SkippedDevice {
    fn new(device: Device, why: &Error) -> Self {
        let warning =
            format!("packets that leave by {} make no room for rates: {why}", device.name());
        Self { device, warning }
    }
}
