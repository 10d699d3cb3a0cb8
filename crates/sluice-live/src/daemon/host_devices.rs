//! The devices of a host, which may come and go while it is up.

use sluice_linux::{Device, Error, KernelHost};

use crate::error::LiveError;
use crate::run_dir::RunDir;

/// The devices at which a host has its filter, and those at which it cannot have it.
pub struct HostDevices<'a> {
    /// Those that are to have it by the settings; if none is named, all Ethernet devices that are up.
    named: &'a [String],
    dir: &'a RunDir,
    attached: Vec<Device>,
    skipped: Vec<SkippedDevice>,
}

struct SkippedDevice {
    device: Device,
    warning: String,
    /// Whether it can have the filter once somebody has replaced its qdisc.
    may_be_mended: bool,
}

impl<'a> HostDevices<'a> {
    /// Attaches the filter to the devices that are there. It stays until a [`HostState`](super::host_state::HostState) is
    /// restored. A named device that cannot have it is an error, another one is skipped.
    pub fn attach(
        named: &'a [String],
        dir: &'a RunDir,
        kernel: &KernelHost<'_>,
        warn: &dyn Fn(&str),
    ) -> Result<Self, LiveError> {
        let mut devices = Self { named, dir, attached: Vec::new(), skipped: Vec::new() };
        for name in named {
            let device = Device::named(name)?;
            devices.attach_to(&device, kernel)?;
            devices.attached.push(device);
        }
        devices.look(kernel, warn);
        Ok(devices)
    }

    /// Attaches the filter to devices that have come, and forgets those that are gone, with their filters.
    pub fn look(&mut self, kernel: &KernelHost<'_>, warn: &dyn Fn(&str)) {
        let present = self.present();
        self.attached = self.attached.iter().filter_map(|device| still(device, &present)).collect();
        self.skipped.retain(|skipped| still(&skipped.device, &present).is_some());
        for device in present {
            let is_it = |other: &Device| other.index() == device.index();
            let skipped = self.skipped.iter().position(|skipped| is_it(&skipped.device));
            let is_hopeless = skipped.is_some_and(|at| !self.skipped[at].may_be_mended);
            if is_hopeless || self.attached.iter().any(is_it) {
                continue;
            }
            match (self.attach_to(&device, kernel), skipped) {
                (Ok(_), _) => {
                    skipped.map(|at| self.skipped.remove(at));
                    self.attached.push(device);
                }
                (Err(error), None) => {
                    let skipped = SkippedDevice::new(device, &error);
                    warn(&skipped.warning);
                    self.skipped.push(skipped);
                }
                // Somebody was warned.
                (Err(_), Some(_)) => {}
            }
        }
    }

    fn attach_to(&self, device: &Device, kernel: &KernelHost<'_>) -> Result<(), Error> {
        let _turn = self.dir.take_turn();
        kernel.attach_device(device).map(drop)
    }

    /// Those that are to have the filter and are there.
    fn present(&self) -> Vec<Device> {
        match self.named {
            // If the kernel does not say now, it may the next time.
            [] => Device::ethernet_up().unwrap_or_default(),
            names => names.iter().filter_map(|name| Device::named(name).ok()).collect(),
        }
    }

    /// The names of those that have the filter.
    pub fn names(&self) -> Vec<String> {
        self.attached.iter().map(|device| device.name().to_owned()).collect()
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
        Self { device, warning, may_be_mended: matches!(why, Error::IngressQdisc(_)) }
    }
}

/// The device under its present name, unless it is gone. One that is down keeps its filters.
fn still(device: &Device, present: &[Device]) -> Option<Device> {
    let found = present.iter().find(|other| other.index() == device.index());
    found.cloned().or_else(|| Device::numbered(device.index()).ok())
}
