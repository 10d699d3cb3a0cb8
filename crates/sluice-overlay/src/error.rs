//! Why a process ends.

use std::{fmt, io};

use sluice_units::Span;

/// Why a process of the overlay cannot begin or go on.
#[derive(Debug)]
pub enum OverlayError {
    /// The UDP port cannot be used.
    Port(u16, io::Error),
    /// Datagrams cannot be sent or received.
    Socket(io::Error),
    /// The first router of a source's route refuses datagrams: no process has its port.
    Refused(u16),
    /// No answer came for that long: a router or the sink of the route is gone.
    Silent(Vec<u16>, Span),
    /// An argument does not fit the others.
    Argument(String),
    /// A process of the demonstration cannot be started, or ended before its time.
    Child(String),
}

impl fmt::Display for OverlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port(port, cause) if cause.kind() == io::ErrorKind::AddrInUse => {
                write!(f, "UDP port {port} is in use; choose another with --port")
            }
            Self::Port(port, cause) => write!(f, "UDP port {port} cannot be used: {cause}"),
            Self::Socket(cause) => write!(f, "the socket failed: {cause}"),
            Self::Refused(port) => {
                write!(f, "no router listens on UDP port {port}, the first of the route")
            }
            Self::Silent(route, silence) => {
                let route: Vec<String> = route.iter().map(u16::to_string).collect();
                write!(
                    f,
                    "no answer for {silence}: a router or the sink of the route {} is gone, \
                     or a round trip takes longer than --patience",
                    route.join(",")
                )
            }
            Self::Argument(what) | Self::Child(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for OverlayError {}
