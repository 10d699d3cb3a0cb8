//! A network device.

use std::io;

use rustix::net::{AddressFamily, SocketFlags, SocketType, netdevice};

use super::netlink::{self, attribute, u16_at, u32_at};
use super::qdisc::{self, Qdisc};
use crate::error::Error;

/// Requests a device, and its name among the answer's attributes (linux/rtnetlink.h, linux/if_link.h).
const GET_LINK: u16 = 18;
const LINK_NAME: u16 = 3;
/// Bytes of `struct ifinfomsg`, before the attributes; and where it has the type.
const LINK: usize = 16;
const LINK_TYPE: usize = 2;
const LINK_INDEX: usize = 4;
const LINK_FLAGS: usize = 8;
/// The flag of a device that is up (linux/if.h).
const UP: u32 = 1;

/// Types of devices whose packets begin with an Ethernet header (linux/if_arp.h).
const ETHERNET: u16 = 1;
const LOOPBACK: u16 = 772;

/// A device at whose egress a router can be: its packets begin with an Ethernet header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    name: String,
    index: u32,
}

/// What the kernel says of a device.
struct Link {
    device: Device,
    /// Its type.
    kind: u16,
    is_up: bool,
}

impl Device {
    /// The device of that name in the network namespace of the calling thread. [`Error::NoDevice`] if there is none,
    /// [`Error::NotEthernet`] if its packets have no Ethernet header.
    pub fn named(name: &str) -> Result<Self, Error> {
        let index = index_of(name).map_err(|cause| Error::NoDevice(name.to_owned(), cause))?;
        Self::numbered(index)
    }

    /// The device of that number (`ifindex`), as [`named`](Self::named).
    pub fn numbered(index: u32) -> Result<Self, Error> {
        let fault = |cause| Error::NoDevice(format!("number {index}"), cause);
        // Family, padding and type; number; flags and which to change.
        let mut request = vec![0; 4];
        request.extend(index.to_ne_bytes());
        request.extend([0; 8]);
        let link = netlink::get(GET_LINK, &request).map_err(fault)?;
        match link.and_then(|answer| Link::read(&answer.body)) {
            Some(Link { device, kind: ETHERNET | LOOPBACK, .. }) => Ok(device),
            Some(Link { device, kind, .. }) => {
                Err(Error::NotEthernet { device: device.name, kind })
            }
            None => Err(fault(io::ErrorKind::InvalidData.into())),
        }
    }

    /// The Ethernet devices that are up in the network namespace of the calling thread, by number. The loopback device is
    /// not among them.
    pub fn ethernet_up() -> Result<Vec<Self>, Error> {
        Self::those(|link| link.kind == ETHERNET && link.is_up)
    }

    /// The devices at which programs can be in the network namespace of the calling thread, by number: up or not, and the
    /// loopback device.
    pub fn all() -> Result<Vec<Self>, Error> {
        Self::those(|link| matches!(link.kind, ETHERNET | LOOPBACK))
    }

    fn those(are_wanted: impl Fn(&Link) -> bool) -> Result<Vec<Self>, Error> {
        let fault = |cause| Error::NoDevice("at all".to_owned(), cause);
        let links = netlink::dump(GET_LINK, &[0; LINK]).map_err(fault)?;
        let links = links.iter().filter_map(|link| Link::read(&link.body));
        let mut found: Vec<_> = links.filter(are_wanted).map(|link| link.device).collect();
        found.sort_by_key(|device| device.index);
        Ok(found)
    }

    /// Whether it has the qdisc `clsact`, which programs at its egress need and which is created for them.
    /// [`Error::IngressQdisc`] if `ingress` is in its place, so that none can be attached.
    pub fn has_clsact(&self) -> Result<bool, Error> {
        let found = qdisc::qdisc(self.index);
        match found.map_err(|cause| Error::Hook { device: self.name.clone(), cause })? {
            Qdisc::Clsact => Ok(true),
            Qdisc::None => Ok(false),
            Qdisc::Ingress => Err(Error::IngressQdisc(self.name.clone())),
        }
    }

    /// Its name, as it was then.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its number, `ifindex`.
    pub fn index(&self) -> u32 {
        self.index
    }
}

impl Link {
    fn read(body: &[u8]) -> Option<Self> {
        let name = attribute(body.get(LINK..)?, LINK_NAME)?;
        let name = String::from_utf8_lossy(name).trim_end_matches('\0').to_owned();
        Some(Self {
            device: Device { name, index: u32_at(body, LINK_INDEX)? },
            kind: u16_at(body, LINK_TYPE)?,
            is_up: u32_at(body, LINK_FLAGS)? & UP != 0,
        })
    }
}

fn index_of(name: &str) -> io::Result<u32> {
    let (family, flag) = (AddressFamily::UNIX, SocketFlags::CLOEXEC);
    let socket = rustix::net::socket_with(family, SocketType::DGRAM, flag, None)?;
    Ok(netdevice::name_to_index(socket, name)?)
}
