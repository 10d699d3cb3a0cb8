//! Requests to the kernel's network configuration (rtnetlink), in the network namespace of the calling thread.

use std::io;
use std::os::fd::OwnedFd;

use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};

/// Types and flags of messages (linux/netlink.h).
const ERROR: u16 = 2;
const DONE: u16 = 3;
const REQUEST: u16 = 1;
const ACK: u16 = 4;
/// Without it, a qdisc that is asked for is announced to those who watch qdiscs alone.
const ECHO: u16 = 8;
const DUMP: u16 = 0x300;

/// Bytes of a message's header, and of an attribute's.
const HEADER: usize = 16;
const ATTRIBUTE: usize = 4;
/// The kernel sends no longer datagram.
const DATAGRAM: usize = 32 << 10;

/// A message without its header.
pub struct Message {
    pub kind: u16,
    pub body: Vec<u8>,
}

/// The answer to a request about one object, if there is anything to say of it.
pub fn get(kind: u16, body: &[u8]) -> io::Result<Option<Message>> {
    Ok(request(kind, REQUEST | ACK | ECHO, body)?.into_iter().next())
}

/// The answers to a request about all objects of a kind.
pub fn dump(kind: u16, body: &[u8]) -> io::Result<Vec<Message>> {
    request(kind, REQUEST | DUMP, body)
}

fn request(kind: u16, flags: u16, body: &[u8]) -> io::Result<Vec<Message>> {
    // Of the protocols of the family, 0 is NETLINK_ROUTE.
    let (family, flag) = (AddressFamily::NETLINK, SocketFlags::CLOEXEC);
    let socket = rustix::net::socket_with(family, SocketType::RAW, flag, None)?;
    let mut message = ((HEADER + body.len()) as u32).to_ne_bytes().to_vec();
    message.extend(kind.to_ne_bytes());
    message.extend(flags.to_ne_bytes());
    // Sequence number and port, which a socket of one request needs not.
    message.extend([0; 8]);
    message.extend(body);
    rustix::net::send(&socket, &message, SendFlags::empty())?;
    answers(&socket)
}

/// All messages up to that which ends the answer.
fn answers(socket: &OwnedFd) -> io::Result<Vec<Message>> {
    let mut answers = Vec::new();
    let mut datagram = vec![0; DATAGRAM];
    loop {
        let (length, _) = rustix::net::recv(socket, &mut datagram[..], RecvFlags::empty())?;
        for (kind, body) in messages(&datagram[..length]) {
            match kind {
                DONE => return Ok(answers),
                ERROR => match i32_at(body, 0) {
                    Some(0) => return Ok(answers),
                    code => return Err(io::Error::from_raw_os_error(-code.unwrap_or(-1))),
                },
                _ => answers.push(Message { kind, body: body.to_vec() }),
            }
        }
    }
}

/// The messages of a datagram: kind and body.
fn messages(mut datagram: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let length = i32_at(datagram, 0)? as usize;
        let body = datagram.get(HEADER..length)?;
        let kind = u16_at(datagram, 4)?;
        datagram = datagram.get(length.next_multiple_of(4)..).unwrap_or_default();
        Some((kind, body))
    })
}

/// The value of the first attribute of a kind, if there is one.
pub fn attribute(mut attributes: &[u8], kind: u16) -> Option<&[u8]> {
    /// Flags in the kind of an attribute.
    const FLAGS: u16 = 0xC000;
    loop {
        let length = usize::from(u16_at(attributes, 0)?);
        let value = attributes.get(ATTRIBUTE..length)?;
        if u16_at(attributes, 2)? & !FLAGS == kind {
            return Some(value);
        }
        attributes = attributes.get(length.next_multiple_of(4)..)?;
    }
}

pub fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_ne_bytes)
}

pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_ne_bytes)
}

fn i32_at(bytes: &[u8], at: usize) -> Option<i32> {
    u32_at(bytes, at).map(|word| word as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_by_their_kind() {
        let bytes = [&[5_u8, 0, 1, 0, b'a', 0, 0, 0][..], &[8, 0, 2, 0x80, 1, 2, 3, 4]].concat();
        assert_eq!(attribute(&bytes, 1), Some(&b"a"[..]));
        assert_eq!(attribute(&bytes, 2), Some(&[1, 2, 3, 4][..]));
        assert_eq!(attribute(&bytes, 3), None);
    }

    #[test]
    fn what_is_cut_short_is_no_attribute() {
        for bytes in [&[][..], &[8, 0, 1], &[8, 0, 1, 0, 1], &[3, 0, 1, 0], &[0, 0, 1, 0]] {
            assert_eq!(attribute(bytes, 1), None, "{bytes:?}");
        }
    }
}
