//! A program at the egress of a device.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};

use libbpf_rs::{TC_EGRESS, TC_INGRESS, TcHook};

use super::device::Device;
use super::qdisc::{self, Filter, Qdisc};
use crate::error::Error;
use crate::host::KernelHost;
use crate::router::KernelRouter;

/// What a program at a device is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterRole {
    /// The fast path of a router: [`KernelRouter::attach`].
    Router,
    /// Room for echoes in a host's packets: [`KernelHost::attach_device`].
    Host,
}

impl FilterRole {
    pub(super) fn slot(self) -> &'static FilterSlot {
        match self {
            Self::Router => &ROUTER,
            Self::Host => &HOST,
        }
    }
}

/// The place of a filter of ours among those of a device.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FilterSlot {
    /// Filters before it that end the search (`TC_ACT_OK`) hide packets from it.
    priority: u32,
    /// Its handle at a `clsact` that was there before, and at one that was created for programs of ours. So a later start
    /// knows whether to remove the qdisc in the end.
    found: u32,
    created: u32,
}

/// Of a router's program.
const ROUTER: FilterSlot = FilterSlot { priority: 81, found: 0x51CE_0001, created: 0x51CE_0002 };
/// Of a host's: behind it, since it makes room for an option that routers leave alone.
const HOST: FilterSlot = FilterSlot { priority: 82, found: 0x51CE_0003, created: 0x51CE_0004 };

/// A program of ours at the egress of a device, as a filter of its `clsact` qdisc.
///
/// It stays there when this value is dropped, and when the process ends. A later start replaces it.
#[derive(Debug)]
#[must_use = "the program stays attached; `detach` removes it"]
pub struct AttachedFilter {
    device: Device,
    slot: &'static FilterSlot,
    handle: u32,
    /// The number of the program.
    program: u32,
}

impl AttachedFilter {
    /// The program of this role that an earlier process left at a device, if one did, or that a running one has there.
    /// The device is looked up in the network namespace of the calling thread.
    pub fn left_at(device: &Device, role: FilterRole) -> Result<Option<Self>, Error> {
        let slot = role.slot();
        let found = find(device.index(), slot)
            .map_err(|cause| Error::Hook { device: device.name().to_owned(), cause })?;
        Ok(found.and_then(|filter| {
            let (handle, program) = (filter.handle, filter.program?);
            Some(Self { device: device.clone(), slot, handle, program })
        }))
    }
}

impl KernelRouter<'_> {
    /// Attaches the program at the egress of a device. It takes the place of one that was left there by an earlier
    /// process or an earlier call, at once: no packet passes in between. Other filters of the device stay; the
    /// program lets all packets go on to those behind it, of priorities above 81.
    ///
    /// It stays when the process ends, so that packets are cut rather than passed without bound once the last grant expired.
    /// Start the [`LinkController`](crate::LinkController) first: until its law has a grant, packets pass without bound.
    ///
    /// The device is looked up in the network namespace of the calling thread.
    ///
    /// [`Error::IngressQdisc`] if the device has the older qdisc `ingress` in the place of `clsact`, [`Error::Hook`] if the kernel
    /// refuses, for want of CAP_NET_ADMIN for instance.
    pub fn attach(&self, device: &Device) -> Result<AttachedFilter, Error> {
        attach(self.program().as_fd(), FilterRole::Router.slot(), device, None)
    }
}

impl KernelHost<'_> {
    /// Attaches to a device of the host the program that makes room for echoes in packets whose options are full of
    /// selective acknowledgements (`docs/wire.md`, "Room"). Without it a sender hears no rate while its receiver misses
    /// three packets or more. As [`KernelRouter::attach`], at priority 82.
    pub fn attach_device(&self, device: &Device) -> Result<AttachedFilter, Error> {
        attach(self.make_room().as_fd(), FilterRole::Host.slot(), device, None)
    }

    /// As [`attach_device`](Self::attach_device), at the device of an earlier filter that somebody removed. The `clsact` that
    /// was created for that one goes with this one.
    pub fn attach_device_again(
        &self,
        device: &Device,
        before: &AttachedFilter,
    ) -> Result<AttachedFilter, Error> {
        attach(self.make_room().as_fd(), FilterRole::Host.slot(), device, Some(before))
    }
}

pub(super) fn attach(
    program: BorrowedFd<'_>,
    slot: &'static FilterSlot,
    device: &Device,
    before: Option<&AttachedFilter>,
) -> Result<AttachedFilter, Error> {
    let fault = |cause| Error::Hook { device: device.name().to_owned(), cause };
    let left = find(device.index(), slot).map_err(fault)?;
    let mut hook = TcHook::new(program);
    hook.ifindex(device.index() as i32).attach_point(TC_EGRESS);
    let creates = match qdisc::qdisc(device.index()).map_err(fault)? {
        Qdisc::Clsact => false,
        Qdisc::Ingress => return Err(Error::IngressQdisc(device.name().to_owned())),
        Qdisc::None => {
            hook.create().map_err(|cause| fault(io_error(cause)))?;
            true
        }
    };
    let handle = match left {
        Some(left) => left.handle,
        None if creates || before.is_some_and(AttachedFilter::created_clsact) => slot.created,
        None if is_ours(device.index()).map_err(fault)? => slot.created,
        None => slot.found,
    };
    let attached = hook.handle(handle).priority(slot.priority).replace(true).attach();
    if let Err(cause) = attached {
        if creates {
            // What was not there before. The first error is the one to report.
            let _ = hook.attach_point(TC_EGRESS | TC_INGRESS).destroy();
        }
        return Err(fault(io_error(cause)));
    }
    let program = find(device.index(), slot).map_err(fault)?.and_then(|filter| filter.program);
    let program = program.ok_or_else(|| fault(io::ErrorKind::NotFound.into()))?;
    Ok(AttachedFilter { device: device.clone(), slot, handle, program })
}

impl AttachedFilter {
    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The number of the program in the kernel, as `bpftool prog` lists it.
    pub fn program_id(&self) -> u32 {
        self.program
    }

    /// Whether the program is still there: nobody removed or replaced it. To be called in the network namespace of the
    /// device, as [`detach`](Self::detach).
    pub fn is_attached(&self) -> Result<bool, Error> {
        let found = find(self.device.index(), self.slot).map_err(|cause| self.fault(cause))?;
        Ok(found.is_some_and(|filter| filter.program == Some(self.program)))
    }

    /// Removes the program from the device, and its `clsact` if it was created for the program and no filter is left. If
    /// somebody removed or replaced the program, or the device is gone, there is nothing to do.
    pub fn detach(self) -> Result<(), Error> {
        if !self.is_attached()? {
            return Ok(());
        }
        let index = self.device.index();
        // Nothing of the program is needed to remove it.
        let mut hook = TcHook::new(std::io::stderr().as_fd());
        hook.ifindex(index as i32).attach_point(TC_EGRESS);
        hook.handle(self.handle).priority(self.slot.priority);
        hook.detach().map_err(|cause| self.fault(io_error(cause)))?;
        if self.created_clsact() && !qdisc::has_filters(index).map_err(|cause| self.fault(cause))? {
            hook.attach_point(TC_EGRESS | TC_INGRESS);
            hook.destroy().map_err(|cause| self.fault(io_error(cause)))?;
        }
        Ok(())
    }

    /// Whether the `clsact` of the device was created for programs of ours, and goes with its last filter.
    pub fn created_clsact(&self) -> bool {
        self.handle == self.slot.created
    }

    fn fault(&self, cause: io::Error) -> Error {
        Error::Hook { device: self.device.name().to_owned(), cause }
    }
}

/// Our filter at a device, in that place.
fn find(device: u32, slot: &FilterSlot) -> io::Result<Option<Filter>> {
    let is_ours = |filter: &Filter| {
        filter.priority == slot.priority && [slot.found, slot.created].contains(&filter.handle)
    };
    Ok(qdisc::egress_filters(device)?.into_iter().find(is_ours))
}

/// Whether the `clsact` of a device was created for a filter of ours that is there. Then it is for the next one, too, and goes
/// with the last of them.
fn is_ours(device: u32) -> io::Result<bool> {
    let created = [ROUTER.created, HOST.created];
    Ok(qdisc::egress_filters(device)?.iter().any(|filter| created.contains(&filter.handle)))
}

fn io_error(cause: libbpf_rs::Error) -> io::Error {
    io::Error::new(cause_kind(&cause), cause.to_string())
}

fn cause_kind(cause: &libbpf_rs::Error) -> io::ErrorKind {
    match cause.kind() {
        libbpf_rs::ErrorKind::PermissionDenied => io::ErrorKind::PermissionDenied,
        libbpf_rs::ErrorKind::NotFound => io::ErrorKind::NotFound,
        _ => io::ErrorKind::Other,
    }
}
