//! A UDP socket on the loopback interface, its clock, and the datagrams that arrive.
//!
//! A thread waits for datagrams and stamps them as they come. The time-outs of a socket are whole ticks of
//! the kernel (4 ms at 250 Hz), longer than a packet takes; those of a channel end within 0.1 ms.

use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use sluice_units::{Bytes, Time};

use crate::datagram::{MAX_LENGTH, OverlayDatagram};
use crate::error::OverlayError;

/// Datagrams that wait for the process; more wait in the kernel, which drops what does not fit.
const INBOX: usize = 1024;

/// A datagram that arrived.
#[derive(Debug)]
pub struct Arrived {
    /// When, on this process's clock.
    pub at: Time,
    /// The sender's UDP port.
    pub from: u16,
    /// Its length.
    pub bytes: Bytes,
    /// What it says.
    pub datagram: OverlayDatagram,
}

/// A socket with its clock, which begins at [`Time::ZERO`] when it is made.
pub struct Endpoint {
    socket: UdpSocket,
    port: u16,
    /// The only port that it talks to; `None` if it talks to many.
    peer: Option<u16>,
    start: Instant,
    inbox: Receiver<io::Result<Arrived>>,
    malformed: Arc<AtomicU64>,
    buffer: Vec<u8>,
}

impl Endpoint {
    /// Opens this port of 127.0.0.1, or any if it is 0. A source has a `peer`, the only one that it talks to, so that
    /// it hears if nobody listens there.
    pub fn open(port: u16, peer: Option<u16>) -> Result<Self, OverlayError> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|cause| OverlayError::Port(port, cause))?;
        if let Some(peer) = peer {
            socket.connect((Ipv4Addr::LOCALHOST, peer)).map_err(OverlayError::Socket)?;
        }
        let port = socket.local_addr().map_err(OverlayError::Socket)?.port();
        let (sender, inbox) = sync_channel(INBOX);
        let (start, malformed) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        let reader = socket.try_clone().map_err(OverlayError::Socket)?;
        let counter = Arc::clone(&malformed);
        thread::spawn(move || read(&reader, start, &sender, &counter));
        let buffer = Vec::with_capacity(MAX_LENGTH);
        Ok(Self { socket, port, peer, start, inbox, malformed, buffer })
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The time.
    pub fn now(&self) -> Time {
        since(self.start)
    }

    /// Datagrams so far that were malformed, and dropped.
    pub fn malformed(&self) -> u64 {
        self.malformed.load(Ordering::Relaxed)
    }

    /// The next datagram; `None` if none comes until then. A peer that refuses datagrams is an error.
    pub fn receive(&mut self, until: Time) -> Result<Option<Arrived>, OverlayError> {
        let patience = Duration::from_nanos(until.since(self.now()).as_nanos());
        match self.inbox.recv_timeout(patience) {
            Ok(Ok(arrived)) => Ok(Some(arrived)),
            Ok(Err(cause)) => Err(self.failed(cause)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(OverlayError::Socket(io::ErrorKind::BrokenPipe.into()))
            }
        }
    }

    /// Sends it to the node of its route that it is at.
    pub fn send(&mut self, datagram: &OverlayDatagram) -> Result<(), OverlayError> {
        datagram.encode(&mut self.buffer);
        if self.peer.is_some() {
            return self.socket.send(&self.buffer).map(|_| ()).map_err(|cause| self.failed(cause));
        }
        let to = datagram.route.get(usize::from(datagram.at)).copied().unwrap_or(0);
        // Where a neighbour is gone or the kernel has no room, it is as if the network lost it.
        _ = self.socket.send_to(&self.buffer, (Ipv4Addr::LOCALHOST, to));
        Ok(())
    }

    fn failed(&self, cause: io::Error) -> OverlayError {
        match self.peer {
            Some(peer) if cause.kind() == io::ErrorKind::ConnectionRefused => {
                OverlayError::Refused(peer)
            }
            _ => OverlayError::Socket(cause),
        }
    }
}

fn since(start: Instant) -> Time {
    Time::from_nanos(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

/// Hands on datagrams until the socket fails or nobody wants them.
fn read(
    socket: &UdpSocket,
    start: Instant,
    inbox: &SyncSender<io::Result<Arrived>>,
    malformed: &AtomicU64,
) {
    // A byte more than a datagram may have shows those that are longer.
    let mut buffer = [0; MAX_LENGTH + 1];
    loop {
        let arrived = match socket.recv_from(&mut buffer) {
            Ok((length, from)) => {
                let datagram = OverlayDatagram::decode(&buffer[..length]);
                let Some(datagram) = datagram.filter(|_| length <= MAX_LENGTH) else {
                    malformed.fetch_add(1, Ordering::Relaxed);
                    continue;
                };
                let bytes = Bytes::new(length as u64);
                Ok(Arrived { at: since(start), from: from.port(), bytes, datagram })
            }
            Err(cause) => Err(cause),
        };
        // A router that is not there yet, or no longer, can come.
        let is_over =
            arrived.as_ref().is_err_and(|cause| cause.kind() != io::ErrorKind::ConnectionRefused);
        if inbox.send(arrived).is_err() || is_over {
            return;
        }
    }
}
