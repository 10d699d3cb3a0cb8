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
    /// The filter that it had, which somebody removed.
    before: Option<AttachedFilter>,
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
            let filter = self.attach_to(&device, None, kernel)?;
            self.held.push(HeldDevice { device, filter });
        }
        self.look(kernel, warn);
        Ok(())
    }

    /// Attaches the filter to devices that have come, to those that could not have it before, and to those from which somebody
    /// removed it. Forgets devices that are gone, with their filters.
    pub fn look(&mut self, kernel: &KernelHost<'_>, warn: &dyn Fn(&str)) {
        let wanted = self.wanted();
        let (mut held, mut skipped) = (mem::take(&mut self.held), mem::take(&mut self.skipped));
        for device in wanted {
            let is_it = |other: &Device| other.index() == device.index();
            let at = held.iter().position(|it| is_it(&it.device));
            let had = at.map(|at| held.swap_remove(at).filter);
            let at = skipped.iter().position(|it| is_it(&it.device));
            let lacked = at.map(|at| skipped.swap_remove(at));
            let was_skipped = lacked.is_some();
            let before = had.or(lacked.and_then(|it| it.before));
            match self.keep_at(device, before, kernel) {
                Ok(held) => self.held.push(held),
                // It went meanwhile.
                Err(now) if Device::numbered(now.device.index()).is_err() => {}
                Err(now) => {
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
        device: Device,
        mut before: Option<AttachedFilter>,
        kernel: &KernelHost<'_>,
    ) -> Result<HeldDevice, SkippedDevice> {
        // If the kernel does not say now, it may the next time.
        let kept = before.take_if(|filter| filter.is_attached().unwrap_or(true));
        let attached = match kept {
            Some(filter) => Ok(filter),
            None => self.attach_to(&device, before.as_ref(), kernel),
        };
        match attached {
            Ok(filter) => Ok(HeldDevice { device, filter }),
            Err(error) => Err(SkippedDevice::new(device, before, &error)),
        }
    }

    fn attach_to(
        &self,
        device: &Device,
        before: Option<&AttachedFilter>,
        kernel: &KernelHost<'_>,
    ) -> Result<AttachedFilter, Error> {
        let _turn = self.dir.take_turn();
        match before {
            Some(before) => kernel.attach_device_again(device, before),
            None => kernel.attach_device(device),
        }
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
    fn new(device: Device, before: Option<AttachedFilter>, why: &Error) -> Self {
        let warning =
            format!("packets that leave by {} make no room for rates: {why}", device.name());
        Self { device, before, warning }
    }
}
