//! RCP at a host: programs at the sockets of a cgroup (`src/bpf/host.bpf.c`).

use std::fs::{self, File};
use std::io::Read as _;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use libbpf_rs::skel::{OpenSkel as _, SkelBuilder as _};
use libbpf_rs::{Iter, Link, ProgramMut};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::map;
use crate::router::ProgramMemory;
use crate::skeleton::host::{HostSkel, HostSkelBuilder};

/// The programs of a host, loaded into the kernel. Dropping it unloads them, unless they are attached.
pub struct KernelHost<'place> {
    skeleton: HostSkel<'place>,
    /// Of its congestion control.
    name: [i8; 16],
}

/// The programs of a host at work: new connections of a cgroup speak RCP with peers that do.
///
/// Dropping it detaches the programs. Connections that follow grants return to the congestion control that they would have
/// had, since acknowledgements bring none then.
pub struct AttachedHost {
    // Fields are dropped in this order: first, no connection begins to follow grants.
    _sockets: Link,
    _control: Link,
}

/// Events at a host since its programs were loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostCounts {
    /// Connections whose peer speaks the protocol.
    pub agreed: u64,
    /// Connections whose peer does not, or has an option that the path removes. They are the kernel's own.
    pub ordinary: u64,
    /// Times that a connection began to follow grants.
    pub followed: u64,
    /// Times that a connection returned to its own congestion control, for want of grants.
    pub fell_back: u64,
    /// Of those, times that it did for losses that grants did not stop, as on a path with a link that grants nothing.
    pub lossy: u64,
    /// Packets received with a grant.
    pub grants: u64,
    /// Packets sent with a full option.
    pub full: u64,
    /// Packets sent with a short one: the echo alone.
    pub short: u64,
    /// Packets sent without an option, for want of room beside others.
    pub no_room: u64,
    /// Packets full of selective acknowledgements that got a short one in place of the last. They are not among
    /// [`Self::no_room`].
    pub made_room: u64,
}

/// Sockets of a host that listened before its programs were attached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListenerCounts {
    /// Those that the programs see from now on: their new connections speak RCP with peers that do.
    pub watched: u64,
    /// Those that the kernel, older than Linux 6.12, leaves as they are. Their connections are the kernel's own.
    pub left: u64,
}

impl<'place> KernelHost<'place> {
    /// Loads the programs. Their congestion control has a name of its own on the machine, by which `ss -ti` lists the
    /// connections that follow grants: `sluice_` and the process's number, in hexadecimal.
    pub fn load(place: &'place mut ProgramMemory) -> Result<Self, Error> {
        let mut open = HostSkelBuilder::default().open(place.object()).map_err(Error::Load)?;
        let name = new_control_name();
        open.struct_ops.sluice_rcp_mut().name = name;
        open.maps.rodata_data.as_deref_mut().ok_or(Error::Layout(".rodata"))?.control_name = name;
        Ok(Self { skeleton: open.load().map_err(Error::Load)?, name })
    }

    /// The name of its congestion control. Those of hosts at work are in `net.ipv4.tcp_available_congestion_control`, in the
    /// order in which they were attached.
    pub fn control_name(&self) -> String {
        let bytes = self.name.iter().take_while(|byte| **byte != 0);
        bytes.map(|byte| char::from(*byte as u8)).collect()
    }

    /// Attaches the programs to the sockets of a cgroup of version 2, given by its folder, and of those below it. Sockets
    /// that are connected already stay as they are, and so do those that listen, but for
    /// [`watch_listeners`](Self::watch_listeners).
    ///
    /// Senders trust the rates that routers grant and receivers return, up to the losses that end a connection's control: for
    /// networks whose hosts are one's own.
    pub fn attach(&mut self, cgroup: &Path) -> Result<AttachedHost, Error> {
        let failed = |cause| Error::Attach(cgroup.display().to_string(), cause);
        let folder = File::open(cgroup).map_err(|cause| failed(cause.into()))?;
        let control = self.skeleton.maps.sluice_rcp.attach_struct_ops().map_err(Error::Control)?;
        let sockets =
            self.skeleton.progs.sluice_host.attach_cgroup(folder.as_raw_fd()).map_err(failed)?;
        Ok(AttachedHost { _sockets: sockets, _control: control })
    }

    /// Has the programs that were attached to this cgroup see the sockets that listen already: those of the network namespace
    /// of the calling thread. Needs CAP_PERFMON beside CAP_BPF.
    pub fn watch_listeners(&mut self, cgroup: &Path) -> Result<ListenerCounts, Error> {
        let failed = |cause| Error::Attach("sockets that listen already".into(), cause);
        let folder = fs::metadata(cgroup).map_err(|cause| failed(cause.into()))?;
        let shared = self.skeleton.maps.bss_data.as_deref_mut().ok_or(Error::Layout(".bss"))?;
        shared.listeners_cgroup = folder.ino();
        let walk = self.skeleton.progs.sluice_listeners.attach().map_err(failed)?;
        let mut results = Vec::new();
        let mut sockets = Iter::new(&walk).map_err(failed)?;
        sockets.read_to_end(&mut results).map_err(|cause| failed(cause.into()))?;
        let count = |result| results.iter().filter(|&&it| it == result).count() as u64;
        Ok(ListenerCounts { watched: count(b'+'), left: count(b'-') })
    }

    /// The program for devices, which makes room for echoes in packets that leave. It lets every packet go on.
    pub fn make_room(&self) -> &ProgramMut<'place> {
        &self.skeleton.progs.sluice_make_room
    }

    /// What happened at all sockets of the host.
    pub fn counts(&self) -> Result<HostCounts, Error> {
        let mut totals = [0; 10];
        for cpu in map::read(&self.skeleton.maps.host_counts, 0)? {
            if cpu.len() != totals.len() {
                return Err(Error::Layout("host_counts"));
            }
            totals.iter_mut().zip(cpu).for_each(|(total, count)| *total += count);
        }
        let [agreed, ordinary, followed, fell_back, lossy, grants, full, short, no_room, made_room] =
            totals;
        Ok(HostCounts {
            agreed,
            ordinary,
            followed,
            fell_back,
            lossy,
            grants,
            full,
            short,
            no_room,
            made_room,
        })
    }
}

/// A name for a congestion control, which no other process and none of the last fifteen hosts of this one has.
fn new_control_name() -> [i8; 16] {
    static LOADED: AtomicU32 = AtomicU32::new(0);
    let number = LOADED.fetch_add(1, Ordering::Relaxed) % 16;
    let text = format!("sluice_{:x}_{number:x}", std::process::id());
    let mut name = [0; 16];
    // The last stays 0.
    for (to, from) in name.iter_mut().take(15).zip(text.bytes()) {
        *to = from as i8;
    }
    name
}
