//! The qdisc `clsact` of a device, and the filters there.

use std::io;

use super::netlink::{self, Message, attribute, u32_at};

/// Requests a qdisc, and filters (linux/rtnetlink.h).
const GET_QDISC: u16 = 38;
const GET_FILTER: u16 = 46;
const FILTER: u16 = 44;
/// Attributes: the kind, what is particular to it, and there the number of a BPF program (linux/pkt_cls.h).
const KIND: u16 = 1;
const OPTIONS: u16 = 2;
const PROGRAM: u16 = 11;
/// Bytes of `struct tcmsg`, before the attributes; and where it has handle and priority.
const TC: usize = 20;
const HANDLE: usize = 8;
const INFO: usize = 16;

/// Parents (linux/pkt_sched.h): where `clsact` and `ingress` are, and the hooks of `clsact`.
const QDISC: u32 = 0xFFFF_FFF1;
const INGRESS: u32 = 0xFFFF_FFF2;
const EGRESS: u32 = 0xFFFF_FFF3;

/// What holds the place of `clsact` at a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qdisc {
    /// Nothing.
    None,
    /// `clsact`, with hooks at ingress and egress.
    Clsact,
    /// `ingress`, which has none at egress.
    Ingress,
}

/// A filter at a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    pub priority: u32,
    pub handle: u32,
    /// The number of its program; `None` if it is no BPF filter.
    pub program: Option<u32>,
}

/// What is in the place of `clsact`.
pub fn qdisc(device: u32) -> io::Result<Qdisc> {
    let found = match netlink::get(GET_QDISC, &request(device, QDISC)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        found => found?,
    };
    // After one was removed, there is one of which the kernel says nothing.
    let Some(Message { body, .. }) = found else { return Ok(Qdisc::None) };
    match body.get(TC..).and_then(|attributes| attribute(attributes, KIND)) {
        Some(b"clsact\0") => Ok(Qdisc::Clsact),
        Some(b"ingress\0") => Ok(Qdisc::Ingress),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// The filters at egress; none if there is no device or qdisc.
pub fn egress_filters(device: u32) -> io::Result<Vec<Filter>> {
    let found = netlink::dump(GET_FILTER, &request(device, EGRESS))?;
    Ok(found.iter().filter_map(filter).collect())
}

/// Whether there is a filter at ingress or egress.
pub fn has_filters(device: u32) -> io::Result<bool> {
    let has = |hook| -> io::Result<bool> {
        let found = netlink::dump(GET_FILTER, &request(device, hook))?;
        Ok(found.iter().any(|message| message.kind == FILTER))
    };
    Ok(has(INGRESS)? || has(EGRESS)?)
}

/// Family and padding, device, handle, parent, info.
fn request(device: u32, parent: u32) -> Vec<u8> {
    [0, device, 0, parent, 0].into_iter().flat_map(u32::to_ne_bytes).collect()
}

fn filter(message: &Message) -> Option<Filter> {
    let body = (message.kind == FILTER).then_some(&message.body)?;
    // A priority begins with a message of its own, whose handle is 0.
    let handle = u32_at(body, HANDLE).filter(|handle| *handle != 0)?;
    // The lower half is the protocol.
    let priority = u32_at(body, INFO)? >> 16;
    let options = attribute(body.get(TC..)?, OPTIONS);
    let program = options.and_then(|options| u32_at(attribute(options, PROGRAM)?, 0));
    Some(Filter { priority, handle, program })
}
