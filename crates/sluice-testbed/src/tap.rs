//! TAP devices.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::{Errno, read, write};

use crate::error::Attempt as _;
use crate::sys::open_tap;
use crate::{Namespace, TestbedError};

/// More than the longest frame: a `virtio_net_hdr`, Ethernet with tags, an IP packet of 64 KiB.
pub(crate) const LONGEST_FRAME: usize = 65_536 + 64;

/// A TAP device, which goes away with this.
pub(crate) struct Tap(OwnedFd);

impl Tap {
    /// A device of this name in the namespace, up. With `super_packets` it passes on trains of
    /// segments as a whole.
    pub(crate) fn new(
        namespace: &Namespace,
        name: &str,
        super_packets: bool,
    ) -> Result<Self, TestbedError> {
        let tap = namespace
            .enter(|| open_tap(name, super_packets))
            .attempt(|| format!("cannot create the TAP device `{name}` by /dev/net/tun"))?;
        // The emulated queue is to be the only one that drops: the device's holds what arrives while
        // the relay does not run.
        namespace.ip(&["link", "set", "dev", name, "txqueuelen", "10000"])?;
        if !super_packets {
            namespace.ip(&["link", "set", "dev", name, "gso_max_segs", "1"])?;
        }
        namespace.ip(&["link", "set", "dev", name, "up"])?;
        Ok(Self(tap))
    }

    /// The next frame that the namespace sends, without its end if that exceeds the buffer; `None` while
    /// there is none.
    pub(crate) fn read<'a>(&self, buffer: &'a mut [u8]) -> io::Result<Option<&'a [u8]>> {
        loop {
            match read(&self.0, &mut *buffer) {
                Ok(length) => return Ok(Some(&buffer[..length])),
                Err(Errno::AGAIN) => return Ok(None),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Passes a frame to the namespace; whether the device took it. It does not while it is down or
    /// memory is short.
    pub(crate) fn write(&self, frame: &[u8]) -> bool {
        loop {
            match write(&self.0, frame) {
                Err(Errno::INTR) => {}
                result => return result.is_ok(),
            }
        }
    }
}

impl AsFd for Tap {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
