//! System calls that have no safe wrapper.

#![allow(unsafe_code)]

use std::io;
use std::mem::size_of;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Mode, OFlags, open};
use rustix::ioctl::{IntegerSetter, Opcode, Updater, ioctl};
use rustix::thread::{UnshareFlags, unshare_unsafe};

/// From linux/if_tun.h.
const TUNSETIFF: Opcode = 0x4004_54CA;
const TUNSETOFFLOAD: Opcode = 0x4004_54D0;
const IFF_TAP: u16 = 0x0002;
const IFF_NO_PI: u16 = 0x1000;
const IFF_VNET_HDR: u16 = 0x4000;
const TUN_F_CSUM: usize = 0x01;
const TUN_F_TSO4: usize = 0x02;
const TUN_F_TSO6: usize = 0x04;
const TUN_F_TSO_ECN: usize = 0x08;

/// `struct ifreq` of linux/if.h, as TUNSETIFF uses it.
#[repr(C)]
struct InterfaceRequest {
    name: [u8; 16],
    flags: u16,
    unused: [u8; 22],
}
const _: () = assert!(size_of::<InterfaceRequest>() == size_of::<libc::ifreq>());

/// Moves the calling thread into a network namespace of its own.
pub(crate) fn enter_new_network_namespace() -> io::Result<()> {
    // SAFETY: only CLONE_FILES can break what threads share, and it is not among the flags.
    Ok(unsafe { unshare_unsafe(UnshareFlags::NEWNET) }?)
}

/// A TAP device in the thread's network namespace, which lasts as long as its descriptor. Frames
/// follow a `virtio_net_hdr`; with `offload`, they may be super-packets without checksums.
pub(crate) fn open_tap(name: &str, offload: bool) -> io::Result<OwnedFd> {
    let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let tap = open("/dev/net/tun", flags, Mode::empty())?;
    let mut request = InterfaceRequest {
        name: [0; 16],
        flags: IFF_TAP | IFF_NO_PI | IFF_VNET_HDR,
        unused: [0; 22],
    };
    // The last byte stays zero.
    if name.is_empty() || name.len() >= request.name.len() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a name has 1 to 15 bytes"));
    }
    request.name[..name.len()].copy_from_slice(name.as_bytes());
    // SAFETY: TUNSETIFF reads and writes one `struct ifreq`, whose size and layout this type has.
    unsafe { ioctl(tap.as_fd(), Updater::<TUNSETIFF, _>::new(&mut request)) }?;
    let offloads = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;
    let offloads = if offload { offloads } else { 0 };
    // SAFETY: TUNSETOFFLOAD takes its argument by value.
    unsafe { ioctl(tap.as_fd(), IntegerSetter::<TUNSETOFFLOAD>::new_usize(offloads)) }?;
    Ok(tap)
}

/// Lets the calling thread run before all of normal priority.
pub(crate) fn run_first() -> io::Result<()> {
    let priority = libc::sched_param { sched_priority: 1 };
    // SAFETY: the call reads the parameter, which outlives it; 0 is the calling thread.
    match unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const priority) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
